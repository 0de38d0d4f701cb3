"""Where in a text a Python expression that begins at a place may end.

Knows:    Python's tokens, as far as brackets, strings and operators go.
Does not: parse.   (expressions.py; whoever asks tries the ends, the longest first)
"""

import re

from workshop.expressions import closed
from workshop.syntax import parsed

_LONGEST = 4_000
_DEEPEST = 20
_TRIED = 40
"""Ends that are tried of one expression: what is not closed within them is prose."""

_TOKEN = re.compile(
    r"""(?P<string>(?i:[rbuf]{0,2})(?:\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}"""
    r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))"""
    r"""|(?P<number>0[xXbBoO][\da-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?[jJ]?)"""
    r"""|(?P<name>[^\W\d]\w*)|(?P<open>[(\[{])|(?P<close>[)\]}])"""
    r"""|(?P<op>->|=>|\*\*|//|<<|>>|[=!<>]=|:=|[-+*/%@&|^~<>=.,:;])"""
    r"""|(?P<line>(?:\\\r?\n|\r?\n))|(?P<comment>\#[^\n]*)|(?P<space>[ \t]+)""",
    re.DOTALL,
)
_OPERATOR_WORDS = frozenset("and or not in is if else for lambda await".split())
_COMPARING = frozenset("== != < > <= >=".split())
_NEVER = frozenset("; = -> => := : ,".split())
_PAIRS = {")": "(", "]": "[", "}": "{"}


def expression_end(text: str, start: int, *, prose: bool, modules: tuple[str, ...] = ()) -> int | None:
    """Return where the longest closed expression that begins at start ends, or None.

    prose: stop before whatever a sentence goes on with: comparisons, `and`, `or`, `if`, `in`, `is`. Commas
    outside brackets end both. A full stop that could be a number's is the sentence's.
    """
    for end in reversed(_ends(text, start, prose=prose)[-_TRIED:]):
        tree = parsed(text[start:end])
        if tree is not None and closed(tree, modules):
            return end
    return None


def _ends(text: str, start: int, *, prose: bool) -> list[int]:
    """Return each place outside brackets where an operand ends and nothing glued to it goes on."""
    ends: list[int] = []
    depth: list[str] = []
    operand = False
    for found in _tokens(text, start):
        kind, token = found.lastgroup or "", found.group()
        if kind in ("space", "comment") or (kind == "line" and (depth or token.startswith("\\"))):
            if kind == "comment" and not depth:
                break
            continue
        if prose and not depth and re.match(r"\.\s", text[found.start() : found.end() + 1]):
            break  # "write f(). f() == 1": the full stop is the sentence's
        if kind == "line" or not _goes_on(kind, token, depth, operand, prose):
            break
        if kind == "open":
            depth.append(token)
        elif kind == "close":
            depth.pop()
        operand = kind in ("string", "number", "close") or (kind == "name" and token not in _OPERATOR_WORDS)
        if operand and not depth:
            ends.append(found.end() - (kind == "number" and token.endswith(".")))
    return [end for end in ends if not text[end : end + 1].isalnum()]


def _tokens(text: str, start: int):
    place = start
    while place < min(len(text), start + _LONGEST) and (found := _TOKEN.match(text, place)):
        yield found
        place = found.end()


def _goes_on(kind: str, token: str, depth: list[str], operand: bool, prose: bool) -> bool:
    """Tell whether the token can be a part of the expression that was read so far."""
    if kind == "close":
        return bool(depth) and depth[-1] == _PAIRS[token]
    if depth:
        return len(depth) < _DEEPEST
    if kind == "name" and token in _OPERATOR_WORDS:
        return not prose
    if kind == "op":
        return token not in _NEVER and not (prose and token in _COMPARING)
    return kind == "open" or not operand or kind == "string"
