"""`python -m evals.frameworks`: the written messages through this agent and others, side by side.

Knows:    where each framework has its environment and adapter, and the order of the run.
Does not: judge.   (transcripts.py, evals/scoring.py)
Each agent gets the same model, started afresh, and for each dialogue a server of its own. The frameworks run
as they come: their default settings, no guard of ours, every call approved.
Exit:     0 played and judged · 2 usage or settings · 4 no model · 130 stopped.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import click
from anyio.streams.text import TextReceiveStream
from pydantic import TypeAdapter

from agent.prompt import system_prompt
from common.settings import ROOT, BadSettings, load, server_environment
from evals import messages, play, report, scoring
from evals.frameworks import table, transcripts
from evals.messages import SETS, Dialogue
from evals.scoring import Verdict
from evals.settings import HERE, REPORTS
from model.errors import ModelError

OURS = "shopkart"
FRAMEWORKS = ("pydantic-ai", "openai-agents")
RUNS = REPORTS / "compare"
ADAPTERS = HERE / "frameworks"
VERDICTS = TypeAdapter(list[Verdict])


class NotThere(Exception):
    """A framework's environment, or what an earlier run left, is not there."""


@click.command(epilog="Exit code: 0 played and judged, 2 usage or settings, 4 no model, 130 stopped.")
@click.option("--set", "name", type=click.Choice([*SETS]), default="written", help="Play this set.")
@click.option("--limit", type=click.IntRange(min=1), help="Play at most so many dialogues.")
@click.option(
    "--filter", "containing", default="", help="Play only dialogues whose id or group contains this."
)
@click.option(
    "--only",
    type=click.Choice([OURS, *FRAMEWORKS]),
    multiple=True,
    help="Play only this one; can be repeated.",
)
@click.option("--model", help="Use this embedded model instead of the one EMBEDDED_MODEL names.")
@click.option("--judge-again", is_flag=True, help="Play nothing: judge what the last run left.")
def main(
    name: str, limit: int | None, containing: str, only: tuple[str, ...], model: str | None, judge_again: bool
) -> None:
    """Play the written messages through this agent and through other frameworks, and compare.

    Example: python -m evals.frameworks --limit 5 --only pydantic-ai
    """
    try:
        dialogues = play.chosen(messages.load(SETS[name]), containing, limit)
        agents = [each for each in (OURS, *FRAMEWORKS) if not only or each in only]
        anyio.run(_run, dialogues, agents, model, judge_again)
    except (BadSettings, messages.BadMessages, NotThere) as error:
        raise click.UsageError(str(error)) from error
    except (ModelError, play.Broken) as error:
        click.echo(str(error), err=True)
        sys.exit(4)
    except KeyboardInterrupt:
        click.echo("Stopped. What was played so far is in var/compare.", err=True)
        sys.exit(130)


async def _run(
    dialogues: Sequence[Dialogue], agents: Sequence[str], model: str | None, judge_again: bool
) -> None:
    if not judge_again:
        await _play_all(dialogues, agents, model)
    orders = json.loads(_left("orders.json"))
    found = {agent: _judged(agent, dialogues, orders) for agent in agents}
    for agent, verdicts in found.items():
        print(f"\n{agent}, to look at:", *report.misses(verdicts, []), sep="\n")
    print(f"\n{table.table({agent: scoring.summarise(verdicts) for agent, verdicts in found.items()})}")


async def _play_all(dialogues: Sequence[Dialogue], agents: Sequence[str], model: str | None) -> None:
    for agent in agents:
        if agent != OURS and not python_of(agent).exists():
            where = python_of(agent).relative_to(ROOT)
            raise NotThere(f"{agent} has no environment: {where} is not there. Run `make compare`.")
    RUNS.mkdir(parents=True, exist_ok=True)
    (RUNS / "orders.json").write_text(json.dumps(await true_orders(dialogues)), encoding="utf-8")
    for agent in agents:
        await (_play_ours(dialogues, model) if agent == OURS else _play(agent, dialogues, model))


def python_of(agent: str) -> Path:
    """Return the interpreter of a framework's own environment."""
    return RUNS / agent / ".venv" / "bin" / "python"


def _judged(agent: str, dialogues: Sequence[Dialogue], orders: Mapping[str, Any]) -> list[Verdict]:
    if agent == OURS:
        return VERDICTS.validate_json(_left(f"{OURS}/verdicts.json"))
    _left(f"{agent}/turns.jsonl")
    return transcripts.verdicts(dialogues, RUNS / agent, orders)


def _left(name: str) -> bytes:
    """Return what a run left: the orders of its day, and the turns of each agent."""
    try:
        return (RUNS / name).read_bytes()
    except FileNotFoundError:
        raise NotThere(
            f"Nothing was played: var/compare/{name} is not there. Run without --judge-again."
        ) from None


async def true_orders(dialogues: Sequence[Dialogue]) -> dict[str, dict[str, Any]]:
    """Return the fields of every order of which a fact is asked, read past every agent."""
    named = {order for dialogue in dialogues for turn in dialogue.turns for order in turn.facts}
    async with play.open_server() as bridge:
        looked_up = {order: await bridge.call("get_order_status", {"order_id": order}) for order in named}
    return {order: result.data for order, result in looked_up.items() if not result.is_error}


async def _play_ours(dialogues: Sequence[Dialogue], model: str | None) -> None:
    from model.provider import opened

    async with opened(_settings(model)) as chat:
        print(f"{OURS}: {chat.name}", flush=True)
        verdicts = await play.play(
            dialogues,
            lambda: play.fresh_shop(chat),
            lambda verdict: print(report.turn_line(verdict), flush=True),
        )
    (RUNS / OURS).mkdir(parents=True, exist_ok=True)
    (RUNS / OURS / "verdicts.json").write_bytes(VERDICTS.dump_json(verdicts, indent=1))


async def _play(agent: str, dialogues: Sequence[Dialogue], model: str | None) -> None:
    from model.provider import choose

    folder = RUNS / agent
    for old in list(folder.glob("*.jsonl")):
        old.unlink()
    chosen = await choose(_settings(model))
    try:
        print(f"{agent}: {chosen.target.name}", flush=True)
        endpoint = {
            "base_url": chosen.target.base_url,
            "api_key": chosen.target.api_key,
            "model": chosen.target.model,
        }
        request = endpoint | request_for(folder, dialogues)
        await run_adapter([str(python_of(agent)), str(ADAPTERS / agent / "adapter.py")], request, folder)
    finally:
        chosen.stop()


def _settings(model: str | None) -> Any:
    from model.settings import ModelSettings

    other = {"llm_provider": "embedded"} | ({} if model is None else {"embedded_model": model})
    return load(ModelSettings).model_copy(update=other)


def request_for(folder: Path, dialogues: Sequence[Dialogue]) -> dict[str, Any]:
    """Return what an adapter is told beside the endpoint."""
    recorder = str(ADAPTERS / "recorded.py")
    return {
        "instructions": system_prompt([], {}),
        "server": [sys.executable, recorder, "{record}", sys.executable, str(ROOT / "server.py")],
        "environment": server_environment(),
        "root": str(ROOT),
        "folder": str(folder),
        "dialogues": [{"id": one.id, "turns": [turn.text for turn in one.turns]} for one in dialogues],
    }


def _say(told: dict[str, Any]) -> None:
    what = told.get("error") or " ".join(told["reply"].split())
    print(f"{told['dialogue']}/{told['turn']}  {told['seconds']:.1f} s  {what[:110]}", flush=True)


async def run_adapter(
    command: list[str], request: dict[str, Any], folder: Path, say: Callable[[dict[str, Any]], None] = _say
) -> None:
    """Run an adapter; what it tells goes to turns.jsonl and, by `say`, to the screen."""
    with (
        (folder / "stderr.txt").open("wb") as stderr,
        (folder / "turns.jsonl").open("w", encoding="utf-8") as out,
    ):
        process = await anyio.open_process(command, stdin=subprocess.PIPE, stderr=stderr)
        async with process:
            assert process.stdin is not None and process.stdout is not None  # both are pipes
            await process.stdin.send(json.dumps(request).encode())
            await process.stdin.aclose()
            rest = ""
            async for text in TextReceiveStream(process.stdout):
                *lines, rest = (rest + text).split("\n")
                for line in lines:
                    out.write(line + "\n")
                    out.flush()
                    say(json.loads(line))
    if process.returncode:
        print(
            f"The adapter ended with {process.returncode}; see {folder.relative_to(ROOT)}/stderr.txt.",
            flush=True,
        )


if __name__ == "__main__":
    main()
