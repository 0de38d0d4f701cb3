"""What an adapter told and what its server was asked, as the transcripts that scoring reads.

Knows:    the request that an adapter gets, the lines that it tells, and the recording of its servers.
Does not: start anything.   (evals/frameworks/__main__.py)
Request:  base_url, api_key, model: an OpenAI-compatible endpoint; instructions: the system prompt; server: a
          command, in which {record} stands for the dialogue's recording; environment, root: what the server
          is started with and where; folder: where the recordings go; dialogues: [{id, turns: [text]}], each
          with a model of its own where it names one.
Line:     dialogue, turn, reply, seconds, model_calls; recorded: lines of the recording up to the end of the
          turn; error: why a turn broke off.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from common.events import Done, Event, GateDecision, ToolRequested, ToolReturned, ToolStarted
from evals import truth
from evals.messages import Dialogue
from evals.scoring import Place, Verdict, judge
from evals.tongue import languages
from evals.transcript import Transcript

UNUSABLE = frozenset({"unknown_tool", "invalid_arguments"})
"""The server's codes for a call that it could not use at all."""

SILENT = "the adapter told nothing of this turn"


@dataclass(frozen=True)
class Told:
    """A turn as the adapter told it."""

    reply: str = ""
    seconds: float = 0.0
    model_calls: int = 0
    recorded: int | None = None
    error: str = ""


def read_told(path: Path) -> dict[tuple[str, int], Told]:
    """Return what the adapter told, by dialogue and turn."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    told = [json.loads(line) for line in lines]
    return {
        (one["dialogue"], one["turn"]): Told(
            one["reply"], one["seconds"], one["model_calls"], one["recorded"], one.get("error", "")
        )
        for one in told
    }


def read_recording(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return the messages that passed: to "server" or "client"; what is no JSON object is an empty one."""
    if not path.exists():
        return []
    entries = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [(entry["to"], _object(entry["line"])) for entry in entries]


def events(messages: Iterable[tuple[str, dict[str, Any]]]) -> list[Event]:
    """Return the calls and results among the messages, in their order."""
    found: list[Event] = []
    calls: dict[Any, ToolStarted] = {}
    for direction, message in messages:
        name = message.get("id")
        if direction == "server" and message.get("method") == "tools/call":
            params = message.get("params", {})
            started = ToolStarted(str(name), str(params.get("name")), params.get("arguments") or {})
            calls[name] = started
            found += [ToolRequested(started.call_id, started.tool, json.dumps(started.arguments)), started]
        elif direction == "client" and name in calls:
            found += _answer(calls[name], message)
    return found


def verdicts(
    dialogues: Sequence[Dialogue], folder: Path, orders: Mapping[str, Mapping[str, Any]]
) -> list[Verdict]:
    """Return the verdict on every turn, judged as the turns of the real agent are.

    folder: turns.jsonl and a recording for each dialogue. orders: order id -> its true fields.
    """
    told = read_told(folder / "turns.jsonl")
    found: list[Verdict] = []
    for dialogue in dialogues:
        messages = read_recording(folder / f"{dialogue.id}.jsonl")
        seen, begin = truth.at_start(), 0
        for number, (turn, language) in enumerate(zip(dialogue.turns, languages(dialogue), strict=True), 1):
            one = told.get((dialogue.id, number), Told(error=SILENT))
            end = begin if one.recorded is None else one.recorded
            passed: list[Event] = [
                *events(messages[begin:end]),
                Done(one.reply, {"llm_calls": one.model_calls}),
            ]
            run = Transcript(turn.text, one.reply, one.seconds, one.error, passed)
            place = Place(dialogue.id, dialogue.group, number, language)
            found.append(
                judge(place, turn, run, seen, {order: orders.get(order, {}) for order in turn.facts})
            )
            seen.add(run)
            begin = end
    return found


def _answer(call: ToolStarted, message: dict[str, Any]) -> list[Event]:
    result: dict[str, Any] = message.get("result") or {}
    failed = "error" in message or bool(result.get("isError"))
    data = result.get("structuredContent")
    held = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    text = "\n".join(str(block.get("text", "")) for block in result.get("content", []))
    if failed and (held.get("error") in UNUSABLE or "error" in message):
        return [GateDecision("validation", False, text, call.call_id, call.tool)]
    return [ToolReturned(call.call_id, call.tool, call.arguments, failed, held, text, 0.0)]


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
