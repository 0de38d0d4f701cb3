"""The shop's voice: its name, languages, greeting, tone, opening hours, extra rules and where people are.

Knows:    shop.yaml, what may stand in it, and the fixed sentences with the shop's own words filled in.
Does not: decide anything. No gate reads it; a rule in it is a rule for what is said.
Errors:   the file, the line, the key, the value and what to do, all at once.
"""

import difflib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from common.language import LANGUAGES, Language
from common.phrases import phrase
from common.settings import ROOT, BadSettings, Settings, load
from common.shop_file import BadShopFile, Source, parse
from common.text import unsafe_characters, visible


class ShopSettings(Settings):
    """SHOP_FILE names the file; a relative path counts from the project's root."""

    shop_file: Path = Path("shop.yaml")


class BadShop(BadSettings):
    """A shop file that cannot be used; the text lists all that is wrong with it."""

    def __init__(self, file: Path, problems: list[str]) -> None:
        lines = "\n".join(f"- {problem}" for problem in problems)
        Exception.__init__(
            self, f"The shop's file {file} cannot be used. Correct it and start again:\n{lines}"
        )


def _plain(text: str) -> str:
    """Return the text as one line without outer space.  Raises: ValueError for what cannot be seen."""
    if found := unsafe_characters(text):
        raise ValueError(f"holds {', '.join(found[:5])}, which cannot be seen; write it as one line without")
    if not text.strip():
        raise ValueError("is empty; write a text or leave the key out")
    return text.strip()


def _unique(languages: tuple[Language, ...]) -> tuple[Language, ...]:
    if len(set(languages)) < len(languages):
        raise ValueError("names a language twice; name each once")
    return languages


_Line = Annotated[str, Field(max_length=200), AfterValidator(_plain)]
_Short = Annotated[str, Field(max_length=60), AfterValidator(_plain)]
_Spoken = _Line | dict[Language, _Line]
"""One text, or one a language."""


class Shop(BaseModel):
    """What the assistant knows of the shop it speaks for."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)

    name: _Short = "ShopKart"
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "EUR"
    languages: Annotated[tuple[Language, ...], Field(min_length=1, strict=False), AfterValidator(_unique)] = (
        LANGUAGES
    )
    greeting: _Spoken | None = None
    tone: Annotated[str, Field(max_length=120), AfterValidator(_plain)] | None = None
    opening_hours: _Spoken | None = None
    rules: Annotated[tuple[_Line, ...], Field(max_length=12, strict=False)] = ()
    hand_off: _Line | None = None

    def answers_in(self, language: str) -> Language:
        """Return the language in which a message of this language is answered."""
        return language if language in self.languages else self.languages[0]

    def say(self, key: str, language: str, **values: object) -> str:
        """Return a fixed sentence in the language that is answered, with the shop's own words in it.

        A greeting is the shop's own where it has one; `hand_off` and `hours` know what to say without any.
        """
        spoken = self.answers_in(language)
        if key in ("greeting", "greeting_tools") and (own := self._greeting(spoken)):
            return own
        if key == "hand_off" and not self.hand_off:
            key = "hand_off_by_ticket"
        if key == "hours" and not self.opening_hours:
            key = "not_known"
        shops = {"shop": self.name, "hand_off": self.hand_off or "", "hours": self.hours(spoken)}
        return phrase(key, spoken, **{**shops, **values})

    def hours(self, language: str) -> str:
        """Return the opening hours in this language, in the first that has them, or ""."""
        if not isinstance(self.opening_hours, dict):
            return (self.opening_hours or "").rstrip(".")
        told = self.opening_hours
        return next((told[each] for each in (language, *LANGUAGES) if each in told), "").rstrip(".")

    def facts(self) -> str:
        """Return everything here that may be told, as one text: what counts as seen from the beginning."""
        spoken = [self.greeting, self.opening_hours]
        texts = [text for each in spoken for text in (each.values() if isinstance(each, dict) else [each])]
        return "\n".join(text for text in [*texts, *self.rules, self.hand_off] if text)

    def _greeting(self, language: Language) -> str | None:
        if isinstance(self.greeting, dict):
            return self.greeting.get(language)
        return self.greeting if language == self.languages[0] else None


@cache
def load_shop() -> Shop:
    """Return the shop of this process, read once.  Raises: BadShop, BadSettings."""
    named = load(ShopSettings).shop_file
    if named == Path("shop.yaml") and not (ROOT / named).is_file():
        return Shop()
    return read_shop(ROOT / named)


def say(key: str, language: str, **values: object) -> str:
    """Return a fixed sentence of this process's shop; see `Shop.say`."""
    return load_shop().say(key, language, **values)


def read_shop(file: Path) -> Shop:
    """Return the shop that a file describes; an empty file describes the default one.  Raises: BadShop."""
    try:
        source = parse(file)
    except BadShopFile as problem:
        raise BadShop(file, [str(problem)]) from problem
    try:
        return Shop.model_validate(source.values)
    except ValidationError as error:
        told = [dict(each) for each in error.errors(include_url=False)]
        problems = [_told(each, source) for each in told if not _is_other_form(each)]
        raise BadShop(file, list(dict.fromkeys(problems))) from None


def _is_other_form(problem: dict[str, Any]) -> bool:
    """Say whether this is only the complaint that one text is no mapping, or a mapping no text."""
    is_mapping = isinstance(problem["input"], dict)
    return problem["type"] == ("string_type" if is_mapping else "dict_type")


def _told(problem: dict[str, Any], source: Source) -> str:
    """Return one problem as: line, key, value, what to do."""
    key, *rest = (str(part) for part in problem["loc"])
    place = f"line {source.line_of(key)}, {visible(key)[:60]}"
    if problem["type"] == "extra_forbidden" and not rest:
        near = difflib.get_close_matches(key, Shop.model_fields, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "remove it."
        return f"{place}: there is no such key; {hint} Known keys: {', '.join(Shop.model_fields)}"
    value = visible(str(cast(object, problem["input"])))
    shown = value if len(value) <= 60 else f"{value[:60]}… ({len(value)} characters)"
    return f"{place}: {shown!r}: {_what_to_do(problem)}"


def _what_to_do(problem: dict[str, Any]) -> str:
    kind, limits = problem["type"], problem.get("ctx", {})
    words = {
        "string_type": "write a text",
        "string_too_long": f"write at most {limits.get('max_length')} characters",
        "too_long": f"write at most {limits.get('max_length')} of them",
        "too_short": f"name at least {limits.get('min_length')}",
        "string_pattern_mismatch": "write three capital letters, as in EUR",
        "literal_error": f"write one of {', '.join(LANGUAGES)}",
        "tuple_type": "write a list in square brackets, or one entry a line beginning with -",
        "value_error": str(limits.get("error")),
    }
    return words.get(kind, str(problem["msg"]))
