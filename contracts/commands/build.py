"""`python -m contracts build`: the task folders become the registry, which is what is served."""

from pathlib import Path

import click

from common.settings import ROOT, load
from contracts.checking import checked
from contracts.commands.output import as_json, fail, plain_problems, print_json, print_problems
from contracts.pinning import Built, build
from contracts.problems import BadContracts
from contracts.settings import ContractsSettings
from contracts.upstreams_file import load_upstreams


@click.command("build")
@click.option(
    "--tasks", "folder", default="tasks", type=click.Path(path_type=Path), help="The folder of tasks."
)
@click.option("--registry", type=click.Path(path_type=Path), help="Default: CONTRACTS_REGISTRY.")
@click.option("--remove", is_flag=True, help="Also remove what was installed by the admin API.")
@as_json
def command(folder: Path, registry: Path | None, remove: bool, as_json: bool) -> None:
    """Pin every task of a folder: the registry then lists these, and no others.

    Example: python -m contracts build

    Nothing is written while anything is wrong. The same files make the same registry, byte by byte.
    """
    place = registry or ROOT / load(ContractsSettings).contracts_registry
    try:
        built = build(folder, place, remove=remove)
    except BadContracts as error:
        if as_json:
            print_json("shopkart/contracts-build", {"problems": plain_problems(error.problems)})
        print_problems(error.problems)
        click.echo("Nothing was pinned.", err=True)
        fail()
    if as_json:
        print_json("shopkart/contracts-build", {**_changes(built), "problems": []})
        return
    for task in built.tasks:
        click.echo(f"pinned {task.name}: {len(task.files)} files ({_fate(task.name, built)})")
    for name in built.removed:
        click.echo(f"removed {name}")
    click.echo(f"{place.name}: {len(built.tasks)} task{'' if len(built.tasks) == 1 else 's'}")
    _tell_what_cannot_run(built)


def _tell_what_cannot_run(built: Built) -> None:
    """Say on stderr what is approved now and cannot run here; that is no mistake of the contracts."""
    try:
        table = load_upstreams(ROOT / load(ContractsSettings).contracts_upstreams)
    except BadContracts as error:
        print_problems(error.problems)
        return
    found = checked({task.name: task for task in built.tasks}, table, lambda _: True)
    bad = [each for each in found if not each.runs]
    if bad:
        why = "; ".join(bad[0].reasons)
        told = f"Note: {len(bad)} of {len(found)} functions cannot run here. {bad[0].name}: {why}."
        click.echo(f"{told}\n`python -m contracts check` tells of each.", err=True)


def _changes(built: Built) -> dict[str, tuple[str, ...]]:
    return {
        "added": built.added,
        "changed": built.changed,
        "removed": built.removed,
        "same": built.same,
    }


def _fate(name: str, built: Built) -> str:
    return next(fate for fate, names in _changes(built).items() if name in names)
