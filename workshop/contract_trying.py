"""The tester of contracts: `validate`, `build` into a registry of its own, `check`, a call on the demo shop.

Knows:    the commands, and where the arguments of a call come from.
Does not: start a process itself (contract_commands.py), or ask a model.
Rule:     a read is called, a change is previewed, and each is told as what it was. An id comes from something
          that the shop itself listed; where there is none, the call is said to be missing and not made.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from workshop.contract_commands import Printed, Run, object_of
from workshop.contract_draft import Draft, Fixed, read_draft
from workshop.contract_wording import Complaint

UPSTREAM = "salla"
"""The row of upstreams.yaml that the demo shop stands in for."""

_MOST_TOLD = 200


@dataclass
class Found:
    """What was found.

    checks: what was run, and its result. problems: what went wrong. own_words: what is left to be worded.
    """

    checks: list[str] = field(default_factory=list[str])
    problems: list[str] = field(default_factory=list[str])
    own_words: list[str] = field(default_factory=list[str])


class Trial:
    """Commands on folders of its own, below one that is gone afterwards."""

    def __init__(self, run: Run, scratch: Path) -> None:
        self._run = run
        self._scratch = scratch
        self._everything: list[Draft] | None = None
        self._cannot: frozenset[str] = frozenset()
        self._ids: dict[str, Any] = {}

    @property
    def description_file(self) -> Path:
        """Return where the shop's description is kept."""
        return self._scratch / "api.json"

    async def description(self) -> dict[str, Any]:
        """Return the demo shop's OpenAPI description.

        Raises: ContractsUnusable, as everything here does.
        """
        printed = await self._command("demo", "--describe", "--json")
        found = object_of(printed, "demo --describe")
        self.description_file.write_text(printed.out, encoding="utf-8")
        return found

    async def drafted(self, name: str, only: Sequence[str]) -> tuple[Draft | None, list[str]]:
        """Return the importer's draft of these operations, and why some are left out of it."""
        out = self._scratch / "draft"
        chosen = [word for each in only for word in ("--only", each)]
        said = await self._imported(out, "--name", name, *chosen)
        refused = [f"{each['operation']}: {each['reason']}." for each in said["refused"]]
        return (read_draft(out / name) if said["tasks"] else None), refused

    async def validated(self, folder: Path) -> list[Complaint]:
        """Return what is wrong with a task's files."""
        said = object_of(await self._command("validate", str(folder), "--json"), "validate")
        return [_complaint(each) for each in said["problems"]]

    async def pinned(self, folder: Path, existing: Sequence[Path], found: Found) -> Path | None:
        """Pin the task beside those that there are, in a registry of its own; None where it is refused."""
        tasks, registry = self._scratch / "tasks", self._scratch / "registry"
        for each in (*existing, folder):
            shutil.copytree(each, tasks / each.name)
        printed = await self._command("build", "--tasks", str(tasks), "--registry", str(registry))
        if printed.code:
            found.checks.append("`build` refused it, together with the tasks that there are.")
            found.problems.append(printed.said[:1_000])
            return None
        found.checks.append(
            f"`build` pinned it in a registry of its own, beside {len(existing)} other tasks."
        )
        said = object_of(await self._command("check", str(registry), "--json"), "check")
        own = [each for each in said["functions"] if each["name"].startswith(f"{folder.name}_")]
        bad = [each for each in own if not each["runs"]]
        found.problems += [f"{each['name']} cannot run here: {'; '.join(each['reasons'])}." for each in bad]
        found.checks.append(f"`check`: {len(own) - len(bad)} of {len(own)} functions can run here.")
        self._cannot = frozenset(each["name"] for each in bad)
        return registry

    async def tried(self, draft: Draft, registry: Path, fixed: Sequence[Fixed], found: Found) -> None:
        """Call every function on the demo shop; a change is previewed."""
        for each in draft.functions:
            name = f"{draft.name}_{each['name']}"
            if name in self._cannot:
                continue
            arguments, missing = await self._arguments(each)
            if missing:
                text = f"{name} was not called: the demo shop has nothing to give {', '.join(missing)} from."
                found.problems.append(text)
                continue
            said = await self._call(name, registry, arguments)
            if not said["ok"]:
                failure = said["failure"]
                found.problems.append(
                    f"{name} failed on the demo shop: {failure['message']} {failure['next']}"
                )
            else:
                found.checks.append(_told(name, said))
                found.problems += _unlike(name, said, [one for one in fixed if one.function == each["name"]])

    async def _arguments(self, function: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """Return values for what a function cannot do without, and what there is no value for."""
        params = function["params"]
        given: dict[str, Any] = {}
        missing: list[str] = []
        for name in params.get("required", ()):
            shape = _mapping(params["properties"].get(name))
            value = await self._value(shape, is_read=function["effect"] == "read", name=name)
            if value is None:
                missing.append(name)
            else:
                given[name] = value
        return given, missing

    async def _value(self, shape: Mapping[str, Any], *, is_read: bool, name: str) -> Any:
        if "default" in shape:
            return shape["default"]
        if values := shape.get("enum"):
            return values[0]
        if kind := shape.get("x-grounding"):
            if kind not in self._ids:
                self._ids[str(kind)] = await self._listed(str(kind))
            return self._ids[str(kind)]
        if is_read:  # with a made-up word, a read that finds nothing would show nothing
            return None
        kinds = shape.get("type")
        first = kinds if isinstance(kinds, str) else (kinds or ["string"])[0]
        made_up = {"string": f"a {name.replace('_', ' ')}", "integer": 1, "number": 1, "boolean": True}
        return made_up.get(first)

    async def _listed(self, kind: str) -> Any:
        """Return the first id of a kind in a list that the shop gives without being asked for anything."""
        for draft in await self._all():
            for each in draft.functions:
                fields = _mapping(_mapping(each.get("response")).get("fields"))
                plain = each["effect"] == "read" and not each["params"].get("required")
                if not plain or fields.get("type") != "array" or not _has(fields, kind):
                    continue
                folder = self._scratch / "everything" / draft.name
                said = await self._call(f"{draft.name}_{each['name']}", folder, {})
                if said["ok"] and (value := next(_grounded(fields, said["data"], kind), None)) is not None:
                    return value
        return None

    async def _all(self) -> list[Draft]:
        """Return drafts of the whole API, those whose own thing an id is being the ones that come first."""
        if self._everything is None:
            out = self._scratch / "everything"
            said = await self._imported(out)
            self._everything = [read_draft(out / name) for name in said["tasks"]]
        return self._everything

    async def _imported(self, out: Path, *options: str) -> dict[str, Any]:
        printed = await self._command(
            "import", "openapi", str(self.description_file), "--out", str(out), "--upstream", UPSTREAM,
            "--json", *options,
        )  # fmt: skip
        return object_of(printed, "import openapi")

    async def _call(self, name: str, tasks: Path, arguments: Mapping[str, Any]) -> dict[str, Any]:
        written = json.dumps(arguments, ensure_ascii=False)
        printed = await self._command("call", name, "--tasks", str(tasks), "--arguments", written)
        return object_of(printed, f"call {name}")

    async def _command(self, *arguments: str) -> Printed:
        return await self._run(arguments, {"CONTRACTS_REGISTRY": str(self._scratch / "registry")})


def _complaint(problem: Mapping[str, Any]) -> Complaint:
    where = str(problem["field"])
    at = where.removeprefix("functions[").partition("]")[0] if where.startswith("functions[") else ""
    text = " ".join(str(problem[part]) for part in ("field", "rule", "remedy") if problem[part])
    return Complaint(text, int(at) if at.isdigit() else None)


def _told(name: str, said: Mapping[str, Any]) -> str:
    if said["effect"] != "read":
        return f"{name} was previewed and not made: {said['preview']!r} would send {said['request']}."
    if said["count"] == 0:
        return f"{name} was called on the demo shop, which has nothing of this kind to show."
    told = str(said["told"])
    shown = told if len(told) <= _MOST_TOLD else f"{told[:_MOST_TOLD]}…"
    return f"{name} was called on the demo shop: {shown}"


def _unlike(name: str, said: Mapping[str, Any], fixed: Sequence[Fixed]) -> Iterator[str]:
    """Say where what came back is not what the sentence's own word stands for."""
    items = cast(list[Any], said["data"]) if isinstance(said.get("data"), list) else []
    for one in fixed:
        values = {str(_mapping(item)[one.argument]) for item in items if one.argument in _mapping(item)}
        if values - {one.value}:
            yield f"{name} asks for {one.argument} {one.value}, and {', '.join(sorted(values))} came back."


def _has(shape: Mapping[str, Any], kind: str) -> bool:
    inner = [*_mapping(shape.get("properties")).values(), shape.get("items")]
    return shape.get("x-grounding") == kind or any(_has(_mapping(each), kind) for each in inner if each)


def _grounded(shape: Mapping[str, Any], data: Any, kind: str) -> Iterator[Any]:
    """Yield the values that are ids of a kind, in the order of the data."""
    if shape.get("x-grounding") == kind and isinstance(data, int | str) and data:
        yield data
    elif isinstance(data, list):
        for item in cast(list[Any], data):
            yield from _grounded(_mapping(shape.get("items")), item, kind)
    elif isinstance(data, dict):
        for name, inner in _mapping(shape.get("properties")).items():
            yield from _grounded(_mapping(inner), cast(dict[str, Any], data).get(name), kind)


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}
