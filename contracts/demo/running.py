"""The demo shop on a port of this machine, in a thread, for as long as somebody needs it.

Knows:    how to start it before anybody asks, and how to end it.
Does not: know what it answers.   (api.py)
"""

import secrets
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import uvicorn

from contracts.demo.api import BASE, Grant, Surroundings, demo_app
from serving.listening import listen, place_of

_END_S = 2
"""Seconds that requests in flight have to end."""


@contextmanager
def demo_shop(
    port: int = 0, *, grants: Mapping[str, Grant] | None = None, surroundings: Surroundings | None = None
) -> Generator[tuple[str, str]]:
    """Serve the API on this machine alone; yields its base URL and a token for the merchant `demo`.

    port: 0 for one that is free. grants: further tokens. It takes connections when this returns; what they
    ask is answered as soon as the thread runs.
    Raises: CannotListen (serving/listening.py).
    """
    token = secrets.token_urlsafe(24)
    socket = listen(place_of("127.0.0.1", port))
    app = demo_app({**(grants or {}), token: Grant()}, surroundings)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, ws="none", lifespan="off", timeout_graceful_shutdown=_END_S
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([socket],), name="demo shop", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}{BASE}", token
    finally:
        server.should_exit = True
        thread.join()
        socket.close()
