"""The echo: an agent that answers with what it was told, and how many requests it has had.

Knows:    the protocol's smallest use.   (docs/workshop-protocol.md)
Does not: ask the model.
"""

import itertools
from collections.abc import Iterator
from typing import Any

from workshop.agents.kit import Desk, serve


def echoed(desk: Desk, count: Iterator[int]) -> dict[str, Any]:
    """Return what a person said."""
    return {"text": f"{next(count)}: {desk.message['text']}"}


if __name__ == "__main__":
    numbers = itertools.count(1)
    serve({"user_input": lambda desk: echoed(desk, numbers)})
