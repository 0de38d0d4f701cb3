"""What is wrong with contract files: every problem says where it is, which rule it breaks, and what to do.

Knows:    the form of a problem, in words and as data.
Does not: find any.   (reading.py, rules.py, registry.py)
"""

from collections.abc import Iterable
from dataclasses import dataclass

from common.text import visible


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong.

    file: as `categories/functions.yaml`. line: from 1; 0 where it is about the whole file. field: as
    `functions[2].request.query`; empty for the whole file. rule: what must hold. remedy: what to do now.
    """

    file: str
    line: int
    field: str
    rule: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        text = f"{where}: {f'{self.field}: ' if self.field else ''}{self.rule} {self.remedy}".strip()
        return visible(text)  # whoever wrote the files chose the names in it


class ContractsError(Exception):
    """Base of what this room raises; the text says what happened and what to do."""


class BadContracts(ContractsError):
    """Contract files that cannot be used. problems: all of them, in the order of the files."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
