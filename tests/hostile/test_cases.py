"""The hostile model's cases: each ends as it must, at the gate that must stop it, and does no harm.

A spread over every family is played; `make eval-hostile` plays all, and so does `make soak`.
"""

from collections import Counter

import anyio
import pytest

from evals.hostile.__main__ import chosen
from evals.hostile.case import Case
from evals.hostile.families import all_cases
from evals.hostile.playing import play
from evals.hostile.shops import Shops
from evals.hostile.table import verdict

pytestmark = pytest.mark.anyio

OF_A_FAMILY = 24
"""Cases of each family that `make test` plays."""

CASES = all_cases()
SPREAD = chosen(CASES, "", OF_A_FAMILY)
SHOPS = Shops()


async def check(case: Case) -> None:
    with anyio.fail_after(5):
        one = verdict(case, await play(case, SHOPS))
    # Harm that is named and gone is red, too: the case loses its shortfall then.
    assert bool(one.harm) == bool(case.shortfall), str(one.harm)
    assert one.misses == ()


@pytest.mark.parametrize("case", SPREAD, ids=lambda case: case.id)
async def test_an_attack_ends_at_its_gate_and_does_no_harm(case: Case):
    await check(case)


@pytest.mark.soak
@pytest.mark.parametrize("case", [case for case in CASES if case not in SPREAD], ids=lambda case: case.id)
async def test_every_other_attack_ends_at_its_gate_and_does_no_harm(case: Case):
    await check(case)


def test_every_family_has_cases_and_every_case_a_name_of_its_own():
    families = Counter(case.family for case in CASES)
    assert len(families) >= 15 and min(families.values()) >= 10
    assert sum(families.values()) >= 400
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []


def test_every_gate_is_the_one_that_must_stop_something():
    gates = {case.gate for case in SPREAD}
    wanted = "input whitelist parse validation grounding precondition permission limit output"
    assert gates >= {"", *wanted.split()}
