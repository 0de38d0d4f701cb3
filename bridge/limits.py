"""How much of a server is taken: time, bytes, tools. A server may be slow, broken or hostile.

Knows:    the limits of one session, and which tools of a list are within them.
Does not: talk to a server.   (connection.py, bounded.py)
"""

import json
from dataclasses import dataclass, replace

from mcp_types import Tool

from bridge.settings import BridgeSettings
from bridge.vetting import Listing
from common.settings import load


@dataclass(frozen=True)
class Limits:
    """Bounds of one session.

    connect_s: seconds to connect. call_s: seconds a call may take. argument_bytes: of one call's arguments.
    result_bytes: of one message of the server. tools: taken of its list. schema_bytes: of one tool's schemas.
    """

    connect_s: float = 20.0
    call_s: float = 30.0
    argument_bytes: int = 262_144
    result_bytes: int = 4_194_304
    tools: int = 128
    schema_bytes: int = 65_536


def configured_limits() -> Limits:
    """Return the limits of the settings.  Raises: BadSettings."""
    wanted = load(BridgeSettings)
    return Limits(
        wanted.connect_s,
        wanted.call_s,
        wanted.argument_bytes,
        wanted.result_bytes,
        wanted.tools_per_server,
        wanted.schema_bytes,
    )


def within(listing: Listing, limits: Limits) -> Listing:
    """Return the listing less the tools that are too many or whose schemas are too large, and say so."""
    taken: dict[str, Tool] = {}
    refused = dict(listing.refused)
    notices = list(listing.notices)
    cut = False
    for name, tool in listing.tools.items():
        if (size := _schema_bytes(tool)) > limits.schema_bytes:
            refused[name] = f"its schemas take {size} bytes; {limits.schema_bytes} are read (SCHEMA_BYTES)"
            notices.append(f"Tool {name!r} is not offered: {refused[name]}.")
        elif len(taken) >= limits.tools:
            cut = True
            refused[name] = f"only the first {limits.tools} tools of a server are taken (TOOLS_PER_SERVER)"
        else:
            taken[name] = tool
    if cut:
        notices.append(f"Only the first {limits.tools} tools of the server are taken (TOOLS_PER_SERVER).")
    return replace(listing, tools=taken, refused=refused, notices=tuple(notices))


def _schema_bytes(tool: Tool) -> int:
    schemas = [tool.input_schema, tool.output_schema, tool.meta]
    return len(json.dumps(schemas, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass"))
