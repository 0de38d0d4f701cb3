"""What came of a run, told as it is: what works, what does not, what to look at.

Knows:    the outcomes, and the words for each.
Does not: judge.   (judging.py, second_opinion.py)
"""

from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal["done", "unsure", "not_done", "untested", "not_built", "declined"]

HEADLINES: dict[Outcome, str] = {
    "done": "Done: every test passes.",
    "unsure": "Not sure: every test passes, and other programs do not confirm the rest.",
    "not_done": "Not done: not every test passes.",
    "untested": "Built and not tested: nothing here says that it works.",
    "not_built": "Not built.",
    "declined": "Not built: nobody said yes.",
}

STANDS: dict[Outcome, str] = {
    "done": "done",
    "unsure": "not sure",
    "not_done": "not done",
    "untested": "not tested",
    "not_built": "not built",
    "declined": "not agreed to",
}
"""The same in a word or two, for a list."""


@dataclass(frozen=True)
class Account:
    """The end of a run.

    works, fails: one line a test, in the words of the example. look_at: what a person should do or check, one
    thing each. stated, proposed: how many tests are the person's own and how many a model proposed. attempts:
    how many versions of the program were judged. compared: how many programs that pass were compared, the own
    one with them; agreeing: how many of them answer alike. tokens: prompt and answer of every request to the
    model.
    """

    outcome: Outcome
    name: str = ""
    works: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    look_at: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    stated: int = 0
    proposed: int = 0
    attempts: int = 0
    agreeing: int = 0
    compared: int = 0
    seconds: float = 0.0
    requests: int = 0
    tokens: tuple[int, int] = field(default=(0, 0))

    @property
    def headline(self) -> str:
        """Return the outcome in one sentence."""
        return HEADLINES[self.outcome]
