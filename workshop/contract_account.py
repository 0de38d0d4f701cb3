"""What came of a contract that was asked for, told as it is.

Knows:    the lines that a person reads.
Does not: judge.   (contract_trying.py)
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from llm import Usage


@dataclass(frozen=True)
class ContractAccount:
    """The end of a run.

    done: everything that was asked for is there, and every check and call went well. folder: where the task
    is, None where none was written. functions: full names. checks: what was run, and its result in words.
    problems: what is missing or went wrong, one thing each; next_steps: what a person should do now. usage:
    tokens of every request to the model, None where nothing is known of them.
    """

    done: bool
    folder: Path | None = None
    functions: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    usage: Usage | None = None

    @property
    def headline(self) -> str:
        """Return the outcome in one sentence."""
        if self.done:
            return "Done: the contract is written, checked, and tried on the demo shop."
        if self.folder is None:
            return "No contract was made."
        return "Not done: a draft is written, and it is not all that was asked for, or not all of it works."

    def lines(self) -> list[str]:
        """Return the account for people."""
        found = [self.headline]
        if self.folder is not None:
            found.append(f"Folder: {self.folder}")
        if self.functions:
            found.append(f"Functions: {', '.join(self.functions)}")
        for title, entries in (
            ("Checked", self.checks),
            ("To know", self.problems),
            ("Next", self.next_steps),
        ):
            if entries:
                found += [f"{title}:", *(f"  - {entry}" for entry in entries)]
        return found


def as_plain(account: ContractAccount) -> dict[str, Any]:
    """Return the account in values that JSON has."""
    return asdict(account) | {"folder": str(account.folder) if account.folder else None}


def summed(first: Usage | None, second: Usage | None) -> Usage | None:
    """Return the sum of what is known."""
    if first is None or second is None:
        return first or second
    return Usage(
        first.prompt_tokens + second.prompt_tokens, first.completion_tokens + second.completion_tokens
    )
