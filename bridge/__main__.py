"""`python -m bridge`: look at a server's tools, and pin them in servers.lock.

Knows:    the command line, and how a list of tools is told to a person.
Does not: hold the rule of a pin.   (lock.py)
"""

import sys
from pathlib import Path
from typing import NoReturn

import anyio
import click
from mcp_types import Tool

from bridge.lock import Difference, Pin, difference, read_lock, write_lock
from bridge.settings import BridgeSettings
from bridge.transport import ConnectError
from bridge.words import words_of
from common.settings import BadSettings, load
from common.target import target_of
from common.text import visible
from mcp_tools import Bridge, connect

_FAILED, _USAGE, _UNREACHABLE = 1, 2, 4
_LONGEST_LINE = 160


class _ExampleFirst(click.Group):
    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write('Example: python -m bridge pin "npx -y @shop/crm-server"\n\n')
        super().format_help(ctx, formatter)


@click.group(cls=_ExampleFirst, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Pin what the tools of a server say of themselves, in the file that SERVERS_LOCK names.

    From then on a tool of that server which is new or says something else is refused. TARGET is written as
    for `main.py --server`: contracts, an http(s) URL, or a command in quotes. The shop's own server is never
    pinned: it changes with this program.

    Exit codes: 0 done, 1 the tools are not as they were pinned, 2 usage, settings or a lock that cannot be
    read, 4 the server does not answer.
    """


@main.command()
@click.argument("target")
def pin(target: str) -> None:
    """Show the tools of TARGET and pin them as they are."""
    path, pins = _lock()
    words, now, tools = _look(target)
    found = difference(now.tools, pins[words]) if words in pins else Difference()
    for tool in tools:
        click.echo(_line(tool))
    for line in _told(found):
        click.echo(line)
    try:
        write_lock(path, {**pins, words: now})
    except OSError as error:
        _end(f"{path} cannot be written: {error.strerror}. Nothing was pinned.", _FAILED)
    click.echo(f"Pinned {_server(words, now)}: {len(now.tools)} tools, in {path}.")


@main.command()
@click.argument("target")
def check(target: str) -> None:
    """Say whether the tools of TARGET are as they were pinned."""
    path, pins = _lock()
    words, now, _ = _look(target)
    if words not in pins:
        _end(f"{_server(words, now)} is not pinned in {path}. Pin it: python -m bridge pin.", _FAILED)
    if found := difference(now.tools, pins[words]):
        for line in _told(found):
            click.echo(line)
        _end("Look at them, then pin them again or leave this server.", _FAILED)
    click.echo(f"As pinned: {_server(words, now)}, {len(now.tools)} tools.")


def _lock() -> tuple[Path, dict[str, Pin]]:
    try:
        path = load(BridgeSettings).lock
        return path, read_lock(path)
    except (BadSettings, ConnectError) as error:
        _end(str(error), _USAGE)


def _look(target: str) -> tuple[str, Pin, list[Tool]]:
    """Return the words of a server, what would be pinned of it now, and its tools."""
    try:
        wanted = target_of(target)
    except ValueError as error:
        raise click.BadParameter(f"The command cannot be split into words: {error}.") from error

    async def look() -> tuple[Pin, list[Tool]]:
        async with connect(wanted, pins={}) as bridge:
            for notice in bridge.notices:
                click.echo(visible(notice), err=True)
            return _pin(bridge), bridge.tools

    try:
        return (words_of(wanted) or "", *anyio.run(look))
    except BadSettings as error:
        _end(str(error), _USAGE)
    except ConnectError as error:
        _end(str(error), _UNREACHABLE)


def _pin(bridge: Bridge) -> Pin:
    """Return the pin of a server, without the token with which it was asked."""
    now, token = bridge.pin_now(), load(BridgeSettings).mcp_token.get_secret_value()
    if not token:
        return now
    hidden = {"name": now.name.replace(token, "…"), "version": now.version.replace(token, "…")}
    return now.model_copy(update=hidden)


def _line(tool: Tool) -> str:
    hints = tool.annotations
    reads = hints is not None and hints.read_only_hint is True and hints.destructive_hint is not True
    lines = (tool.description or tool.title or "").strip().splitlines()
    purpose = visible(lines[0])[:_LONGEST_LINE] if lines else "(says nothing of itself)"
    return f"  {tool.name} ({'says that it only reads' if reads else 'may change something'}): {purpose}"


def _told(found: Difference) -> list[str]:
    return [
        *(f"  changed since it was pinned: {name}" for name in found.changed),
        *(f"  new since it was pinned: {name}" for name in found.added),
        *(f"  pinned and not there: {visible(name)}" for name in found.missing),
    ]


def _server(words: str, now: Pin) -> str:
    itself = " ".join(filter(None, (now.name, now.version)))
    return f"{visible(words)} (it calls itself {itself})" if itself else visible(words)


def _end(told: str, code: int) -> NoReturn:
    click.echo(told, err=True)
    raise click.exceptions.Exit(code)


if __name__ == "__main__":
    sys.exit(main(prog_name="python -m bridge"))
