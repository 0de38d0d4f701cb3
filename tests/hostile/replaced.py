"""Take a gate out, wherever it was imported to."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

ROOMS = ("agent", "agent_mcp", "guards", "bridge", "mcp_tools", "store", "server", "support", "serving")


def replace_everywhere(
    patch: pytest.MonkeyPatch, function: Callable[..., Any], by: Callable[..., Any]
) -> None:
    """Put another function in the place of one, in every room that knows it."""
    places = [
        (module, name)
        for key, module in list(sys.modules.items())
        if key.split(".")[0] in ROOMS
        for name, value in list(vars(module).items())
        if value is function
    ]
    assert places, f"nobody imports {function.__name__}"
    for module, name in places:
        patch.setattr(module, name, by)
