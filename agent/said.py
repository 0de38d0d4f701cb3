"""What a server says of a result, in the customer's language where it speaks it.

Agreed:   a result's `_meta["shopkart/said"]` is {language: sentence}; its text is the sentence in English.
"""

from typing import Any

from common.schema import mapping

SAID = "shopkart/said"


def is_spoken(result: Any) -> bool:
    """Say whether the result's text is a sentence of the server's own, to be told to a customer."""
    return bool(mapping(mapping(getattr(result, "meta", None)).get(SAID)))


def said_in(result: Any, language: str) -> str:
    """Return the server's sentence in this language, else its text."""
    told = mapping(mapping(getattr(result, "meta", None)).get(SAID))
    text = told.get(language)
    return text if isinstance(text, str) and text.strip() else result.text
