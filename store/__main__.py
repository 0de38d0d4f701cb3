"""The shop's database from a shell: `python -m store COMMAND`.

Knows:    which commands there are, and the exit code of whatever ends one.
Does not: know what any of them does; one is imported when it is asked for.   (store/commands/)
"""

import importlib
import os
import sys

import click
from sqlalchemy.exc import SQLAlchemyError

from common.database import DatabaseUnusable
from common.settings import BadSettings
from journal.errors import JournalFailed, JournalUnusable

COMMANDS = {
    "migrate": ("migrate", "Create the database's tables, or bring older ones up to date."),
    "import": ("importing", "Read a shop's orders, customers and products from files."),
    "policies": ("policies", "Read a folder of Markdown as the shop's policies."),
    "customer": ("customer", "Show a customer with their orders and tickets."),
    "show": ("show", "Show an order with all that is known of it."),
    "tickets": ("tickets", "List the tickets, show one, or close one."),
    "export": ("export", "Write the tickets out as CSV or JSON."),
    "forget": ("forget", "Erase what is known of a customer as a person."),
    "retain": ("retain", "Erase personal data that is older than RETENTION_DAYS."),
    "scrub": ("scrub", "Take erased bytes out of the file, where forget could not."),
    "backup": ("backup", "Copy the database into a file while it is in use."),
    "restore": ("restore", "Put a backup in the place of the database."),
}
"""Name -> the module of store/commands that has it as `command`, and what it is for."""


class _Commands(click.Group):
    """The commands above; the help names them without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(f"store.commands.{COMMANDS[cmd_name][0]}").command

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("Example: python -m store show 4471\n\n")
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
def commands() -> None:
    """Look after the shop's database, which DATABASE_URL names.

    Answers go to stdout, all else to stderr.

    Exit codes: 0 done, 1 failed, 2 usage or settings, 3 refused by you, 130 interrupted.
    """


def main() -> int:
    """Run the command of the command line, and return its exit code."""
    try:
        done = commands.main(prog_name="python -m store", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BadSettings as error:
        return _failed(str(error), 2)
    except (DatabaseUnusable, JournalFailed, JournalUnusable) as error:
        return _failed(str(error), 1)
    except SQLAlchemyError as error:  # its text may hold a customer's data: what it is has to do
        origin = type(getattr(error, "orig", None) or error).__name__
        return _failed(f"The database failed ({origin}). Nothing was changed by what failed.", 1)
    except (click.Abort, KeyboardInterrupt):
        return _failed("Interrupted.", 130)
    except BrokenPipeError:  # the reader of the answers has left: the last flush must not fail on its pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return done if isinstance(done, int) else 0


def _failed(told: str, code: int) -> int:
    click.echo(told, err=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
