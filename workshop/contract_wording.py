"""What the model decides of a contract: which of a few operations is meant, and the words.

Knows:    the questions, and the form that each answer is held to.
Does not: find operations (contract_operations.py), or write files.   (contract_draft.py)
Why so:   a small model chooses well among a few and words one thing at a time; it invents whatever it is left
          to invent. So each question has a closed form, and an answer is checked as any other text.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from llm import CompleteFn, Completion, Usage
from workshop.contract_account import summed
from workshop.contract_draft import Draft, Wording, Words, open_fields
from workshop.contract_operations import Choice, Operation
from workshop.contract_words import LITTLE, NAMING, purpose_of, stem

NONE = "none of them"
_SYSTEM = (
    "You help to describe the functions of a shop's API for a support assistant. "
    "Answer in plain English with one JSON object and nothing else."
)
_MOST = {"title": 40, "summary": 150, "when": 250}
_MOST_SHOWS = 4
_TOKENS = 300
_WARMTH = 0.5
_TECHNIQUE = re.compile(r"\b(?:APIs?|contracts?|GET|POST|PUT|PATCH|DELETE|JSON|functions?|[a-z]+_[a-z_]+)\b")
"""What small models put in though nobody asked for it (seen in 4 of 9 answers of the 1.5B one)."""


@dataclass(frozen=True)
class Complaint:
    """Something that is wrong with the files. function: its place, None where it is about the task."""

    text: str
    function: int | None = None


class Asking:
    """The model, and what its answers have cost so far."""

    def __init__(self, complete: CompleteFn, sentence: str) -> None:
        self._complete = complete
        self._purpose = purpose_of(sentence).strip(" .!?") or sentence
        self.usage: Usage | None = None

    async def which(self, choice: Choice) -> Operation | None:
        """Return the operation that is meant; None where the model says that none is.

        Raises: llm.ModelError.
        """
        if len(choice.among) == 1:
            return choice.among[0]
        listed = "\n".join(f"- {each.told}" for each in choice.among)
        shown = [each.shown for each in choice.among]
        answer = await self._ask(
            f"Somebody wants: {self._purpose}\n\nThe API has:\n{listed}\n\nWhich one does exactly this? "
            f'If no one does, "{NONE}".',
            {"operation": {"type": "string", "enum": [*shown, NONE]}},
        )
        said = answer.get("operation")
        if said == NONE:
            return None
        # What is held to nothing may answer with anything; the words of the sentence then decide.
        return next((each for each in choice.among if each.shown == said), choice.among[0])

    async def wording(
        self, draft: Draft, last: Wording | None = None, complaints: Sequence[Complaint] = ()
    ) -> Wording:
        """Return the words of a task; after complaints, new ones for what they are about alone.

        Raises: llm.ModelError.
        """
        functions: dict[str, Words] = {}
        for at, each in enumerate(draft.functions):
            name = str(each["name"])
            own = [found.text for found in complaints if found.function == at]
            if last is not None and not own:
                functions[name] = last.functions[name]
            else:
                functions[name] = await self._function(each, last and last.functions[name], own)
        own = [found.text for found in complaints if found.function is None]
        if last is not None and not own:
            return Wording(last.title, last.summary, functions)
        title, summary = await self._task(draft, functions, last, own)
        return Wording(title, summary, functions)

    async def _function(
        self, each: Mapping[str, Any], last: Words | None, complaints: Sequence[str]
    ) -> Words:
        fields = open_fields(each)
        takes = ", ".join(each["params"]["properties"]) or "nothing"
        asked = (
            f"Somebody wants: {self._purpose}\n\nOne thing of it is done here.\n"
            f"The API says of it: {each['summary']}\nIt takes: {takes}\n\n"
            "summary: what it does for the shop's staff, one short sentence that begins with a verb.\n"
            'when: when the assistant should use it, beginning with "The user".'
        )
        form: dict[str, Any] = {"summary": _text("summary"), "when": _text("when")}
        if fields:
            asked += (
                "\nshows: the one to four fields that a person wants to hear, the most telling one first."
            )
            form["shows"] = {
                "type": "array",
                "items": {"type": "string", "enum": fields},
                "minItems": 1,
                "maxItems": _MOST_SHOWS,
            }
        before = {"summary": last.summary, "when": last.when} if last else None
        answer = await self._ask(_again(asked, before, complaints), form, is_again=bool(complaints))
        return Words(
            _line(answer.get("summary")), _line(answer.get("when")), _names(answer.get("shows"), fields)
        )

    async def _task(
        self, draft: Draft, functions: Mapping[str, Words], last: Wording | None, complaints: Sequence[str]
    ) -> tuple[str, str]:
        listed = "\n".join(f"- {words.summary}" for words in functions.values())
        asked = (
            f"Somebody wants: {self._purpose}\n\nThese functions do it:\n{listed}\n\n"
            "title: a heading, two or three words.\nsummary: what they do together, one short sentence."
        )
        before = {"title": last.title, "summary": last.summary} if last else None
        form = {"title": _text("title"), "summary": _text("summary")}
        answer = await self._ask(_again(asked, before, complaints), form, is_again=bool(complaints))
        return _heading(_line(answer.get("title"))), _line(answer.get("summary"))

    async def _ask(self, asked: str, form: Mapping[str, Any], *, is_again: bool = False) -> dict[str, Any]:
        """Return the object that the model answers with; empty where it answers with none."""
        schema = {
            "type": "object",
            "properties": dict(form),
            "required": list(form),
            "additionalProperties": False,
        }
        messages = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": asked}]
        # What was refused would come again word by word if nothing but the most likely one were taken.
        warmth = _WARMTH if is_again else 0.0
        seed = 1 if is_again else None
        reply = await self._complete(Completion(messages, schema, _TOKENS, temperature=warmth, seed=seed))
        self.usage = summed(self.usage, reply.usage)
        text = reply.content or ""
        with suppress(ValueError, RecursionError):
            value: object = json.loads(text[text.find("{") : text.rfind("}") + 1])
            if isinstance(value, dict):
                return cast(dict[str, Any], value)
        return {}


def strays(wording: Wording, draft: Draft, operations: Iterable[Operation]) -> list[Complaint]:
    """Return complaints about what the words say: another thing than the function does, or the technique."""
    known = {(each.method, each.path): each for each in operations}
    found: list[Complaint] = []
    for at, each in enumerate(draft.functions):
        operation = known.get((each["method"], each["path"]))
        words = wording.functions[str(each["name"])]
        said = {stem(word) for word in words.summary.replace("'s", " ").replace(".", " ").split()}
        own = {stem(word) for word in f"{each['name']} {each['summary']}".replace("_", " ").split()}
        own |= operation.own_words if operation else set()
        if words.summary and not said & (own - NAMING - LITTLE):
            text = f"The summary {words.summary!r} says nothing of what it is about: {each['summary']}"
            found.append(Complaint(text, at))
        found += [Complaint(text, at) for text in _technical("summary", words.summary)]
        found += [Complaint(text, at) for text in _technical("when", words.when)]
    found += [Complaint(text) for text in _technical("title", wording.title)]
    found += [Complaint(text) for text in _technical("summary", wording.summary)]
    return found


def _technical(field: str, said: str) -> list[str]:
    """Say where a text for an assistant and for people speaks of how it is made."""
    found = _TECHNIQUE.search(said)
    return [f"The {field} speaks of {found[0]!r}. Say what it is about, in words of a shop."] if found else []


def _text(of: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 3, "maxLength": _MOST[of]}


def _again(asked: str, last: Mapping[str, str] | None, complaints: Sequence[str]) -> str:
    if not complaints:
        return asked
    wrong = "\n".join(f"- {text}" for text in complaints)
    return f"{asked}\n\nYour last answer was {json.dumps(last, ensure_ascii=False)}. It is refused:\n{wrong}"


def _line(value: Any) -> str:
    """Return a text as one line; braces would stand for fields."""
    return " ".join(value.replace("{", "(").replace("}", ")").split()) if isinstance(value, str) else ""


def _heading(title: str) -> str:
    """Return a heading without the word for the technique that small models end it with."""
    plain = " ".join(_TECHNIQUE.sub("", title, re.IGNORECASE).split())
    return plain if len(plain) > 1 else title


def _names(value: Any, known: Sequence[str]) -> tuple[str, ...]:
    said = [each for each in cast(list[Any], value) if each in known] if isinstance(value, list) else []
    return tuple(dict.fromkeys(said))[:_MOST_SHOWS] or tuple(known[:2])
