"""What a program answers to the examples when it is asked apart from its tests, and compared by the core.

Knows:    the examples that are a call with a literal value, or with an exception of Python's own.
Does not: ask for anything else: what a run prints, and values that are no literals, are the tests' alone.
Why so:   a test runs in the program's process, so that an object that equals everything passes, and a report
          can be forged. Here the program is told the calls and not what must come; whoever answers right has
          passed, by whatever way.
"""

import ast
import builtins
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from workshop.example_tests import module_of, names_in
from workshop.sandbox import Limits, Sandbox
from workshop.specification import Example

_SCRIPT = "witness_script.py"
_DRIVER = f".judge/{_SCRIPT}"
_SHOWN = 200


def can_be_asked(example: Example) -> bool:
    """Say whether the core can compare the answer by itself."""
    if example.raises is not None:
        kind = getattr(builtins, example.raises, None)
        return isinstance(kind, type) and issubclass(kind, BaseException)
    if not example.call or example.returns is None:
        return False
    try:
        _wanted(example)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False
    return True


async def doubts(
    sandbox: Sandbox,
    files: Mapping[str, str],
    examples: Mapping[str, Example],
    *,
    limits: Limits,
    venv: Path | None = None,
) -> dict[str, str]:
    """Return, of the named examples, those to which the program does not answer what they say: name -> what.

    Raises: as Sandbox.run.
    """
    named = {name: each for name, each in examples.items() if can_be_asked(each)}
    if not named:
        return {}
    asked = [{"call": each.call.strip(), "imports": _imports(each)} for each in named.values()]
    script = Path(__file__).with_name(_SCRIPT).read_text(encoding="utf-8")
    ran = await sandbox.run(
        {path: text for path, text in files.items() if not path.startswith(".judge/")},
        ("{python}", "-s", "-B", _DRIVER),
        limits,
        stdin=json.dumps(asked).encode(),
        venv=venv,
        fixed={_DRIVER: script},
    )
    answers = [_read(line) for line in ran.report.split(b"\n")[:-1]]
    answers += [None] * (len(named) - len(answers))
    said = {
        name: _why_not(each, answer, ran.why)
        for (name, each), answer in zip(named.items(), answers, strict=False)
    }
    return {name: why for name, why in said.items() if why}


def _imports(example: Example) -> str:
    wanted, lines = names_in(example)
    module = module_of(example.file)
    return "\n".join([*lines, f"from {module} import {', '.join(wanted)}" if wanted else f"import {module}"])


def _why_not(example: Example, answer: Any, why: str) -> str:
    """Return what the program answers instead, "" where it answers right."""
    asked = f"Asked for {example.call.strip()} alone, the program"
    must = f"it must {f'raise {example.raises}' if example.raises else f'give {example.returns}'}"
    match answer:
        case ["raised", [*kinds], message]:
            if example.raises in kinds:
                return ""
            return f"{asked} raises {(kinds or ['something'])[0]} ({str(message)[:_SHOWN]}); {must}."
        case ["gave", told]:
            value = _value(told)
            if example.raises is None and _equal(value, _wanted(example)):
                return ""
            return f"{asked} gives {repr(value)[:_SHOWN]}; {must}."
        case _:
            return f"{asked} gave no answer ({why or 'it ended before it could'}); {must}."


class _Odd:
    """Something that no literal can be equal to."""

    def __init__(self, shown: str) -> None:
        self._shown = shown

    def __repr__(self) -> str:
        return self._shown


class _Parts(list[Any]):
    """The parts of something that is like a list, and may be like a set."""


def _value(told: Any) -> Any:
    """Return the value that the script told of."""
    try:
        return _built(told)
    except (ValueError, TypeError, KeyError, SyntaxError, RecursionError, OverflowError, MemoryError):
        return _Odd(str(told)[:_SHOWN])


def _built(told: Any) -> Any:
    kind, held = told
    if kind == "is":
        return {"None": None, "True": True, "False": False}[held]
    if kind == "number":
        return float(held) if held.strip("-") in ("inf", "nan") else ast.literal_eval(held)
    if kind == "dict":
        return {_built(key): _built(value) for key, value in held}
    if kind in _KINDS:
        return _KINDS[kind](_built(each) for each in held)
    return {"str": str, "bytes": bytes}.get(kind, _Odd)(held)


_KINDS: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "parts": _Parts}


def _equal(value: Any, wanted: Any) -> bool:
    if isinstance(value, _Parts) and isinstance(wanted, set | tuple):
        return type(cast("set[Any]", wanted))(value) == wanted
    return bool(value == wanted)


def _wanted(example: Example) -> Any:
    return ast.literal_eval((example.returns or "None").strip())


def _read(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
