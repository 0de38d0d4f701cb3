"""What the commands share: problems in words and as data, and how a command ends.

Does not: know any command.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, NoReturn

import click

from common.text import visible
from contracts.problems import Problem

as_json = click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")


def print_json(schema: str, content: dict[str, Any]) -> None:
    """Print one object that says what it is."""
    click.echo(json.dumps({"schema": schema, **content}, ensure_ascii=True, indent=2))


def print_problems(problems: Iterable[Problem]) -> None:
    """Print each problem on a line of its own, on stderr. What a file says moves no cursor."""
    for problem in problems:
        click.echo(visible(str(problem)), err=True)


def plain_problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return the problems as JSON writes them."""
    return [asdict(problem) for problem in problems]


def fail() -> NoReturn:
    """End with code 1."""
    click.get_current_context().exit(1)
