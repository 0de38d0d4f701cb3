"""`python -m evals`: measure the configured model on both sets of messages, and the input guardrail.

Knows:    the command line, and what ends the run with which exit code.
Does not: measure.   (play.py, scoring.py, input_guard.py)
Exit:     0 every aim met · 1 an aim missed · 2 usage or settings · 4 no model · 130 stopped.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import anyio
import click

from common.settings import BadSettings, load
from common.target import HOUSE
from evals import input_guard, messages, play, report, scoring
from evals.input_guard import Stopped
from evals.messages import APART, SETS
from evals.scoring import Verdict
from evals.settings import REPORTS, EvalSettings
from guards.input import looks_malicious
from model.errors import ModelError

PROVIDERS = ("auto", "ollama", "embedded", "openai")
MODEL_OF = {"ollama": "ollama_model", "embedded": "embedded_model", "openai": "openai_model"}
"""The setting that names the model of each provider."""


@dataclass(frozen=True)
class Played:
    """A run of the messages: the model's name, and the verdicts of each set."""

    model: str
    sets: dict[str, tuple[Verdict, ...]]


@click.command(
    epilog="Exit code: 0 every aim met, 1 an aim missed, 2 usage or settings, 4 no model, 130 stopped."
)
@click.option(
    "--set",
    "chosen",
    type=click.Choice([*SETS, *APART, "all"]),
    default="all",
    help="Play one set of messages, or all those to the shop's own server.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Play at most so many dialogues of a set.")
@click.option(
    "--filter", "containing", default="", help="Play only dialogues whose id or group contains this."
)
@click.option("--provider", type=click.Choice(PROVIDERS), help="Use this provider instead of LLM_PROVIDER.")
@click.option("--model", help="Use this model of the --provider, such as qwen2.5-coder-0.5b of embedded.")
@click.option("--guards-only", is_flag=True, help="Measure only the input guardrail; needs no model.")
def main(
    chosen: str,
    limit: int | None,
    containing: str,
    provider: str | None,
    model: str | None,
    guards_only: bool,
) -> None:
    """Play written customer messages on the real model and say what came of them.

    Example: python -m evals --set written --filter policy --limit 5
    """
    try:
        settings = _other_settings(provider, model)
        dialogues = {
            name: play.chosen(messages.load(path), containing, limit)
            for name, path in (SETS | APART).items()
            if (chosen == name or (chosen == "all" and name in SETS)) and not guards_only
        }
        dialogues = {name: found for name, found in dialogues.items() if found}
        if not guards_only and not dialogues:
            raise click.UsageError(
                f"No dialogue's id or group contains {containing!r}. Leave --filter out to play all."
            )
        exams = load(EvalSettings).exams
        stopped = input_guard.measure(input_guard.text_sets(exams), looks_malicious, exams)
        played = None if guards_only else anyio.run(run_all, dialogues, settings)
    except (BadSettings, messages.BadMessages) as error:
        raise click.UsageError(str(error)) from error
    except (ModelError, play.Broken) as error:
        click.echo(str(error), err=True)
        sys.exit(4)
    except KeyboardInterrupt:
        click.echo("Stopped. The lines above stand; no table and no report were made.", err=True)
        sys.exit(130)
    sys.exit(0 if conclude(played, stopped) else 1)


def _other_settings(provider: str | None, model: str | None) -> dict[str, str]:
    """Return the model settings that the command line puts in place of the configured ones."""
    if model is not None and provider not in MODEL_OF:
        raise click.UsageError(
            f"--model {model} needs the provider that has it: add --provider {', '.join(MODEL_OF)}."
        )
    other = {} if provider is None else {"llm_provider": provider}
    return other if model is None or provider is None else other | {MODEL_OF[provider]: model}


async def run_all(
    dialogues: Mapping[str, Sequence[messages.Dialogue]], other_settings: Mapping[str, str]
) -> Played:
    """Play the dialogues of each set on the model, printing a line a turn."""
    from model.provider import opened  # the client takes a second to import; --guards-only does without it
    from model.settings import ModelSettings
    from model.weights import quiet

    settings = load(ModelSettings).model_copy(update=dict(other_settings))
    verdicts: dict[str, tuple[Verdict, ...]] = {}
    async with opened(settings, quiet) as chat:
        for name, chosen in dialogues.items():
            print(f"{chat.name}: {len(chosen)} {name} dialogues, each in a fresh shop", flush=True)
            server = HOUSE.get(name)
            verdicts[name] = tuple(
                await play.play(
                    chosen,
                    partial(play.fresh_shop, chat, server),
                    lambda verdict: print(report.turn_line(verdict), flush=True),
                )
            )
    return Played(chat.name, verdicts)


def conclude(played: Played | None, stopped: Sequence[Stopped]) -> bool:
    """Print the misses and the tables, write the report, and return whether every aim was met."""
    parts = [
        report.Part(name, report.rows(scoring.summarise(verdicts), name), verdicts)
        for name, verdicts in (played.sets if played else {}).items()
    ]
    guard = report.guard_rows(stopped)
    looked_at = [line for part in parts for line in report.misses(part.turns, [])]
    looked_at += report.misses([], stopped)
    print("\nTo look at:" if looked_at else "\nNothing to look at.", *looked_at, sep="\n")
    for part in parts:
        print(f"\nThe {part.name} messages\n\n{report.table(part.figures)}")
    print(f"\nThe input guardrail\n\n{report.table(guard)}")
    model = played.model if played else "no model"
    path = report.write(REPORTS, report.Run(model, datetime.now(UTC), parts, guard, stopped))
    print(f"\nThe whole run: {path.relative_to(REPORTS.parent)}")
    return all(row.met is not False for row in (*guard, *(row for part in parts for row in part.figures)))


if __name__ == "__main__":
    main()
