"""A shop's policies: a folder of Markdown files, cut at their headings.

Knows:    Markdown (CommonMark and tables), and that a sub-folder named like a language holds translations.
Does not: rank sections.   (store/search.py)
Agreed:   a translation has the sections of the English policy in its order, and their sentences in theirs.
          Where a shop's own has not, it stands alone.   (store/library.py)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from common.language import LANGUAGES
from store.anchors import Anchors, slug
from store.markup import read_out
from store.model import Policy

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_FOLDER = Path(__file__).resolve().parent / "policies"
_UNNAMED = "policy"
_SUFFIXES = (".md", ".markdown")

LONGEST_PASSAGE = 1500
"""Characters from which a section is cut between its paragraphs: what one reads without scrolling."""

_SENTENCE_END = re.compile(r"(?<=[.!?\u061f\u0964])\s+")
"""After a mark that ends a sentence in one of the five languages, where a space follows."""
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE_IN_FRONT = re.compile(r"^title:[ \t]*(['\"]?)(.+?)\1[ \t]*$", re.MULTILINE)
_PLAIN_TITLE = re.compile(r"# +(\w[^\n`*\[\\#]*?)[ \t]*(?:\n|\Z)")
_STARTS_A_LINE = re.compile(r"\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*\|)|\n[ \t]*\n")
"""Where the next line is an item of a list, a row of a table or another paragraph."""
_RULED = re.compile(r"[\s|:-]*")
"""The line under a table's head, which says nothing."""


class PoliciesUnusable(ValueError):
    """A folder that holds no policies, or some that cannot be read; says which and what to do."""


@dataclass(frozen=True)
class Section:
    """A heading of a policy and the text under it, on one line. title, place: of, and in, its policy.

    above: the headings that this one stands under, the outermost first. anchor: where a viewer of Markdown
    jumps to. part: of a section that is too long to be one passage, counted from 1.
    """

    policy: str
    title: str
    heading: str
    text: str
    place: int
    language: str = "en"
    above: tuple[str, ...] = ()
    anchor: str = ""
    part: int = 1
    sentences: tuple[str, ...] = ()

    @cached_property
    def id(self) -> str:
        """Return what names this passage among all: `returns#how-long-you-have`."""
        folder = "" if self.language == LANGUAGES[0] else f"{self.language}/"
        return f"{folder}{self.policy}#{self.anchor}" + (f".{self.part}" if self.part > 1 else "")


@dataclass(frozen=True)
class _Block:
    """A heading and its text as it stands in the file. level 0: the text before the first heading."""

    level: int
    heading: str
    body: str


# ---------------------------------------------------------------- files


def load_policies(language: str = "en", folder: Path = _FOLDER) -> tuple[Policy, ...]:
    """Return the policies in one language, by name.

    Raises: PoliciesUnusable for a folder that is not there, a file that is no UTF-8 text, a name there twice.
    """
    if not folder.is_dir():
        raise PoliciesUnusable(f"{folder} is not a folder. Name the folder that holds the Markdown files.")
    found: dict[str, Path] = {}
    for path in sorted(_files(language, folder)):
        name = slug(path.stem) or _UNNAMED  # it stands in the address of a resource
        if name in found:
            raise PoliciesUnusable(f"Two policies are called {name!r}: {found[name]} and {path}. Rename one.")
        found[name] = path
    return tuple(_read(name, path, language) for name, path in found.items())


def every_policy(folder: Path = _FOLDER) -> tuple[Policy, ...]:
    """Return the policies in every language, English first.

    Raises: PoliciesUnusable; also where there is no policy at all.
    """
    found = tuple(policy for language in LANGUAGES for policy in load_policies(language, folder))
    if not found:
        raise PoliciesUnusable(f"{folder} holds no policy. Put Markdown files (*.md) into it.")
    return found


def _files(language: str, folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.suffix.lower() in _SUFFIXES and path.is_file():
            first, *rest = path.relative_to(folder).parts
            if (first if rest and first in LANGUAGES else LANGUAGES[0]) == language:
                yield path


def _read(name: str, path: Path, language: str) -> Policy:
    try:
        text = path.read_text(encoding="utf-8-sig")  # universal newlines turn CRLF into one
    except UnicodeDecodeError as error:
        raise PoliciesUnusable(
            f"{path} is not UTF-8 text (byte {error.start}). Save it as UTF-8 and read it again."
        ) from error
    return Policy(name, _title(text) or path.stem.replace("-", " ").replace("_", " "), text, language)


def _title(text: str) -> str:
    if plain := _PLAIN_TITLE.match(text):  # as nearly every file begins: a start need not wait for the parser
        return plain[1]
    front = _FRONT_MATTER.match(text)
    titled = _TITLE_IN_FRONT.search(front[0]) if front else None
    named = [block for block in _blocks(text) if block.level]
    if named and named[0].level == 1:
        return named[0].heading
    return titled[2] if titled else ""


# ---------------------------------------------------------------- sections


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # here: a start need not wait for it

    return MarkdownIt("commonmark").enable("table")


@lru_cache(maxsize=1024)
def sections(policy: Policy) -> tuple[Section, ...]:
    """Return the policy's sections in their order; a heading without text of its own is none.

    What stands before the first heading, or under the title, is headed by the title.
    """
    found: list[Section] = []
    path: list[_Block] = []
    anchors = Anchors()
    for block in _blocks(policy.text):
        path = [*(one for one in path if one.level < block.level), block]
        anchor = anchors.of(block.heading or policy.title)
        above = tuple(one.heading for one in path[:-1] if one.level and one.heading != policy.title)
        for part, text in enumerate(_cut(read_out(block.body)), 1):
            found.append(
                Section(
                    policy.name,
                    policy.title,
                    block.heading or policy.title,
                    " ".join(text),
                    len(found),
                    policy.language,
                    above,
                    anchor,
                    part,
                    text,
                )
            )
    return tuple(found)


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the headings of a text, each with what stands under it."""
    body = _FRONT_MATTER.sub("", text.replace("\r\n", "\n").removeprefix("\ufeff"))
    lines = body.split("\n")
    tokens = _markdown().parse(body)
    heads = [
        (token.map[0], token.map[1], int(token.tag[1:]), tokens[place + 1].content)
        for place, token in enumerate(tokens)
        # One inside a quotation or a list is part of that text.
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    starts = [start for start, *_ in heads] + [len(lines)]
    if before := "\n".join(lines[: starts[0]]).strip():
        yield _Block(0, "", before)
    for (_, end, level, heading), following in zip(heads, starts[1:], strict=True):
        yield _Block(level, " ".join(heading.split()), "\n".join(lines[end:following]))


def _cut(body: str) -> Iterator[tuple[str, ...]]:
    """Yield the sentences of a section: all, or those of as many paragraphs as one passage holds."""
    kept: list[str] = []
    for line in _STARTS_A_LINE.split(body):
        said = " ".join(line.split())
        if not said or _RULED.fullmatch(said):
            continue
        sentences = _SENTENCE_END.split(said)
        # A paragraph stays whole, unless it alone is too long.
        for together in [sentences] if len(said) <= LONGEST_PASSAGE else [[each] for each in sentences]:
            if kept and sum(map(len, kept + together)) > LONGEST_PASSAGE:
                yield tuple(kept)
                kept = []
            kept += together
    if kept:
        yield tuple(kept)
