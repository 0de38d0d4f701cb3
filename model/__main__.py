"""`python -m model setup`: what the embedded model needs, and nothing where it is not needed.

Knows:    when the engine and the weights are needed, and how to show that they are coming.
Does not: start the engine.   (provider.py)
"""

import sys
import time
from pathlib import Path

import anyio
import click

from common.settings import ROOT, BadSettings, load
from model import weights
from model.engine import installed
from model.errors import EngineFailed, ModelError
from model.provider import ollama_answers
from model.settings import ModelSettings, cache_folder

LIST = ROOT / "requirements-embedded.txt"


@click.group()
def main() -> None:
    """Prepare the model, as in: python -m model setup."""


@main.command()
def setup() -> None:
    """Install the embedded engine and fetch its model, if the settings call for them."""
    try:
        anyio.run(prepare)
    except (ModelError, BadSettings) as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo("\nStopped. Run `python -m model setup` again to go on where it stopped.", err=True)
        raise SystemExit(130) from None


async def prepare() -> None:
    """Make the configured provider usable.

    Raises: ModelError, BadSettings.
    """
    settings = load(ModelSettings)
    if settings.llm_provider in ("ollama", "openai"):
        return
    if settings.llm_provider == "auto" and await ollama_answers(settings):
        return
    if not installed():
        await _install()
    line = ProgressLine(settings.embedded_model)
    path = await weights.ready(settings.embedded_model, line)
    line.end(path)


async def _install() -> None:
    click.echo(
        "No Ollama answers, so the model will run inside the chat. Installing its engine (34 MB).", err=True
    )
    command = [
        *(sys.executable, "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:"),
        *("--no-input", "--disable-pip-version-check", "--quiet", "-r", str(LIST)),
    ]
    done = await anyio.run_process(command, check=False, stdout=sys.stderr, stderr=sys.stderr)
    if done.returncode != 0:
        raise EngineFailed(
            f"pip could not install the embedded engine (exit code {done.returncode}); its reason "
            "stands above. There are packages for Linux, macOS and Windows on common processors. On "
            "another machine, install Ollama and run `ollama pull qwen2.5:7b`."
        )


class ProgressLine:
    """Shows a download on stderr: one moving line on a terminal, a line each tenth elsewhere."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._shown: tuple[str, int] = ("", -1)
        self._begun = 0.0

    def __call__(self, label: str, done: int, total: int) -> None:
        """Take a report."""
        if not self._begun:
            self._begun = time.monotonic()
            click.echo(
                f"Getting the model {self._name} ({weights.in_gb(total)}) into {cache_folder()}, once.",
                err=True,
            )
        percent = 100 * done // total
        terminal = sys.stderr.isatty()
        step = (label, percent) if terminal else ("", percent // 10)
        if step == self._shown:
            return
        self._shown = step
        bar = "█" * (percent // 5) + "·" * (20 - percent // 5)
        text = f"{bar} {percent:3d} %  {weights.in_gb(done)}  {label}"
        click.echo(f"\r\x1b[K{text}" if terminal else text, nl=not terminal, err=True)

    def end(self, path: Path) -> None:
        """Say that it is there, if anything was said before."""
        if self._begun:
            seconds = time.monotonic() - self._begun
            gap = "\n" if sys.stderr.isatty() else ""
            click.echo(f"{gap}The model is ready: {path.name} ({seconds:.0f} s).", err=True)


if __name__ == "__main__":
    main()
