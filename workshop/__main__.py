"""`python -m workshop`: have small programs written and tested by a local model.

Knows:    the commands, their flags, and the exit code of whatever ends one.
Does not: do anything itself.   (workshop.py, talking.py)
Exit:     0 done · 1 not done, not sure or not tested · 2 usage or settings · 3 you said no · 4 no model ·
          130 stopped.
"""

import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from common.settings import BadSettings, load
from common.version import VERSION

if TYPE_CHECKING:
    from llm import CompleteFn
    from workshop.account import Outcome
    from workshop.sandbox import Sandbox
    from workshop.screen import Screen
    from workshop.talking import Talk


@dataclass(frozen=True)
class _Manner:
    """The flags that every command has. bare: run what is written even where there is no sandbox."""

    as_json: bool
    unattended: bool
    bare: bool
    quiet: bool


class _ExampleFirst(click.Group):
    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write('Example: python -m workshop build "write a function add(a, b); add(2, 3) == 5"\n\n')
        super().format_help(ctx, formatter)


@click.group(
    cls=_ExampleFirst,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit code: 0 done, 1 not done, not sure or not tested, 2 usage or settings, 3 you said no, "
    "4 no model, 130 stopped.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object an event on stdout.")
@click.option(
    "--yes", "unattended", is_flag=True, help="Build without asking whether the specification is right."
)
@click.option("--bare", is_flag=True, help="Run what is written even where this system has no sandbox.")
@click.option("--quiet", is_flag=True, help="Show the account alone.")
@click.version_option(VERSION, prog_name="shopkart")
@click.pass_context
def main(ctx: click.Context, **flags: bool) -> None:
    """Talk with the analyst, and have small Python programs written, tested and accounted for."""
    ctx.obj = _Manner(**flags)
    if ctx.invoked_subcommand is None:
        _run(ctx.obj, _talked)


@main.command()
@click.argument("sentence")
@click.pass_obj
def build(manner: _Manner, sentence: str) -> None:
    """Build one program, or one contract for this house, from a sentence."""
    if not sentence.strip():
        raise click.UsageError('Say what to build, as in: build "write a function add(a, b); add(2, 3) == 5"')
    if not manner.unattended and not sys.stdin.isatty():
        raise click.UsageError(
            "Nobody can be asked here whether the specification is right. Add --yes to build without asking."
        )
    _run(manner, lambda talk: talk.make(sentence))


@main.command()
@click.argument("name")
@click.pass_obj
def resume(manner: _Manner, name: str) -> None:
    """Go on with a run that was interrupted."""
    _run(manner, lambda talk: talk.resume(name))


@main.command(name="list")
@click.pass_obj
def list_(manner: _Manner) -> None:
    """List the projects, and how each stands."""
    from workshop.listing import listed
    from workshop.memory import Memory
    from workshop.screen import Screen
    from workshop.settings import WorkshopSettings

    with _ended_in_words():
        folder = load(WorkshopSettings).folder
        memory = Memory(folder / "memory.db")
        found = listed(memory, folder / "projects")
        memory.close()
    for each in found:
        if manner.as_json:
            Screen().put_json({"event": "Listed", "name": each.name, "stage": each.stage})
        else:
            click.echo(each.line)
    if not found:
        click.echo("There is no project yet.", err=True)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path("workshop/schemas"))
def schema(folder: Path) -> None:
    """Write the JSON Schema of every message of the protocol."""
    from workshop.schemas import write

    for path in write(folder):
        click.echo(path)


Work = Callable[["Talk"], Awaitable["Outcome | None"]]


def _run(manner: _Manner, work: Work) -> None:
    """Do a command's work with a workshop, and end with its exit code."""
    # They take a while to import, and `--help` does without them.
    import anyio

    from workshop.screen import Screen

    screen = Screen(as_json=manner.as_json, quiet=manner.quiet)
    with _ended_in_words(lambda: screen.stopped("python -m workshop resume {}")):
        outcome = anyio.run(_worked, manner, screen, work)
        sys.exit({None: 0, "done": 0, "declined": 3}.get(outcome, 1))


@contextmanager
def _ended_in_words(stopped: Callable[[], str] = lambda: "Stopped.") -> Generator[None]:
    """Let what ends a command end it with its own words and its exit code."""
    from common.text import visible
    from llm import ModelError
    from workshop.errors import WorkshopError

    try:
        yield
    except BadSettings as error:
        raise click.UsageError(str(error)) from None
    except (ModelError, WorkshopError) as error:
        # It may hold what a server or an agent said.
        click.echo("\n".join(visible(line) for line in str(error).splitlines()), err=True)
        sys.exit(4 if isinstance(error, ModelError) else 1)
    except KeyboardInterrupt:
        click.echo(f"\n{stopped()}", err=True)
        sys.exit(130)


async def _worked(manner: _Manner, screen: "Screen", work: Work) -> "Outcome | None":
    from llm import open_model
    from workshop.settings import WorkshopSettings
    from workshop.talking import Talk
    from workshop.workshop import opened

    settings = load(WorkshopSettings)
    sandbox = await _sandbox(manner, screen)
    async with (
        open_model() as model,
        opened(settings, model, sandbox, on_stderr=screen.on_stderr) as workshop,
    ):
        contract = _contract_maker(screen, settings.folder, model.complete)
        return await work(Talk(workshop, screen, contract, unattended=manner.unattended))


async def _sandbox(manner: _Manner, screen: "Screen") -> "Sandbox | None":
    """Return where programs run; None, which is told, where nobody agrees to run them without a sandbox."""
    from workshop.errors import SandboxMissing
    from workshop.sandbox import find

    try:
        found = find()
    except SandboxMissing as error:
        screen.put([str(error)])
        found = None
    if found is not None:
        if found.isolated or manner.bare:
            return found
        screen.put([f"There is no sandbox here: {found.why_not_isolated}"])
        # A line of a pipe is a sentence, and no answer to a question that nobody could foresee.
        if sys.stdin.isatty() and await screen.ask("Run what the model writes all the same, as you?"):
            return found
    screen.put(["Programs are written and not run, so nothing is tested. --bare runs them with your rights."])
    return None


def _contract_maker(
    screen: "Screen", folder: Path, complete: "CompleteFn"
) -> Callable[[str], Awaitable[bool]]:
    from common.text import visible
    from workshop.contract_account import as_plain
    from workshop.contract_building import build_contract

    async def heard(text: str) -> None:
        if not screen.quiet:
            screen.put([f"  {text}"])

    async def made(sentence: str) -> bool:
        account = await build_contract(sentence, folder, complete, on_progress=heard)
        if screen.as_json:
            screen.put_json({"event": "Contract", **as_plain(account)})
        else:
            screen.put(visible(line) for line in account.lines())
        return account.done

    return made


async def _talked(talk: "Talk") -> None:
    await talk.go_on()


if __name__ == "__main__":
    main()
