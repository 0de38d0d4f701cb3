"""Whether programs that pass the same tests agree elsewhere: what few examples cannot say.

Knows:    how calls near the examples are made, and how answers are compared.
Does not: write a program, or ask anybody.   (pipeline.py)
Source:   the idea that agreement of independent programs tells of their truth: Chen et al. 2022 (CodeT), and
          Lahiri et al. 2022 for asking the person about a call on which they differ.
"""

import ast
import copy
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from workshop.sandbox import Limits, Sandbox
from workshop.specification import Example
from workshop.witness import answers, shown

PROBES = 16
LIMITS = Limits(wall_s=10.0, cpu_s=8)
SILENT = "?"
"""The answer of a program that gave none: it broke, or was not there in time."""


@dataclass(frozen=True)
class Opinion:
    """What the programs answer. chosen: the number of the program that most agree with.

    agreeing: how many programs answer all the calls alike, the chosen one with them, 0 where none of them
    answered; of: how many there are.
    differing: a call on which they differ, the chosen one's answer and another's; None where there is none.
    calls: on how many calls they were compared; 0 where agreeing says nothing. silent: how many did not give
    every answer. written: how many programs were written, those with them that do not pass.
    """

    chosen: int
    agreeing: int
    of: int
    differing: tuple[str, str, str] | None = None
    calls: int = field(default=0, compare=False)
    silent: int = 0
    written: int = field(default=0, compare=False)


async def opinion(
    sandbox: Sandbox,
    programs: Sequence[Mapping[str, str]],
    examples: Sequence[Example],
    venv: Path | None = None,
) -> Opinion:
    """Return how far the programs agree on calls near the examples; the first wins where others are equal."""
    called = [each for each in examples if each.call and each.returns is not None]
    own = [each for each in called if each.file == called[0].file]
    calls = probes(own) if own and len(programs) > 1 else ()
    if not calls:
        return Opinion(0, len(programs), len(programs))
    told = [await _answers(sandbox, program, own[0].file, calls, venv) for program in programs]
    return compared(calls, told)


def compared(calls: Sequence[str], told: Sequence[Sequence[str]]) -> Opinion:
    """Return what the answers say; a call that breaks every program says nothing."""
    telling = [
        number for number in range(len(calls)) if not all(each[number].startswith("raises") for each in told)
    ]
    keys = [tuple(each[number] for number in telling) for each in told]
    counted = Counter(key for key in keys if SILENT not in key)
    silent = len(keys) - sum(counted.values())
    if not counted:
        return Opinion(0, 0, len(told), silent=silent)
    most = max(counted.values())
    chosen = next(number for number, key in enumerate(keys) if counted[key] == most)
    differing = next(
        (
            (calls[number], told[chosen][number], other[number])
            for number in telling
            for other in told
            if other[number] not in (told[chosen][number], SILENT)
        ),
        None,
    )
    return Opinion(chosen, most, len(told), differing, len(telling), silent)


async def _answers(
    sandbox: Sandbox, program: Mapping[str, str], file: str, calls: Sequence[str], venv: Path | None
) -> list[str]:
    asked = {call: Example(file=file, call=call, returns="None") for call in calls}
    try:
        told = await answers(sandbox, program, asked, LIMITS, venv)
    except ValueError:  # a path that cannot be laid in, or more than a run's disk holds
        return [SILENT] * len(calls)
    return [shown(told[call][0], SILENT) for call in calls]


def probes(examples: Sequence[Example], most: int = PROBES) -> tuple[str, ...]:
    """Return calls like those of the examples, with other values; the same ones for the same examples."""
    # Not for secrets: the same examples are to give the same calls.
    chance = random.Random(0)
    found: dict[str, None] = {}
    plain = [each for each in examples if _can_be_changed(each.call)]
    stated = {ast.unparse(ast.parse(each.call, mode="eval")) for each in plain}
    for _ in range(most * 8 if plain else 0):
        tree = ast.parse(chance.choice(plain).call, mode="eval")
        places = list(_places(tree))
        if not places:
            continue
        for parent, name, at in chance.sample(places, min(len(places), chance.choice((1, 1, 2)))):
            _change(parent, name, at, chance)
        try:
            call = ast.unparse(ast.fix_missing_locations(tree))
        except ValueError:  # a changed f-string or number that has no source
            continue
        if call not in stated:
            found.setdefault(call)
        if len(found) == most:
            break
    return tuple(found)


def _can_be_changed(call: str) -> bool:
    """Say whether a call can be written anew: a very deep one parses, and cannot."""
    try:
        tree = ast.parse(call, mode="eval")
        return bool(ast.unparse(copy.deepcopy(tree)))
    except (RecursionError, SyntaxError, ValueError, MemoryError):
        return False


Place = tuple[ast.AST, str, int | None]


def _places(tree: ast.AST) -> Iterator[Place]:
    """Yield where a literal stands: the node that holds it, the field, and the number in a list."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if isinstance(value, list):
                listed = cast("list[object]", value)
                yield from ((parent, name, at) for at, each in enumerate(listed) if _is_literal(each))
            elif _is_literal(value) and not (isinstance(parent, ast.Call) and name == "func"):
                yield parent, name, None


def _is_literal(node: object) -> bool:
    return isinstance(node, ast.Constant | ast.List | ast.Tuple) and not isinstance(
        getattr(node, "value", None), bytes
    )


def _change(parent: ast.AST, name: str, at: int | None, chance: random.Random) -> None:
    held = getattr(parent, name)
    node = held if at is None else held[at]
    other = _other(node, chance)
    if at is None:
        setattr(parent, name, other)
    else:
        held[at] = other


def _other(node: ast.expr, chance: random.Random) -> ast.expr:
    """Return a literal of the same kind with another value."""
    if isinstance(node, ast.List | ast.Tuple):
        return _other_list(node, chance)
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, bool):
        return ast.Constant(not value)
    if isinstance(value, int | float):
        return ast.Constant(
            chance.choice((value + 1, value - 1, value * 2, 0 * value, abs(value) + 7, value + 2))
        )
    if isinstance(value, str):
        ways = (
            value[1:],
            value[:-1],
            value + value[:1],
            value[::-1],
            value.swapcase(),
            f"{value} {value}",
            "",
        )
        return ast.Constant(chance.choice(ways))
    return copy.deepcopy(node)


def _other_list(node: ast.List | ast.Tuple, chance: random.Random) -> ast.expr:
    parts = [copy.deepcopy(each) for each in node.elts]
    ways = (parts[1:], parts[:-1], [*parts, *copy.deepcopy(parts[:1])], parts[::-1], [*parts[1:], *parts[:1]])
    return type(node)(elts=chance.choice(ways), ctx=ast.Load())
