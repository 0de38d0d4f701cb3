"""The contract: what a partner writes about one task, as models. A field that is none is an error.

Knows:    every field of task.yaml, functions.yaml and views.yaml, with its type and size.
Does not: check one field against another (rules.py), read files (reading.py), or run anything.
Never:    a host, a credential, or a way to name one: an upstream is a name in the deployment's table.
Source:   the two reference systems, whose fields are all here; size limits as there.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, StrictBool, Tag

from contracts.shapes import Shape

Effect = Literal["read", "write", "destructive"]
Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
ArrayStyle = Literal["single", "bracket", "repeat", "csv"]

MOST_SUMMARY = 200
MOST_LABEL = 150
MOST_SKILL_SUMMARY = 300
MOST_SKILL_TEXT = 12_000
MOST_PROMPT_TEXT = 12_000
MOST_NAME = 64
"""Characters of a function's full name, TASK_FUNCTION: what model endpoints accept as a tool's name."""

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$", max_length=60)]
Summary = Annotated[str, Field(min_length=3, max_length=MOST_SUMMARY)]
Hint = Annotated[str, Field(min_length=3, max_length=400)]
Sentence = Annotated[str, Field(min_length=1, max_length=400)]
Language = Annotated[str, Field(pattern=r"^[a-z]{2}$")]
Said = Sentence | dict[Language, Sentence]
"""A sentence, or the same by language, English (`en`) among them. `{field}` stands for a value."""

Dotted = Annotated[str, Field(pattern=r"^[A-Za-z0-9_$@:-]+(?:\.[A-Za-z0-9_$@:-]+)*$", max_length=200)]
"""A path into a JSON value, with dots; `data.items`."""

ArgumentName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")]
WireName = Annotated[str, Field(pattern=r"^[^\s&=#?%/\\\x00-\x20\x7f]{1,100}$")]
"""The name of a query parameter or a body's key, as the upstream writes it."""

HeaderName = Annotated[str, Field(pattern=r"^[A-Za-z0-9!#$&'*+.^_`|~-]{1,60}$")]
Scope = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_.:-]{0,80}$")]


def _three_digits(value: Any) -> Any:
    """Refuse what pydantic would read as a status: of 404 and 404.0, one would count in silence."""
    if isinstance(value, str) and not re.fullmatch("[0-9]{3}", value):
        raise ValueError("a status is three digits")
    return value


Status = Annotated[int, BeforeValidator(_three_digits), Field(ge=100, le=599)]


class Part(BaseModel):
    """The base of every part of a contract."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, hide_input_in_errors=True)


class Constant(Part):
    """A value that is always sent, whatever the arguments are."""

    value: str | int | float | StrictBool


class Argument(Part):
    """An argument, and how it is written.

    style: of a list in a query: `single` (the last value alone), `bracket` (a[]=1&a[]=2), `repeat`
    (a=1&a=2), `csv` (a=1,2). items: of a list of objects in a body, the wire name of each key.
    """

    source: Annotated[ArgumentName, Field(alias="from")]
    style: ArrayStyle = "repeat"
    items: dict[ArgumentName, WireName] | None = None


def _kind_of_mapped(value: Any) -> str:
    """Tell what was written from its form, so that a mistake in it is told as what was meant."""
    if isinstance(value, Constant) or (isinstance(value, Mapping) and "value" in value):
        return "constant"
    return "argument" if isinstance(value, Argument | Mapping) else "name"


Mapped = Annotated[
    Annotated[ArgumentName, Tag("name")]
    | Annotated[Argument, Tag("argument")]
    | Annotated[Constant, Tag("constant")],
    Discriminator(_kind_of_mapped),
]
"""What stands behind a wire name: an argument, an argument with its style, or a constant."""


class Request(Part):
    """How the arguments become a request.

    path: placeholder -> argument, where they differ. body: `none`, `passthrough` (every argument that
    stands nowhere else, under its own name), or wire path with dots -> argument. body_is: the argument
    that is the whole body, such as a list.
    """

    path: dict[ArgumentName, ArgumentName] = {}
    query: dict[WireName, Mapped] = {}
    headers: dict[HeaderName, Mapped] = {}
    body: Literal["none", "passthrough"] | dict[WireName, Mapped] = "none"
    body_is: ArgumentName | None = None


class Pagination(Part):
    """How the upstream's pages follow each other; every path is into its answer.

    kind: `page` counts pages from `first`, `offset` counts items, `cursor` sends on what `next` holds.
    argument: the function's argument for it. more: a path whose value says that there is more (a page count
    for `page`, a total for `offset`); without it, an empty page is the last.
    """

    kind: Literal["page", "offset", "cursor"]
    argument: ArgumentName
    first: Annotated[int, Field(ge=0, le=1)] = 1
    next: Dotted | None = None
    more: Dotted | None = None
    kept: Dotted | None = None


class Told(Part):
    """The sentences about a result. one: about an object. some, each, none: about a list.

    `{field}` and `{field.inner}` stand for declared fields, `{count}` for the number of items.
    """

    one: Said | None = None
    some: Said | None = None
    each: Said | None = None
    none: Said | None = None


class Response(Part):
    """What of the upstream's answer is taken. fields: its schema; whatever it does not declare is dropped.

    data: the path to it; empty where the whole answer is meant. success: the statuses that are no failure.
    """

    data: Dotted | None = None
    fields: Shape = Shape()
    success: Annotated[tuple[Status, ...], Field(min_length=1, max_length=20)] | None = None
    pagination: Pagination | None = None
    told: Told = Told()


class Failure(Part):
    """What a status means. retry: whether trying again later may help."""

    say: Said
    next: Sentence = "Tell the user what happened."
    retry: StrictBool = False


class Cache(Part):
    """For how long a result is kept. keys: the arguments it depends on; empty means all."""

    ttl_s: Annotated[int, Field(ge=1, le=86_400)]
    keys: tuple[ArgumentName, ...] = ()


class Idempotency(Part):
    """The header by which the upstream knows a write that it has seen."""

    header: HeaderName = "Idempotency-Key"


class Resolver(Part):
    """How a person's word becomes the upstream's id: through a read function of the same task.

    function: its name. match: fields of its items that a word may be. value: the field that is sent.
    word: the argument of that function which takes the word, where the upstream can search by it; without
    it the function is called without arguments.
    """

    function: Name
    word: ArgumentName | None = None
    match: Annotated[tuple[Dotted, ...], Field(min_length=1, max_length=10)]
    value: Dotted


class Function(Part):
    """One function: what it is for, what it takes, the request it becomes, and what comes back."""

    name: Name
    summary: Summary
    when: Hint
    when_not: Hint
    effect: Effect
    upstream: Name | None = None
    scopes: Annotated[tuple[Scope, ...], Field(max_length=20)] = ()
    method: Method
    path: Annotated[str, Field(pattern=r"^/", max_length=300)]
    params: Shape = Shape(type="object", properties={})
    request: Request = Request()
    response: Response = Response()
    failures: dict[Status, Failure] = {}
    cache: Cache | None = None
    approval: Said | None = None
    idempotency: Idempotency | None = None
    resolve: dict[ArgumentName, Resolver] = {}
    asked_for: dict[Language, Annotated[tuple[str, ...], Field(min_length=1, max_length=40)]] = {}

    @property
    def arguments(self) -> Mapping[str, Shape]:
        """Return the declared arguments."""
        return self.params.properties or {}

    @property
    def required(self) -> tuple[str, ...]:
        """Return the arguments that it cannot do without."""
        return self.params.required or ()


class FunctionsFile(Part):
    """functions.yaml."""

    functions: Annotated[tuple[Function, ...], Field(min_length=1, max_length=200)]


class TaskFile(Part):
    """task.yaml."""

    name: Name
    title: Annotated[str, Field(min_length=2, max_length=80)]
    summary: Summary
    upstream: Name
    owner: Annotated[str, Field(max_length=120)] | None = None


class Action(Part):
    """A button of a view: its name, its label, and the function that a click is about."""

    name: Name
    label: Annotated[str, Field(min_length=1, max_length=MOST_LABEL)]
    function: Annotated[str, Field(max_length=MOST_NAME)] | None = None


class View(Part):
    """A screen that was planned ahead. Its components are drawn by a later part; here they are kept whole."""

    name: Name
    summary: Summary
    data: Shape
    actions: Annotated[tuple[Action, ...], Field(max_length=20)] = ()
    components: Annotated[tuple[dict[str, Any], ...], Field(max_length=200)] = ()


class ViewsFile(Part):
    """views.yaml."""

    views: Annotated[tuple[View, ...], Field(max_length=50)]


class PromptHead(Part):
    """What stands above a prompt's text, between two lines of `---`."""

    title: Annotated[str, Field(min_length=2, max_length=80)]
    summary: Summary
    arguments: dict[ArgumentName, Summary] = {}


class SkillHead(Part):
    """What stands above a skill's text."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=60)]
    description: Annotated[str, Field(min_length=3, max_length=MOST_SKILL_SUMMARY)]
