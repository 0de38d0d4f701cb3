"""What tests of contract building share: a scripted model, and the real commands run in this process.

Knows:    that a process a command costs seconds, and that the commands are the same without one.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio.to_thread
from click.testing import CliRunner

from contracts.__main__ import main
from llm import Completion, ModelError, Reply, Usage
from workshop.contract_account import ContractAccount
from workshop.contract_building import build_contract
from workshop.contract_commands import Printed

Answer = dict[str, Any] | str | ModelError


class Commands:
    """Runs the commands, and keeps what was asked of them."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.settings: list[Mapping[str, str]] = []

    async def __call__(self, arguments: Sequence[str], settings: Mapping[str, str]) -> Printed:
        self.asked.append(tuple(arguments))
        self.settings.append(settings)

        def run() -> Printed:
            ran = CliRunner().invoke(main, list(arguments), env=dict(settings))
            return Printed(ran.exit_code, ran.stdout, ran.stderr)

        # In a thread: a command has an event loop of its own.
        return await anyio.to_thread.run_sync(run)

    def of(self, name: str) -> list[tuple[str, ...]]:
        return [each for each in self.asked if each[0] == name]


def good(asked: Completion) -> dict[str, Any]:
    """Answer as a good model does: in the form that is asked for, in words of the API."""
    said = str(asked.messages[-1]["content"])
    summary = said.partition("The API says of it: ")[2].partition("\n")[0] or "The shop's things."
    values: dict[str, Any] = {
        "title": "Things of the shop",
        "summary": summary,
        "when": "The user asks for it.",
    }
    form: dict[str, Any] = (asked.schema or {})["properties"]
    for name, shape in form.items():
        if "enum" in shape:
            values[name] = shape["enum"][0]
        elif shape["type"] == "array":
            values[name] = shape["items"]["enum"][:2]
    return {name: values[name] for name in form}


class Model:
    """A model that answers as `script` says, and well where that says nothing."""

    def __init__(self, script: Callable[[Completion], Answer | None] = lambda _: None) -> None:
        self.script = script
        self.asked: list[Completion] = []

    async def __call__(self, asked: Completion) -> Reply:
        self.asked.append(asked)
        answer = self.script(asked)
        answer = good(asked) if answer is None else answer
        if isinstance(answer, ModelError):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return Reply(text, usage=Usage(100, 10))

    def prompts(self, word: str = "") -> list[str]:
        return [text for each in self.asked if word in (text := str(each.messages[-1]["content"]))]


class Building:
    """One workshop folder, and what came of the sentences that were given to it."""

    def __init__(self, folder: Path, tasks: Path) -> None:
        self.folder = folder
        self.tasks = tasks
        self.commands = Commands()
        self.progress: list[str] = []

    async def __call__(self, sentence: str, model: Model | None = None, **options: Any) -> ContractAccount:
        async def heard(text: str) -> None:
            self.progress.append(text)

        with anyio.fail_after(10):
            return await build_contract(
                sentence,
                self.folder,
                model or Model(),
                on_progress=heard,
                run=self.commands,
                tasks=self.tasks,
                **options,
            )
