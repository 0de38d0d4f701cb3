"""Text laid out for a terminal as it comes: words kept whole at the edge, a reply's Markdown drawn.

Knows:    widths of characters, list markers, bold, italics, code.
Does not: write anywhere.   (screen.py)
Rule:     lines break between words only, and a break never moves afterwards, so finished text is never
          drawn again. Apart from the marks of bold, italics, code and headings every character stays as
          written: numbers of a list too.
Why ours: docs/decisions/012-answers-are-laid-out-as-they-come.md
"""

import re
from collections.abc import Callable

from rich.cells import chop_cells
from rich.text import Text

from terminal.width import columns_of

_MARKER = re.compile(r"(\s*)(?:([-*+])|(\d{1,9}[.)]))(\s+)(?=\S)")
_HEADING = re.compile(r"#{1,6}\s+(?=\S)")
_INLINE = re.compile(
    r"(?P<strong>\*\*|__)(?=\S)(?P<bold>.+?)(?<=\S)(?P=strong)"
    r"|`(?P<code>[^`]+)`"
    r"|(?<![\w*])\*(?=[^\s*])(?P<italic>[^*]+?)(?<=[^\s*])\*(?![\w*])"
)
_STYLES = {"bold": "bold", "code": "cyan", "italic": "italic"}


class Flow:
    """Lays out one text that comes in pieces; `width` is asked anew for every word."""

    def __init__(self, width: Callable[[], int], hang: int = 0) -> None:
        self._width = width
        self._base = hang
        self._hang = hang
        self._column = 0
        self._gap = ""
        self._style = ""
        self._fresh = True
        """Nothing of the line but white space was seen yet."""

    def label(self, text: str, style: str) -> Text:
        """Return a label before the first word; the text goes on beside it."""
        self._column = columns_of(text)
        return Text(text, style)

    def feed(self, piece: str, *, markup: bool = True) -> Text:
        """Return the piece as it is to be written after what came before. markup: draw Markdown."""
        out = Text()
        for index, line in enumerate(piece.split("\n")):
            if index:
                self._end_line(out)
            self._take(out, line, markup)
        return out

    def _end_line(self, out: Text) -> None:
        out.append("\n")
        self._column, self._gap, self._style, self._hang, self._fresh = 0, "", "", self._base, True

    def _take(self, out: Text, line: str, markup: bool) -> None:
        if self._fresh and line.strip():
            self._fresh = False
            line = self._opened(out, line) if markup else line
        styled = inline(line, self._style) if markup else Text(line)
        for match in re.finditer(r"\s+|\S+", styled.plain):
            if match[0].isspace():
                self._gap += match[0]
            else:
                # A slice of a styled text costs its whole length, and a plain argument can be a megabyte.
                self._word(out, styled[match.start() : match.end()] if markup else Text(match[0]))

    def _opened(self, out: Text, line: str) -> str:
        """Write what opens the line, a bullet or a number, and return the rest."""
        if heading := _HEADING.match(line):
            self._style = "bold"
            return line[heading.end() :]
        if marker := _MARKER.match(line):
            shown = f"{marker[1]}{'•' if marker[2] else marker[3]} "
            out.append(shown)
            self._column += columns_of(shown)
            self._hang = min(self._column, self._width() // 2)
            return line[marker.end() :]
        return line

    def _word(self, out: Text, word: Text) -> None:
        length, width = columns_of(word.plain), max(self._width(), 1)
        if self._base and length > width - self._hang > 0:
            # Where lines hang, no part of a long word may begin where a label of ours does.
            for piece in chop_cells(word.plain, width - self._hang):
                self._word(out, Text(piece))
            return
        if self._column > self._hang and self._column + len(self._gap) + length > width:
            out.append("\n" + " " * self._hang)
            self._column, self._gap = self._hang, ""
        out.append(self._gap)
        out.append_text(word)
        self._column += len(self._gap) + length
        if self._column > width:  # a word wider than the terminal: the terminal itself goes on below
            self._column = self._column % width or width
        self._gap = ""


def inline(line: str, style: str = "") -> Text:
    """Return a line with bold, italics and code drawn, and their marks gone."""
    out, end = Text(style=style), 0
    for match in _INLINE.finditer(line):
        out.append(line[end : match.start()])
        kind = match.lastgroup or "bold"
        out.append(match[kind], _STYLES[kind])
        end = match.end()
    out.append(line[end:])
    return out


def wrapped(text: str, width: int, hang: int = 0) -> str:
    """Return plain text with its lines broken between words; further lines stand hang columns in."""
    return Flow(lambda: width, hang).feed(text, markup=False).plain
