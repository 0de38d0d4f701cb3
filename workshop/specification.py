"""What is to be built: the specification, as the analyst writes it and everybody after reads it.

Knows:    the fields, their types and sizes, and the schema that a model is held to.
Does not: read one out of a model's text, or judge whether it can be built.   (reading.py)
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr, field_validator, model_validator

from workshop.syntax import parsed

FILES_MOST = 20
EXAMPLES_MOST = 30

Line = Annotated[StrictStr, Field(min_length=1, max_length=500)]
Lines = Annotated[tuple[Line, ...], Field(max_length=40)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlannedFile(_Part):
    """A file to be written; path counts from the project's folder, with slashes."""

    path: Annotated[StrictStr, Field(min_length=1, max_length=120)]
    description: Annotated[StrictStr, Field(max_length=1_000)] = ""


class Example(_Part):
    """One thing that must hold of the finished program: what it is given, and what then must come.

    file: the module that has the function, or the program that is run. call: a Python expression, such as
    `total([1, 2])`; with `returns`, a Python expression too, or `raises`, the name of an exception.
    Without a call the program is run with `arguments` and `input`, and must print `prints`.
    stated: the person's own words say it; else a model proposed it. Set by code alone.
    """

    file: Annotated[StrictStr, Field(min_length=1, max_length=120)]
    call: Annotated[StrictStr, Field(max_length=2_000)] = ""
    returns: Annotated[StrictStr, Field(max_length=4_000)] | None = None
    raises: Annotated[StrictStr, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.]{0,99}$")] | None = None
    arguments: Annotated[tuple[StrictStr, ...], Field(max_length=20)] = ()
    input: Annotated[StrictStr, Field(max_length=4_000)] = ""
    prints: Annotated[StrictStr, Field(max_length=4_000)] | None = None
    stated: StrictBool = False

    @field_validator("call", "returns")
    @classmethod
    def _is_python(cls, value: str | None) -> str | None:
        if value and parsed(value) is None:
            raise ValueError(f"{value!r} is no Python expression")
        return value

    @model_validator(mode="after")
    def _says_what_must_come(self) -> "Example":
        given = [name for name in ("returns", "raises", "prints") if getattr(self, name) is not None]
        expected = ("returns", "raises") if self.call else ("prints",)
        if len(given) != 1 or given[0] not in expected:
            raise ValueError(
                f"an example with{'' if self.call else 'out'} a call says {' or '.join(expected)}"
            )
        return self


class Specification(_Part):
    """A small program in words: what it is for, its files, and what must hold of it."""

    title: Annotated[StrictStr, Field(min_length=1, max_length=120)]
    description: Annotated[StrictStr, Field(min_length=1, max_length=4_000)]
    requirements: Annotated[Lines, Field(min_length=1)]
    modules: Lines = ()
    tech_stack: Lines = ()
    files: Annotated[tuple[PlannedFile, ...], Field(min_length=1, max_length=FILES_MOST)]
    examples: Annotated[tuple[Example, ...], Field(max_length=EXAMPLES_MOST)] = ()


def _texts(most: int, length: int = 160) -> dict[str, Any]:
    return {"type": "array", "maxItems": most, "items": {"type": "string", "maxLength": length}}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


ASKED_SCHEMA: dict[str, Any] = _object(
    title={"type": "string", "minLength": 1, "maxLength": 60},
    description={"type": "string", "minLength": 1, "maxLength": 400},
    requirements=_texts(6) | {"minItems": 1},
    modules=_texts(6),
    tech_stack=_texts(4, 40),
    files={
        "type": "array",
        "minItems": 1,
        "maxItems": 6,
        "items": _object(
            path={"type": "string", "pattern": "^[a-z][a-z0-9_/]*[.][a-z]+$", "maxLength": 60},
            description={"type": "string", "maxLength": 300},
        ),
    },
    examples={
        "type": "array",
        "maxItems": 5,
        "items": _object(
            file={"type": "string", "maxLength": 60},
            call={"type": "string", "minLength": 3, "maxLength": 200},
            returns={"type": "string", "minLength": 1, "maxLength": 200},
        ),
    },
)
"""What a model is held to: the specification without what code alone may say, and short."""
