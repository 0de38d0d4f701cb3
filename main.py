"""Talk to the shop's support in a terminal or a pipe: `python main.py`.

Knows:    the command line, and the exit code of whatever ends the program.
Does not: know what makes a chat.   (terminal/start.py)
"""

import logging
import os
import shlex
import sys
import traceback

import click

VERSION = "0.1.0"


class _ExampleFirst(click.Command):
    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write('Example: python main.py "what is the status of order 4471?"\n\n')
        super().format_help(ctx, formatter)


@click.command(cls=_ExampleFirst, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("question", required=False)
@click.option(
    "--server", metavar="TARGET", help="Another MCP server: an http(s) URL, or a command in quotes."
)
@click.option(
    "--verbose", is_flag=True, help="Show each gate's decision, the log, and the trace of a failure."
)
@click.version_option(VERSION, prog_name="shopkart")
def main(question: str | None, server: str | None, verbose: bool) -> None:
    """Chat with the shop's support, or answer one QUESTION and exit.

    Piped input works, one message a line. Where a call must be approved, the next line answers: `y`
    alone is yes. Answers go to stdout, all else to stderr.

    Exit codes: 0 done, 1 failed, 2 usage or settings, 3 refused by a gate or by you, 4 the model or the
    server does not answer, 130 interrupted.
    """
    logging.basicConfig(
        level=logging.INFO if verbose else logging.ERROR, format="%(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # it logs whole URLs, and a query may hold a token
    sys.exit(_exit_code(question, _target(server), verbose) if _has_stdout() else 2)


def _target(server: str | None) -> str | list[str] | None:
    if not server or server.startswith(("http://", "https://")):
        return server or None
    try:
        return shlex.split(server)
    except ValueError as error:
        raise click.BadParameter(f"The command cannot be split into words: {error}.") from error


def _exit_code(question: str | None, target: str | list[str] | None, verbose: bool) -> int:
    try:
        return _talk(question, target, verbose)
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        return 130
    except BrokenPipeError:  # the reader of the answers has left: the last flush must not fail on its pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001  # the top of the program: a person is told, and the code says failed
        if verbose:
            traceback.print_exc()
        click.echo(f"The chat failed ({type(error).__name__}). Run it with --verbose to see where.", err=True)
        return 1


def _has_stdout() -> bool:
    if sys.stdout is not None:
        return True
    click.echo(
        "stdout is closed, so the answers have nowhere to go. Leave it open, or redirect it.", err=True
    )
    return False


def _talk(question: str | None, target: str | list[str] | None, verbose: bool) -> int:
    if sys.stderr.isatty():
        click.echo("Starting…", err=True)  # the imports below take a second or two
    import anyio

    from terminal.start import Wishes, talk

    return anyio.run(talk, Wishes(question, target, verbose))


if __name__ == "__main__":
    main()
