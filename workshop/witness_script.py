"""Call or run a program as an example does, and tell what comes: what a run of witness.py is started with.

Knows:    how a value is told in JSON: those of Python's own kinds by their kind, others by what they are
          like. It runs inside the sandbox, in whatever Python the project has, and imports the library alone.
Does not: know what must come, or compare.   (witness.py)
Told:     a list on stdin, of {"imports": …, "call": …} and {"run": […], "input": …}. It tells one JSON list a
          line on handle 3.
"""

import json
import numbers
import os
import subprocess
import sys
from typing import Any

REPORT_FD = 3
_DEEPEST = 40
_SHOWN = 200
_PRINTED_MOST = 10_000


def plain(value: Any, depth: int = 0) -> list[Any]:
    """Return a value as JSON can hold it: its kind, and what it holds."""
    if depth > _DEEPEST:
        return ["odd", "something very deep"]
    if value is None or value is True or value is False:
        return ["is", str(value)]
    if isinstance(value, str):
        return ["str", str.__str__(value)]
    for kind in _NUMBERS:
        if isinstance(value, kind):
            return ["number", kind.__repr__(value)]  # a subclass may call itself anything
    if isinstance(value, bytes | bytearray):
        return ["bytes", list(bytes(value))]
    if isinstance(value, dict):
        pairs = _ITEMS(value)
        return ["dict", [[plain(key, depth + 1), plain(held, depth + 1)] for key, held in pairs]]
    for kind, name in _HOLDING:
        if isinstance(value, kind):
            return [name, [plain(each, depth + 1) for each in kind.__iter__(value)]]
    return _like(value, depth)


_ITEMS: Any = dict[Any, Any].items
_NUMBERS: tuple[Any, ...] = (int, float, complex)
_HOLDING: tuple[tuple[Any, str], ...] = ((list, "list"), (tuple, "tuple"), (set, "set"), (frozenset, "set"))


def _like(value: Any, depth: int) -> list[Any]:
    """Tell of a value that is none of Python's own kinds, such as a Decimal, a Counter's items, an array."""
    given: Any = value
    kind: Any = given.__class__
    if isinstance(value, numbers.Number):
        return plain(int(given) if int(given) == given else float(given), depth + 1)
    if hasattr(kind, "dtype") and hasattr(kind, "tolist"):
        return plain(given.tolist(), depth + 1)
    if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):
        return plain(dict(value), depth + 1)
    if hasattr(kind, "__iter__") and hasattr(kind, "__len__"):
        return ["parts", [plain(each, depth + 1) for each in value]]
    return ["odd", repr(value)[:_SHOWN]]


def _answer(example: dict[str, Any]) -> list[Any]:
    if "run" in example:
        command = [sys.executable, *example["run"]]
        ran = subprocess.run(command, input=example["input"], capture_output=True, text=True)
        return ["printed", ran.returncode, ran.stdout.strip()[:_PRINTED_MOST]]
    names: dict[str, Any] = {}
    try:
        exec(example["imports"], names)
        given = eval(example["call"], names)
    except BaseException as error:  # noqa: BLE001  a program may raise anything, an exit too
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
        return ["raised", kinds, str(error)[:_SHOWN]]
    try:
        return ["gave", plain(given)]
    except BaseException as error:  # noqa: BLE001  so may what it gives
        return ["gave", ["odd", f"something that cannot be read ({type(error).__name__})"]]


def main() -> None:
    """Answer what stdin asks."""
    asked = json.loads(sys.stdin.buffer.read())
    report = os.dup(REPORT_FD)
    os.close(REPORT_FD)
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(nothing, handle)
    del sys.path[0]  # this script's own folder; the project's comes where it does for the tests
    installed = [at for at, path in enumerate(sys.path) if path.endswith(("site-packages", "dist-packages"))]
    sys.path.insert(installed[0] if installed else len(sys.path), os.getcwd())
    for example in asked:
        line = memoryview(json.dumps(_answer(example)).encode() + b"\n")
        while line:
            line = line[os.write(report, line) :]
    os._exit(0)  # a thread that the program left behind has no say in when this ends


if __name__ == "__main__":
    main()
