"""`python -m evals.abstention`: does the policy search answer what is stated, and abstain where nothing is?

Knows:    the sets of questions, the figures, and what is compared: our search, and BM25 with a threshold.
Does not: ask a model, or know where the questions come from.   (questions.py)
Exit:     0 every aim met · 1 an aim missed. What is not there is said to be skipped, and misses no aim.
"""

import sqlite3
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from common.settings import load
from common.stemming import words_of
from evals import questions
from evals.questions import Asked, Pooled
from evals.settings import EvalSettings
from store.model import Policy
from store.policies import Section, load_policies, sections
from store.search import PolicyIndex

SHOP_AIM = 0.80
POOL_AIM = 0.71
"""What BM25 reaches on the pooled questions at its best threshold, which is chosen on them."""
SHOWN = 5

Best = Callable[[str], Sequence[tuple[str, float]]]
"""From a question to the ids of passages with their scores, best first."""


@dataclass(frozen=True)
class Outcome:
    """What came of a question: was it answerable, was it answered, was the passage among the first."""

    answerable: bool
    answered: bool
    hit: bool = False


@dataclass(frozen=True)
class Figures:
    """One line of the table."""

    name: str
    answerable: int
    unanswerable: int
    hits: float
    false_answers: int
    false_abstentions: int
    aim: float = 0.0

    @property
    def balanced(self) -> float:
        """Return the mean of the parts of both kinds that came out right."""
        return (
            (1 - self.false_abstentions / max(1, self.answerable))
            + (1 - self.false_answers / max(1, self.unanswerable))
        ) / 2

    @property
    def met(self) -> bool:
        """Say whether the aim is met."""
        return self.balanced >= self.aim


@click.command(epilog="Exit code: 0 every aim met, 1 an aim missed.")
@click.option("--wrong", is_flag=True, help="Name every question that came out wrong.")
def main(wrong: bool) -> None:
    """Measure whether the policy search abstains where the policies do not answer.

    Example: python -m evals.abstention --wrong
    """
    exams = load(EvalSettings).exams
    lines = [*shop_figures(), *pooled_figures(exams)]
    click.echo(table(lines))
    stated = stated_beside(exams)
    click.echo(f"\n{_beside(stated)}\n{_of_other_services(exams)}")
    if wrong:
        for part in questions.PARTS:
            for asked in wrong_of(part):
                click.echo(f"{part:7} {'abstained' if asked.passage else 'answered '} {asked.text}")
    sys.exit(0 if all(line.met for line in lines) and not stated else 1)


# ---------------------------------------------------------------- the shop's own policies


def shop_index() -> PolicyIndex:
    """Return the index of the demo shop's policies."""
    return PolicyIndex(load_policies())


def shop_figures() -> list[Figures]:
    """Return the figures of each part: of our search, and of two rankings with the best threshold of `tuned`.

    Our own ranking with a threshold has the same word lists: what the rule adds is the difference.
    """
    index, full_text = shop_index(), full_text_search(load_policies_cut())
    ours = [figures(f"shop, {part}: our search", _asked(index, part), SHOP_AIM) for part in questions.PARTS]
    return [
        *ours,
        *_threshold_figures("our BM25", lambda text: _ranked_ids(index, text)),
        *_threshold_figures("FTS5 bm25", full_text),
    ]


def _ranked_ids(index: PolicyIndex, text: str) -> list[tuple[str, float]]:
    return [(section.id, score) for section, score in index.ranked(text)]


def _threshold_figures(name: str, best: Best) -> list[Figures]:
    threshold = best_threshold(_scored(best, questions.shop_questions("tuned")))
    return [
        figures(f"shop, {part}: {name}, threshold of tuned", _by_threshold(best, part, threshold))
        for part in questions.PARTS
    ]


def load_policies_cut() -> list[Section]:
    """Return the sections of the demo shop's policies."""
    return [section for policy in load_policies() for section in sections(policy)]


def _asked(index: PolicyIndex, part: str) -> list[Outcome]:
    return [
        Outcome(
            bool(asked.passage),
            index.search(asked.text).stated,
            asked.passage in [section.id for section, _ in index.ranked(asked.text)[:SHOWN]],
        )
        for asked in questions.shop_questions(part)
    ]


def wrong_of(part: str) -> list[Asked]:
    """Return the questions of a part that were answered or not, wrongly."""
    index = shop_index()
    return [
        asked
        for asked in questions.shop_questions(part)
        if index.search(asked.text).stated is not bool(asked.passage)
    ]


def _by_threshold(best: Best, part: str, threshold: float) -> list[Outcome]:
    asked = questions.shop_questions(part)
    return [
        Outcome(answerable, score >= threshold, one.passage in [name for name, _ in best(one.text)[:SHOWN]])
        for one, (answerable, score) in zip(asked, _scored(best, asked), strict=True)
    ]


def _scored(best: Best, asked: Iterable[Asked]) -> list[tuple[bool, float]]:
    return [(bool(one.passage), next((score for _, score in best(one.text)), 0.0)) for one in asked]


# ---------------------------------------------------------------- pooled questions of others


def pooled_figures(exams: Path) -> list[Figures]:
    """Return the figures over both collections together; nothing was tuned on either."""
    passages = questions.pooled_passages(exams)
    if passages is None:
        click.echo(f"pooled questions: skipped, not in {exams.name}/; SHOPKART_EXAMS names the folder")
        return []
    asked = questions.pooled_questions(exams)
    indexes = {
        # Each passage is a policy of its own, without a title: cut and indexed as a shop's own are.
        name: PolicyIndex([Policy(passage, "", text) for passage, text in kept])
        for name, kept in passages.items()
    }
    ours = [
        Outcome(one.answerable, indexes[one.collection].search(one.text).stated, _hit(indexes, one))
        for one in asked
    ]
    scores = [(one.answerable, _best_score(indexes, one)) for one in asked]
    return [
        figures("pooled: our search, as it is", ours, POOL_AIM),
        figures(
            "pooled: BM25, threshold best on these",
            _cut(asked, scores, indexes, lambda _: best_threshold(scores)),
        ),
        figures(
            "pooled: BM25, threshold of the other collection",
            _cut(asked, scores, indexes, lambda one: _threshold_of_other(asked, scores, one.collection)),
        ),
    ]


def _hit(indexes: dict[str, PolicyIndex], one: Pooled) -> bool:
    return any(section.policy in one.gold for section, _ in indexes[one.collection].ranked(one.text)[:SHOWN])


def _best_score(indexes: dict[str, PolicyIndex], one: Pooled) -> float:
    return next((score for _, score in indexes[one.collection].ranked(one.text)), 0.0)


def _threshold_of_other(
    asked: Sequence[Pooled], scores: Sequence[tuple[bool, float]], collection: str
) -> float:
    pairs = zip(asked, scores, strict=True)
    return best_threshold([score for one, score in pairs if one.collection != collection])


def _cut(
    asked: Sequence[Pooled],
    scores: Sequence[tuple[bool, float]],
    indexes: dict[str, PolicyIndex],
    threshold: Callable[[Pooled], float],
) -> list[Outcome]:
    return [
        Outcome(answerable, score >= threshold(one), _hit(indexes, one))
        for one, (answerable, score) in zip(asked, scores, strict=True)
    ]


# ---------------------------------------------------------------- messages beside the shop


def stated_beside(exams: Path) -> list[str] | None:
    """Return the out-of-scope messages that were answered, without those marked; None where absent."""
    messages = questions.out_of_scope(exams)
    if messages is None:
        return None
    index, answered = shop_index(), questions.answered_out_of_scope()
    return [text for text in messages if text not in answered and index.search(text).stated]


def _beside(stated: list[str] | None) -> str:
    if stated is None:
        return "CLINC150, out of scope: skipped, not there; SHOPKART_EXAMS names the folder"
    marked = len(questions.answered_out_of_scope())
    named = "".join(f"\n  {text}" for text in stated)
    return f"CLINC150, out of scope: {len(stated)} stated, without {marked} marked as answered (aim 0){named}"


def _of_other_services(exams: Path) -> str:
    """Return how many messages to banks, airlines and the like are answered; none was tuned on."""
    messages = questions.of_other_services(exams)
    if messages is None:
        return "CLINC150, in scope of other services: skipped, not there; SHOPKART_EXAMS names the folder"
    index = shop_index()
    stated = sum(index.search(text).stated for text in messages)
    return (
        f"CLINC150, in scope of other services: {stated} of {len(messages)} stated (no aim, never tuned on)"
    )


# ---------------------------------------------------------------- figures


def figures(name: str, outcomes: Sequence[Outcome], aim: float = 0.0) -> Figures:
    """Return what a list of outcomes comes to."""
    answerable = [one for one in outcomes if one.answerable]
    unanswerable = [one for one in outcomes if not one.answerable]
    return Figures(
        name,
        len(answerable),
        len(unanswerable),
        sum(one.hit for one in answerable) / max(1, len(answerable)),
        sum(one.answered for one in unanswerable),
        sum(not one.answered for one in answerable),
        aim,
    )


def best_threshold(scores: Sequence[tuple[bool, float]]) -> float:
    """Return the score from which answering gives the best balanced accuracy on these."""
    return max(
        sorted({score for _, score in scores}),
        key=lambda threshold: (
            figures("", [Outcome(answerable, score >= threshold) for answerable, score in scores]).balanced
        ),
        default=0.0,
    )


def table(lines: Iterable[Figures]) -> str:
    """Return the figures as a Markdown table."""
    head = (
        "| questions | answerable | unanswerable | hit@5 | false answers | false abstentions |"
        " balanced accuracy |"
        "\n|---|--:|--:|--:|--:|--:|--:|"
    )
    rows = [
        f"| {line.name} | {line.answerable} | {line.unanswerable} | {line.hits:.2f} | {line.false_answers} | "
        f"{line.false_abstentions} | {line.balanced:.2f}{_aimed(line)} |"
        for line in lines
    ]
    return "\n".join([head, *rows])


def _aimed(line: Figures) -> str:
    return f" (aim {line.aim:.2f}{'' if line.met else ', missed'})" if line.aim else ""


def full_text_search(passages: Iterable[Section]) -> Best:
    """Return a search by SQLite's own full text and bm25: what a database would give without this package."""
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table kept using fts5(id unindexed, heading, body, tokenize='porter')")
    database.executemany(
        "insert into kept values (?, ?, ?)", [(each.id, each.heading, each.text) for each in passages]
    )

    def best(query: str) -> list[tuple[str, float]]:
        words = " OR ".join(f'"{word}"' for word in words_of(query))
        if not words:
            return []
        asked = "select id, -bm25(kept, 0, 3, 1) as score from kept where kept match ? order by score desc"
        return [(name, score) for name, score in database.execute(asked, (words,))]

    return best


if __name__ == "__main__":
    main()
