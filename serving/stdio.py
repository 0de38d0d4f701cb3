"""Serving on stdin and stdout until the client goes, however it goes.

Knows:    how the SDK's stdio server ends when the other side is gone.
Does not: know any tool.
"""

import logging
import sys
from collections.abc import Callable

from mcp.server import MCPServer

log = logging.getLogger(__name__)


def serve_stdio(build: Callable[[], MCPServer]) -> None:
    """Build a server and serve until stdin closes; Ctrl-C ends the process with 130.

    A client that was killed leaves a pipe that nobody reads: then this ends with one line, not a traceback.
    """
    # Before the server is built: the SDK's own set-up would wrap log lines for a terminal of 80 columns.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    interrupted = False
    try:
        build().run()
    except* KeyboardInterrupt:
        interrupted = True
    except* BrokenPipeError:
        log.warning("the client is gone; the server ends")
        # The interpreter would flush stdout once more on its way out, and fail again.
        sys.stdout = None
    if interrupted:
        sys.exit(130)
