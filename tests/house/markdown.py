"""What a Markdown page holds that can be true or false: code, commands, names, links.

Does not: render, or judge the prose.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<mark>```+|~~~+)[ ]*(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=mark)[ ]*$", re.M | re.S)
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.M)
_SHELL = {"sh", "bash", "shell", "console"}


@dataclass(frozen=True)
class Fence:
    """A block of code: its language, the words after it, its text, and the line it starts on."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int


def fences(page: str) -> list[Fence]:
    found: list[Fence] = []
    for match in _FENCE.finditer(page):
        language, *words = match["info"].split() or [""]
        found.append(Fence(language, tuple(words), match["body"], page.count("\n", 0, match.start()) + 1))
    return found


def prose(page: str) -> str:
    """Return the page without its blocks of code."""
    return _FENCE.sub("", page)


def spans(page: str) -> list[str]:
    """Return what stands between single backticks."""
    return _INLINE.findall(prose(page))


def commands(page: str) -> Iterator[str]:
    """Yield each command line: of shell blocks (in `console` those after `$ `) and of spans."""
    for fence in fences(page):
        if fence.language not in _SHELL:
            continue
        lines = fence.text.replace("\\\n", " ").splitlines()
        if any(line.startswith("$ ") for line in lines):
            lines = [line[2:] for line in lines if line.startswith("$ ")]
        yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))
    yield from spans(page)


def links(page: str) -> list[str]:
    return [first or second for first, second in _LINK.findall(prose(page))]


def anchors(page: str) -> set[str]:
    """Return the anchors that GitHub gives a page's headings."""
    headings = _HEADING.findall(prose(page))
    kept = [re.sub(r"[^\w\- ]", "", heading.lower()).strip() for heading in headings]
    return {heading.replace(" ", "-") for heading in kept}
