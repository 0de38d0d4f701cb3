"""The messages between the core and its agents: one JSON object a line, over the agent's stdin and stdout.

Knows:    the fields of every message, their types and sizes.   (docs/workshop-protocol.md)
Does not: read or write a line.   (lines.py)
Agreed:   every message has `type` and `id`. A core's message has `deadline` too, in seconds since 1970. What
          an agent sends bears the id of the request that it is about; what does not is dropped, and told.
          A request is answered once, by `agent_response` or `agent_failed`; before it may come any number of
          `progress`, `file` and `model_request`. Unknown fields are ignored, so that both sides can grow.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictStr, TypeAdapter

from workshop.specification import Specification

PROTOCOL = 1
LINE_BYTES = 4 * 1024 * 1024
"""The longest line that either side reads."""

Id = Annotated[StrictStr, Field(min_length=1, max_length=100)]
Text = Annotated[StrictStr, Field(max_length=1_000_000)]
Files = dict[str, Text]
"""Path -> content, as they stand on disk."""


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    id: Id


class FromCore(_Message):
    """What the core sends. deadline: when nobody waits any more, in seconds since 1970."""

    deadline: float
    protocol: Literal[1] = PROTOCOL


class Remembered(BaseModel):
    """One line of the dialogue."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    role: Literal["user", "assistant"]
    content: Text


class UserInput(FromCore):
    """Something a person said. history: the newest part of the dialogue that fits the model's window."""

    type: Literal["user_input"] = "user_input"
    text: Text
    history: tuple[Remembered, ...] = ()
    memory: dict[str, Any] = {}


class SpecRequest(FromCore):
    """Write a specification. reasons: why the last one could not be used, empty at the first try.

    answer_schema: the form of a specification, for the model to be held to.
    """

    type: Literal["spec_request"] = "spec_request"
    text: Text
    history: tuple[Remembered, ...] = ()
    last: Text = ""
    reasons: tuple[Text, ...] = ()
    answer_schema: dict[str, Any]


class BuildRequest(FromCore):
    """Write the files of the specification. files: those that are written already.

    names: path -> the names that its examples call, which it has to define, letter for letter.
    variant: 0 for the likeliest program, any other number for another one, always the same for this number.
    """

    type: Literal["build_request"] = "build_request"
    sentence: Text
    spec: Specification
    files: Files = {}
    names: dict[str, tuple[StrictStr, ...]] = {}
    variant: int = 0


class Failure(BaseModel):
    """A test that failed. test: its source; output: what the run said of it."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    name: StrictStr
    test: Text
    output: Text


class FixRequest(FromCore):
    """Change what must change for the failing tests to pass. names: as for a build; attempt: from 1."""

    type: Literal["fix_request"] = "fix_request"
    sentence: Text
    spec: Specification
    files: Files
    failures: tuple[Failure, ...]
    names: dict[str, tuple[StrictStr, ...]] = {}
    attempt: int


class TestRequest(FromCore):
    """Write tests from the specification. files: the files, for the names that they define."""

    __test__ = False
    type: Literal["test_request"] = "test_request"
    sentence: Text
    spec: Specification
    files: Files = {}


class ModelReply(FromCore):
    """What the model said. call: the agent's own name for what it asked."""

    type: Literal["model_reply"] = "model_reply"
    call: Id
    text: Text


class ModelFailed(FromCore):
    """The model gave no answer. code: not_reachable, timed_out, …; message: a sentence for people."""

    type: Literal["model_failed"] = "model_failed"
    call: Id
    code: StrictStr
    message: Text


class Shutdown(FromCore):
    """End now; after the deadline the process is ended."""

    type: Literal["shutdown"] = "shutdown"


class AgentResponse(_Message):
    """The answer to a request. text: words for people, or a specification's JSON; tests: path -> content."""

    type: Literal["agent_response"] = "agent_response"
    text: Text = ""
    tests: Files = {}


class AgentFailed(_Message):
    """The request cannot be answered. message: a sentence for people."""

    type: Literal["agent_failed"] = "agent_failed"
    code: Annotated[StrictStr, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")] = "agent_failed"
    message: Text


class Progress(_Message):
    """What the agent is doing, in words for people."""

    type: Literal["progress"] = "progress"
    text: Annotated[StrictStr, Field(max_length=2_000)]


class FileWritten(_Message):
    """A finished file. The agent has no access to the disk: the core writes it, or refuses to."""

    type: Literal["file"] = "file"
    path: Annotated[StrictStr, Field(min_length=1, max_length=500)]
    content: Text


class ModelMessage(BaseModel):
    """One message of a question to the model."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    role: Literal["system", "user", "assistant"]
    content: Text


class ModelRequest(_Message):
    """A question to the model. call: the agent's own name for it.

    answer_schema: the JSON Schema that its answer is held to, where it can be.
    """

    type: Literal["model_request"] = "model_request"
    call: Id
    messages: Annotated[tuple[ModelMessage, ...], Field(min_length=1, max_length=200)]
    answer_schema: dict[str, Any] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=32_000)] = 1_024
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: int | None = None


CoreMessage = Annotated[
    UserInput | SpecRequest | BuildRequest | FixRequest | TestRequest | ModelReply | ModelFailed | Shutdown,
    Field(discriminator="type"),
]
AgentMessage = Annotated[
    AgentResponse | AgentFailed | Progress | FileWritten | ModelRequest, Field(discriminator="type")
]

FROM_CORE: TypeAdapter[CoreMessage] = TypeAdapter(CoreMessage)
FROM_AGENT: TypeAdapter[AgentMessage] = TypeAdapter(AgentMessage)
