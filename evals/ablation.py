"""What each piece of code around the small model is worth: the messages again, one piece out at a time.

Knows:    which function each piece hangs on, and what takes its place.
Does not: judge a turn.   (scoring.py)
Run:      python -m evals.ablation [--set unseen] [--filter ID] [--only PIECE]
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import anyio
import click

from evals import play
from evals.messages import SETS, Dialogue, load
from evals.scoring import Verdict, summarise

_HEADS = "  right call   facts held  language     solved      harm  calls a turn"

Take = Mapping[str, Callable[..., Any]]
"""What takes the place of which function: by its dotted name."""


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _first(value: Any, *_: Any) -> Any:
    return value


def _yes(*_: Any, **__: Any) -> bool:
    return True


def _no(*_: Any, **__: Any) -> bool:
    return False


def _no_text(*_: Any, **__: Any) -> str:
    return ""


PIECES: Mapping[str, Take] = {
    "nothing": {},
    "courtesies answered by a fixed sentence": {"model.constrained.opening": _no_text},
    "no search for what is no shop's business": {"model.deciding.wording.concerns_shop": _yes},
    "the rules searched for where the model asks back": {"model.deciding.wording.asks_of_rules": _no},
    "searches in the customer's words": {"model.deciding._in_own_words": _first},
    "a number alone belongs to the wish before it": {"model.deciding._with_wish": _first},
    "a follow-up is looked up again": {"model.deciding._going_on": _nothing},
    "a rule beside an order is answered too": {
        "model.constrained.deciding.due": _first,
        "model.deciding.due": _first,
    },
    "numbers that count are no orders": {"model.routing.is_quantity": _no},
    "a change must be asked for": {"agent.calls.asked_for": _yes},
    "the category shown by words": {"model.routing._narrowed": _first},
    "the server's sentences told": {"model.constrained.settled": _no_text},
    "answers held to the server's words": {"model.answering.support.supported": _yes},
}


@click.command()
@click.option("--set", "chosen", type=click.Choice(list(SETS)), default="unseen", show_default=True)
@click.option("--filter", "containing", default="", help="Only dialogues whose id or group contains this.")
@click.option("--only", "named", default="", help="Only pieces whose name contains this.")
def main(chosen: str, containing: str, named: str) -> None:
    """Play a set of messages once for each piece of code, without that piece."""
    dialogues = play.chosen(load(SETS[chosen]), containing, None)
    pieces = {name: taken for name, taken in PIECES.items() if named in name}
    if not dialogues or not pieces:
        raise click.UsageError("Nothing to play: no dialogue or no piece has that in its name.")
    anyio.run(_run, dialogues, pieces)


async def _run(dialogues: Sequence[Dialogue], pieces: Mapping[str, Take]) -> None:
    from common.settings import load as settings
    from model.provider import opened
    from model.settings import ModelSettings
    from model.weights import quiet

    async with opened(settings(ModelSettings), quiet) as chat:
        print(chat.name, f"{'without':<50}{_HEADS}", sep="\n\n", flush=True)
        for name, taken in pieces.items():
            with ExitStack() as stack:
                for place, instead in taken.items():
                    stack.enter_context(patch(place, instead))
                verdicts = await play.play(dialogues, lambda: play.fresh_shop(chat), _nothing)
            print(_line(name, verdicts), flush=True)


def _line(name: str, verdicts: list[Verdict]) -> str:
    found = summarise(verdicts)
    harm = found.invented + found.unverified + found.claims + found.unasked
    figures = (found.right_call, found.answers, found.in_language, found.solved)
    shares = "".join(f"{share.count:>5} of {share.total:<4}" for share in figures)
    return f"{name:<50}{shares}{harm:>6}{found.model_calls:>10.2f}"


if __name__ == "__main__":
    main()
