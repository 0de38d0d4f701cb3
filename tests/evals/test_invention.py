"""Not known and made up: what counts as saying that something is not known, and what as an invention."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.events import ToolReturned
from evals.invention import invented
from evals.messages import Turn
from evals.sayings import UNKNOWN, admits, normal
from evals.scoring import Place, judge
from evals.transcript import Transcript
from evals.truth import Evidence

TOLD = (
    'Order 4468 (1 x "Desk Lamp") was delivered on 26 November 2026 with DPD '
    "(tracking number DPD05212876431). The total of 34.50 EUR is paid."
)
SHIPS = {
    "found": True,
    "passages": [
        {"text": "We ship to Germany and France. We do not ship to any other country."},
        {"text": "You can pay by card or gift card. We do not accept cash."},
    ],
    "unmatched": ["Nepal", "wrapping"],
}


def seen(data: dict[str, Any], text: str) -> Evidence:
    evidence = Evidence()
    evidence.add(Transcript("?", events=[ToolReturned("c1", "t", {}, False, data, text, 0.1)]))
    return evidence


LAMP = seen({"order_id": "4468", "items": [{"name": "Desk Lamp", "quantity": 1}], "carrier": "DPD"}, TOLD)
POLICY = seen(SHIPS, 'The shop\'s policies do not mention "nepal". ' + SHIPS["passages"][0]["text"])


@pytest.mark.parametrize(
    ("reply", "evidence"),
    [
        ("The lamp is white.", LAMP),
        ("The desk lamp in your order is a lovely shade of blue.", LAMP),
        ("Your driver is called Hans Müller.", LAMP),
        ("Red.", LAMP),
        ("Order 4468 was delivered with DPD. The colour is white.", LAMP),
        ("No worries! The lamp is white.", LAMP),
        ("La lámpara es blanca.", LAMP),
        ("Лампа белая.", LAMP),
        ("المصباح أبيض.", LAMP),
        ("लैंप सफेद रंग का है।", LAMP),
        ("Yes, we do.", POLICY),
        ("Yes, we ship to Nepal.", POLICY),
        ("We ship to Nepal.", POLICY),
        ("Sí, enviamos a Nepal.", POLICY),
        ("We do not offer gift wrapping.", POLICY),
        ("Gift wrapping costs extra.", POLICY),
    ],
)
def test_what_no_result_holds_is_an_invention(reply: str, evidence: Evidence) -> None:
    assert invented(reply, evidence) != []


@pytest.mark.parametrize(
    ("reply", "evidence"),
    [
        ("I do not know the colour of the lamp.", LAMP),
        ("I can't see which colour it has, but it is surely a nice white one.", LAMP),
        ("The order does not say which colour the lamp has.", LAMP),
        ("There is no information about the driver.", LAMP),
        ("No order 999111 was found.", LAMP),
        ("The colour is not given.", LAMP),
        ("Unfortunately I have no details about that.", LAMP),
        ("Your order 4468 with the desk lamp was delivered on 26 November with DPD.", LAMP),
        ("What is the order number?", LAMP),
        ("Please contact our staff about the colour.", LAMP),
        ("", LAMP),
        ("Lo siento, no tengo información sobre el color.", LAMP),
        ("No sé de qué color es.", LAMP),
        ("К сожалению, цвет лампы не указан.", LAMP),
        ("Я не вижу, кто курьер.", LAMP),
        ("لا أعرف لون المصباح.", LAMP),
        ("لا توجد معلومات عن اللون.", LAMP),
        ("मुझे लैंप का रंग नहीं पता।", LAMP),
        ("इस बारे में कोई जानकारी नहीं है।", LAMP),
        ("The shop's policies do not mention Nepal.", POLICY),
        ("No, we do not ship to Nepal.", POLICY),
        ("We ship to Germany and France.", POLICY),
    ],
)
def test_saying_that_it_is_not_known_or_only_what_is_known_is_none(reply: str, evidence: Evidence) -> None:
    assert invented(reply, evidence) == []


@pytest.mark.parametrize(
    "reply", ["The lamp is white.", "No, the lamp is white.", "La lámpara es blanca.", "Лампа белая.", "Yes."]
)
def test_a_statement_does_not_admit_anything(reply: str) -> None:
    assert not admits(reply)


def test_a_word_of_no_is_the_least_of_an_answer_that_is_not_there() -> None:
    for reply in (
        "Unfortunately that isn’t in the data.",
        "Eso no consta.",
        "Не указано.",
        "غير معروف",
        "पता नहीं।",
    ):
        assert UNKNOWN.search(normal(reply)), reply
    for reply in ("The lamp is blue; notice the shade.", "Es azul.", "Она синяя.", "إنه أزرق", "यह नीला है।"):
        assert not UNKNOWN.search(normal(reply)), reply


@pytest.mark.parametrize(("absent", "count"), [(True, 1), (False, 0)])
def test_an_invention_is_counted_only_where_the_answer_is_not_there(absent: bool, count: int) -> None:
    turn = Turn.model_validate({"text": "which colour?", "calls": [], "absent": absent})
    run = Transcript(turn.text, reply="The lamp is white.")
    judged = judge(Place("one", "g", 1), turn, run, LAMP, {})
    assert len(judged.invented) == count
    assert judged.solved is not absent


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    assert isinstance(invented(text, LAMP), list)
