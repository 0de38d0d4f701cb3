"""The examples that a person's own sentence states: `f(2) == 3`, "f(1) returns 2", "f('') raises ValueError".

Knows:    asserts, doctests, comparisons, arrows, and the verbs of English and Russian between a call and what
          comes of it; programs that print are read by program_runs.py.
Does not: evaluate anything, or take what holds of any value ("f(n) returns n + 1"): only closed expressions.
Rule:     each text is used once, by the surest reading: doctest, assert, program, exception, then prose.
          What may be half of a longer statement ("f(1) returns 2 apples", "2 or 3") is no example.
Why so:   docs/decisions/047-examples-come-from-the-persons-words.md
"""

import ast
import doctest
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from pydantic import ValidationError

from workshop.expressions import (
    BUILTINS,
    calls_something,
    closed,
    is_a_type,
    own_names,
    source_of,
    truth,
    wanted_names,
    without_module,
)
from workshop.extents import expression_end
from workshop.program_runs import program_runs
from workshop.specification import EXAMPLES_MOST, Example
from workshop.stated_words import (
    AFTER,
    CELL,
    CONNECTIVES,
    ERROR_BEFORE,
    FILLER,
    GOES_ON,
    LABEL,
    NEVER_AFTER,
    PRINTS,
    RAISES,
    REMARK,
    TRUTHS,
)
from workshop.syntax import parsed

READ_CHARS = 20_000
"""Characters of a sentence that are read; a program is not asked for in more."""
_USED = "\0"
_GAP = re.compile(r"[ \t]{100,}")
_CALL = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)* ?\(")
_DEFINES = re.compile(r"\b(?:def|class)\s+$")
_ASSERT = re.compile(r"\bassert\b[ \t]*(?:that\b[ \t]*)?")
_UNITTEST = re.compile(r"\bself\.assert(Equals?|True|False|IsNone)\(")
_WORD_AND_BRACKET = re.compile(r"[^\W\d_A-Z]{2,} \(")
_SIGN = re.compile(r"\s*(?:={2,3}|[-=]>|→)")
"""What makes a call of "it (2)": in prose a bracket after a word is a remark."""

_MESSAGE = re.compile(r"[ \t]*,[ \t]*(?=[\"'frb])")
_EQUAL = re.compile(r"[`'\"*»”]{0,3}\s*={2,3}(?!>)\s*[`*]{0,3}")
_OTHER_COMPARISON = re.compile(r"\s*(?:!=|<=|>=|<(?!=)|>(?!=)|(?:not\s+)?in\b)")
_AFTER_OPERATOR = re.compile(r"[^\s`*\-•·|>,;:.(\"'«“].*[-+*/%=<>!&^~]\s*$|(?:[=<>!]=|[%/=<])\s*$")
_ADDRESS = re.compile(r"\b[a-z]+://[^\s\"')]+")
_SPAN = re.compile(r"`([^`\n]+)`|^[ \t]*(?:[-*•]|\d+[.)])?[ \t]*(\S[^\n]*?)[ \t]*[.,;]?[ \t]*$", re.MULTILINE)

_LINE_ENDS = re.compile(r"[ \t]*(?:\n|$)")
_LINKS = (_EQUAL, CONNECTIVES, LABEL, CELL, REMARK)
_PRINTED_LINKS = (PRINTS, REMARK)

Span = tuple[int, int]
Found = tuple[int, int, list[dict[str, Any]]]
"""Where it stands, where it ends, and the fields of its examples."""


def stated_examples(sentence: str, file: str) -> tuple[Example, ...]:
    """Return the examples that the sentence states, in its order, each once; at most EXAMPLES_MOST.

    file: the module that the functions are to be in. A program that is run names its own.
    """
    return _all_stated(sentence, file)[:EXAMPLES_MOST]


def stated_beyond(sentence: str) -> int:
    """Return how many more examples the sentence states than `stated_examples` returns."""
    return max(len(_all_stated(sentence, "main.py")) - EXAMPLES_MOST, 0)


def calls_without_result(sentence: str, examples: Sequence[Example]) -> tuple[str, ...]:
    """Return the calls, with values, of what is to be written that no example says a result of."""
    wanted = set(wanted_names(examples))
    known = {ast.dump(tree) for each in examples if each.call and (tree := parsed(each.call))}
    inside = " ".join(each.call for each in examples)
    found: dict[str, None] = {}
    for start, end in _calls(sentence[:READ_CHARS], ()):
        call = sentence[start:end]
        tree = parsed(call)
        if tree is None or not closed(tree) or not wanted.intersection(own_names(tree)):
            continue
        has_values = isinstance(tree, ast.Call) and (tree.args or tree.keywords)
        if has_values and ast.dump(tree) not in known and call not in inside:
            found.setdefault(call)
    return tuple(found)


def _all_stated(sentence: str, file: str) -> tuple[Example, ...]:
    text = _GAP.sub(" " * 100, sentence[:READ_CHARS].replace(_USED, " ").replace("\r\n", "\n"))
    modules = (PurePosixPath(file).stem,)
    found: list[Found] = []
    calls: list[Span] = []
    for read in (_doctests, _unittests, _asserts, _programs, _whole, _raised, _compared, _told):
        if read is _raised:
            calls = list(_calls(text, modules))
        free = [(start, end) for start, end in calls if _USED not in text[start:end]]
        for start, end, examples in list(read(text, modules, free)):
            if _USED in text[start:end]:
                continue
            found.append((start, end, examples))
            text = text[:start] + _USED * (end - start) + text[end:]
    fields = [example for _, _, examples in sorted(found, key=lambda each: each[0]) for example in examples]
    return _without_mere_remarks(tuple(dict.fromkeys(_made(fields, file))))


def _made(fields: list[dict[str, Any]], file: str) -> Iterator[Example]:
    for each in fields:
        if "call" in each:
            each["call"] = without_module(each["call"], file)
        try:
            yield Example.model_validate({"file": file, **each, "stated": True})
        except ValidationError:
            continue  # longer than an example may be: nothing that a small program is asked for


def _without_mere_remarks(examples: tuple[Example, ...]) -> tuple[Example, ...]:
    """Leave out examples of nothing but built-in functions where others call a function of their own."""
    own = [example for example in examples if not example.call or _calls_its_own(example)]
    return tuple(own) if any(example.call for example in own) else examples


def _calls_its_own(example: Example) -> bool:
    tree = parsed(example.call)
    names = own_names(tree) if tree else []
    return bool(names) or not any(name in example.call for name in BUILTINS if f"{name}(" in example.call)


def _doctests(text: str, modules: tuple[str, ...], calls: list[Span]) -> Iterator[Found]:
    try:
        parts = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return  # lines that only look like a session
    starts = [0, *(at.end() for at in re.finditer("\n", text))]
    for part in parts:
        lines = part.source.count("\n") + part.want.count("\n")
        start = starts[part.lineno]
        end = starts[part.lineno + lines] if part.lineno + lines < len(starts) else len(text)
        tree = parsed(part.source)
        if tree is None or not closed(tree, modules) or not calls_something(tree, modules):
            continue
        source, _ = _unprinted(part.source.strip())
        if part.exc_msg is not None:
            yield start, end, [{"call": source, "raises": part.exc_msg.partition(":")[0].strip()}]
        elif part.want.strip() == "True" and isinstance(tree, ast.Compare):
            yield start, end, _asserted(source, tree)
        elif (returns := _first_value(part.want)) is not None:
            yield start, end, [{"call": source, "returns": returns}]


def _first_value(want: str) -> str | None:
    """Return the longest run of first lines that is one closed expression: prose may follow at once."""
    lines = want.strip().splitlines()
    for count in range(len(lines), 0, -1):
        tree = parsed(part := "\n".join(lines[:count]))
        if tree is not None and closed(tree):
            return part
    return None


def _asserts(text: str, modules: tuple[str, ...], calls: list[Span]) -> Iterator[Found]:
    for found in _ASSERT.finditer(text):
        end = expression_end(text, found.end(), prose=False, modules=modules)
        if end is None:
            continue
        if message := _MESSAGE.match(text, end):
            said = expression_end(text, message.end(), prose=False, modules=modules)
        else:
            said = None
        source = text[found.end() : end]
        if examples := _read_assertion(source, modules):
            yield found.start(), said or end, examples


def _unittests(text: str, modules: tuple[str, ...], calls: list[Span]) -> Iterator[Found]:
    for found in _UNITTEST.finditer(text):
        end = expression_end(text, found.start() + len("self."), prose=False, modules=modules)
        tree = parsed(text[found.start() + len("self.") : end]) if end else None
        if not isinstance(tree, ast.Call) or not tree.args:
            continue
        source, parts = text[found.start() + len("self.") : end], tree.args
        written = [source_of(source, part) for part in parts[:2]]
        meant = {
            "True": f"bool({written[0]})",
            "False": f"not ({written[0]})",
            "IsNone": f"({written[0]}) is None",
        }
        meant["Equal"] = meant["Equals"] = " == ".join(f"({part})" for part in written)
        if examples := _read_assertion(meant[found[1]], modules):
            yield found.start(), end or found.end(), examples


def _read_assertion(source: str, modules: tuple[str, ...]) -> list[dict[str, Any]]:
    tree = parsed(source)
    if tree is None or not closed(tree, modules) or not calls_something(tree, modules):
        return []
    return _asserted(source.strip(), tree)


def _asserted(source: str, tree: ast.expr) -> list[dict[str, Any]]:
    """Return the examples that an expression is when it must be true: one for each part of an `and`."""
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return [example for part in tree.values for example in _asserted(source, part)]
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        left, right = tree.left, tree.comparators[0]
        calls = any(isinstance(part, ast.Call) for part in ast.walk(left))
        if not own_names(left) and (own_names(right) or not calls):
            left, right = right, left
        return [{"call": source_of(source, left), "returns": source_of(source, right)}]
    return [{"call": truth(source, tree), "returns": "True"}]


def _programs(text: str, modules: tuple[str, ...], calls: list[Span]) -> Iterator[Found]:
    yield from program_runs(text)


def _raised(text: str, modules: tuple[str, ...], calls: list[Span]) -> Iterator[Found]:
    """Yield "f('') raises ValueError", "ValueError for f('')" and `with pytest.raises(ValueError): f('')`."""
    for start, end in calls:
        if found := RAISES.match(text, end):
            yield start, found.end(), [{"call": text[start:end], "raises": found["error"]}]
    for found in ERROR_BEFORE.finditer(text):
        end = expression_end(text, found.end(), prose=True, modules=modules)
        if end and (tree := parsed(text[found.end() : end])) and calls_something(tree, modules):
            error = found["error"] or found["other"]
            yield found.start(), end, [{"call": text[found.end() : end], "raises": error}]


def _whole(text: str, modules: tuple[str, ...], calls: list[Span]) -> Iterator[Found]:
    """Yield what stands alone, on a line or between backticks, and is a comparison in Python."""
    for found in _SPAN.finditer(text):
        group = 1 if found[1] else 2
        source = found[group]
        tree = parsed(source) if "(" in source else None
        compares = isinstance(tree, ast.BoolOp | ast.Compare | ast.UnaryOp) and not _says_is(tree)
        if compares and (examples := _read_assertion(source, modules)):
            yield found.start(group), found.end(group), examples


def _says_is(tree: ast.expr) -> bool:
    """Tell whether `is` or a bare minus makes the line prose: "f(1) is 2" means what it returns."""
    if isinstance(tree, ast.UnaryOp):
        return not isinstance(tree.op, ast.Not)
    return any(isinstance(part, ast.Is | ast.IsNot) for part in ast.walk(tree))


def _compared(text: str, modules: tuple[str, ...], calls: list[Span]) -> Iterator[Found]:
    """Yield the comparisons other than equality that stand in a sentence: "abs(f(1) - 2) < 0.1"."""
    for start, end in calls:
        if sign := _OTHER_COMPARISON.match(text, end):
            right = sign.end() + len(text[sign.end() :]) - len(text[sign.end() :].lstrip(" \t"))
            stop = expression_end(text, right, prose=True, modules=modules)
            examples = _read_assertion(text[start:stop], modules) if stop else []
            if stop and examples:
                yield start, stop, examples


def _told(text: str, modules: tuple[str, ...], calls: list[Span]) -> Iterator[Found]:
    """Yield what a sentence says that a call returns, or that printing it shows."""
    for start, end in calls:
        call, printed = _unprinted(text[start:end])
        links = _PRINTED_LINKS if printed else _LINKS
        link = next((found for pattern in links if (found := pattern.match(text, end))), None)
        result = _result(text, link.end(), modules, lenient=link.lastgroup != "verb") if link else None
        if link is None or result is None or (link.re is REMARK and not _LINE_ENDS.match(text, result[0])):
            continue
        stop, returns = result
        tree = parsed(returns)
        if link.re is _EQUAL or (tree is not None and not is_a_type(tree)):
            yield start, stop, [{"call": call, "returns": returns}]


def _unprinted(call: str) -> tuple[str, bool]:
    """Return what a `print` of one thing prints, and whether it was one."""
    tree = parsed(call)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "print":
        if len(tree.args) == 1 and not tree.keywords and isinstance(tree.args[0], ast.Call):
            return source_of(call.strip(), tree.args[0]), True
        return call, True
    return call, False


def _result(text: str, place: int, modules: tuple[str, ...], *, lenient: bool) -> tuple[int, str] | None:
    """Return where the value ends, and the value. lenient: any word may follow, after `==` or an arrow."""
    if said := TRUTHS.match(text, place):
        return (said.end(), _truth_of(said)) if _ends_there(text, said.end(), lenient=lenient) else None
    begins = [filler.end()] if (filler := FILLER.match(text, place)) else []
    for begin in [*begins, place]:
        end = expression_end(text, begin, prose=True, modules=modules)
        tree = parsed(text[begin:end]) if end else None
        if end and tree is not None and all(_is_a_value(part) for part in ast.walk(tree)):
            return (end, text[begin:end]) if _ends_there(text, end, lenient=lenient) else None
    return None


def _truth_of(said: re.Match[str]) -> str:
    return {"true": "True", "false": "False", "none": "None"}[said.lastgroup or "none"]


def _is_a_value(part: ast.AST) -> bool:
    return not isinstance(part, ast.Call) or isinstance(part.func, ast.Name | ast.Attribute)


def _ends_there(text: str, end: int, *, lenient: bool) -> bool:
    """Tell whether the sentence leaves the value as it is: "2 apples" and "2 or 3" are not the value 2."""
    if NEVER_AFTER.match(text, end):
        return False
    return lenient or bool(AFTER.match(text, end)) or bool(GOES_ON.match(text, end))


def _calls(text: str, modules: tuple[str, ...]) -> Iterator[Span]:
    """Yield where each outermost closed call stands that is no definition and no part of a longer sum."""
    reached = 0
    for found in _CALL.finditer(text):
        if found.start() < reached or _DEFINES.search(text, max(0, found.start() - 20), found.start()):
            continue
        line = text.rfind("\n", 0, found.start()) + 1
        if _AFTER_OPERATOR.search(_ADDRESS.sub(".", text[line : found.start()][-200:])):
            continue
        end = expression_end(text, found.start(), prose=True, modules=modules)
        tree = parsed(text[found.start() : end]) if end else None
        spaced = _WORD_AND_BRACKET.fullmatch(found.group()) and not _SIGN.match(text, end or 0)
        if end and tree is not None and not spaced and calls_something(tree, modules):
            yield found.start(), end
            reached = end
