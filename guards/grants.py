"""A yes to all calls of a kind: what it covers, in words, and what it never covers.

Knows:    tools, arguments, and which arguments hold ids.
Does not: ask, or keep anything beyond the session unless it is told to.   (terminal/permissions.py)
Rule:     it covers one tool of one server, as that tool described itself when it was given, for the same ids.
          Never a tool that may alter or delete something, or of which anything is odd.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from common.approval import canonical
from common.schema import Schema, field_schema, fields
from guards.approval import is_reversible
from guards.grounding import kind_of, noun

_MAX_SHOWN = 40
"""Characters of an id in the words of a grant."""


@dataclass(frozen=True)
class Grant:
    """One yes to all.

    tool_hash: of all that the tool said of itself. ids: the JSON text of the id arguments that it is for.
    words: what it covers, as the person has read it.
    """

    server: str
    tool: str
    tool_hash: str
    ids: str
    words: str


@dataclass
class Grants:
    """The grants of one session, in the order in which they were given."""

    given: list[Grant] = field(default_factory=list[Grant])

    def give(self, grant: Grant) -> None:
        """Add a grant, once."""
        if grant not in self.given:
            self.given.append(grant)

    def covering(self, wanted: Grant) -> Grant | None:
        """Return the grant that covers what would be granted for a call, if there is one."""
        return next((grant for grant in self.given if _covers(grant, wanted)), None)


def grant_for(
    tool: Any, arguments: dict[str, Any], schema: Schema, *, server: str, tool_hash: str
) -> Grant | None:
    """Return what a yes to all calls like this one would be; None where there is no such yes."""
    if not is_reversible(tool):
        return None
    ids = {name: value for name, value in arguments.items() if _holds_id(name, value, schema)}
    return Grant(server, tool.name, tool_hash, canonical(ids), _words(tool, ids, schema))


def _holds_id(name: str, value: Any, schema: Schema) -> bool:
    """Say whether an argument is part of what a grant is for: an id, what has parts, what no schema names.

    The last because the words do not name it, either.
    """
    return (
        kind_of(name, field_schema(schema, name)) is not None
        or isinstance(value, dict | list)
        or name not in fields(schema)
    )


def _words(tool: Any, ids: dict[str, Any], schema: Schema) -> str:
    for_what = [f"{_called(name, schema)} {_shown(value)}" for name, value in ids.items()]
    others = [name for name in fields(schema) if name not in ids]
    whatever = f", whatever the {' and '.join(_plain(name) for name in others)}" if others else ""
    return f"{tool.title or tool.name}{' for ' + ' and '.join(for_what) if for_what else ''}{whatever}"


def _called(name: str, schema: Schema) -> str:
    kind = kind_of(name, field_schema(schema, name))
    return noun(kind) if kind else _plain(name)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: Any) -> str:
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return written if len(written) <= _MAX_SHOWN else written[: _MAX_SHOWN - 1] + "…"


def _covers(grant: Grant, wanted: Grant) -> bool:
    return (grant.server, grant.tool, grant.tool_hash, grant.ids) == (
        wanted.server,
        wanted.tool,
        wanted.tool_hash,
        wanted.ids,
    )
