"""Getting a model: what is shown meanwhile, and the offer to pull one that is missing.

Knows:    the waiting line and the progress bar; that only a person at a terminal is offered a download.
Does not: fetch anything.   (llm.pull_model, model/weights.py)
"""

from types import TracebackType

from llm import pull_model
from model.errors import ModelMissing
from terminal.answers import is_yes
from terminal.download import Download
from terminal.lines import Interrupted, Lines
from terminal.screen import Screen


class Fetching:
    """Shows a waiting line until the first byte arrives, then how far the download is.

    Entered, it gives the progress that is to be called with a label, bytes done and bytes in all.
    """

    def __init__(self, screen: Screen, what: str) -> None:
        self._screen = screen
        self._what = what
        self._download = Download(screen.console)
        self._waiting = screen.waiting_line()

    async def __aenter__(self) -> "Fetching":
        await self._waiting.__aenter__()
        self._screen.wait_for(self._what)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._download.close()
        await self._waiting.__aexit__(kind, error, trace)

    def __call__(self, label: str, done: int, total: int) -> None:
        """Show that `done` of `total` bytes are here."""
        self._screen.stop_waiting()
        self._download(label, done, total)


async def offered_pull(missing: ModelMissing, screen: Screen, lines: Lines) -> bool:
    """Offer to pull the model that is missing; return whether it is there now.

    Raises: what `llm.pull_model` raises.
    """
    if not missing.name or not lines.interactive:
        return False
    screen.line(str(missing), "yellow")
    try:
        answer = await lines.ask(f"Pull {missing.name} now? [y/N] ")
    except (EOFError, Interrupted):
        return False
    if not is_yes(answer):
        return False
    async with Fetching(screen, f"Asking for {missing.name}") as progress:
        await pull_model(missing.name, progress)
    return True
