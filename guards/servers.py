"""What a server says of a tool against what the tool is called: a hint that its name denies.

Knows:    which verbs change something and which look something up; names in snake, camel and kebab case,
          behind a prefix too; the first verb of a title in the five languages.
Does not: decide what follows   (guards/approval.py: a person is asked), or read descriptions.
Rule:     the first verb decides. A word that is a noun as well (order, refund, charge) is the verb only where
          nothing around it reads as a thing to look at: `refund_order` changes something, `refund_status`
          does not. In doubt it is the verb: a person is asked once too often.
Limit:    a server that lies in the name too is not found out by it.
"""

import re
from itertools import takewhile
from typing import Any

from common.text import fold
from guards.behind import Described
from guards.server_words import (
    ABROAD,
    AND,
    BEFORE_A_VERB_OF_OTHERS,
    DESTROYS,
    KEYS,
    MARKS_A_NOUN,
    MAYBE_VERBS,
    NEVER_CHANGED,
    OFTEN_NOUNS,
    PREPOSITIONS,
    READS,
    SETS_ANYTHING,
    THINGS_TO_READ,
    TWO_WORDS,
    VERBS,
)

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def mismatch(tool: Any) -> str | None:
    """Return what is odd about a tool that says it only reads, or only adds; None where nothing is."""
    hints = getattr(tool, "annotations", None)
    if hints is None:
        return None
    if hints.read_only_hint is not True:
        return _destroys(tool, hints) if hints.destructive_hint is False else None
    if verb := changing_verb(getattr(tool, "name", "")):
        return f"It says that it only reads, but its name says {verb!r}."
    for title in (getattr(tool, "title", None), hints.title):
        if title and (verb := changing_verb(title) or _abroad(title)):
            return f"It says that it only reads, but its title says {verb!r}."
    return None


def changes_behind(tool: Any, function: Described) -> str | None:
    """Return what is odd about a tool that calls a function by name; None where that only reads."""
    if function.reads:
        verb = changing_verb(function.name)
        return f"{_BEHIND} is said only to read, but its name says {verb!r}." if verb else None
    hints = getattr(tool, "annotations", None)
    says = "says that it only reads, but " if hints is not None and hints.read_only_hint is True else ""
    return f"This tool {says}calls a function that is not said only to read."


_BEHIND = "The function that this tool calls"


def _destroys(tool: Any, hints: Any) -> str | None:
    """Return how the name or the title of a tool that says it only adds speaks of something else."""
    named = (
        ("name", getattr(tool, "name", "")),
        ("title", getattr(tool, "title", None)),
        ("title", hints.title),
    )
    for what, text in named:
        if text and (verb := changing_verb(text)) in DESTROYS:
            return f"It says that it only adds, but its {what} says {verb!r}."
    return None


def changing_verb(name: str) -> str | None:
    """Return the verb by which a name or an English title says that something is changed, else None."""
    words = [word.lower() for word in _WORD.findall(fold(name))]
    for at, word in enumerate(words):
        pair = f"{word} {words[at + 1]}" if at + 1 < len(words) else ""
        if pair in TWO_WORDS:
            return pair
        if word in READS:
            return _after_reading(words, at)
        if _changes(words, at):
            return word
    return None


def _changes(words: list[str], at: int) -> bool:
    if words[at] in VERBS:
        return not _is_thing(words, at)
    return words[at] in MAYBE_VERBS and not _is_noun(words, at)


def _after_reading(words: list[str], at: int) -> str | None:
    """Return the verb that stands beside one that reads, as in `find_and_delete`.

    Where that one is not the first word it may be of a service's name, as in `GoogleSearchDeleteHistory`.
    """
    for later in range(at + 1, len(words)):
        before = words[later - 1]
        if before in AND and words[later] in VERBS | MAYBE_VERBS:
            return words[later]
        if at and before not in BEFORE_A_VERB_OF_OTHERS and words[later] in VERBS and _changes(words, later):
            return words[later]
    return None


def _is_thing(words: list[str], at: int) -> bool:
    """Say whether a verb is a part of what is looked at: `cancel_reasons`, `payment_cancel_policy`."""
    rest = words[at + 1 :]
    if not rest or words[at] in SETS_ANYTHING:
        return False
    return rest[-1] in NEVER_CHANGED or (at > 0 and rest[-1] in THINGS_TO_READ)


def _is_noun(words: list[str], at: int) -> bool:
    """Say whether a word that may be a verb is none here."""
    word, before, rest = words[at], words[at - 1] if at else "", words[at + 1 :]
    if before in MARKS_A_NOUN or (before in VERBS | MAYBE_VERBS and word == "order"):
        return True
    if not rest:
        return word in OFTEN_NOUNS and at > 0
    if rest[0] in READS | VERBS or (word == "order" and rest[0] in MAYBE_VERBS):
        return True
    if at and set(rest) & READS:
        return True  # of a service's name: FedExShipManagerSearchShipment
    return _is_looked_at(word, rest)


def _is_looked_at(word: str, rest: list[str]) -> bool:
    what = list(takewhile(lambda each: each not in PREPOSITIONS, rest))
    if not what:
        return word in OFTEN_NOUNS and rest[0] in PREPOSITIONS
    if word != "order" and what[-1] in ("items", "lines", "notes"):
        return False  # the items of an order are looked at; items are returned
    last = what[-1]
    return (
        last in THINGS_TO_READ | NEVER_CHANGED
        or (len(what) == 1 and last in KEYS)
        or (word == "order" and last.endswith("s"))
    )


def _abroad(title: str) -> str | None:
    """Return the verb that a title in another language begins with; in Hindi it ends with it."""
    found = ABROAD.search(fold(title).casefold())
    return found[0].strip() if found else None
