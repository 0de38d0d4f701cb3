"""common/pattern_cost.py: a pattern that may run for ever is known by its form; a real shop's is cheap."""

import pytest

from common.id_pattern import read_pattern
from common.order_ids import form_that_matches
from common.pattern_cost import is_costly
from common.rules import rules_of

FOR_EVER = {
    "a group that varies": "(a+)+$",
    "alternatives repeated": "(a|a)*",
    "groups in groups": "((ab)*)*",
    "a bounded repeat in a group": "(?:a{1,9})+",
    "a class in a group": "([a-z]+)*x",
    "four stars": "^a*b*c*d*",
    "a long pattern": "x" * 999,
    "24 question marks": "^" + "[0-9]?" * 24 + "[0-9]{24}X$",
    "30 question marks": "^" + "[0-9]?" * 30 + "[0-9]{30}$",
    "lazy question marks": "^" + "[0-9]??" * 30 + "[0-9]{30}$",
    "six of {0,64}": "^" + "[0-9]{0,64}" * 6 + "X$",
    "eight of {0,30}": "^" + "[0-9]{0,30}" * 8 + "X$",
    "six of {,64}": "^" + "[0-9]{,64}" * 6 + "X$",
    "30 groups that may be left out": "^" + "(?:[0-9])?" * 30 + "[0-9]{30}$",
    "a group of a choice, 30 times": "^(?:[0-9]?){30}X$",
    "30 alternatives in a row": "^" + "(?:1|[0-9])" * 30 + "X$",
    "alternatives, 30 times": "^(?P<one>1|[0-9]){30}X$",
    "classes that hold brackets": "^" + "[](]?" * 30 + "X$",
}
REALISTIC = [
    "^[0-9]{1,12}$",
    r"^#W\d{7}$",
    "^(ab)+$",
    r"^[^@]+@[^@]+\.[a-z]+$",
    r"^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$",
    "^(a|b)$",
    "[(+*]+",
    r"\(a+\)",
    r"^T-\d+$",
    "^[A-Z]{0,3}[0-9]{0,10}[A-Z0-9]{0,10}[0-9]{1,12}[A-Z]?$",
    "^#?[A-Z]{0,3}-?[0-9]{4,12}(?:-[0-9]{1,3})?$",
    "^(?:SO|PO|INV)[-/]?[0-9]{4}[-/]?[0-9]{1,6}$",
    "^[0-9]{3}-[0-9]{7}-[0-9]{7}$",
    "^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$",
    r"^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$",
    r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$",
    r"^\+?[1-9]\d{1,14}$",
    r"^\d{5}(?:-\d{4})?$",
    "^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$",
    r"^https?://[^\s/]+/\S*$",
    r"^\$?\d{1,3}(?:,\d{3}){0,4}(?:\.\d{2})?$",
    "^(?:0x)?[0-9a-fA-F]{1,40}$",
    "[a-z]+[0-9]+",
    r"^\w{1,20}(?:[ -]\w{1,20}){0,2}$",
]


@pytest.mark.parametrize("pattern", FOR_EVER.values(), ids=FOR_EVER.keys())
def test_a_pattern_that_may_run_for_ever_is_costly_and_tried_on_no_text(pattern: str):
    assert is_costly(pattern)
    assert rules_of({"type": "string", "pattern": pattern}).is_valid("9" * 64)
    assert rules_of({"type": "object", "patternProperties": {pattern: False}}).is_valid({"9" * 64: 1})


@pytest.mark.parametrize("pattern", REALISTIC)
def test_a_pattern_as_shops_and_servers_write_them_is_cheap(pattern: str):
    assert not is_costly(pattern)
    assert not rules_of({"type": "string", "pattern": pattern}).is_valid("\n")


@pytest.mark.parametrize("pattern", ["[0-9]?" * 30 + "[0-9]{30}", "[0-9]{0,64}" * 6 + "X"])
def test_such_a_pattern_is_refused_for_order_numbers(pattern: str):
    with pytest.raises(ValueError, match="too long to try"):
        read_pattern(pattern)
    with pytest.raises(ValueError, match="too long to try"):
        form_that_matches("9" * 64, pattern)


def test_the_longer_the_text_the_sooner_a_pattern_is_left_to_the_server():
    pattern = r"[^@]+@[^@]+\.[a-z]+"
    assert not is_costly(pattern, 30)
    assert is_costly(pattern, 200)
    rules = rules_of({"type": "string", "pattern": pattern})
    assert rules.is_valid("kim@example.com") and not rules.is_valid("kim")
    assert rules.is_valid("x" * 200)


@pytest.mark.parametrize(
    "pattern", ["(", ")", "a)|(b", "[", "{", "a{,}", "a{}", "*", "\\", "(?", "(?<", "{9999999999}"]
)
def test_what_is_no_pattern_is_judged_all_the_same(pattern: str):
    assert is_costly(pattern) in (True, False)
