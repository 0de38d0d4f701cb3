"""`python -m evals`: measure the configured model on the written messages, and the input guardrail.

Knows:    the command line, and what ends the run with which exit code.
Does not: measure.   (play.py, scoring.py, input_guard.py)
Exit:     0 every aim met · 1 an aim missed · 2 usage or settings · 4 no model · 130 stopped.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio
import click

from common.settings import BadSettings, load
from evals import input_guard, messages, play, report, scoring
from evals.input_guard import Stopped
from evals.scoring import Verdict
from evals.settings import REPORTS, EvalSettings
from guards.input import looks_malicious
from model.errors import ModelError

PROVIDERS = ("auto", "ollama", "embedded", "openai")


@dataclass(frozen=True)
class Played:
    """A run of the messages: the model's name and the verdicts."""

    model: str
    verdicts: tuple[Verdict, ...]


@click.command(
    epilog="Exit code: 0 every aim met, 1 an aim missed, 2 usage or settings, 4 no model, 130 stopped."
)
@click.option("--limit", type=click.IntRange(min=1), help="Play at most so many dialogues.")
@click.option(
    "--filter", "containing", default="", help="Play only dialogues whose id or group contains this."
)
@click.option("--provider", type=click.Choice(PROVIDERS), help="Use this provider instead of LLM_PROVIDER.")
@click.option("--guards-only", is_flag=True, help="Measure only the input guardrail; needs no model.")
def main(limit: int | None, containing: str, provider: str | None, guards_only: bool) -> None:
    """Play written customer messages on the real model and say what came of them.

    Example: python -m evals --filter policy --limit 5
    """
    try:
        dialogues = play.chosen(messages.load(), containing, limit)
        if not dialogues:
            raise click.UsageError(
                f"No dialogue's id or group contains {containing!r}. Leave --filter out to play all."
            )
        exams = load(EvalSettings).exams
        stopped = input_guard.measure(input_guard.text_sets(exams), looks_malicious, exams)
        played = None if guards_only else anyio.run(run_all, dialogues, provider)
    except (BadSettings, messages.BadMessages) as error:
        raise click.UsageError(str(error)) from error
    except (ModelError, play.Broken) as error:
        click.echo(str(error), err=True)
        sys.exit(4)
    except KeyboardInterrupt:
        click.echo("Stopped. The lines above stand; no table and no report were made.", err=True)
        sys.exit(130)
    sys.exit(0 if conclude(played, stopped) else 1)


async def run_all(dialogues: Sequence[messages.Dialogue], provider: str | None) -> Played:
    """Play the dialogues on the model, printing a line a turn."""
    from model.provider import opened  # the client takes a second to import; --guards-only does without it
    from model.settings import ModelSettings
    from model.weights import quiet

    settings = load(ModelSettings)
    if provider is not None:
        settings = settings.model_copy(update={"llm_provider": provider})
    async with opened(settings, quiet) as chat:
        print(f"{chat.name}: {len(dialogues)} dialogues, each in a fresh shop", flush=True)
        verdicts = await play.play(
            dialogues,
            lambda: play.fresh_shop(chat),
            lambda verdict: print(report.turn_line(verdict), flush=True),
        )
    return Played(chat.name, tuple(verdicts))


def conclude(played: Played | None, stopped: Sequence[Stopped]) -> bool:
    """Print the misses and the table, write the report, and return whether every aim was met."""
    verdicts = played.verdicts if played else ()
    lines = report.rows(scoring.summarise(verdicts)) if played else []
    lines += report.guard_rows(stopped)
    looked_at = list(report.misses(verdicts, stopped))
    print("\nTo look at:" if looked_at else "\nNothing to look at.", *looked_at, sep="\n")
    print(f"\n{report.table(lines)}")
    model = played.model if played else "no model"
    path = report.write(REPORTS, report.Run(model, datetime.now(UTC), lines, verdicts, stopped))
    print(f"\nThe whole run: {path.relative_to(REPORTS.parent)}")
    return all(row.met is not False for row in lines)


if __name__ == "__main__":
    main()
