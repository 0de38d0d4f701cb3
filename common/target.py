"""A server as a person names it: an address, a command in quotes, or a word for one of the house's own.

Knows:    how they are told apart.
Does not: open anything.   (mcp_tools.py)
"""

import shlex
from dataclasses import dataclass


@dataclass(frozen=True)
class HouseServer:
    """A server of this project that is started by a word. arguments: what Python is given for it."""

    word: str
    arguments: tuple[str, ...]


CONTRACTS = HouseServer("contracts", ("-m", "contracts", "serve"))
"""Tools that are data, as the registry pins them."""

HOUSE = {server.word: server for server in (CONTRACTS,)}


def target_of(written: str) -> str | list[str] | HouseServer:
    """Return a house server for its word, an http(s) address as it stands, and else the words of a command.

    A program that is called like such a word is named with its path.
    Raises: ValueError where it cannot be split into words.
    """
    if own := HOUSE.get(written.strip()):
        return own
    return written if written.startswith(("http://", "https://")) else shlex.split(written)
