"""Ctrl-C while a turn runs.

Knows:    the process's SIGINT handler.
Does not: know what is stopped.   (session.py)
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def on_interrupt(act: Callable[[], None]) -> Generator[None, None, None]:
    """Call act in the event loop on the first Ctrl-C within the block; a second one ends the program.

    signal.signal rather than the loop's add_signal_handler: a prompt within the block removes the
    latter (prompt-toolkit issue 1576), and Ctrl-C would then do nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only
        return
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)

    def handle(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        loop.call_soon_threadsafe(act)

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
