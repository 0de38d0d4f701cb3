"""What the screen must know of a server's tools.

Knows:    names, titles and purposes in the server's words, and which tools ask a person.
Does not: know the bridge or a schema.   (start.py)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from terminal.words import in_progress, shortened

_MAX_TITLE = 40
_MAX_PURPOSE = 300


@dataclass(frozen=True)
class ToolCard:
    """One tool.

    asks: a person must agree to each call. checked: the server is asked first whether its rules allow it.
    kept: how long what it changes is kept, as the server says; empty where it says nothing.
    """

    name: str
    title: str = ""
    purpose: str = ""
    asks: bool = True
    checked: bool = False
    kept: str = ""


@dataclass(frozen=True)
class ToolBox:
    """The tools by name. A tool that is not here counts as one that changes something."""

    cards: Mapping[str, ToolCard] = field(default_factory=dict[str, ToolCard])

    @classmethod
    def of(cls, *cards: ToolCard) -> "ToolBox":
        """Return a box of these tools."""
        return cls({card.name: card for card in cards})

    def changes(self, tool: str) -> bool:
        """Say whether a call of the tool may change something."""
        return tool not in self.cards or self.cards[tool].asks

    def doing(self, tool: str) -> str:
        """Return what is being done while the tool runs."""
        card = self.cards.get(tool)
        return in_progress(shortened(card.title if card and card.title else tool, _MAX_TITLE))

    def kept(self, tool: str) -> str:
        """Return the server's word on how long what the tool changes is kept."""
        card = self.cards.get(tool)
        return card.kept if card else ""

    @property
    def checked(self) -> frozenset[str]:
        """The tools whose calls the server is asked about beforehand."""
        return frozenset(name for name, card in self.cards.items() if card.checked)

    def described(self) -> Sequence[str]:
        """Return one line a tool."""
        return [_described(card) for card in self.cards.values()] or ["This server offers no tools."]


def _described(card: ToolCard) -> str:
    asks = "asks you first" if card.asks else "only reads"
    title = f"{shortened(card.title, _MAX_TITLE)}. " if card.title else ""
    purpose = shortened(" ".join(card.purpose.split("\n\n", 1)[0].split()), _MAX_PURPOSE)
    return f"  {shortened(card.name, _MAX_TITLE)} ({asks}): {title}{purpose}".rstrip()
