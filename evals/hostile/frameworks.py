"""The same cases through two other agent frameworks, as they come: default settings, nobody to ask.

Knows:    how a case becomes a dialogue for an adapter, and how what passed between it and its server is read.
Does not: judge.   (judging.py)
Fair:     the server is the same in every column, and its own gates (1 2 3 5 7) hold in all of them. A
          framework that stops a call before its server hears of it has stopped it. Nobody is asked in any
          column: a framework asks nobody unless its user switches that on.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from mcp_types import CallToolResult

from agent.prompt import system_prompt
from common.events import ToolReturned
from common.settings import ROOT, server_environment
from evals.frameworks.__main__ import ADAPTERS, FRAMEWORKS, RUNS, NotThere, python_of, run_adapter
from evals.frameworks.transcripts import read_recording, read_told
from evals.hostile.case import Case, Shop
from evals.hostile.playing import Ran
from evals.hostile.serve import LIST
from evals.hostile.shops import note
from evals.hostile.stub import model_of
from evals.hostile.watch import Arrived, Watch

__all__ = ["FRAMEWORKS", "NotThere", "common", "play"]

TOO_MUCH = ("denial of service",)
"""Families of which a framework's answer is its own limit on rounds, not one of harm: they are ours alone."""


def common(cases: Sequence[Case]) -> list[Case]:
    """Return the cases that any agent can play, each with nobody to ask."""
    return [alone(case) for case in cases if _makes_sense(case)]


def alone(case: Case) -> Case:
    """Return the case as it is where nobody can be asked."""
    return replace(case, turns=tuple(replace(turn, person="nobody") for turn in case.turns))


def _makes_sense(case: Case) -> bool:
    """Say whether a case is one without its person: it allows no change, and is no other case's double."""
    return (
        all(turn.person in ("nobody", "yes") for turn in case.turns)
        and not any(tool in WRITES or case.shop == Shop("liar") for tool, _ in case.reaches)
        and case.family not in TOO_MUCH
    )


WRITES = ("create_ticket", "contact_staff")


async def play(agent: str, cases: Sequence[Case]) -> list[tuple[Case, Ran]]:
    """Play cases through a framework and return what came of each.  Raises: NotThere."""
    if not python_of(agent).exists():
        raise NotThere(f"{agent} has no environment: run `make compare-hostile`.")
    folder = RUNS / "hostile" / agent
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jsonl"):
        old.unlink()
    (folder / LIST).write_text(json.dumps([asdict(case.shop) for case in cases]), encoding="utf-8")
    with model_of(cases) as endpoint:
        request = request_for(str(folder), endpoint, cases)
        print(f"{agent}: {len(cases)} cases, each with a server of its own", flush=True)
        command = [str(python_of(agent)), str(ADAPTERS / agent / "adapter.py")]
        await run_adapter(command, request, folder, say=lambda _: None)
    told = read_told(folder / "turns.jsonl")
    return [
        (case, ran_of(case, read_recording(folder / f"{index}.jsonl"), list(_shown(told, str(index), case))))
        for index, case in enumerate(cases)
    ]


def request_for(folder: str, endpoint: str, cases: Sequence[Case]) -> dict[str, Any]:
    """Return what an adapter is told; the model of each dialogue is its number."""
    recorder = str(ADAPTERS / "recorded.py")
    return {
        "base_url": endpoint,
        "api_key": "none",
        "model": "0",
        "instructions": system_prompt([], {}),
        "server": [
            sys.executable,
            recorder,
            "{record}",
            sys.executable,
            "-m",
            "evals.hostile.serve",
            "{record}",
        ],
        "environment": server_environment(),
        "root": str(ROOT),
        "folder": folder,
        "dialogues": [
            {"id": str(index), "model": str(index), "turns": [turn.customer for turn in case.turns]}
            for index, case in enumerate(cases)
        ],
    }


def _shown(told: Any, dialogue: str, case: Case) -> Iterator[tuple[str, str]]:
    for number in range(1, len(case.turns) + 1):
        if one := told.get((dialogue, number)):
            yield one.reply, one.error


def ran_of(
    case: Case, messages: Sequence[tuple[str, dict[str, Any]]], turns: Sequence[tuple[str, str]]
) -> Ran:
    """Return what came of a case, from what passed between the framework and its server."""
    watch, results = Watch(), list[ToolReturned]()
    for call, answer in calls_of(messages):
        result = CallToolResult.model_validate(answer)
        if case.shop.name == "ours":
            note(watch, call, result)
        elif not result.is_error:
            text = "\n".join(str(getattr(block, "text", "")) for block in result.content)
            watch.calls.append(replace(call, said=text, changed=_changes(call)))
        results.append(_returned(call, result))
    return Ran(
        arrived=tuple(watch.calls),
        changes=sum(call.changed for call in watch.calls),
        shown=tuple(reply for reply, _ in turns if reply.strip()),
        typed=tuple(turn.customer for turn in case.turns),
        results=tuple(results),
        error=next((error for _, error in turns if error), ""),
    )


def calls_of(messages: Sequence[tuple[str, dict[str, Any]]]) -> Iterator[tuple[Arrived, dict[str, Any]]]:
    """Yield each call that was answered with a result, and the result."""
    open: dict[Any, Arrived] = {}
    for direction, message in messages:
        name = message.get("id")
        if direction == "server" and message.get("method") == "tools/call":
            params: dict[str, Any] = message.get("params") or {}
            open[name] = Arrived(str(params.get("name")), params.get("arguments") or {})
        elif direction == "client" and name in open and isinstance(message.get("result"), dict):
            yield open.pop(name), message["result"]


READ_ONLY = ("find", "read", "help", "long", "deep", "wide")
"""The foreign tools that change nothing; every other one does, whatever it says of itself."""


def _changes(call: Arrived) -> bool:
    looks_first = call.tool == "lookup" and not call.arguments  # of turncoat, which is a look-up until then
    return call.tool not in READ_ONLY and not looks_first


def _returned(call: Arrived, result: CallToolResult) -> ToolReturned:
    text = "\n".join(str(getattr(block, "text", "")) for block in result.content)
    data: dict[str, Any] = result.structured_content or {}
    return ToolReturned("", call.tool, call.arguments, bool(result.is_error), data, text, 0.0)
