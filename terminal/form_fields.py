"""One field of a server's form: how it is asked for, and what a typed line means in it.

Knows:    the forms that guards/form.py lets through: texts, numbers, yes or no, choices.
Does not: ask, show, or send anything.   (forms.py)
"""

import json
import math
from dataclasses import dataclass
from typing import Any, cast

from common.approval import ApprovalRequest
from common.schema import Schema, mapping
from common.text import visible
from guards.call import BadCall
from guards.form import filled, words
from terminal.words import shortened, written

_MAX_SHOWN = 60
_YES, _NO = ("y", "yes", "true"), ("n", "no", "false")


class NotAValue(Exception):
    """What was typed is no value of the field; the text says what is."""


@dataclass(frozen=True)
class FormField:
    """One field. needed: it cannot be left out."""

    name: str
    rules: Schema
    needed: bool

    @property
    def title(self) -> str:
        """What the field is called, whole: what is asked may stand at its end."""
        return words(str(self.rules.get("title") or self.name))

    @property
    def kind(self) -> str:
        """Its JSON type."""
        return str(self.rules.get("type", "string"))

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The values to choose from, each with its title."""
        rules = mapping(self.rules.get("items")) if self.kind == "array" else self.rules
        values = cast(list[str], rules.get("enum") or [])
        names = cast(list[str], rules.get("enumNames") or values)
        return list(zip(values, names, strict=True))

    @property
    def is_numbered(self) -> bool:
        """Say whether a choice may be made by its number: not where a number may be one of the values."""
        return not any(text.strip().isdecimal() for pair in self.choices for text in pair)

    @property
    def default(self) -> Any:
        """What Enter alone takes; None where it takes nothing."""
        return self.rules.get("default")

    def rows(self) -> list[str]:
        """Return what is shown before it is asked for: what it is for, and its choices."""
        described = self.rules.get("description")
        optional = "" if self.needed or self.default is not None else " (can be left out)"
        rows = [f"  {self.title}{optional}" + (f": {visible(str(described))}" if described else "")]
        for number, (value, name) in enumerate(self.choices, 1):
            shown = visible(name) if name == value else f"{visible(name)} ({visible(value)})"
            rows.append(f"    {number}  {shown}" if self.is_numbered else f"    · {shown}")
        return rows

    @property
    def question(self) -> str:
        """The line at which it is typed."""
        hints = {"boolean": "y/n", "integer": "a whole number", "number": "a number"}
        if self.choices:
            named = f"1-{len(self.choices)}" if self.is_numbered else "one of these"
            hint = f"{named}, with commas" if self.kind == "array" else named
        else:
            hint = hints.get(self.kind, "")
        default = "" if self.default is None else f"[{self.told(self.default)}]"
        short = shortened(self.title, _MAX_SHOWN)  # it stands above, whole
        return " ".join(filter(None, (short, f"({hint})" if hint else "", default))) + ": "

    def told(self, value: Any) -> str:
        """Return a value in words."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return ", ".join(self.told(each) for each in cast(list[Any], value)) or "nothing"
        return visible(dict(self.choices).get(value, value) if isinstance(value, str) else written(value))

    def read(self, typed: str) -> Any:
        """Return the value that was typed; None where the field is left out.

        Raises: NotAValue.
        """
        said = typed.strip()
        if not said:
            if self.default is None and self.needed:
                raise NotAValue(f"{self.title} is needed. To send nothing at all, type n.")
            return self.default
        value = self._value(said)
        form = {"type": "object", "properties": {self.name: self.rules}}
        try:
            return filled(form, {self.name: value})[self.name]
        except BadCall as problem:
            told = str(problem)
            named = self.title + told.removeprefix(self.name) if told.startswith(self.name) else told
            raise NotAValue(visible(named)) from None

    def _value(self, said: str) -> Any:
        if self.kind == "array":
            parts = [part.strip() for part in said.split(",")]
            return list(dict.fromkeys(self._choice(part) for part in parts if part))
        if self.choices:
            return self._choice(said)
        if self.kind == "boolean":
            if said.lower() in (*_YES, *_NO):
                return said.lower() in _YES
            raise NotAValue(f"{self.title} is answered with y or n.")
        if self.kind in ("integer", "number"):
            return self._number(said)
        return said

    def _number(self, said: str) -> int | float:
        try:
            value = json.loads(said)
        except ValueError:
            value = None
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise NotAValue(f"{self.title} must be a number, such as 12 or 12.5.")
        return int(value) if self.kind == "integer" and value == int(value) else value

    def _choice(self, said: str) -> str:
        if self.is_numbered and said.isdecimal() and 0 < int(said) <= len(self.choices):
            return self.choices[int(said) - 1][0]
        meant = {
            value for value, name in self.choices if said.casefold() in (value.casefold(), name.casefold())
        }
        if len(meant) > 1:  # a server may give one the title that is another's value; a person reads titles
            meant = {value for value, name in self.choices if name == said}
            if not meant:
                how = "Type its number." if self.is_numbered else "Type it exactly as it stands."
                raise NotAValue(f"{visible(said)} may be one or another of them. {how}")
        if meant:
            return meant.pop()
        raise NotAValue(
            f"{self.title} must be one of: {', '.join(visible(name) for _, name in self.choices)}."
        )


def form_fields(request: ApprovalRequest) -> list[FormField]:
    """Return the fields of a request's form, in the server's order."""
    needed = request.form.get("required", ())
    fields = mapping(request.form.get("properties"))
    return [FormField(name, mapping(rules), name in needed) for name, rules in fields.items()]
