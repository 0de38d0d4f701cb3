"""The pages of an upstream, one after the other.

Knows:    the three ways in which pages follow each other, and when the last one was there.
Does not: ask for one.   (engine.py)
Rule:     it ends: at the bound, at an empty page, at what the upstream says is the end, at a
          cursor that was seen before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contracts.contract import Pagination
from contracts.responding import at


@dataclass
class Pages:
    """One walk.

    items: of all pages so far. number: of the page that was asked for last. cut: why it ended early.
    """

    pages: Pagination
    arguments: Mapping[str, Any]
    most: int
    items: list[Any] = field(default_factory=list[Any])
    number: int = 0
    cut: str = ""
    _sent: int = 0
    _cursor: Any = None
    _seen: set[str] = field(default_factory=set[str])
    _ended: bool = False

    def next_arguments(self) -> dict[str, Any] | None:
        """Return the arguments of the next page; None where there is none, or the bound is reached."""
        if self._ended:
            return None
        if self.number >= self.most:
            self.cut = f"(Only the first {self.most} pages were read.)"
            return None
        made = dict(self.arguments)
        if self.pages.kind == "page":
            made[self.pages.argument] = self.pages.first + self.number
        elif self.pages.kind == "offset":
            made[self.pages.argument] = self._sent
        elif self._cursor is not None:
            made[self.pages.argument] = self._cursor
        self.number += 1
        return made

    def take(self, items: Sequence[Any], sent: int, answer: Any) -> None:
        """Take a page. sent: how many items it had, those that do not pass too. answer: all of it."""
        self.items += items
        self._sent += sent
        if self.pages.kind == "cursor":
            self._follow(at(answer, self.pages.next))
        else:
            self._ended = not sent or self._is_last(at(answer, self.pages.more))

    def _follow(self, cursor: Any) -> None:
        plain = isinstance(cursor, str | int) and not isinstance(cursor, bool) and cursor != ""
        self._ended = not plain or str(cursor) in self._seen
        self._cursor = cursor
        self._seen.add(str(cursor))

    def _is_last(self, more: Any) -> bool:
        if isinstance(more, bool):
            return not more
        if isinstance(more, str) and more.isascii() and more.isdigit():
            more = int(more)
        if not isinstance(more, int):
            return False
        if self.pages.kind == "offset":
            return self._sent >= more
        return self.pages.first + self.number - 1 >= more - (1 - self.pages.first)
