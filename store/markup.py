"""Markdown as it is read out: without its marks, each row of a table as a sentence.

Knows:    emphasis, code, links, images, tables.
Does not: know headings or sections.   (store/policies.py)
"""

import re

_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_WEAK = re.compile(r"(?<![\w*_])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*_])")
_CODE = re.compile(r"`([^`\n]+)`")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
"""The line under a table's head, which says nothing."""


def read_out(text: str) -> str:
    """Return the text without marks; its lines stay lines."""
    plain = _CODE.sub(r"\1", _WEAK.sub(r"\2", _STRONG.sub(r"\2", _LINK.sub(r"\1", text))))
    return "\n".join(_without_tables(plain.split("\n")))


def _without_tables(lines: list[str]) -> list[str]:
    told: list[str] = []
    head: list[str] = []
    for at, line in enumerate(lines):
        ruled = at + 1 < len(lines) and _is_rule(lines[at + 1])
        if "|" in line and ruled:
            head = _cells(line)  # told with each row below
        elif head and _is_rule(line):
            continue
        elif head and "|" in line:
            told += ["", _row(head, _cells(line)), ""]
        else:
            head = []
            told.append(line)
    return told


def _is_rule(line: str) -> bool:
    return "|" in line and "-" in line and _RULE.fullmatch(line.strip()) is not None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _row(head: list[str], cells: list[str]) -> str:
    """Return a row as a sentence: what it is about, and what each column says of it."""
    first, *rest = cells
    named = [
        f"{name}: {cell}" if name else cell
        for name, cell in zip([*head[1:], *[""] * len(rest)], rest, strict=False)
        if cell
    ]
    told = f"{first} – {', '.join(named)}" if named else first
    return told if told.endswith((".", "!", "?")) else f"{told}."
