"""`python -m contracts check`: can this deployment run what is pinned?"""

from pathlib import Path

import click

from common.settings import ROOT, BadSettings, load
from common.text import visible
from contracts.checking import checked
from contracts.commands.output import as_json, fail, print_json, print_problems
from contracts.problems import BadContracts
from contracts.sets import tasks_or_pinned
from contracts.settings import ContractsSettings, secret_named
from contracts.upstreams_file import load_upstreams


@click.command("check")
@click.argument("tasks", required=False, type=click.Path(exists=True, path_type=Path))
@as_json
def command(tasks: Path | None, as_json: bool) -> None:
    """Say of each function of TASKS, or of the registry, whether it can run here.

    Example: python -m contracts check drafts

    It compares the contracts with upstreams.yaml. Nothing is sent. Exit code: 1 where one cannot run.
    """
    try:
        settings = load(ContractsSettings)
        found = checked(
            tasks_or_pinned(tasks, ROOT / settings.contracts_registry),
            load_upstreams(ROOT / settings.contracts_upstreams),
            lambda name: bool(secret_named(name).get_secret_value()),
        )
    except BadSettings as error:
        raise click.UsageError(str(error)) from None
    except BadContracts as error:
        print_problems(error.problems)
        fail()
    bad = [each for each in found if not each.runs]
    warnings = list(dict.fromkeys(warning for each in found for warning in each.warnings))
    if as_json:
        functions = [
            {"name": each.name, "line": each.line, "runs": each.runs, "reasons": list(each.reasons)}
            for each in found
        ]
        print_json("shopkart/contracts-check", {"functions": functions, "warnings": warnings})
    else:
        for each in found:
            said = (
                f"OK {each.name}: {each.line}" if each.runs else f"NO {each.name}: {'; '.join(each.reasons)}."
            )
            click.echo(visible(said))
        for warning in warnings:
            click.echo(f"Note: {warning}.", err=True)
    if bad:
        fail()
