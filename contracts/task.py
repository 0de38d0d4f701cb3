"""A task as it was read and checked: its functions, views, prompts and skills, and the digest of its bytes.

Knows:    the full names under which the parts of a task are known to everybody else.
Does not: read, check, or run.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from common.approval import canonical
from contracts.contract import Function, PromptHead, SkillHead, TaskFile, View


@dataclass(frozen=True)
class Offered:
    """A function of a task, under the name that models and people use: `categories_list`.

    upstream: the name in the deployment's table.
    """

    task: str
    contract: Function
    upstream: str

    @property
    def name(self) -> str:
        """Return TASK_FUNCTION."""
        return f"{self.task}_{self.contract.name}"

    @cached_property
    def generation(self) -> str:
        """Return the digest of everything in the contract that a request and a result are made from."""
        said = self.contract.model_dump(mode="json", by_alias=True)
        return hashlib.sha256(canonical([self.task, self.upstream, said]).encode()).hexdigest()

    @cached_property
    def params_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments: an object that takes no others."""
        said = self.contract.params.schema_dict()
        return {"type": "object", "properties": {}, **said, "additionalProperties": False}

    @cached_property
    def fields_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the data in a result."""
        return self.contract.response.fields.schema_dict()


@dataclass(frozen=True)
class Prompt:
    """A prompt, from prompts/NAME.md. text: with `{argument}` where an argument stands."""

    task: str
    stem: str
    head: PromptHead
    text: str

    @property
    def name(self) -> str:
        """Return TASK_PROMPT."""
        return f"{self.task}_{self.stem}"


@dataclass(frozen=True)
class Skill:
    """A skill, from skills/NAME/SKILL.md."""

    task: str
    head: SkillHead
    text: str

    @property
    def name(self) -> str:
        """Return TASK_SKILL."""
        return f"{self.task}_{self.head.name.replace('-', '_')}"

    @property
    def uri(self) -> str:
        """Return the address of the resource."""
        return f"skill://{self.task}/{self.head.name}"


@dataclass(frozen=True)
class OfferedView:
    """A view of a task."""

    task: str
    contract: View

    @property
    def name(self) -> str:
        """Return TASK_VIEW."""
        return f"{self.task}_{self.contract.name}"


@dataclass(frozen=True)
class Task:
    """One task. digest: over the names and bytes of its files."""

    file: TaskFile
    functions: tuple[Offered, ...]
    views: tuple[OfferedView, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    skills: tuple[Skill, ...] = ()
    digest: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes], repr=False)

    @property
    def name(self) -> str:
        """Return the task's name."""
        return self.file.name


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return one digest of a task's files. files: path inside the task -> bytes."""
    sums = [[path, hashlib.sha256(data).hexdigest()] for path, data in sorted(files.items())]
    return hashlib.sha256(canonical(sums).encode(errors="surrogatepass")).hexdigest()
