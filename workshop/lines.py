r"""Lines: bytes into lines, lines into messages, messages into lines.

Knows:    that a line ends with \n and holds one JSON object in UTF-8; how long one may be.
Does not: read from a process, or know which request a message answers.   (agent.py, asking.py)
"""

import json
from typing import Any, cast

from pydantic import ValidationError

from workshop.messages import FROM_AGENT, LINE_BYTES, AgentMessage, FromCore

_SHOWN_CHARS = 120


class BadLine(Exception):
    """A line that is no message; the text says why. about: its type, id and call, where they can be read."""

    def __init__(self, why: str, about: dict[str, str] | None = None) -> None:
        super().__init__(why)
        self.about = about or {}


class Lines:
    """Bytes as they come, cut into lines. A line that is too long is skipped up to its end, and counted."""

    def __init__(self, most: int = LINE_BYTES) -> None:
        self._most = most
        self._rest = bytearray()
        self._skipped = 0

    def fed(self, data: bytes) -> list[bytes | int]:
        """Return the lines that are now complete, without their ends; an int is the size of a skipped one."""
        *ended, rest = data.split(b"\n")
        lines: list[bytes | int] = []
        for piece in ended:
            self._keep(piece)
            lines.append(self._taken())
        self._keep(rest)
        return lines

    def rest(self) -> bytes | int:
        """Return what there is of a line that did not end."""
        return self._skipped or bytes(self._rest)

    def _keep(self, piece: bytes) -> None:
        size = len(self._rest) + len(piece)
        if self._skipped or size > self._most:
            self._skipped += size
            self._rest.clear()
        else:
            self._rest += piece

    def _taken(self) -> bytes | int:
        line: bytes | int = self._skipped or bytes(self._rest)
        self._rest.clear()
        self._skipped = 0
        return line


def message_of(line: bytes) -> AgentMessage:
    """Return the message of an agent's line.

    Raises: BadLine.
    """
    try:
        return FROM_AGENT.validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        why = f"{where}: {first['msg']}" if where else first["msg"]
        raise BadLine(f"{why}; it begins {_shown(line)}", _about(line)) from None


def line_of(message: FromCore) -> bytes:
    """Return a core's message as a line, its end included."""
    return message.model_dump_json().encode() + b"\n"


def _shown(line: bytes) -> str:
    text = line[: 4 * _SHOWN_CHARS].decode("utf-8", "replace").strip()
    return repr(text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…")


def _about(line: bytes) -> dict[str, str]:
    """Return what a bad line still says of itself."""
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    fields = cast("dict[str, Any]", value)
    return {key: fields[key] for key in ("type", "id", "call") if isinstance(fields.get(key), str)}
