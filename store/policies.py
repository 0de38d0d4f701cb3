"""The shop's policies, one Markdown file each in store/policies/, translations in a folder for each language.

Knows:    where the files are, and that a policy is a title and sections under "## " headings.
Does not: rank them.   (store/search.py)
Agreed:   a translation has the sections of the English policy in its order, and their sentences in theirs.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from common.language import LANGUAGES
from store.model import Policy

_FOLDER = Path(__file__).resolve().parent / "policies"

_SENTENCE_END = re.compile(r"(?<=[.!?\u061f\u0964])\s+")
"""After a mark that ends a sentence in one of the five languages, where a space follows."""


@dataclass(frozen=True)
class Section:
    """A heading of a policy and the text under it, on one line. title, place: of, and in, its policy."""

    policy: str
    title: str
    heading: str
    text: str
    place: int
    language: str = "en"

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Return the text's sentences in their order."""
        return tuple(_SENTENCE_END.split(self.text))


def load_policies(language: str = "en", folder: Path = _FOLDER) -> tuple[Policy, ...]:
    """Return the policies in one language, by name."""
    place = folder if language == LANGUAGES[0] else folder / language
    return tuple(_read(path, language) for path in sorted(place.glob("*.md")))


def every_policy(folder: Path = _FOLDER) -> tuple[Policy, ...]:
    """Return the policies in every language, English first."""
    return tuple(policy for language in LANGUAGES for policy in load_policies(language, folder))


def _read(path: Path, language: str) -> Policy:
    text = path.read_text(encoding="utf-8")
    return Policy(path.stem, text.splitlines()[0].removeprefix("# ").strip(), text, language)


def sections(policy: Policy) -> tuple[Section, ...]:
    """Return the policy's sections in their order; what stands before the first heading is left out."""
    parts = (part.partition("\n") for part in ("\n" + policy.text).split("\n## ")[1:])
    return tuple(
        Section(policy.name, policy.title, heading.strip(), " ".join(body.split()), place, policy.language)
        for place, (heading, _, body) in enumerate(parts)
    )
