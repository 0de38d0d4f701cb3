"""`python -m contracts diff OLD NEW`: what changed, in a reviewer's words."""

from pathlib import Path

import click

from common.text import visible
from contracts.commands.output import as_json, fail, print_json, print_problems
from contracts.differences import Weight, differences
from contracts.problems import BadContracts
from contracts.sets import tasks_of

_PATH = click.Path(exists=True, path_type=Path)


@click.command("diff")
@click.argument("old", type=_PATH)
@click.argument("new", type=_PATH)
@as_json
def command(old: Path, new: Path, as_json: bool) -> None:
    """Tell what changed from OLD to NEW: a registry, a folder of tasks, or one task's folder.

    Example: python -m contracts diff registry tasks

    A line with ! may do, reach or show more than before; ~ changes something else; the others change texts.
    Exit code: 0 where nothing is different, 1 where something is.
    """
    try:
        found = differences(tasks_of(old), tasks_of(new))
    except BadContracts as error:
        print_problems(error.problems)
        click.get_current_context().exit(2)
    if as_json:
        said = [
            {"weight": each.weight.name.lower(), "where": each.where, "said": each.said} for each in found
        ]
        print_json("shopkart/contracts-diff", {"differences": said})
    elif not found:
        click.echo("Nothing is different.")
    else:
        for each in found:
            click.echo(visible(str(each)))
        grants = sum(each.weight is Weight.GRANTS for each in found)
        click.echo(f"{len(found)} differences, {grants} of which give more than before.")
    if found:
        fail()
