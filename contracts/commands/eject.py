"""`python -m contracts eject NAME`: a function as a module of its own."""

from pathlib import Path

import click

from common.settings import ROOT, BadSettings, load
from contracts.commands.output import fail, print_problems
from contracts.commands.show import found
from contracts.ejecting import ejected
from contracts.problems import BadContracts
from contracts.sets import tasks_or_pinned
from contracts.settings import ContractsSettings
from contracts.upstreams_file import load_upstreams


@click.command("eject")
@click.argument("name")
@click.option("--tasks", type=click.Path(exists=True, path_type=Path), help="A folder or registry.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file; else stdout.")
def command(name: str, tasks: Path | None, out: Path | None) -> None:
    """Write the function NAME as a module that stands alone and sends the same request.

    Example: python -m contracts eject categories_list --out categories_list.py

    The module names the setting that holds the token; the token itself is nowhere in it. A word that has a
    resolver must be given as the upstream's own value.
    """
    try:
        settings = load(ContractsSettings)
        offered = found(tasks_or_pinned(tasks, ROOT / settings.contracts_registry), name)
        table = load_upstreams(ROOT / settings.contracts_upstreams)
    except BadSettings as error:
        raise click.UsageError(str(error)) from None
    except BadContracts as error:
        print_problems(error.problems)
        fail()
    if offered.upstream not in table:
        raise click.ClickException(f"upstreams.yaml has no upstream {offered.upstream}. Add a row for it.")
    text = ejected(offered, table[offered.upstream])
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"Wrote {out}.")
