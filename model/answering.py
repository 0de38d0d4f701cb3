"""What the constrained dialect tells: the server's sentences, a fixed one, or a model's short answer.

Knows:    when a small model is asked for words: where the server says none.
Does not: choose a call.   (constrained.py)
Rule:     what a model says of a result is told sentence by sentence, as long as each says no more than the
          result does. Its yes and its no are not told: they are wrong too often (docs/evals.md).
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from common.shop import load_shop, say
from model import prompts, support, transcript, wording
from model.replies import Message, Reply


@dataclass(frozen=True)
class Facts:
    """What a turn has found, and what the customer wants to know of it.

    told: the server's sentences; "" where it speaks none. thing: an id was looked up, and no rule.
    """

    question: str
    language: str
    told: str
    results: int
    thing: bool


def opening(text: str, language: str, *, is_desk: bool = True) -> str:
    """Return the fixed answer to a courtesy and to how people can be reached; "" for any other message.

    is_desk: the tools are those of a support desk; else they reach into a shop's system.
    """
    kind = wording.courtesy(text, language) or wording.asks_for_people(text, language)
    if kind is None or (kind == "hours" and not load_shop().opening_hours):
        return ""
    key = {"hello": "greeting", "phone": "hand_off"}.get(kind, kind)
    return say(key if is_desk else _OF_TOOLS.get(key, key), language)


_OF_TOOLS = {"greeting": "greeting_tools", "can_do": "can_do_tools"}


def facts_of(messages: list[Message]) -> Facts:
    """Return what was found since the customer's newest message."""
    return Facts(
        transcript.newest_user_text(messages),
        transcript.language(messages),
        transcript.told_of_turn(messages),
        len(transcript.results_of_turn(messages)),
        any(_is_id(value) for value in transcript.used_in_turn(messages)),
    )


def _is_id(value: str) -> bool:
    return any(char.isdigit() for char in value) and " " not in value


def settled(messages: list[Message]) -> str:
    """Return what is told of this turn's results without asking a model, "" when one may answer.

    Where a server says in words what it found, its words are told: the small model adds to them, leaves out,
    mixes up and turns round, and what was left of its answers said the same (docs/evals.md).
    """
    facts = facts_of(messages)
    one_look_up = facts.results == 1 and facts.thing and not transcript.acted(messages)
    if facts.told and one_look_up and support.beyond(facts.question, facts.told, facts.language):
        return f"{facts.told} {say('nothing_more', facts.language)}"
    return facts.told


async def checked(
    answer: AsyncIterator[str | Reply], facts: Facts, sources: str, instead: str | None
) -> AsyncIterator[str | Reply]:
    """Yield the sentences of a model's answer that the sources support, up to the first that they do not.

    instead: what is told when not even the first is supported.
    """
    last = Reply(None)
    async for item in answer:
        if isinstance(item, Reply):
            last = item
    told: list[str] = []
    for sentence in support.sentences((last.content or "").strip()):
        if prompts.YES_OR_NO.match(sentence):
            break
        if not support.supported(sentence, sources, facts.question, facts.language):
            break
        told.append(sentence)
    yield replace(last, content=" ".join(told) or instead)
