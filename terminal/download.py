"""How far the model file is: a bar on a terminal, a line every tenth elsewhere.

Knows:    a label, bytes done and bytes in all.
Does not: fetch anything.   (model/weights.py)
"""

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

_TENTH = 10


class Download:
    """Shows a download; call it with how far it is, and close it in the end."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._said = ("", -1)

    def __call__(self, label: str, done: int, total: int) -> None:
        """Show that `done` of `total` bytes are here; a total of 0 is one that nobody knows."""
        if self._console.is_terminal and self._console.file.isatty():
            self._draw(label, done, total)
        else:
            self._say(label, done, total)

    def close(self) -> None:
        """Leave the screen as it is after the last step."""
        if self._bar:
            self._bar.stop()
            self._bar = None

    def _draw(self, label: str, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                DownloadColumn(),
                TimeRemainingColumn(),
                console=self._console,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._task = self._bar.add_task(label)
            self._bar.start()
        self._bar.update(self._task, description=label, completed=done, total=total or None)

    def _say(self, label: str, done: int, total: int) -> None:
        tenth = done * _TENTH // total if total else 0
        if (label, tenth) != self._said:
            self._said = (label, tenth)
            figure = f"{tenth * 100 // _TENTH} %" if total else f"{done:,} bytes"
            self._console.print(Text(f"{label}: {figure}"), soft_wrap=True)
