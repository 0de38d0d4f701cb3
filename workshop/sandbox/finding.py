"""Find the best sandbox that this machine allows.

Knows:    the order, and how to say what is missing.
Does not: ask whether to do without.   (pipeline.py)
"""

import functools
import sys

from workshop.errors import SandboxMissing
from workshop.sandbox.bare import Bare
from workshop.sandbox.bubblewrap import found as found_bubblewrap
from workshop.sandbox.namespaces import Namespaces
from workshop.sandbox.namespaces import refused as refused_namespaces
from workshop.sandbox.terms import Sandbox


@functools.cache
def find() -> Sandbox:
    """Return the best sandbox, each tried once; the bare one, with what is missing, where there is none.

    Raises: SandboxMissing on Windows, where not even the limits of a run can be set.
    """
    if sys.platform == "win32":
        raise SandboxMissing("Generated code is not run on Windows. Start the workshop in WSL.")
    if sys.platform != "linux":
        return Bare(_sentence(f"it is made for Linux, and this is {sys.platform}"))
    wrapped, no_bubblewrap = found_bubblewrap()
    if wrapped is not None:
        return wrapped
    refused = refused_namespaces()
    return Bare(_sentence(f"{no_bubblewrap}; namespaces are refused: {refused}")) if refused else Namespaces()


def _sentence(reason: str) -> str:
    return (
        f"{reason}. Generated code would run as you: it could read and"
        " change your files and use the network; only its time, memory and output are limited. On Debian or"
        " Ubuntu, `sudo apt install bubblewrap` makes a sandbox possible."
    )
