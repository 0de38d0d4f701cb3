"""The JSON Schema that a contract may use, as a model: a keyword that is none is an error, as everywhere.

Knows:    the keywords, their types, and how deep a schema may be.
Does not: validate a value.   (jsonschema does, over what `schema()` returns)
Why not all of JSON Schema: a reference could be remote or a circle, and a keyword that is mistyped would be
          ignored in silence. What a description of others cannot say in these words, the import refuses.
Source:   JSON Schema 2020-12.
"""

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool

TypeName = Literal["string", "integer", "number", "boolean", "array", "object", "null"]

Scalar = str | int | float | bool | None

Description = Annotated[str, Field(max_length=1_000)]


_PYTHON: dict[TypeName, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


class Shape(BaseModel):
    """One schema. The names of fields are JSON Schema's; `x-grounding` is ours (common/schema.py)."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, hide_input_in_errors=True)

    type: TypeName | tuple[TypeName, ...] | None = None
    title: Annotated[str, Field(max_length=200)] | None = None
    description: Description | None = None
    default: Any = None
    examples: tuple[Any, ...] | None = None
    enum: Annotated[tuple[Any, ...], Field(min_length=1, max_length=1_000)] | None = None
    const: Any = None
    format: Annotated[str, Field(max_length=40)] | None = None
    pattern: Annotated[str, Field(max_length=500)] | None = None
    min_length: Annotated[int, Field(ge=0)] | None = Field(default=None, alias="minLength")
    max_length: Annotated[int, Field(ge=0)] | None = Field(default=None, alias="maxLength")
    minimum: float | int | None = None
    maximum: float | int | None = None
    exclusive_minimum: float | int | None = Field(default=None, alias="exclusiveMinimum")
    exclusive_maximum: float | int | None = Field(default=None, alias="exclusiveMaximum")
    multiple_of: Annotated[float | int, Field(gt=0)] | None = Field(default=None, alias="multipleOf")
    items: "Shape | None" = None
    min_items: Annotated[int, Field(ge=0)] | None = Field(default=None, alias="minItems")
    max_items: Annotated[int, Field(ge=0)] | None = Field(default=None, alias="maxItems")
    unique_items: StrictBool | None = Field(default=None, alias="uniqueItems")
    properties: dict[str, "Shape"] | None = None
    required: tuple[str, ...] | None = None
    additional_properties: "StrictBool | Shape | None" = Field(default=None, alias="additionalProperties")
    min_properties: Annotated[int, Field(ge=0)] | None = Field(default=None, alias="minProperties")
    max_properties: Annotated[int, Field(ge=0)] | None = Field(default=None, alias="maxProperties")
    any_of: Annotated[tuple["Shape", ...], Field(min_length=1, max_length=50)] | None = Field(
        default=None, alias="anyOf"
    )
    one_of: Annotated[tuple["Shape", ...], Field(min_length=1, max_length=50)] | None = Field(
        default=None, alias="oneOf"
    )
    deprecated: StrictBool | None = None
    grounding: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,40}$")] | None = Field(
        default=None, alias="x-grounding"
    )
    voice: Literal["shop", "others", "asked"] | None = Field(default=None, alias="x-voice")

    @property
    def types(self) -> tuple[TypeName, ...]:
        """Return the types that a value may have; empty where any may."""
        return (self.type,) if isinstance(self.type, str) else self.type or ()

    @cached_property
    def accepts(self) -> frozenset[Any]:
        """Return the Python types of the JSON values that it lets through; empty where it names no type."""
        return frozenset(kind for name in self.types for kind in _PYTHON[name])

    @cached_property
    def branches(self) -> "tuple[Shape, ...]":
        """Return the alternatives of which a value may take one."""
        return (*(self.any_of or ()), *(self.one_of or ()))

    def schema_dict(self) -> dict[str, Any]:
        """Return it as the JSON Schema that was written: what was not said is not there."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)
