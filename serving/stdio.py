"""Serving on stdin and stdout until the client goes, however it goes.

Knows:    how the SDK's stdio server ends when the other side is gone.
Does not: know any tool.
"""

import logging
import sys
from collections.abc import Callable
from typing import TypeVar

from common.database import DatabaseUnusable
from common.redaction import log_redacted, redact_tracebacks
from common.settings import BadSettings
from journal import JournalUnusable
from serving.access import BadAccess
from serving.house import HouseServer
from serving.identity import UnknownCustomer

log = logging.getLogger(__name__)

T = TypeVar("T")


def serve_stdio(build: Callable[[], HouseServer]) -> None:
    """Build a server and serve until stdin closes; Ctrl-C ends the process with 130.

    A client that was killed leaves a pipe that nobody reads: then this ends with one line, not a traceback.
    """
    # Before the server is built: the SDK's own set-up would wrap log lines for a terminal of 80 columns.
    log_redacted(logging.WARNING)
    redact_tracebacks()
    server = built_or_exit(build)
    interrupted = False
    try:
        try:
            server.run()
        finally:
            server.ended()
    except* KeyboardInterrupt:
        interrupted = True
    except* BrokenPipeError:
        log.warning("the client is gone; the server ends")
        # The interpreter would flush stdout once more on its way out, and fail again.
        sys.stdout = None
    if interrupted:
        sys.exit(130)


def built_or_exit(build: Callable[[], T]) -> T:
    """Return what is built, or end the process with 2 and a text on stderr that says what to correct."""
    try:
        return build()
    except (BadAccess, BadSettings, DatabaseUnusable, JournalUnusable, UnknownCustomer) as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
