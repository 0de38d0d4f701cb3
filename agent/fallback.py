"""What the customer is told when the model's own words cannot be used: only what was observed.

Knows:    the results and refusals of this turn, and the customer's language for the words around them.
Does not: ask a model, or say more than they hold.
"""

import json
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
    parts = [
        f"{key.replace('_', ' ')}: {_quoted(visible(_short(value)))}"
        for key, value in data.items()
        if value not in (None, "", [], {})
    ]
    return f"{load_shop().say('found', language)} {'; '.join(parts)}."[:_MAX_TEXT] if parts else ""


def _quoted(text: str) -> str:
    """Return prose in quotation marks: who wrote it nobody knows, and it is not the shop that speaks."""
    return f'"{text.replace(chr(34), chr(39))}"' if " " in text.strip() and text[:1] not in "{[" else text


def _short(value: Any) -> str:
    if isinstance(value, list | dict):
        return json.dumps(cast(Any, value), ensure_ascii=False)
    return str(value)
