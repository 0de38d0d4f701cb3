"""A server as a person names it: an address, or a command in quotes.

Knows:    how the two are told apart.
Does not: open anything.   (mcp_tools.py)
"""

import shlex


def target_of(written: str) -> str | list[str]:
    """Return an http(s) address as it stands, anything else as the words of a command.

    Raises: ValueError where it cannot be split into words.
    """
    return written if written.startswith(("http://", "https://")) else shlex.split(written)
