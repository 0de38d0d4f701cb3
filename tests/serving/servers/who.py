"""A server over HTTP that says who calls. Arguments: host, port, as whom calls without a token are served."""

import sys
from typing import Any

from mcp.server import MCPServer

from serving.http import serve_http
from serving.identity import Caller
from tests.serving.desk import who_server


def build(own: Caller) -> MCPServer[Any]:
    server = who_server(own)

    @server.tool()
    async def built_for() -> str:
        return f"{own.role}:{own.customer_id}"

    @server.tool()
    async def crash() -> str:
        raise RuntimeError("anna@example.com")

    @server.custom_route("/crash", methods=["GET"])
    async def crash_outside(_: Any) -> Any:
        raise RuntimeError("anna@example.com")

    return server


if __name__ == "__main__":
    host, port, customer = sys.argv[1:]
    serve_http(build, lambda: Caller("customer", customer), host=host, port=int(port))
