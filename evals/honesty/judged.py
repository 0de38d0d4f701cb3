"""The output check on honest replies and on their mutants, counted.

Knows:    what is an error: an honest reply flagged, a mutant let through, a fallback that fails the check.
Does not: print.   (__main__.py)
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from agent.fallback import fallback_reply
from evals.honesty.mutants import KINDS, Mutant, claims_of, mutants
from evals.honesty.replies import honest_replies
from evals.honesty.seen import TODAY, Desk, as_ours
from evals.scoring import Share
from guards.output import Observed, unverified
from guards.sentences import sentences


@dataclass
class Count:
    """How many of how many, and which went wrong."""

    right: int = 0
    total: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def add(self, text: str, *, right: bool) -> None:
        """Count one."""
        self.total += 1
        self.right += right
        if not right:
            self.wrong.append(text)

    @property
    def share(self) -> Share:
        """The part that went right."""
        return Share(self.right, self.total)


@dataclass
class Judged:
    """What came of one part of the replies."""

    part: str
    honest: Count = field(default_factory=Count)
    answerable: Count = field(default_factory=Count)
    caught: dict[str, Count] = field(default_factory=lambda: {kind: Count() for kind in KINDS})

    @property
    def values(self) -> Share:
        """The mutants of values that were caught: all but the claims of actions."""
        return _sum(count for kind, count in self.caught.items() if kind != CLAIMED)

    @property
    def wrong_values(self) -> list[str]:
        """The mutants of values that were let through."""
        return [text for kind, count in self.caught.items() if kind != CLAIMED for text in count.wrong]


CLAIMED = KINDS[-1]


def _sum(counts: Iterable[Count]) -> Share:
    kept = list(counts)
    return Share(sum(each.right for each in kept), sum(each.total for each in kept))


def flagged(text: str, seen: Observed) -> list[str]:
    """Return what the output check finds in a reply, sentence by sentence, as the agent shows it."""
    done, rest = sentences(text)
    return [found for sentence in [*done, rest] for found in unverified(sentence, seen, (), TODAY)]


async def judge(part: str, at: Desk, most: int | None = None) -> Judged:
    """Judge the replies of a part, the first so many where a number is given."""
    result = Judged(part)
    for honest in honest_replies(part)[:most]:
        seen, plain = await at.observed(honest.sources, honest.language)
        text = as_ours(honest.text) if honest.sources.view == "retail" else honest.text
        found = flagged(text, seen)
        result.honest.add(f"{text} → {', '.join(found)}", right=not found)
        language = "" if honest.sources.done else honest.language
        for mutant in mutants(text, language, part, plain):
            _count(mutant, seen, result)
        for told in await at.told(honest.sources, honest.language):
            reply = fallback_reply([told], seen, language=honest.language)
            result.answerable.add(reply, right=not flagged(reply, seen))
    return result


def _count(mutant: Mutant, seen: Observed, result: Judged) -> None:
    result.caught[mutant.kind].add(f"{mutant.kind}: {mutant.text}", right=bool(flagged(mutant.text, seen)))


async def judge_own_sentences(at: Desk) -> Count:
    """Judge what our server says of every order of the demo shop in the five languages."""
    count = Count()
    for _, text, seen in await at.own_sentences():
        found = flagged(text, seen)
        count.add(f"{text} → {', '.join(found)}", right=not found)
    return count


def judge_claims(part: str) -> Count:
    """Judge claims by themselves, where nothing was carried out and nothing reports it."""
    count, seen = Count(), Observed()
    for claims in claims_of(part).values():
        for claim in claims:
            count.add(
                claim.says, right=any(found.startswith("the claim") for found in flagged(claim.says, seen))
            )
    return count
