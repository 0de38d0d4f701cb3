"""What a sentence asks a contract for: clauses, each with what is to be done and the words of to what.

Knows:    words by which people ask to read, make, change and take away, in English and Russian; which words
          say nothing of a thing; and other names of a shop's things.
Does not: know an API.   (contract_operations.py)
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Action = Literal["read", "create", "change", "delete"]

_INTRODUCED = re.compile(
    r".*?\b(?:task )?(?:contracts?|контракт\w*)\b(?:\s+(?:task|folder|file|задач\w*)\b)?[\s:,–—-]*",
    re.IGNORECASE | re.DOTALL,
)
_ASKED = re.compile(
    r"^\W*(?:please|пожалуйста)?\W*(?:make|write|create|build|generate|сделай\w*|создай\w*|напиши\w*)\b"
    r"(?:\s+(?:me|us|мне|нам))?(?:\s+(?:an?|the|new))*",
    re.IGNORECASE,
)
_SAID_AS_ONE = (
    (re.compile(r"\b(?:sold[- ]out|out of stock)\b", re.IGNORECASE), "soldout"),
    (re.compile(r"\b(?:on sale|for sale)\b", re.IGNORECASE), "onsale"),
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_BREAK = re.compile(r"[,;.!?()]")

_ENGLISH_ACTIONS: dict[Action, str] = {
    "read": "list show get see read view find search look fetch display retrieve browse check count know "
    "tell give query lookup access answer return report print",
    "create": "create add new insert register make",
    "change": "update change edit rename modify set hide unhide move reorder mark adjust alter switch "
    "correct replace",
    "delete": "delete remove erase destroy drop",
}
_SEARCHING = frozenset("list find search look query brows filter".split())
_BY_NUMBER = frozenset("number id identifier reference".split())
_MANAGE = frozenset("manage manag handle handl administer maintain crud".split())

_RUSSIAN: tuple[tuple[str, str], ...] = (
    ("подкатегор", "children"), ("категор", "category"), ("заказчик", "customer"), ("заказ", "order"),
    ("товар", "product"), ("продукт", "product"), ("клиент", "customer"), ("покупател", "customer"),
    ("страниц", "page"), ("статус", "status"), ("истори", "history"), ("цен", "price"), ("назван", "name"),
    ("имен", "name"), ("имя", "name"), ("номер", "number"), ("почт", "email"), ("телефон", "mobile"),
    ("количеств", "quantity"), ("остат", "quantity"), ("дат", "date"), ("город", "city"), ("сумм", "total"),
    ("скрыт", "hidden"), ("активн", "active"), ("опубликован", "published"),
    ("просм", "show"), ("посмотр", "show"), ("показ", "show"), ("покаж", "show"), ("чтен", "read"),
    ("чита", "read"), ("получ", "get"), ("спис", "list"), ("перечисл", "list"), ("вывод", "list"),
    ("вывест", "list"), ("найт", "find"), ("найд", "find"), ("поиск", "search"), ("иска", "search"),
    ("созда", "create"), ("добав", "add"), ("измен", "change"), ("обнов", "update"), ("поменя", "change"),
    ("смен", "change"), ("редакт", "edit"), ("переимен", "rename"), ("установ", "set"), ("скры", "hide"),
    ("удал", "delete"), ("управл", "manage"), ("одн", "one"), ("всех", "all"), ("все", "all"),
    ("наш", "our"), ("мо", "my"), ("магазин", "shop"),
)  # fmt: skip
"""Beginnings of Russian words, the longer of two first, and what they are in English."""

_RUSSIAN_LITTLE = {
    **dict.fromkeys(
        "в во из по с со от на у о об для чтобы к которые который которая которых где".split(), "of"
    ),
    "и": "and",
    "или": "or",
    "нам": "us",
    "мне": "me",
}

_OTHER_NAMES = {
    "client": "customer", "buyer": "customer", "shopper": "customer", "goods": "product",
    "merchandise": "product", "purchase": "order", "state": "status", "stock": "quantity", "phone": "mobile",
    "mail": "email", "subcategory": "child", "sub": "child", "children": "child", "cost": "price",
    "event": "history",
    "hide": "hidden", "hid": "hidden", "week": "date", "month": "date", "day": "date", "year": "date",
    "soldout": "out", "onsale": "sale", "today": "date", "yesterday": "date", "since": "date",
    "recent": "date", "people": "customer",
}  # fmt: skip
"""What people say -> the word that APIs of shops have for it."""

_STOPS = frozenset(
    """
    of for in by with from that which whose who whom when where to on at under over within between
    into as without via per is are was were has have having being be can could should would will do
    does did until before after than about
    """.split()
)
"""What ends the words of the thing itself: `orders | of a customer`, `categories | that are hidden`."""

_LITTLE = frozenset(
    """
    a an the this these those all any each every some my our your their its it them they i we you me
    us he she one ones single and or then also only just please how what there here so not no up out
    down if such other own both shop store merchant agent support staff user team model assistant
    house demo api please now quickly easily nicely simple small given certain specific particular
    whole complete current existing available latest full entire various different new list detail
    details info information data record records entry entries overview table result results thing
    things element elements function functions contract task
    """.split()
)
"""Words that name no thing of a shop, or any thing: they neither find an operation nor miss one."""


@dataclass(frozen=True)
class Clause:
    """One thing that is asked for.

    action: None where none is named; asked: the stem of the verb that names it. everything: whether all that
    can be done to the thing is meant. verb: a word in a verb's place that names no action known here. head:
    the word of the thing itself, as it was written; about: its stem. words: stems of all that is said of it.
    plural: whether several are meant; None where it is open. raw: stem -> the word as it was written.
    """

    action: Action | None
    asked: str
    everything: bool
    verb: str
    head: str
    about: str
    words: tuple[str, ...]
    plural: bool | None
    raw: dict[str, str]


def clauses_of(sentence: str) -> tuple[Clause, ...]:
    """Return what the sentence asks for; a clause without a verb or a thing has its neighbour's."""
    groups = [list(group) for group in _parted(purpose_of(sentence))]
    read = [_read(tokens) for tokens in groups if tokens]
    return tuple(_completed([each for each in read if each.words or each.action or each.verb]))


def stem(word: str) -> str:
    """Return a word without the endings of its number and its time, and by the name that APIs have for it."""
    return _stem(_other(_stem(word)))


def _other(word: str) -> str:
    return _OTHER_NAMES.get(word, word)


def _stem(word: str) -> str:
    plain = re.sub(r"['’]s?$", "", unicodedata.normalize("NFKC", word).casefold())
    plain = _singular(plain)
    for ending in ("ing", "ed"):
        if plain.endswith(ending) and len(plain) > len(ending) + 2:
            plain = plain.removesuffix(ending)
            if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "slz":
                plain = plain[:-1]
            break
    return plain[:-1] if plain.endswith("e") and len(plain) > 3 else plain


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "uses")) and len(word) > 5:
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def _is_plural(word: str) -> bool:
    plain = re.sub(r"['’]s?$", "", word.casefold())
    return _singular(plain) != plain or plain in ("children", "people")


def purpose_of(sentence: str) -> str:
    """Return what stands behind `a contract for`; where nothing does, what stands before it."""
    found = _INTRODUCED.match(sentence)
    if found is None:
        return sentence
    behind = sentence[found.end() :]
    if _WORD.search(behind):
        return behind
    return re.sub(r"(?:contracts?|контракт\w*)\W*$", "", _ASKED.sub("", sentence), flags=re.IGNORECASE)


@dataclass(frozen=True)
class _Word:
    """A word. written: as it stands in the sentence; plain: in small letters, and in English where known."""

    written: str
    plain: str

    @property
    def is_little(self) -> bool:
        return self.plain in _LITTLE or self.plain in _STOPS


def _parted(text: str) -> Iterator[list[_Word]]:
    """Yield the words of each clause."""
    for said, one in _SAID_AS_ONE:
        text = said.sub(one, text)
    for part in _BREAK.split(text):
        words: list[_Word] = []
        for word in (_Word(found[0], _english(found[0].casefold())) for found in _WORD.finditer(part)):
            if word.plain in ("and", "then", "plus"):
                yield words
                words = []
            else:
                words.append(word)
        yield words


def _english(word: str) -> str:
    if word.isascii():
        return word
    if word in _RUSSIAN_LITTLE:
        return _RUSSIAN_LITTLE[word]
    return next((english for start, english in _RUSSIAN if word.startswith(start)), word)


def _read(words: Sequence[_Word]) -> Clause:
    """Read one clause: a verb in front, then the thing, then what is said of it."""
    rest, introduced = _without_little(words)
    action, everything, verb = None, False, ""
    first = rest[0].plain if rest else ""
    if _stem(first) in _MANAGE:
        everything = True
        rest = rest[1:]
    elif first and (named := action_of(first)):
        action = named
        rest = rest[1:]
    elif first and (introduced or _looks_like_a_verb(first)):
        verb = rest[0].written
    thing = _until_a_stop(_without_little(rest)[0])
    heads = [word for word in thing if not word.is_little and not word.plain.endswith("ly")]
    head = heads[-1] if heads else _Word("", "")
    said = {stem(word.plain): word.written for word in rest if not word.is_little}
    return Clause(
        action=action,
        asked=_stem(first) if action else "",
        everything=everything,
        verb=verb if verb != head.written else "",
        head=head.written,
        about=stem(head.plain) if head.plain else "",
        words=tuple(said),
        plural=_several(first, thing, rest) if head.plain else None,
        raw=said,
    )


def _without_little(words: Sequence[_Word]) -> tuple[list[_Word], bool]:
    """Return the words from the first that tells something, and whether `to` or `that` stands before it."""
    rest, introduced = list(words), False
    while rest and rest[0].is_little and not action_of(rest[0].plain):
        introduced = rest.pop(0).plain in ("to", "that", "which", "can")
    return rest, introduced


def _several(first: str, thing: Sequence[_Word], rest: Sequence[_Word]) -> bool | None:
    """Return whether several things are meant, by the verb, by `a list of`, and by the word's own form."""
    plain = [word.plain for word in rest]
    by = plain[plain.index("by") + 1 :] if "by" in plain else []
    if by:
        return not _BY_NUMBER & {stem(word) for word in by}
    if _stem(first) in _SEARCHING or "list" in (first, *plain):
        return True
    if {"a", "an", "one", "single"} & {word.plain for word in thing}:
        return False
    head = next(word for word in reversed(thing) if not word.is_little)
    return _is_plural(head.plain) if head.plain == head.written.casefold() else None


def action_of(word: str) -> Action | None:
    """Return what a word asks to be done; None where it is no verb that is known."""
    plain = _stem(word)
    return next((action for action, words in _VERBS.items() if plain in words), None)


def _looks_like_a_verb(word: str) -> bool:
    return word.endswith("ing") and len(word) > 5


def _until_a_stop(words: Sequence[_Word]) -> list[_Word]:
    stop = next((at for at, word in enumerate(words) if word.plain in _STOPS and at), len(words))
    return list(words[:stop])


def _completed(read: Sequence[Clause]) -> Iterator[Clause]:
    """Give a clause what it leaves to its neighbours: `listing and adding orders`, `orders and customers`."""
    before: Clause | None = None
    for at, each in enumerate(read):
        said = each
        if not each.words:
            source = next((other for other in read[at + 1 :] if other.words), before)
            if source is not None:
                said = replace(
                    source, action=each.action, asked=each.asked, everything=each.everything, verb=each.verb
                )
        if before is not None and not (each.action or each.everything or each.verb):
            said = replace(said, action=before.action, asked=before.asked, everything=before.everything)
        before = said
        yield said


_VERBS: dict[Action, frozenset[str]] = {
    action: frozenset(_stem(word) for word in words.split()) for action, words in _ENGLISH_ACTIONS.items()
}
NAMING: frozenset[str] = frozenset[str]().union(*_VERBS.values())
"""Stems of all verbs, which are no words of a thing."""

LITTLE = frozenset(stem(word) for word in _LITTLE | _STOPS)
"""Stems of the words that name nothing."""
