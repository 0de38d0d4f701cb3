"""Search over a catalog: which functions, views, prompts and skills a query is about, best first.

Knows:    which texts of a contract count, and for how much.
Does not: cut texts into words (words.py), or show what it finds (surface_catalog.py).
Left out: `when_not` of a function: it names the others, and is about what this one is not for.
Source:   BM25F of Robertson & Zaragoza 2009, with a fixed usual length, so that what a word counts for in one
          task does not depend on the others: a task that did not change is not read again.
"""

import hashlib
import math
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from contracts.catalog import Catalog
from contracts.contract import Effect, Said, Told
from contracts.cursors import BadCursor, Cursors
from contracts.failures import CallFailed
from contracts.shapes import Shape
from contracts.task import Offered, OfferedView, Prompt, Skill, Task
from contracts.words import plain_words, terms_of

Kind = Literal["function", "view", "prompt", "skill"]

PAGE = 50
MOST_TERMS = 40
"""Different words of a query that count; the rest of a long text is not looked up."""

_NAME, _TEXT, _BODY = 3.0, 1.0, 0.3
"""What a word counts for by where it stands: in a name, in what is said of it, in a longer text."""

_K1, _B = 1.2, 0.5
_USUAL_WORDS = 30
"""The length that is neither long nor short: the median of a function's words in tasks/ is near it."""

_BEGINS = "*"
"""Marks a beginning of words among whole words."""

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Hit:
    """One thing that was found. effect: of a function; empty for all else."""

    name: str
    kind: Kind
    task: str
    summary: str
    effect: Effect | Literal[""] = ""


@dataclass(frozen=True)
class Page:
    """Some hits, best first. next_cursor: None where there are no more."""

    hits: tuple[Hit, ...]
    next_cursor: str | None


@dataclass(frozen=True, eq=False)
class Part:
    """One task as it is searched. postings: word -> (which of the hits, what it counts for there).

    asked: beginnings of words by which a person asks for one of its functions, as `asked_for` has them.
    """

    task: Task
    hits: tuple[Hit, ...]
    postings: Mapping[str, Sequence[tuple[int, float]]]
    asked: frozenset[str]

    def is_of(self, task: Task) -> bool:
        """Say whether it was made of this task, or of one with the same files."""
        return self.task is task or bool(task.digest and self.task.digest == task.digest)


_Weighed = list[tuple[float, str]]
"""Texts, each with what its words count for."""


@dataclass(eq=False)
class Index:
    """An index of one catalog. What a word counts for is put together when it is first asked for."""

    _parts: Mapping[str, Part]
    _hits: Sequence[Hit]
    _places: Mapping[str, Sequence[int]]
    _asked: frozenset[str]
    _digest: str
    _key: bytes
    _counts: dict[str, dict[int, float]] = field(default_factory=dict[str, dict[int, float]])

    @classmethod
    def of(cls, catalog: Catalog, before: "Index | None" = None) -> "Index":
        """Return the index of a catalog. before: an older one, whose work on the same tasks is kept."""
        known: Mapping[str, Part] = before._parts if before else {}
        parts: dict[str, Part] = {}
        for task in catalog.tasks:
            part = known.get(task.name)
            parts[task.name] = part if part and part.is_of(task) else part_of(task)
        placed = sorted(
            (
                (hit.name, hit.kind, name, at)
                for name, part in parts.items()
                for at, hit in enumerate(part.hits)
            )
        )
        places = {name: [0] * len(part.hits) for name, part in parts.items()}
        for place, (_, _, name, at) in enumerate(placed):
            places[name][at] = place
        hits = [parts[name].hits[at] for _, _, name, at in placed]
        digest = hashlib.sha256(catalog.digest.encode()).hexdigest()
        asked = frozenset[str]().union(*(part.asked for part in parts.values()))
        key = before._key if before else secrets.token_bytes(32)
        return cls(parts, hits, places, asked, digest, key)

    def search(
        self,
        query: str,
        kind: Kind | None = None,
        task: str | None = None,
        cursor: str | None = None,
        size: int = PAGE,
    ) -> Page:
        """Return one page of what a query is about; every entry by name where the query is empty.

        A hit has at least one of the query's words; ties stand by name.
        Raises: CallFailed (`bad_cursor`) for a cursor of another query, filter or set of contracts.
        """
        found = self._ranked(query)
        if kind is not None or task is not None:
            found = [place for place in found if self._fits(place, kind, task)]
        bound = "\0".join((self._digest, query, kind or "", task or ""))
        try:
            places, next_cursor = Cursors(size, self._key).page(found, cursor, bound)
        except BadCursor:
            raise CallFailed(
                "bad_cursor",
                "This cursor is not one of this search as it is now.",
                "Search again without a cursor.",
            ) from None
        return Page(tuple(self._hits[place] for place in places), next_cursor)

    def _fits(self, place: int, kind: Kind | None, task: str | None) -> bool:
        hit = self._hits[place]
        return (kind is None or hit.kind == kind) and (task is None or hit.task == task)

    def _ranked(self, query: str) -> Sequence[int]:
        """Return the places of what was found; a place is the rank by name, so that it settles ties."""
        if not query.strip():
            return range(len(self._hits))
        terms = list(dict.fromkeys([*terms_of(query), *self._asked_by(query)]))[:MOST_TERMS]
        counts = [found for term in terms if (found := self._count(term))]
        counts.sort(key=len, reverse=True)
        if not counts:
            return []
        totals = counts[0].copy()
        for count in counts[1:]:
            for place, weight in count.items():
                totals[place] = totals.get(place, 0.0) + weight
        ranked = sorted(zip(totals.values(), totals, strict=True))
        return [place for _, place in ranked]

    def _asked_by(self, query: str) -> Iterator[str]:
        """Yield the longest beginning of each word by which a function is asked for."""
        for word in plain_words(query):
            for end in range(len(word), 1, -1):
                if word[:end] in self._asked:
                    yield word[:end] + _BEGINS
                    break

    def _count(self, term: str) -> dict[int, float]:
        """Return what the word counts for at each place; below zero, so that the best sort first."""
        known = self._counts.get(term)
        if known is not None:
            return known
        holders = [
            (self._places[name], posting)
            for name, part in self._parts.items()
            if (posting := part.postings.get(term))
        ]
        held = sum(len(posting) for _, posting in holders)
        rarity = -math.log(1 + (len(self._hits) - held + 0.5) / (held + 0.5))
        count = {places[at]: rarity * weight for places, posting in holders for at, weight in posting}
        if count:  # what is in no text is not kept: anybody can ask for anything
            self._counts[term] = count
        return count


def part_of(task: Task) -> Part:
    """Return a task as it is searched: the work of an index that is done for each task once."""
    entries = chain(
        map(_function, task.functions),
        map(_view, task.views),
        map(_prompt, task.prompts),
        map(_skill, task.skills),
    )
    hits: list[Hit] = []
    postings: dict[str, list[tuple[int, float]]] = {}
    for at, (hit, texts, asked) in enumerate(entries):
        hits.append(hit)
        for term, weight in _weights(hit, task, texts, asked).items():
            postings.setdefault(term, []).append((at, weight))
    asked = frozenset(term.removesuffix(_BEGINS) for term in postings if term.endswith(_BEGINS))
    return Part(task, tuple(hits), postings, asked)


def _weights(hit: Hit, task: Task, texts: _Weighed, asked: Iterable[str]) -> dict[str, float]:
    """Return what each word of an entry counts for, but for how rare it is."""
    sums = dict.fromkeys(terms_of(hit.name), _NAME)  # once: a skill may repeat its task's name in its own
    length = 0
    for weight, text in [(_TEXT, hit.summary), (_BODY, task.file.title), *texts]:
        terms = terms_of(text)
        length += len(terms) if weight == _TEXT else 0
        for term in terms:
            sums[term] = sums.get(term, 0.0) + weight
    sums |= {word + _BEGINS: _TEXT for word in asked}
    norm = _K1 * (1 - _B + _B * length / _USUAL_WORDS)
    return {term: total * (_K1 + 1) / (total + norm) for term, total in sums.items()}


_Entry = tuple[Hit, _Weighed, Iterable[str]]
"""What is found, its texts, and the beginnings of words by which it is asked for."""


def _function(offered: Offered) -> _Entry:
    contract = offered.contract
    hit = Hit(offered.name, "function", offered.task, contract.summary, contract.effect)
    texts = [(_TEXT, contract.when)]
    texts += [(_TEXT, text) for name, shape in contract.arguments.items() for text in _said_of(name, shape)]
    others = chain(
        _others(contract.approval),
        chain.from_iterable(map(_others, _told(contract.response.told))),
    )
    asked = {
        word
        for language, said in contract.asked_for.items()
        for text in said
        for word in plain_words(text)[:1]
        if language != "en"
    }
    return hit, [*texts, *((_BODY, _PLACEHOLDER.sub(" ", text)) for text in others)], asked


def _view(view: OfferedView) -> _Entry:
    labels = [(_TEXT, action.label) for action in view.contract.actions]
    return Hit(view.name, "view", view.task, view.contract.summary), labels, ()


def _prompt(prompt: Prompt) -> _Entry:
    hit = Hit(prompt.name, "prompt", prompt.task, prompt.head.summary)
    said = [(_TEXT, f"{name} {summary}") for name, summary in prompt.head.arguments.items()]
    return hit, [(_TEXT, prompt.head.title), *said, (_BODY, _PLACEHOLDER.sub(" ", prompt.text))], ()


def _skill(skill: Skill) -> _Entry:
    return Hit(skill.name, "skill", skill.task, skill.head.description), [(_BODY, skill.text)], ()


def _said_of(name: str, shape: Shape) -> Iterable[str]:
    values = [value for value in shape.enum or () if isinstance(value, str)]
    return (name, shape.description or "", *values)


def _told(told: Told) -> Iterable[Said | None]:
    return (told.one, told.some, told.none)


def _others(said: Said | None) -> Iterable[str]:
    """Return a sentence in every language but English, in which the summary says the same."""
    return () if said is None or isinstance(said, str) else (v for k, v in said.items() if k != "en")
