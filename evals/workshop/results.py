"""What came of each task in each way, one JSON line each, so that a run that was stopped goes on.

Knows:    the file and its fields.
Does not: count.   (table.py)
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Result:
    """One task in one way.

    claim: what the way itself says of its program: an outcome of workshop.account; "" where it says nothing.
    right: every assert holds. seen: the one that was in the sentence does. problem: what the judge saw.
    seconds: what its replies took when they were asked for. agreeing, compared: as of the account.
    """

    way: str
    task: str
    claim: str = ""
    right: bool = False
    seen: bool = False
    requests: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    attempts: int = 0
    agreeing: int = 0
    compared: int = 0
    problem: str = ""


class Results:
    """The results of one model in one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._known = {(each.way, each.task): each for each in _read(path)}

    def known(self, way: str, task: str) -> Result | None:
        """Return the result that is there."""
        return self._known.get((way, task))

    def of(self, way: str) -> dict[str, Result]:
        """Return task -> result of a way."""
        return {task: each for (name, task), each in self._known.items() if name == way}

    def add(self, result: Result) -> None:
        """Keep a result at once."""
        self._known[result.way, result.task] = result
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")


def _read(path: Path) -> Iterator[Result]:
    if path.is_file():
        for line in path.read_text("utf-8").splitlines():
            try:
                yield Result(**json.loads(line))
            except (ValueError, TypeError):
                continue  # cut off by the end of a run, or of an older form: it is played again
