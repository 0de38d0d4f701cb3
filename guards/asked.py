"""Whether the customer asked for what a tool would change.

Knows:    the words by which customers ask for a tool, as its server lists them, and the customer's messages.
Does not: understand a message. It stops the call that nothing in the customer's words leads to; the person
          who is asked next stops the rest.
Agreed:   `_meta["shopkart/asked-for"]` of a tool is {language: [word, ...]}, lower case. A word counts where
          a word of the message begins with it; in scripts that join their small words to the next one it
          counts inside a word too, and one that begins with ^ only where a message begins with it. A tool
          without the list has no such rule; one whose list cannot be read is never asked for.
          `_meta["shopkart/shown-by"]` is {argument: {value: such a list}}.
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from common.approval import canonical
from common.schema import mapping
from common.text import fold

ASKED_FOR = "shopkart/asked-for"

SHOWN_BY = "shopkart/shown-by"

UNSETTLED = 3
"""Messages of the customer, the newest included, that a wish may be spread over."""

_JOINED = re.compile(r"[\u0600-\u06ff\u0900-\u097f]")
"""Arabic and Devanagari."""

_MARKS = re.compile(r"[\u064b-\u0652\u0670\u0640]")
"""Arabic vowel signs and the stretching line: written or not, the word is the same."""

_ONCE_MORE = (
    *("too", "also", "as well", "same", "another", "again", "both"),
    *("también", "otro", "otra", "lo mismo"),
    *("тоже", "также", "ещё", "еще", "друг"),
    *("أيض", "كذلك", "نفس", "آخر", "أخرى"),
    *("भी", "दूसर", "वही"),
)
"""What asks for a thing that was had before once more."""


_NOT_WISHED = re.compile(
    r"(?<!\w)(?:do not|don't|dont|no need to) (?:open|create|file|raise) (?:\w+ ){0,2}(?:ticket|case|return)"
    r"|(?<!\w)(?:what (?:would|will|happens)|what is a|what's a|i might|maybe later|one day)(?!\w)"
    r"|(?<!\w)(?:no abr\w+|no hace falta|qué pasaría|qué es un|quizás? más tarde)(?!\w)"
    r"|(?<!\w)(?:не надо открывать|не нужно открывать|не открывайте|что будет|что такое)(?!\w)"
    r"|لا تفتح|ماذا يحدث|ماذا سيحدث|ما هي التذكرة|मत खोल|क्या होगा|क्या होता है"
)
"""How a message says that it does not wish for what it names, or only wonders."""

_GOES_ON = re.compile(
    r"\d|^\W*(?:yes|yeah|yep|sure|ok|okay|please|go ahead|do it|sí|si|vale|claro|hazlo|да|давайте|хорошо"
    r"|конечно|نعم|أجل|تمام|طيب|हाँ|हां|जी|ठीक)(?!\w)"
)
"""How a message belongs to the wish before it: it gives a number, or agrees."""


def asked_for(tool: Any, wish: Sequence[str], before: Sequence[str] = ()) -> bool:
    """Say whether the customer's words lead to this tool, or its server lists no words.

    wish: the messages since the tool was last used or declined, as `unsettled` returns them.
    before: the message that led to that use.
    """
    return mapping(getattr(tool, "meta", None)).get(ASKED_FOR) is None or wished_for(tool, wish, before)


def wished_for(tool: Any, wish: Sequence[str], before: Sequence[str] = ()) -> bool:
    """Say whether the customer's words lead to this tool."""
    words = _pattern(canonical(mapping(getattr(tool, "meta", None)).get(ASKED_FOR)))
    said = "\n".join(_plain(text) for text in wish if not _NOT_WISHED.search(_plain(text)))
    if words.search(said):
        return True
    return bool(words.search(_plain("\n".join(before))) and _once_more().search(said))


def shown(tool: Any, wish: Sequence[str]) -> dict[str, list[str]]:
    """Return for each argument the values that the customer's words show, as the tool's server lists them.

    The newest message counts alone where it shows one. It settles nothing: the call passes the same gates,
    and a person sees the value.
    """
    listed = mapping(mapping(getattr(tool, "meta", None)).get(SHOWN_BY))
    found = {argument: _values(mapping(values), wish) for argument, values in listed.items()}
    return {argument: values for argument, values in found.items() if values}


def _values(listed: dict[str, Any], wish: Sequence[str]) -> list[str]:
    for said in (wish[-1:], wish):
        text = _plain("\n".join(said))
        if found := [value for value, words in listed.items() if _pattern(canonical(words)).search(text)]:
            return found
    return []


def unsettled(messages: Sequence[dict[str, Any]], tool: str) -> tuple[list[str], list[str]]:
    """Return the newest messages of a wish for the tool, and the message that its last use answered.

    A use in the newest turn settles nothing: one message may ask for several. A message that neither gives a
    number nor agrees begins anew.
    """
    wish: list[str] = []
    settled = False
    for message in reversed(messages):
        if message.get("role") == "user":
            text = str(message.get("content") or "")
            if settled:
                return wish, [text]
            if wish and not _GOES_ON.search(_plain(wish[0])):
                break
            wish.insert(0, text)
        elif wish and not settled:
            settled = message.get("role") == "tool" and message.get("name") == tool and _settles(message)
    return wish[-UNSETTLED:], []


def _settles(message: dict[str, Any]) -> bool:
    try:
        result: Any = json.loads(str(message.get("content") or ""))
    except ValueError:
        return True
    code = mapping(result).get("error")
    return code is None or code == "approval_declined"


@lru_cache(maxsize=64)
def _pattern(listed: str) -> re.Pattern[str]:
    lists = mapping(json.loads(listed)).values()
    return _any_of(word for words in lists if isinstance(words, list) for word in cast(list[Any], words))


@cache
def _once_more() -> re.Pattern[str]:
    return _any_of(_ONCE_MORE)


def _any_of(words: Iterable[Any]) -> re.Pattern[str]:
    """Return what finds one of the words; nothing where there is none."""
    plain = [_plain(word) for word in words if isinstance(word, str) and word.strip()]
    either = "|".join(_found(word) for word in filter(None, plain))
    return re.compile(either or r"(?!)", re.MULTILINE)


def _found(word: str) -> str:
    if word.startswith("^"):
        return rf"^{re.escape(word[1:])}"
    return re.escape(word) if _JOINED.search(word) else rf"(?<!\w){re.escape(word)}"


def _plain(text: str) -> str:
    return _MARKS.sub("", fold(text).casefold())
