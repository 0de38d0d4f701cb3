"""`python -m contracts call NAME`: one function, run on the demo shop, its result as one JSON object.

Knows:    that a read is run and a change is previewed, whatever is asked for.
Does not: know MCP or any real shop: the only upstream there is, is the demo of this process.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import click

from common.settings import ROOT, BadSettings, load
from contracts.commands.output import fail, print_json, print_problems
from contracts.problems import BadContracts


@click.command("call")
@click.argument("name")
@click.option(
    "--tasks", type=click.Path(exists=True, path_type=Path), help="A folder or registry; else the registry."
)
@click.option("--arguments", default="{}", help="The arguments as one JSON object.")
def command(name: str, tasks: Path | None, arguments: str) -> None:
    """Run the function NAME on a demo shop of its own, and print one JSON object of what came back.

    Example: python -m contracts call categories_list --arguments '{"status": "hidden"}'

    A change is checked and previewed, and never made. No real shop is asked, whatever credentials there are.
    Exit code: 1 where the call failed; the object then says why.
    """
    # Here and not above: the help needs none of it, and HTTP takes half a second to import.
    from contracts.sets import tasks_or_pinned
    from contracts.settings import ContractsSettings
    from contracts.upstreams_file import load_upstreams

    given = _object(arguments)
    try:
        settings = load(ContractsSettings)
        found = tasks_or_pinned(tasks, ROOT / settings.contracts_registry)
        table = load_upstreams(ROOT / settings.contracts_upstreams)
    except BadSettings as error:
        raise click.UsageError(str(error)) from None
    except BadContracts as error:
        print_problems(error.problems)
        fail()
    from contracts.demo.calling import called

    said = asyncio.run(called(found, table, name, given))
    print_json("shopkart/contracts-call", said)
    if not said["ok"]:
        fail()


def _object(written: str) -> dict[str, Any]:
    try:
        given: object = json.loads(written)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise click.UsageError("--arguments must be one JSON object, as '{\"id\": 12}'.")
    return given  # pyright: ignore[reportUnknownVariableType]  keys of JSON are texts
