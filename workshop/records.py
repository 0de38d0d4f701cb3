"""The workshop's four logs: what happened by day, answers that were no use, files, and test runs.

Knows:    the names of the logs, what a line has, how long a log may grow.
Does not: decide what is worth a line, or show anything to a person.   (events.py)
Rule:     one JSON object a line, redacted, each line written in one call, so that two processes do not mix
          theirs. A log that reached its size is renamed to `*.1`, over the one before. A disk that takes no
          more never stops the work: it is told once on the logger, and again after a line has succeeded.
"""

import errno
import json
import logging
import math
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from common.redaction import redact
from workshop.events import Event, as_json

LARGEST = 5_000_000
"""Bytes of one log before it is put aside."""

_TEXT = 4_000
"""Characters of one text in a line."""
_DEEPEST = 6

log = logging.getLogger(__name__)


def _local() -> datetime:
    return datetime.now().astimezone()


class Records:
    """The logs in one folder, which is made when the first line is written."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime] = _local, largest: int = LARGEST) -> None:
        self.folder = folder
        self._now = now
        self._largest = largest
        self._told = False

    def event(self, event: Event) -> None:
        """Note what happened in a run, in the log of the day."""
        self.core(**as_json(event))

    def core(self, **facts: Any) -> None:
        """Note facts in the log of the day: `core-YYYY-MM-DD.log`."""
        self._add(f"core-{self._now():%Y-%m-%d}.log", facts)

    def invalid_answer(self, agent: str, text: str, problems: Sequence[str]) -> None:
        """Note an answer that could not be used, and each reason."""
        facts = {"agent": agent, "problems": list(problems), "length": len(text), "text": text}
        self._add("invalid_answers.log", facts)

    def file(self, project: str, path: str, outcome: str) -> None:
        """Note what became of a file: written, refused or failed, with the reason behind a colon."""
        what, _, why = outcome.partition(": ")
        self._add("files.log", {"project": project, "path": path, "outcome": what, "why": why})

    def tests(self, project: str, status: str, tests: int, passed: int | None = None) -> None:
        """Note a test run: its status in a word, and how many tests it had."""
        counts = {"tests": tests} if passed is None else {"tests": tests, "passed": passed}
        self._add("tests.log", {"project": project, "status": status, **counts})

    def _add(self, name: str, facts: dict[str, Any]) -> None:
        clean = {key: _clean(value) for key, value in facts.items()}
        line = json.dumps({"at": self._now().isoformat(timespec="milliseconds"), **clean}, ensure_ascii=False)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._put_aside(self.folder / name, len(line))
            _append(self.folder / name, f"{line}\n".encode("utf-8", "replace"))
        except OSError as error:
            if not self._told:
                reason = error.strerror or str(error)
                log.warning(
                    "a log cannot be written; the work goes on", extra={"log": name, "reason": reason}
                )
            self._told = True
        else:
            self._told = False

    def _put_aside(self, path: Path, more: int) -> None:
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            return
        if size + more > self._largest:
            path.replace(path.with_name(f"{path.name}.1"))


def _append(path: Path, data: bytes) -> None:
    """Add the bytes in one call. For the owner alone: a log has what people wrote."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if os.write(file, data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(file)


def _clean(value: Any, depth: int = 0) -> Any:
    """Return the value as a line may have it: texts redacted and short, nothing deep."""
    if isinstance(value, str):
        # Redacted before it is cut: half a key would not be known for one.
        plain = redact(value[: 2 * _TEXT]).encode("utf-8", "replace").decode("utf-8")
        return plain if len(value) <= _TEXT else f"{plain[:_TEXT]}…"
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if depth >= _DEEPEST:
        return "…"
    if isinstance(value, dict):
        return {str(key): _clean(item, depth + 1) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [_clean(item, depth + 1) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return _clean(str(value))
