"""Talk to the shop's support in a terminal or a pipe: `python main.py`.

Knows:    the command line, and the exit code of whatever ends the program.
Does not: know what makes a chat.   (terminal/start.py)
"""

import logging
import os
import sys
from dataclasses import dataclass
from typing import Any

import click

from common.target import HouseServer, target_of
from common.version import VERSION


class _ExampleFirst(click.Command):
    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write('Example: python main.py "what is the status of order 4471?"\n\n')
        super().format_help(ctx, formatter)


@dataclass(frozen=True)
class _Line:
    """The command line as typed."""

    question: str | None
    server: str | None
    serve: str | None
    load: str | None
    as_json: bool
    trace: bool
    verbose: bool


@click.command(cls=_ExampleFirst, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("question", required=False)
@click.option(
    "--server",
    metavar="TARGET",
    help="Another MCP server: contracts (the tools that registry/ pins), an http(s) URL, or a command in "
    "quotes.",
)
@click.option(
    "--as",
    "serve",
    metavar="WHO",
    help="Whom the shop's server serves: a customer's id or e-mail address, guest, or staff.",
)
@click.option("--load", metavar="FILE", help="Go on from a conversation that /export has written as .json.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object a turn on stdout.")
@click.option(
    "--trace", is_flag=True, help="Show every event of a turn as it comes, as JSON lines on stderr."
)
@click.option(
    "--verbose", is_flag=True, help="Show each gate's decision, the log, and the trace of a failure."
)
@click.version_option(VERSION, prog_name="shopkart")
def main(**typed: Any) -> None:
    """Chat with the shop's support, or answer one QUESTION and exit.

    Piped input works, one message a line. Where a call must be approved, the next line answers: `y`
    alone is yes. Answers go to stdout, all else to stderr.

    Exit codes: 0 done, 1 failed, 2 usage or settings, 3 refused by a gate or by you, 4 the model or the
    server does not answer, 130 interrupted.
    """
    line = _Line(**typed)
    _check(line)
    from common.redaction import log_redacted, redact_tracebacks  # here: --help needs no patterns

    log_redacted(logging.INFO if line.verbose else logging.ERROR)
    redact_tracebacks()
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # it logs whole URLs, and a query may hold a token
    target = _target(line.server)
    sys.exit(_exit_code(line, target) if _has_stdout() else 2)


def _check(line: _Line) -> None:
    if line.question is not None and not line.question.strip():
        raise click.UsageError("The question is empty. Write one, or none at all to chat.")
    if line.serve is not None and line.server:
        raise click.UsageError("--as is for the shop's own server; the one of --server knows whom it serves.")
    if line.serve is not None and not line.serve.strip():
        raise click.UsageError("--as names nobody. Write a customer's id or e-mail address, guest, or staff.")


def _target(server: str | None) -> str | list[str] | HouseServer | None:
    try:
        return target_of(server) if server else None
    except ValueError as error:
        raise click.BadParameter(f"The command cannot be split into words: {error}.") from error


def _exit_code(line: _Line, target: str | list[str] | HouseServer | None) -> int:
    try:
        return _talk(line, target)
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        return 130
    except BrokenPipeError:  # the reader of the answers has left: the last flush must not fail on its pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001  # the top of the program: a person is told, and the code says failed
        if line.verbose:
            from common.redaction import show_redacted

            show_redacted(error)
        click.echo(f"The chat failed ({type(error).__name__}). Run it with --verbose to see where.", err=True)
        return 1


def _has_stdout() -> bool:
    if sys.stdout is not None:
        return True
    click.echo(
        "stdout is closed, so the answers have nowhere to go. Leave it open, or redirect it.", err=True
    )
    return False


def _talk(line: _Line, target: str | list[str] | HouseServer | None) -> int:
    if sys.stderr.isatty():
        click.echo("Starting…", err=True)  # the imports below take a second or two
    from pathlib import Path

    import anyio

    from terminal.manner import Manner
    from terminal.start import Wishes, talk

    wishes = Wishes(
        question=line.question,
        server=target,
        serve=line.serve,
        load=Path(line.load) if line.load else None,
        manner=Manner(line.verbose, line.trace, line.as_json),
    )
    return anyio.run(talk, wishes)


if __name__ == "__main__":
    main()
