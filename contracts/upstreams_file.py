"""upstreams.yaml: the deployment's table, read strictly, with every problem at once.

Knows:    the file's form.
Does not: read a secret, or open a connection.
"""

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
    table: Table = {}
    for index, row in enumerate(rows):
        if row.name in table:
            line = text.line(("upstreams", index, "name"))
            where = f"upstreams[{index}].name"
            problem = Problem(path.name, line, where, f"{row.name} stands here twice.", "Keep one of them.")
            raise BadContracts([problem])
        table[row.name] = row
    return table


def _problems(path: Path, text: Text, error: ValidationError) -> list[Problem]:
    return [
        Problem(path.name, text.line(loc), text.path(loc), rule, remedy)
        for loc, rule, remedy in in_words(error, UpstreamsFile)
    ]
