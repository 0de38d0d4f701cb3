"""Whether a pinned function can run here: the question that only the deployment can answer.

Knows:    the table of upstreams, and which settings hold a secret, by their names.
Does not: send anything, or read a secret's value further than whether it is there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from contracts.task import Offered, Task
from contracts.upstreams import Table, Upstream


@dataclass(frozen=True)
class Checked:
    """One function. reasons: why it cannot run, empty where it can. warnings: what else to know."""

    name: str
    line: str
    reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Say whether it can run here."""
        return not self.reasons


HasSecret = Callable[[str], bool]
"""Says whether a setting of that name holds something."""


def checked(tasks: Mapping[str, Task], table: Table, has_secret: HasSecret) -> list[Checked]:
    """Return every function of the tasks, in the order of the files."""
    return [_one(each, table, has_secret) for task in tasks.values() for each in task.functions]


def _one(offered: Offered, table: Table, has_secret: HasSecret) -> Checked:
    contract = offered.contract
    upstream = table.get(offered.upstream)
    line = f"{contract.method} {upstream.base_url if upstream else offered.upstream}{contract.path}"
    if upstream is None:
        known = ", ".join(table) or "none"
        reason = (
            f"the upstream {offered.upstream} is not in the table (it has: {known}); "
            f"{_meant(offered.upstream, table)}add a row or rename it"
        )
        return Checked(offered.name, line, (reason,))
    return Checked(
        offered.name,
        line,
        tuple(_reasons(offered, upstream)),
        tuple(_warnings(upstream, has_secret)),
    )


def _reasons(offered: Offered, upstream: Upstream) -> Iterator[str]:
    if missing := [scope for scope in offered.contract.scopes if scope not in upstream.scopes]:
        yield (
            f"it asks for {', '.join(missing)}, which the table does not allow at {upstream.name}; "
            f"{_meant(missing[0], upstream.scopes)}add it to the row's scopes, if it may have it"
        )


def _meant(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1, cutoff=0.85)
    return f"did you mean {near[0]}? If not, " if near else ""


def _warnings(upstream: Upstream, has_secret: HasSecret) -> Iterator[str]:
    auth = upstream.auth
    if auth.kind in ("bearer", "api_key") and (auth.token is None or not has_secret(auth.token)):
        named = auth.token or "no setting, so a kept token only"
        yield f"{upstream.name} signs in with {named}, which is empty; set it, or keep each merchant's token"
    if auth.kind == "oauth":
        yield f"{upstream.name} signs in with kept tokens; `python -m contracts tokens list` shows whose"


__all__ = ["Checked", "checked"]
