"""Write, review, pin and serve tools that are data: `python -m contracts`.

Knows:    the names of the commands, and that what a command needs is imported when it runs.
Does not: do anything itself.   (contracts/commands/)
"""

import importlib
from typing import Any

import click

from common.settings import BadSettings
from common.version import VERSION
from contracts.problems import ContractsError

COMMANDS = {
    "validate": "Check task folders and list every problem.",
    "build": "Pin the task folders: write registry/ with a sha256 of every file.",
    "check": "Say of each pinned function whether it can run here.",
    "diff": "Tell what changed between two sets of tasks, in a reviewer's words.",
    "show": "Show a function: its signature, and the exact request it would send.",
    "call": "Run a function of a task folder on the demo shop; a change is previewed.",
    "eject": "Write a function as a readable module that sends the same request.",
    "import": "Make draft task folders from an API's description.",
    "schema": "Write the JSON Schemas of the files, for editors.",
    "tokens": "Keep, list and remove the merchants' tokens.",
    "serve": "Serve the pinned tasks over MCP.",
    "demo": "Start a demo shop on this machine, and the server on it.",
}
"""Command -> what it does. Each is `command` in the module of its name in contracts/commands/."""

_MODULES = {"import": "import_"}


class _Failed(click.ClickException):
    """The end of a command that could not do its work: the text alone, on stderr."""

    def show(self, file: Any = None) -> None:
        """Print the text."""
        click.echo(self.message, err=True)


class _Unusable(_Failed):
    """The same for settings that cannot be used."""

    exit_code = 2


class _Lazy(click.Group):
    """A group whose commands are imported when they are used; its own help needs none of them."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what this room raises ends it with its own words."""
        try:
            return super().invoke(ctx)
        except BadSettings as error:
            raise _Unusable(str(error)) from None
        except ContractsError as error:
            raise _Failed(str(error)) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order in which they are used."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"contracts.commands.{_MODULES.get(cmd_name, cmd_name)}")
        return module.command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Begin with an example."""
        formatter.write("Example: python -m contracts validate tasks/categories\n\n")
        super().format_help(ctx, formatter)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="shopkart contracts")
def main() -> None:
    """Tools that are data: a folder of YAML and Markdown a task, approved by being pinned.

    Exit codes: 0 done, 1 failed or something is wrong with the files, 2 usage or settings.
    """


if __name__ == "__main__":
    main()
