"""The commands of the chat: lines that begin with a slash and never reach the model.

Knows:    their names, what each takes and is for.
Does not: carry them out.   (actions.py)
"""

import difflib
from dataclasses import dataclass

from terminal.words import shortened

_MAX_NAME = 40


@dataclass(frozen=True)
class Command:
    """One command; takes names its argument, in square brackets where it can be left out."""

    name: str
    purpose: str
    takes: str = ""


COMMANDS = (
    Command("/help", "show this list"),
    Command("/tools", "the shop's tools: what they do, and which ask you first"),
    Command("/new", "begin a new conversation"),
    Command("/undo", "take back your last message and the answer to it"),
    Command("/retry", "ask your last message again"),
    Command("/permissions", "what is done without asking; revoke N takes it back, save N keeps it"),
    Command("/approvals", "the questions that wait to be answered here"),
    Command("/model", "which model answers, and how to choose another", "[NAME]"),
    Command("/export", "write the conversation to a new file that ends in .md or .json", "FILE"),
    Command("/cost", "the sums of this session"),
    Command("/trace", "the last turn's events, one JSON object a line"),
    Command("/quit", "leave the chat; Ctrl-D does the same"),
)

_KEYS = (
    "Keys: Enter sends; Alt-Enter, or \\ before Enter, begins a new line; Ctrl-G opens your editor; Up and "
    "Ctrl-R find earlier messages; Tab completes a command. Ctrl-C or Escape stops an answer; Ctrl-C clears "
    "what you typed, and at an empty prompt, twice, leaves."
)


def help_rows(*, keys: bool) -> list[tuple[str, int]]:
    """Return the lines of the help, each with the columns in which a long one goes on.

    keys: where there are any.
    """
    shown = {command: f"{command.name} {command.takes}".rstrip() for command in COMMANDS}
    width = max(map(len, shown.values()))
    rows = [("Commands:", 0)]
    rows += [(f"  {name:<{width}}  {command.purpose}", width + 4) for command, name in shown.items()]
    return [*rows, *([(_KEYS, 6)] if keys else [])]


def beginning_with(typed: str) -> list[str]:
    """Return the commands whose names begin with what was typed, if more than the slash was."""
    return [each.name for each in COMMANDS if each.name.startswith(typed.lower())] if typed != "/" else []


def split(line: str) -> tuple[str, str]:
    """Return a command's name in lower case and the rest of its line."""
    name, *rest = line.split(None, 1)
    return name.lower(), "".join(rest).strip()


def unknown_text(name: str) -> str:
    """Return what to say to a command that does not exist, with the nearest that does."""
    near = beginning_with(name) or difflib.get_close_matches(name, [each.name for each in COMMANDS], 1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no command {shortened(name, _MAX_NAME)}.{meant} /help lists them."
