"""A person's word becomes the upstream's id: "shipped" is the number of that status.

Knows:    how a word is compared with the items that a sibling function returns.
Does not: call it.   (engine.py hands that in)
Rule:     one item matches, or the call is refused with the words there are: nothing is guessed.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from common.text import one_line
from contracts.contract import Resolver
from contracts.failures import CallFailed
from contracts.responding import at
from contracts.task import Offered
from contracts.words import plain_words

ItemsOf = Callable[[str, Mapping[str, Any]], Awaitable[Any]]
"""Runs a function with arguments and returns its data."""

_MOST_NAMED = 20


async def resolved(offered: Offered, arguments: Mapping[str, Any], items_of: ItemsOf) -> dict[str, Any]:
    """Return the arguments with every word that has a resolver replaced.  Raises: CallFailed."""
    found = dict(arguments)
    for name, resolver in offered.contract.resolve.items():
        if (word := found.get(name)) is not None:
            searched = {resolver.word: word} if resolver.word else {}
            data = await items_of(f"{offered.task}_{resolver.function}", searched)
            items = cast(list[Any], data) if isinstance(data, list) else []
            found[name] = _value(name, str(word), resolver, items)
    return found


def _value(name: str, word: str, resolver: Resolver, items: list[Any]) -> Any:
    wanted = _comparable(word)
    values = {
        _key(at(item, resolver.value)): at(item, resolver.value)
        for item in items
        if any(_comparable(at(item, path)) == wanted for path in resolver.match)
    }
    values.pop(_key(None), None)
    if len(values) == 1:
        return next(iter(values.values()))
    if resolver.word and not values:
        raise CallFailed(
            "word_not_known",
            f"The shop's system knows nothing under this {name}.",
            "Tell the user so, and ask them to check it.",
        )
    known = list(dict.fromkeys(one_line(str(at(item, resolver.match[0])))[:60] for item in items))
    why = "stands for several of them" if values else "is none of them"
    raise CallFailed(
        "word_not_known",
        f"The word for {name} {why}. There are: {', '.join(known[:_MOST_NAMED]) or 'none'}.",
        "Use one of these words, or ask the user which one is meant.",
    )


def _comparable(value: Any) -> str:
    """Return a word as it is compared: without case, marks, and what people leave out in writing."""
    return "" if value is None else " ".join(plain_words(str(value).replace("_", " ")))


def _key(value: Any) -> str:
    return f"{type(value).__name__}:{value}"
