"""The words by which customers ask for a tool, as its `_meta` lists them.

Knows:    which words of store/words/ belong to which tool.
Does not: look for them in a message.   (the agent does)
"""

from typing import Any, Literal, get_args

from common.language import LANGUAGES
from serving import ASKED_FOR, SHOWN_BY
from store import Category
from store.words import words


def ticket_words() -> dict[str, Any]:
    """Return the words by which customers ask for a ticket, and those that show its category."""
    asked_for = {language: words(language).asks() for language in LANGUAGES}
    shown_by = {
        category: {language: words(language).shown_by(category) for language in LANGUAGES}
        for category in get_args(Category)
    }
    return {ASKED_FOR: asked_for, SHOWN_BY: {"category": shown_by}}


def words_for(key: Literal["contact", "ticket_state"]) -> dict[str, Any]:
    """Return the words by which customers ask for a tool; store/words/ has them under this key."""
    return {ASKED_FOR: {language: getattr(words(language), key) for language in LANGUAGES}}
