"""servers.lock: what the tools of a server said of themselves when a person looked at them.

Knows:    the file, and what follows from it: a tool of a pinned server that is new or says something else is
          refused.
Does not: open a server   (mcp_tools.py), or pin by itself: a person does, by `python -m bridge pin`.
Rule:     a file that cannot be read stops every start; no file pins nothing. The shop's own server is never
          pinned: it changes with this house.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bridge.transport import ConnectError
from bridge.vetting import Listing
from common.text import visible

FORM = "shopkart/servers-lock/1"

_MAX_BYTES = 4_194_304
_MAX_NAME = 100
"""Characters that are kept of what a server calls itself."""

_LOOK = "Look at it, then run `python -m bridge pin` for this server again"


class BadLock(ConnectError):
    """The lock cannot be read; the text says what to do."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Pin(_Part):
    """What was pinned of one server. tools: the sha256 of all that each says of itself."""

    name: str
    version: str
    tools: dict[str, Annotated[str, Field(pattern="^[0-9a-f]{64}$")]]


class _Lock(_Part):
    form: Literal["shopkart/servers-lock/1"] = Field(alias="schema")
    servers: dict[str, Pin]


@dataclass(frozen=True)
class Difference:
    """How the tools of a server stand to its pin, by name."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Say whether there is any."""
        return bool(self.changed or self.added or self.missing)


def read_lock(path: Path) -> dict[str, Pin]:
    """Return the pins of a file by the server's words; none where there is no file.  Raises: BadLock."""
    try:
        if not path.exists():
            return {}
        if path.stat().st_size > _MAX_BYTES:
            raise BadLock(_unreadable(path, f"it has more than {_MAX_BYTES} bytes"))
        return _Lock.model_validate_json(path.read_bytes()).servers
    except OSError as error:
        raise BadLock(_unreadable(path, error.strerror or type(error).__name__)) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "its top"
        raise BadLock(_unreadable(path, f"at {visible(place)[:200]}: {first['msg']}")) from None


def write_lock(path: Path, pins: Mapping[str, Pin]) -> None:
    """Write the pins, sorted, in one step.  Raises: OSError."""
    data = {"schema": FORM, "servers": {words: pin.model_dump() for words, pin in pins.items()}}
    text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    draft = path.with_name(f"{path.name}.new")
    draft.write_text(text, "utf-8")
    os.replace(draft, path)


def pin_of(listing: Listing, calls_itself: tuple[str, str]) -> Pin:
    """Return the pin of a server as it is now. calls_itself: name and version, in its own words."""
    name, version = (visible(word)[:_MAX_NAME] for word in calls_itself)
    prints = {tool: listing.prints[tool] for tool in listing.tools}
    return Pin(name=name, version=version, tools=prints)


def difference(now: Mapping[str, str], pin: Pin) -> Difference:
    """Return how the hashes of a server's tools stand to its pin."""
    return Difference(
        tuple(sorted(name for name in now if name in pin.tools and now[name] != pin.tools[name])),
        tuple(sorted(now.keys() - pin.tools.keys())),
        tuple(sorted(pin.tools.keys() - now.keys())),
    )


def held(listing: Listing, pin: Pin | None) -> Listing:
    """Return the list less the tools that are not as they were pinned, and say so."""
    if pin is None:
        return listing
    found = difference({name: listing.prints[name] for name in listing.tools}, pin)
    refused = dict.fromkeys(found.changed, f"it is not what was pinned in servers.lock. {_LOOK}")
    refused |= dict.fromkeys(found.added, f"it was not there when servers.lock was written. {_LOOK}")
    notices = [f"Tool {name!r} is not offered: {why}." for name, why in refused.items()]
    notices += [f"Tool {visible(name)!r} is pinned in servers.lock and not there." for name in found.missing]
    return replace(
        listing,
        tools={name: tool for name, tool in listing.tools.items() if name not in refused},
        refused=listing.refused | refused,
        notices=(*listing.notices, *notices),
    )


def _unreadable(path: Path, why: str) -> str:
    return (
        f"The pins of servers cannot be read from {path}: {why}. Nothing is started on a lock that cannot be "
        "read. Correct or restore the file, or delete it and pin the servers again (`python -m bridge pin`)."
    )
