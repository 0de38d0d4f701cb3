"""What the tests of the sandboxes share: each sandbox, or why this machine does not have it."""

import functools

import pytest

from workshop.sandbox import Sandbox, bubblewrap, namespaces
from workshop.sandbox.namespaces import Namespaces


@functools.cache
def _bubblewrap() -> tuple[Sandbox | None, str]:
    return bubblewrap.found()


@functools.cache
def _namespaces() -> tuple[Sandbox | None, str]:
    refused = namespaces.refused()
    return (None, f"namespaces are refused: {refused}") if refused else (Namespaces(), "")


def sandbox_or_skip(name: str) -> Sandbox:
    """Return the sandbox of this name, or skip the test with the reason."""
    made, why = {"bubblewrap": _bubblewrap, "namespaces": _namespaces}[name]()
    if made is None:
        pytest.skip(f"this system has no such sandbox: {why}")
    return made
