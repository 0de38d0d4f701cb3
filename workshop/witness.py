"""What a program answers to the examples when it is asked apart from its tests, and compared by the core.

Knows:    which examples can be compared here: calls with a value that can be told in JSON or an exception of
          Python's own, and runs of a program that was called as well.
Does not: see through operators: of `abs(f(2) - 4) < 0.1` the program's own objects say whether it holds.
Why so:   a test runs in the program's process, so that an object that equals everything passes, and a report
          can be forged. Here the program is told the calls and not what must come; whoever answers right has
          passed, by whatever way.
"""

import ast
import builtins
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from workshop.example_tests import module_of, names_in, words_of
from workshop.expressions import closed, own_names
from workshop.sandbox import Limits, Sandbox
from workshop.specification import Example
from workshop.syntax import parsed

_SCRIPT = "witness_script.py"
_DRIVER = f".judge/{_SCRIPT}"
_SHOWN = 200


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

    async def asked(named: Mapping[str, Example], laid: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
        return await answers(sandbox, laid, named, limits, venv) if named else {}

    calls = {name: each for name, each in examples.items() if each.call and _can_be_compared(each)}
    # Where the program was imported into the tests' process, that process is no witness of its runs either.
    called = any(each.call for each in examples.values())
    runs = {name: each for name, each in examples.items() if called and not each.call}
    # Values that are no literals are worked out where the program is not.
    values = {name: _expected(each) for name, each in calls.items() if not _is_literal(each)}
    wanted = {
        name: _value(answer[1])
        for name, (answer, _) in (await asked(values, {})).items()
        if answer[0] == "gave"
    }
    calls = {
        name: each for name, each in calls.items() if name not in values or _is_plain(wanted.get(name, _ODD))
    }
    found: dict[str, str] = {}
    for name, (answer, why) in {**await asked(runs, files), **await asked(calls, files)}.items():
        example = examples[name]
        must = wanted[name] if name in wanted else _literal(example)
        if said := _why_not(example, answer, must, why):
            found[name] = said
    return {name: found[name] for name in examples if name in found}


async def answers(
    sandbox: Sandbox,
    files: Mapping[str, str],
    examples: Mapping[str, Example],
    limits: Limits,
    venv: Path | None,
) -> dict[str, tuple[Any, str]]:
    """Return what the program answers to each, and why the run ended early where it did."""
    asked = [_question(each) for each in examples.values()]
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
    answers += [_NOTHING] * (len(examples) - len(answers))
    return {name: (answer, ran.why) for name, answer in zip(examples, answers, strict=False)}


_NOTHING: list[Any] = ["nothing"]

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def _as_equal(told: Any) -> Any:
    """Return what was told with 4.0 as 4, which it is equal to, and what is like a list as one."""
    match told:
        case ["number", str(held)] if held.endswith(".0"):
            return ["number", held.removesuffix(".0")]
        case [kind, [*parts]] if kind != "bytes":
            return ["list" if kind == "parts" else kind, [_as_equal(each) for each in parts]]
        case _:
            return told


def shown(answer: list[Any], silent: str) -> str:
    """Return an answer in words that are the same for the same answer. silent: the word for none."""
    match answer:
        case ["raised", [first, *_], _]:
            return f"raises {first}"
        case ["raised", [], _]:
            return "raises something"
        case ["gave", told]:
            return _ADDRESS.sub("", repr(_value(_as_equal(told))))[:500]
        case _:
            return silent


def _question(example: Example) -> dict[str, Any]:
    if not example.call:
        return {"run": [example.file, *example.arguments], "input": example.input}
    return {"call": example.call.strip(), "imports": _imports(example)}


def _can_be_compared(example: Example) -> bool:
    """Say whether what must come can be known without the program."""
    if example.raises is not None:
        kind = getattr(builtins, example.raises, None)
        return isinstance(kind, type) and issubclass(kind, BaseException)
    tree = parsed(example.returns or "None")
    return tree is not None and closed(tree) and not own_names(tree)


def _expected(example: Example) -> Example:
    """Return an example that calls what another returns."""
    return example.model_copy(update={"call": example.returns or "None", "returns": "None", "file": ""})


def _is_literal(example: Example) -> bool:
    try:
        _literal(example)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False
    return True


def _literal(example: Example) -> Any:
    return ast.literal_eval((example.returns or "None").strip())


def _imports(example: Example) -> str:
    wanted, lines = names_in(example)
    if not example.file:
        return "\n".join(lines)
    module = module_of(example.file)
    return "\n".join([*lines, f"from {module} import {', '.join(wanted)}" if wanted else f"import {module}"])


def _why_not(example: Example, answer: Any, wanted: Any, why: str) -> str:
    """Return what the program answers instead, "" where it answers right."""
    asked = f"Asked for {words_of(example)!r} alone, the program"
    match answer:
        case ["printed", code, text]:
            if (code, text) == (0, (example.prints or "").strip()):
                return ""
            return f"{asked} prints {str(text)[:_SHOWN]!r} and ends with exit code {code}."
        case ["raised", [*kinds], message]:
            if example.raises in kinds:
                return ""
            return f"{asked} raises {(kinds or ['something'])[0]} ({str(message)[:_SHOWN]})."
        case ["gave", told]:
            value = _value(told)
            if example.raises is None and _equal(value, wanted):
                return ""
            return f"{asked} gives {repr(value)[:_SHOWN]}."
        case _:
            return f"{asked} gave no answer ({why or 'it ended before it could'})."


class _Odd:
    """Something that no literal can be equal to."""

    def __init__(self, shown: str) -> None:
        self._shown = shown

    def __repr__(self) -> str:
        return self._shown


_ODD = _Odd("nothing")


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


def _is_plain(value: Any) -> bool:
    """Say whether nothing in a value is odd: what is can be compared where the objects are, and not here."""
    if isinstance(value, dict):
        held = cast("dict[Any, Any]", value)
        return all(_is_plain(each) for pair in held.items() for each in pair)
    if isinstance(value, list | tuple | set):
        return all(_is_plain(each) for each in cast("list[Any]", value))
    return not isinstance(value, _Odd)


def _read(line: bytes) -> list[Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return _NOTHING
    return cast("list[Any]", answer) if isinstance(answer, list) and answer else _NOTHING
