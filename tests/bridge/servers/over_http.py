"""A server over HTTP whose process can be made to end in a call. Prints its port, then serves."""

import os
import socket

import anyio
import uvicorn
from mcp.server import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("over http", log_level="CRITICAL")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def read(do: str = "") -> str:
    if do == "die":
        os._exit(3)
    if do == "never":
        await anyio.sleep_forever()
    return "done"


@server.tool()
async def write(do: str = "") -> str:
    return await read(do)


def main() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="critical")).run([listener])


if __name__ == "__main__":
    main()
