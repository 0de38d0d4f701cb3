"""`python -m contracts import openapi FILE`: drafts of task folders, and a report."""

import json
from pathlib import Path
from typing import Any

import click

from contracts.openapi import BadDescription, Imported, import_openapi

REPORT = "IMPORT.md"


@click.group("import")
def command() -> None:
    """Make draft task folders from an API's description. Nothing is pinned, and nothing of it is served."""


@command.command("openapi")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=Path("drafts"), help="Where to."
)
@click.option("--name", help="The name of one task for everything; else one a tag.")
@click.option("--upstream", default="shop", help="The row of upstreams.yaml that the drafts name.")
@click.option("--only", multiple=True, help="Import this operation alone, as 'GET /orders'; may be repeated.")
@click.option("--force", is_flag=True, help="Write over drafts that are there.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
def openapi(**typed: Any) -> None:
    """Import an OpenAPI 3 FILE (YAML or JSON).

    Every operation is imported or refused with its reason; the report also stands in IMPORT.md.
    """
    out: Path = typed["out"]
    try:
        imported = import_openapi(
            typed["file"].read_bytes(), name=typed["name"], upstream=typed["upstream"], only=typed["only"]
        )
    except BadDescription as error:
        raise click.ClickException(str(error)) from None
    there = [name for name in (*imported.tasks, REPORT) if (out / name).exists()]
    if there and not typed["force"]:
        raise click.ClickException(
            f"{out} holds {', '.join(there)} already. Name another folder with --out, or add --force."
        )
    for name, files in imported.tasks.items():
        (out / name).mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            (out / name / path).write_bytes(data)
    out.mkdir(parents=True, exist_ok=True)
    (out / REPORT).write_text(report(imported), encoding="utf-8")
    if typed["as_json"]:
        click.echo(json.dumps(_data(imported), ensure_ascii=False))
        return
    click.echo(summary(imported))
    for refusal in imported.refused:
        click.echo(f"refused: {refusal}")
    click.echo(f"{len(imported.notes)} notes on what was left out stand in {out / REPORT}.")
    click.echo(f"Review the drafts, then: python -m contracts validate {out}/*/")


def summary(imported: Imported) -> str:
    """Return how many of the operations were imported."""
    return (
        f"Imported {len(imported.functions)} of {imported.total} operations into {len(imported.tasks)} tasks."
    )


def report(imported: Imported) -> str:
    """Return the whole report as Markdown."""
    lines = ["# What became of each operation", "", summary(imported), "", "## Imported", ""]
    lines += [f"- `{operation}` is `{name}`" for operation, name in imported.functions.items()]
    lines += ["", "## Refused", "", *(f"- {refusal}" for refusal in imported.refused)]
    lines += ["", "## Left out, or to be looked at", "", *(f"- {note}" for note in imported.notes)]
    row = json.dumps(dict(imported.auth), ensure_ascii=False)
    lines += ["", "## For upstreams.yaml", "", f"Signing in, as the description tells it: `auth: {row}`", ""]
    return "\n".join(lines)


def _data(imported: Imported) -> dict[str, Any]:
    return {
        "schema": "shopkart/import",
        "operations": imported.total,
        "functions": dict(imported.functions),
        "tasks": sorted(imported.tasks),
        "refused": [vars(each) for each in imported.refused],
        "notes": [vars(each) for each in imported.notes],
        "auth": dict(imported.auth),
    }
