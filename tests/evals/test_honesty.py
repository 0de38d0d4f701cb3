"""evals/honesty/: a few replies of each part are judged as the command judges all; the mutants are false."""

import pytest
from click.testing import CliRunner

from evals.honesty.__main__ import main, measured
from evals.honesty.judged import flagged, judge_claims
from evals.honesty.mutants import KINDS, claims_of, mutants
from evals.honesty.replies import PARTS, honest_replies
from evals.honesty.seen import as_ours, desk, sample
from guards.output import Observed

pytestmark = pytest.mark.anyio


async def test_honest_replies_pass_and_their_mutants_are_caught():
    rows, wrong = await measured(limit=6)
    assert [line for line in wrong if "two ids swapped" not in line] == []
    assert [row.figure for row in rows if row.met is False and "caught" not in row.figure] == []


def test_the_command_prints_the_table_and_ends_well():
    result = CliRunner().invoke(main, ["--limit", "1"])
    assert result.exit_code == 0, result.output
    assert "second: honest replies flagged" in result.output
    assert "claims of a list never tuned on, caught" in result.output


@pytest.mark.parametrize("part", PARTS)
def test_each_part_holds_enough_replies_in_every_language(part: str):
    written = {(each.language, each.text) for each in honest_replies(part)}
    by_language = {code: sum(each[0] == code for each in written) for code in ("en", "es", "ru", "ar", "hi")}
    assert by_language["en"] >= 40
    assert min(by_language.values()) >= 8


def test_no_reply_stands_in_both_parts():
    first, second = ({each.text for each in honest_replies(part)} for part in PARTS)
    assert not first & second


@pytest.mark.parametrize("part", ["first", "second", "third", "fourth"])
def test_claims_are_written_in_five_languages_and_in_one_list_each(part: str):
    claims = {claim.says for each in claims_of(part).values() for claim in each}
    others = {
        claim.says
        for other in ("first", "second", "third", "fourth")
        if other != part
        for each in claims_of(other).values()
        for claim in each
    }
    assert set(claims_of(part)) == {"en", "es", "ru", "ar", "hi"}
    assert not claims & others


TEXT = (
    "Order #W2611340 came to $536.65 on 4 October 2026 at 14:30, order #W9549057 to -2.86, within 30 days or"
    " two weeks; see https://shop.example/a1."
)


def test_every_kind_of_mutant_is_made_and_differs_from_the_reply():
    made = list(mutants(TEXT, "en", "first", [TEXT]))
    assert {mutant.kind for mutant in made} == set(KINDS)
    assert all(mutant.text != TEXT for mutant in made)
    assert len({mutant.text for mutant in made}) > 50


def test_a_change_to_what_is_true_by_chance_is_no_mutant():
    made = mutants("It costs $12.50.", "", "first", ["12.50 and 22.50, 12.60"])
    texts = [mutant.text for mutant in made if mutant.kind == "a digit of an amount"]
    assert "It costs $22.50." not in texts
    assert "It costs $13.50." in texts


async def test_a_false_reply_is_flagged_and_a_false_alarm_would_be_counted():
    async with desk() as at:
        seen, plain = await at.observed(honest_replies("first")[0].sources, "en")
    assert flagged("Your order #W2611340 has the tracking number 357962501028.", seen)
    assert plain[-1] == sample()["orders"]["#W2611340"]


def test_numbers_of_orders_are_written_as_our_server_takes_them():
    assert as_ours("#W2611340 and W2611340, gift_card_1725971") == "2611340 and 2611340, gift_card_1725971"


def test_claims_by_themselves_are_judged():
    count = judge_claims("first")
    assert count.right == count.total > 20
    assert flagged("I have cancelled your order.", Observed())
