"""`python -m contracts schema`: the JSON Schemas of the files, for editors."""

from pathlib import Path

import click

from contracts.schemas import schema_files


@click.command("schema")
@click.option(
    "--out",
    default="tasks/_schemas",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write them to.",
)
def command(out: Path) -> None:
    """Write a JSON Schema of each kind of file of a task.

    Example: python -m contracts schema

    An editor finds the schema by a file's first line; those of tasks/_template have it, and a copy keeps it.
    """
    out.mkdir(parents=True, exist_ok=True)
    for name, data in schema_files().items():
        (out / name).write_bytes(data)
        click.echo(out / name)
