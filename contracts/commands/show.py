"""`python -m contracts show NAME`: a function's signature, and the exact request that it would send."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from common.settings import ROOT, BadSettings, load
from common.text import visible
from contracts.commands.output import as_json, fail, print_json, print_problems
from contracts.confinement import url_of
from contracts.example import example_arguments
from contracts.failures import CallFailed
from contracts.problems import BadContracts
from contracts.requesting import built
from contracts.sets import is_pinned, tasks_or_pinned
from contracts.settings import ContractsSettings
from contracts.signatures import signature
from contracts.task import Offered, Task
from contracts.upstreams import Upstream
from contracts.upstreams_file import load_upstreams
from contracts.validating import filled, problems_of
from contracts.wire import Outgoing


def found(tasks: Mapping[str, Task], name: str) -> Offered:
    """Return a function by its full name.  Raises: click.ClickException with those there are."""
    functions = {each.name: each for task in tasks.values() for each in task.functions}
    if name not in functions:
        import difflib

        near = difflib.get_close_matches(name, functions, n=5) or sorted(functions)[:10]
        raise click.ClickException(f"There is no function {name!r}. Did you mean: {', '.join(near)}?")
    return functions[name]


def arguments_of(offered: Offered, written: str | None) -> dict[str, Any]:
    """Return arguments that were written as JSON, else an example.  Raises: click.ClickException."""
    if written is None:
        return example_arguments(offered.contract)
    try:
        given: object = json.loads(written)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise click.ClickException("--arguments must be one JSON object, as '{\"id\": 12}'.")
    arguments: dict[str, Any] = filled(offered, given)  # pyright: ignore[reportUnknownArgumentType]
    if problems := problems_of(offered, arguments):
        raise click.ClickException(f"The arguments do not fit: {'; '.join(problems)}.")
    return arguments


def request_text(outgoing: Outgoing, upstream: Upstream, offered: Offered) -> str:
    """Return a request as it goes over the wire, the credential by its name only."""
    lines = [f"{outgoing.method} {url_of(upstream, outgoing)}"]
    if upstream.auth.kind != "none":
        secret = upstream.auth.token or "the merchant's kept token"
        bearer = "" if upstream.auth.kind == "api_key" else "Bearer "
        lines.append(f"{upstream.auth.header}: {bearer}***  (from {secret})")
    if offered.contract.idempotency:
        lines.append(f"{offered.contract.idempotency.header}: (new for each call)")
    lines += [f"{name}: {value}" for name, value in outgoing.headers.items()]
    if outgoing.has_body:
        lines += [
            "content-type: application/json",
            "",
            json.dumps(outgoing.body, ensure_ascii=False, indent=2),
        ]
    return "\n".join(lines)


@click.command("show")
@click.argument("name")
@click.option(
    "--tasks", type=click.Path(exists=True, path_type=Path), help="A folder or registry; else the registry."
)
@click.option("--arguments", help="The arguments as one JSON object; else examples.")
@as_json
def command(name: str, tasks: Path | None, arguments: str | None, as_json: bool) -> None:
    """Show the function NAME: its signature, the request it would send, and the digest it is known by.

    Example: python -m contracts show categories_list --arguments '{"status": "hidden"}'

    Nothing is sent, and no secret is shown. A word that has a resolver stands as it was given.
    """
    try:
        settings = load(ContractsSettings)
        source = tasks or ROOT / settings.contracts_registry
        offered = found(tasks_or_pinned(tasks, source), name)
        table = load_upstreams(ROOT / settings.contracts_upstreams)
        given = arguments_of(offered, arguments)
        outgoing = built(offered, given)
    except BadSettings as error:
        raise click.UsageError(str(error)) from None
    except BadContracts as error:
        print_problems(error.problems)
        fail()
    except CallFailed as error:
        raise click.ClickException(str(error)) from None
    row = table.get(offered.upstream)
    if row is None:
        raise click.ClickException(
            f"The upstream {offered.upstream} is not in upstreams.yaml. Add a row for it."
        )
    text = request_text(outgoing, row, offered)
    if as_json:
        print_json(
            "shopkart/contracts-show",
            {
                "name": name,
                "signature": signature(offered),
                "arguments": given,
                "request": text,
                "generation": offered.generation,
                "approved": is_pinned(source),
            },
        )
        return
    click.echo(visible_lines(signature(offered)))
    click.echo(f"\nWith {json.dumps(given, ensure_ascii=False)} it sends:\n")
    click.echo(visible_lines(text))
    approved = "Approved: it is pinned." if is_pinned(source) else "Unapproved: nobody pinned this folder."
    click.echo(f"\n{approved} Effect: {offered.contract.effect}. Generation: {offered.generation}")


def visible_lines(text: str) -> str:
    """Return a text of several lines with what cannot be seen written out."""
    return "\n".join(visible(line) for line in text.split("\n"))
