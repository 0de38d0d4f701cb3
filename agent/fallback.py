"""What the customer is told when the model's own words cannot be used: only what was observed.

Knows:    the results and refusals of this turn, and the customer's language for the words around them.
Does not: ask a model, or say more than they hold.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from common.shop import load_shop
from common.text import visible
from guards.output import Observed, without_strangers

_MAX_TEXT = 900
"""Characters of one result; a longer one is no sentence."""


@dataclass(frozen=True)
class Seen:
    """One call's outcome in this turn. text is the server's own sentence, message a refusal's."""

    tool: str
    ok: bool
    data: dict[str, Any]
    text: str
    message: str = ""


def fallback_reply(seen: Sequence[Seen], observed: Observed | None = None, *, language: str = "en") -> str:
    """Return a reply made of what this turn's calls returned, each thing once, newest version of it.

    A link, an address or a number to call that is not observed but in somebody's text is left out; without
    an `observed`, every one.
    """
    known = observed or Observed()
    good = list(dict.fromkeys(_said(one, language) for one in seen if one.ok))
    bad = list(dict.fromkeys(one.message for one in seen if not one.ok and one.message))
    # What succeeded answers the customer; a refusal on the way there is only noise to them.
    lines = [without_strangers(line, known) for line in (good or bad) if line]
    return " ".join(lines) if lines else nothing_confirmed(language)


def nothing_confirmed(language: str) -> str:
    """Return what is said when nothing was found out, with where people are to be found."""
    shop = load_shop()
    told = shop.say("nothing_confirmed", language)
    return f"{told} {shop.say('hand_off', language)}" if shop.hand_off else told


def _said(one: Seen, language: str) -> str:
    text = one.text.strip()
    if text and not text.startswith(("{", "[")) and len(text) <= _MAX_TEXT:
        return "\n".join(visible(line) for line in text.splitlines())
    return _fields(one.data, language)


def _fields(data: dict[str, Any], language: str) -> str:
    told = load_shop().say("found", language)
    parts = [_part(key, value) for key, value in data.items() if value not in _NOTHING]
    while parts and len(f"{told} {'; '.join(parts)}.") > _MAX_TEXT:
        parts.pop()  # a value that is cut in its middle is another one
    return f"{told} {'; '.join(parts)}." if parts else ""


_NOTHING: tuple[Any, ...] = (None, "", [], {})


def _part(key: str, value: Any) -> str:
    """Return a field with its name; a name with a number in it is an id, and stands in its record too."""
    told = _value(value)
    return told if _ID.search(key) else f"{visible(key.replace('_', ' '))}: {told}"


_ID = re.compile(r"\d{3}")


def _value(value: Any) -> str:
    """Return a field in words: prose in quotation marks, since who wrote it nobody knows."""
    if isinstance(value, dict):
        fields = cast(dict[str, Any], value).items()
        return f"({', '.join(_part(key, each) for key, each in fields if each not in _NOTHING)})"
    if isinstance(value, list):
        return ", ".join(_value(each) for each in cast(list[Any], value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = visible(str(value))
    return f'"{text.translate(_NO_QUOTES)}"' if " " in text.strip() else text


_NO_QUOTES = str.maketrans(dict.fromkeys('"“”«»', "'"))
