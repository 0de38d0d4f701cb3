"""The commands of the chat: lines that begin with a slash and never reach the model.

Knows:    their names and what each is for.
Does not: carry them out.   (session.py)
"""

COMMANDS = {
    "/help": "show this list",
    "/quit": "leave the chat; Ctrl-D does the same",
}


def help_text() -> str:
    """Return the list of commands and keys."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {purpose}" for name, purpose in COMMANDS.items()]
    keys = "Ctrl-C stops the answer that is under way; at an empty prompt, twice, it leaves."
    return "\n".join(["Commands:", *lines, keys])


def unknown_text(name: str) -> str:
    """Return what to say to a command that does not exist; name is fit to be shown."""
    return f"There is no command {name}. {help_text()}"
