"""upstreams.yaml: the deployment's table, read strictly, with every problem at once.

Knows:    the file's form.
Does not: read a secret, or open a connection.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contracts.problems import BadContracts, Problem
from contracts.upstreams import Table, Upstream
from contracts.wording import in_words
from contracts.yaml_text import Text, read_yaml


class UpstreamsFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    upstreams: Annotated[tuple[Upstream, ...], Field(max_length=200)]


def load_upstreams(path: Path) -> Table:
    """Return the upstreams by name.  Raises: BadContracts."""
    try:
        text = read_yaml(path.read_bytes())
    except OSError as error:
        why = error.strerror or "it cannot be read"
        raise BadContracts(
            [Problem(path.name, 0, "", f"{why}.", "Write it, or correct CONTRACTS_UPSTREAMS.")]
        ) from None
    if text.flaws:
        raise BadContracts(Problem(path.name, flaw.line, "", flaw.rule, flaw.remedy) for flaw in text.flaws)
    try:
        rows = UpstreamsFile.model_validate(text.value or {}).upstreams
    except ValidationError as error:
        raise BadContracts(_problems(path, text, error)) from None
    problems: list[Problem] = []
    table: Table = {}
    for index, row in enumerate(rows):
        for field, rule, remedy in _odd(row, table):
            loc = ("upstreams", index, *field)
            problems.append(Problem(path.name, text.line(loc), text.path(loc), rule, remedy))
        table[row.name] = row
    if problems:
        raise BadContracts(problems)
    return table


_OAUTH = ("token_url", "client_id", "client_secret")
_SECRETS = ("token", "client_id", "client_secret")
_OF_THE_HOUSE = re.compile(r"(CONTRACTS|SHOPKART|JOURNAL|OPENAI|DATABASE|MCP)_.*")


def _odd(row: Upstream, before: Table) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield what no single field shows: where, which rule, and what to do."""
    if row.name in before:
        yield ("name",), f"{row.name} stands here twice.", "Keep one of them."
    auth = row.auth
    if auth.kind == "oauth" and auth.token_url is None:
        yield ("auth",), "kind: oauth needs a token_url.", "Write the address where tokens are renewed."
    for field in _OAUTH if auth.kind != "oauth" else ():
        if getattr(auth, field) is not None:
            yield ("auth", field), f"{field} is of kind: oauth alone.", "Remove it, or write kind: oauth."
    if auth.kind in ("none", "oauth") and auth.token is not None:
        yield ("auth", "token"), f"kind: {auth.kind} uses no token of a setting.", "Remove it."
    for field in _SECRETS:
        if _OF_THE_HOUSE.fullmatch(getattr(auth, field) or ""):
            told = f"{getattr(auth, field)} is a secret of this program, and no upstream's."
            yield ("auth", field), told, "Name a setting that holds the upstream's own secret."


def _problems(path: Path, text: Text, error: ValidationError) -> list[Problem]:
    return [
        Problem(path.name, text.line(loc), text.path(loc), rule, remedy)
        for loc, rule, remedy in in_words(error, UpstreamsFile)
    ]
