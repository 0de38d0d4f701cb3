"""Where a viewer of Markdown jumps to for a heading: `#how-long-you-have`.

Knows:    how GitHub makes an anchor of a heading, in any script, and that none is given twice.
Does not: know policies.
Source:   github-slugger: lower case, punctuation left out, a hyphen for each space, -1, -2 for the next same.
"""

import unicodedata

_KEPT = "LMN"
"""Letters, the marks on them (a Hindi vowel is one) and digits, by Unicode's first letter of the category."""
_UNNAMED = "section"
"""For a heading of which nothing is left."""


class Anchors:
    """The anchors of one document, given in the order of its headings."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def of(self, heading: str) -> str:
        """Return the anchor of the next heading."""
        wanted = slug(heading) or _UNNAMED
        free, again = wanted, 0
        while free in self._given:
            again += 1
            free = f"{wanted}-{again}"
        self._given.add(free)
        return free


def slug(heading: str) -> str:
    """Return the heading as an anchor."""
    kept = (
        "-" if char.isspace() else char
        for char in unicodedata.normalize("NFC", heading).lower().strip()
        if char.isspace() or char in "-_" or unicodedata.category(char)[0] in _KEPT
    )
    return "".join(kept)
