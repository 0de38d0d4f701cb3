"""What of a chosen call the customer's words show: arguments that may be left out, and whose number is named.

Knows:    words (lexicon.py), numbers, and which arguments a function needs.
Does not: ask a model, or stop a call.   (guards/)
Why:      a small model fills in whatever a form offers. A filter that nobody asked for makes an answer
          untrue, as in "there are no such orders"; a detail would be changed along with the rest.
Limit:    a word is compared in English alone: in another language the message holds its translation.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any, cast

from common.language import LANGUAGES
from common.phrases import noun
from common.text import fold
from model.lexicon import lexicon, words_of
from model.numbers import stands_in
from model.replies import Schema
from model.routing import Action, evidence, fits, held_by, name_of, needed, parameters_of

_FIGURES = re.compile(r"\d+")


def as_said(action: Action, tools: list[Schema], text: str, language: str) -> Action:
    """Return the call without the arguments that it can do without and of which the text shows nothing."""
    tool = next((tool for tool in tools if name_of(tool) == action.name), None)
    if tool is None:
        return action
    must = needed(action, tools)
    ids = evidence(tool) if _points_back(text, language) else set[str]()
    given = [value for argument, value in action.arguments.items() if argument in must]
    kept = {
        argument: value
        for argument, value in action.arguments.items()
        if argument in must or str(value) in ids or (value not in given and is_shown(value, text, language))
    }
    return replace(action, arguments=kept) if fits(kept, tool) else action


_BACK = frozenset("it its this that these those them they he she his her their same one ones there".split())
"""Words for what was talked about before."""


def _points_back(text: str, language: str) -> bool:
    return language == LANGUAGES[0] and not _BACK.isdisjoint(words_of(text))


def names_nothing(action: Action, told: str) -> bool:
    """Say whether a call holds only words with which tools speak of themselves, as in "category name".

    told: what the model is told of the tools.
    """
    lists = lexicon("en")
    written = " ".join(map(str, action.arguments.values()))
    return lists.stems_of(written) <= lists.stems_of(told.replace("_", " ")) | lists.stems["small"]


def is_shown(value: Any, text: str, language: str) -> bool:
    """Say whether the text shows a value; what cannot be told counts as shown."""
    if isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return stands_in(str(value), text)
    if not isinstance(value, str):
        return True
    if figures := _figures(value):
        return bool(figures & _figures(text))
    if language != LANGUAGES[0]:
        return True
    lists = lexicon(language)
    said = lists.stems_of(text)
    return all(any(_alike(stem, other) for other in said) for stem in lists.stems_of(value.replace("_", " ")))


def _alike(one: str, other: str) -> bool:
    """Say whether two stems may be of one word: "hidden" keeps three letters of "hide"."""
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    shorter = min(len(one), len(other))
    return one == other or (shorter if shared is None else shared) >= max(3, shorter - 1)


def _figures(text: str) -> set[int]:
    return {int(found) for found in _FIGURES.findall(fold(text)[:2_000]) if len(found) <= 18}


def by_name(tools: list[Schema], named: Collection[str], text: str, language: str) -> list[Schema]:
    """Return the tools, those of the named values held to the kind of thing that the text calls them.

    An order's number in a message about an order is no customer's, though both are numbers.
    """
    words = {word for tool in tools for word in held_by(tool, named)}
    called = {word for word in words if _is_called(word, text, language)}
    if len(words) < 2 or len(called) != 1:
        return tools
    return [held for tool in tools if (held := _without_others(tool, called, set(named)))]


def _is_called(word: str, text: str, language: str) -> bool:
    lists = lexicon(language)
    its_name = {
        stem
        for stem in lists.stems_of(noun(f"{word} number", language))
        - lists.stems_of(noun("number", language))
        if len(stem) > 2  # no "de" or "of"
    }
    return bool(its_name) and its_name <= lists.stems_of(text)


def _without_others(tool: Schema, called: set[str], named: set[str]) -> Schema | None:
    """Return the tool without the named values where they would be another kind's; None without any use."""
    parameters = parameters_of(tool)
    kept: dict[str, Any] = {}
    for argument, schema in cast(dict[str, Schema], parameters.get("properties", {})).items():
        words = held_by({**tool, "function": {"parameters": {"properties": {argument: schema}}}}, named)
        if not words or words <= called:
            kept[argument] = schema
        elif argument in parameters.get("required", []):
            return None
    function = {**tool["function"], "parameters": {**parameters, "properties": kept}}
    return {**tool, "function": function}
