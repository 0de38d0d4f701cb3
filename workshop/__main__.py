"""`python -m workshop`: have small programs written and tested by a local model.

Knows:    the commands, their flags, and the exit code of whatever ends one.
Does not: do anything itself.   (workshop.py, talking.py)
Exit:     0 done · 1 not done, not sure or not tested · 2 usage or settings · 3 you said no · 4 no model ·
          130 stopped.
"""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from common.settings import BadSettings, load
from common.version import VERSION

if TYPE_CHECKING:
    from workshop.account import Account
    from workshop.screen import Screen
    from workshop.talking import Talk
    from workshop.workshop import Workshop


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
    """Build one program from a sentence."""

    async def work(workshop: "Workshop", talk: "Talk", screen: "Screen") -> "Account | None":
        await talk.answer(f"/build {sentence}")
        return talk.last

    _run(manner, work)


@main.command()
@click.argument("name")
@click.pass_obj
def resume(manner: _Manner, name: str) -> None:
    """Go on with a run that was interrupted."""

    async def work(workshop: "Workshop", talk: "Talk", screen: "Screen") -> "Account | None":
        await talk.answer(f"/resume {name}")
        return talk.last

    _run(manner, work)


@main.command(name="list")
def list_() -> None:
    """List the projects, and how each stands."""
    from workshop import runs
    from workshop.memory import Memory
    from workshop.settings import WorkshopSettings

    folder = load(WorkshopSettings).folder
    memory = Memory(folder / "memory.db")
    names = sorted(each.name for each in (folder / "projects").glob("*") if each.is_dir())
    for name in names:
        run = runs.kept(memory, name)
        click.echo(f"{name}: {run.stage if run else 'no run is kept of it'}")
    memory.close()
    if not names:
        click.echo("There is no project yet.", err=True)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path("workshop/schemas"))
def schema(folder: Path) -> None:
    """Write the JSON Schema of every message of the protocol."""
    from workshop.schemas import write

    for path in write(folder):
        click.echo(path)


Work = Callable[["Workshop", "Talk", "Screen"], Awaitable["Account | None"]]


def _run(manner: _Manner, work: Work) -> None:
    """Do a command's work with a workshop, and end with its exit code."""
    # They take a second or more to import, and `--help` does without them.
    import anyio

    from llm import ModelError
    from workshop.errors import WorkshopError

    try:
        account: Any = anyio.run(_worked, manner, work)
    except BadSettings as error:
        raise click.UsageError(str(error)) from None
    except ModelError as error:
        click.echo(str(error), err=True)
        sys.exit(4)
    except WorkshopError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        click.echo("\nStopped. `python -m workshop list` shows what can be gone on with.", err=True)
        sys.exit(130)
    sys.exit(_code(account))


async def _worked(manner: _Manner, work: Work) -> "Account | None":
    from llm import open_model
    from workshop.sandbox import find
    from workshop.screen import Screen
    from workshop.settings import WorkshopSettings
    from workshop.talking import Manner, Talk
    from workshop.workshop import opened

    screen = Screen(as_json=manner.as_json, quiet=manner.quiet)
    settings = load(WorkshopSettings)
    sandbox = find()
    if not sandbox.isolated and not manner.bare:
        screen.put([f"There is no sandbox here: {sandbox.why_not_isolated}"])
        if not await screen.ask("Run what the model writes all the same, with your rights?"):
            screen.put(["Then programs are written and not run, so nothing is tested."])
            sandbox = None
    async with (
        open_model() as model,
        opened(settings, model, sandbox, on_stderr=screen.on_stderr) as workshop,
    ):
        talk = Talk(workshop, screen, Manner(manner.unattended), _contract_of(screen, settings.folder, model))
        return await work(workshop, talk, screen)


def _contract_of(screen: "Screen", folder: Path, model: Any) -> Callable[[str], Awaitable[None]]:
    from workshop.contract_building import build_contract

    async def built(sentence: str) -> None:
        async def heard(text: str) -> None:
            screen.put([f"  {text}"])

        account = await build_contract(sentence, folder, model.complete, on_progress=heard)
        screen.put(account.lines())

    return built


async def _talked(workshop: "Workshop", talk: "Talk", screen: "Screen") -> "Account | None":
    await talk.go_on()
    return None


def _code(account: "Account | None") -> int:
    if account is None or account.outcome == "done":
        return 0
    return 3 if account.outcome == "declined" else 1


if __name__ == "__main__":
    main()
