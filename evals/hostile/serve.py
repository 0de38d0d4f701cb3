"""`python -m evals.hostile.serve RECORDING`: the server of one case on stdin and stdout.

Knows:    the case by the recording's name, which is its number, as the list beside it has the servers.
Does not: take note of anything: the recording does.   (evals/frameworks/recorded.py)
"""

import json
import sys
from pathlib import Path

import anyio
from mcp import stdio_server
from mcp.server import MCPServer

from evals.hostile.case import Shop
from evals.hostile.shops import Shops
from evals.hostile.watch import Watch

LIST = "shops.json"
"""Beside the recordings: the server of each case, in order."""


def shop_from(written: dict[str, object]) -> Shop:
    """Return a server's description as it was written."""
    planted = written["planted"]
    assert isinstance(planted, list)  # we wrote it
    return Shop(str(written["name"]), tuple(map(tuple, planted)), written["role"])  # type: ignore[arg-type]


def main() -> None:
    """Serve until stdin ends."""
    recording = Path(sys.argv[1])
    shops: list[dict[str, object]] = json.loads((recording.parent / LIST).read_text(encoding="utf-8"))
    server = Shops().open(shop_from(shops[int(recording.stem)]), Watch()).server
    if isinstance(server, MCPServer):
        server.run()
    else:
        anyio.run(_serve, server)


async def _serve(server: object) -> None:
    from mcp.server import Server

    assert isinstance(server, Server)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    main()
