"""The fixed sentences of the house in five languages, and the words for what a customer is asked for.

Knows:    keys, languages and placeholders; the sentences are common/phrases/*.yaml.
Does not: know the shop (common/shop.py fills in its name), or which sentence fits.
Digits:   0-9 in every language: an order number, a date or an amount must read as it stands in the shop's
          records and in the carrier's, be found by a search, and be compared by the output check.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any, cast

from common.language import LANGUAGES

_FOLDER = Path(__file__).with_name("phrases")
_FALLBACK = LANGUAGES[0]


def phrase(key: str, language: str, **values: object) -> str:
    """Return a fixed sentence with its placeholders filled; English where the language is none of ours.

    Raises: KeyError for a key that no file has, and for a placeholder without a value.
    """
    sentences = catalogue(language if language in LANGUAGES else _FALLBACK)
    template = sentences.get(key) or catalogue(_FALLBACK)[key]
    return template.format_map(values)


def noun(detail: str, language: str) -> str:
    """Return what a customer is asked for, as `ask_detail` needs it; words that are not known as they are.

    detail: as in "order number", or with an example as `with_example` adds it.
    """
    language = language if language in LANGUAGES else _FALLBACK
    shown = _WITH_EXAMPLE.fullmatch(detail)
    if shown:
        such_as: str = _read(language)["detail"]["such_as"]
        return such_as.format(noun=noun(shown[1], language), example=shown[2])
    return _nouns(language).get(detail, detail)


def with_example(detail: str, example: str) -> str:
    """Return a detail in English with an example of how it is written."""
    return f"{detail} (such as {example})"


_WITH_EXAMPLE = re.compile(r"(.+) \(such as (\S+)\)")


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the sentences of one of the five languages by their key, placeholders in place."""
    return {key: value for key, value in _read(language).items() if isinstance(value, str)}


@cache
def _nouns(language: str) -> dict[str, str]:
    return _read(language)["nouns"]


@cache
def _read(language: str) -> dict[str, Any]:
    import yaml  # here, because a command that only shows its help needs no sentence

    text = (_FOLDER / f"{language}.yaml").read_text(encoding="utf-8")
    return cast(dict[str, Any], yaml.safe_load(text))
