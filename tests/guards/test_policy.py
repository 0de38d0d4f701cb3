"""The shop's rules: the first that fits decides, and a doubt never spares a question."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import Tool, ToolAnnotations

from guards.policy import BadPolicy, Policy, policy_of


def tool(name: str = "refund", *, destructive: bool | None = False, annotated: bool = True) -> Tool:
    hints = ToolAnnotations(read_only_hint=False, destructive_hint=destructive) if annotated else None
    return Tool(name=name, input_schema={"type": "object"}, annotations=hints)


def decided(rules: str, arguments: dict[str, Any] | None = None, of: Any = None, **more: bool) -> str | None:
    rule = policy_of(f"rules: {rules}").decide(of or tool(), arguments or {}, **more)
    return rule.decision if rule else None


@pytest.mark.parametrize("decision", ["ask", "allow", "deny", "staff"])
def test_each_decision_is_taken_where_its_rule_fits(decision: str):
    assert decided(f"[{{tool: refund, decision: {decision}}}]") == decision


def test_the_first_rule_that_fits_decides():
    rules = "[{tool: cancel, decision: deny}, {tool: refund, decision: staff}, {decision: allow}]"
    assert decided(rules) == "staff"
    assert decided(rules, of=tool("cancel")) == "deny"
    assert decided(rules, of=tool("note")) == "allow"


def test_where_none_fits_there_is_no_rule():
    assert decided("[]") is decided("[{tool: cancel, decision: deny}]") is None


def test_a_name_is_the_exact_name():
    assert decided("[{tool: Refund, decision: deny}]") is decided("[{tool: refun, decision: deny}]") is None


@pytest.mark.parametrize(
    ("of", "effect"),
    [
        (tool(destructive=False), "adds"),
        (tool(destructive=True), "may_destroy"),
        (tool(destructive=None), "may_destroy"),
        (tool(annotated=False), "may_destroy"),
        (SimpleNamespace(name="refund"), "may_destroy"),
    ],
    ids=["adds", "destroys", "does not say", "says nothing", "has no annotations at all"],
)
def test_a_rule_by_effect_takes_what_the_server_does_not_say_for_the_worst(of: Any, effect: str):
    for named in ("adds", "may_destroy"):
        expected = "deny" if named == effect else None
        assert decided(f"[{{effect: {named}, decision: deny}}]", of=of) == expected


def test_what_only_reads_is_decided_by_a_rule_that_names_it():
    assert decided("[{decision: deny}]", changes=False) is None
    assert decided("[{tool: refund, decision: deny}]", changes=False) == "deny"


@pytest.mark.parametrize("of", [tool(destructive=True), tool(destructive=None), tool(annotated=False)])
def test_no_rule_spares_a_tool_that_may_destroy_and_the_next_rule_is_looked_at(of: Tool):
    assert decided("[{tool: refund, decision: allow}]", of=of) is None
    assert decided("[{tool: refund, decision: allow}, {decision: staff}]", of=of) == "staff"


def test_no_rule_spares_a_tool_that_is_odd():
    assert decided("[{tool: refund, decision: allow}]", odd=True) is None
    assert decided("[{tool: refund, decision: deny}]", odd=True) == "deny"


# ---------------------------------------------------------------- values

OVER = "[{{when: {{amount: {{over: 50.00}}}}, decision: {}}}]"
UNDER = "[{{when: {{amount: {{under: 50.00}}}}, decision: {}}}]"


@pytest.mark.parametrize(
    ("amount", "is_over"),
    [
        (50, False),
        (50.01, True),
        ("50.00", False),
        ("50.01", True),
        (10**40, True),
        (-1, False),
        (" 51 ", True),
    ],
)
def test_an_amount_is_compared_as_a_number_and_the_limit_is_not_over_it(amount: Any, is_over: bool):
    for decision in ("staff", "allow"):
        assert decided(OVER.format(decision), {"amount": amount}) == (decision if is_over else None)


def test_a_decimal_is_compared_as_it_is_written():
    rule = "[{when: {amount: {over: 0.3}}, decision: staff}]"
    assert decided(rule, {"amount": "0.3"}) is None
    assert decided(rule, {"amount": "0.30000000000000001"}) == "staff"


UNCOMPARABLE = [
    {},
    {"amount": None},
    {"amount": "fifty"},
    {"amount": "50,00"},
    {"amount": "1.000.000"},
    {"amount": "12 EUR"},
    {"amount": float("nan")},
    {"amount": float("inf")},
    {"amount": "-Infinity"},
    {"amount": True},
    {"amount": {"value": 1}},
    {"amount": []},
]


@pytest.mark.parametrize("arguments", UNCOMPARABLE, ids=repr)
def test_what_is_missing_or_cannot_be_compared_fits_every_rule_but_one_that_spares(arguments: dict[str, Any]):
    for rule in (OVER, UNDER):
        for decision in ("ask", "deny", "staff"):
            assert decided(rule.format(decision), arguments) == decision
        assert decided(rule.format("allow"), arguments) is None


@pytest.mark.parametrize("value", [{}, {"reason": None}, {"reason": {}}, {"reason": []}], ids=repr)
def test_a_list_of_texts_is_as_careful(value: dict[str, Any]):
    rule = "[{{when: {{reason: {{one_of: [broken]}}}}, decision: {}}}]"
    assert decided(rule.format("deny"), value) == "deny"
    assert decided(rule.format("allow"), value) is None


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        *[("broken", True), (" Broken ", True), ("BROKEN", True), ("broke", False)],
        *[(3, True), ("3.0", True), (1, False)],
        *[(True, True), ("true", True), (False, False)],
    ],
)
def test_one_of_is_compared_as_text_as_number_and_as_yes_or_no(value: Any, fits: bool):
    rule = "[{when: {reason: {one_of: [broken, 3, true]}}, decision: deny}]"
    assert decided(rule, {"reason": value}) == ("deny" if fits else None)


@pytest.mark.parametrize("listed", ["NO", "off", "0471", "12:30", "2026-01-01", "1_000", "0x10", ".5", "~a"])
def test_a_word_of_the_file_is_the_text_that_stands_there(listed: str):
    for decision in ("deny", "allow"):
        rule = f"[{{when: {{code: {{one_of: [{listed}]}}}}, decision: {decision}}}]"
        assert decided(rule, {"code": listed}) == decision


def test_an_amount_of_the_file_is_the_number_that_stands_there():
    assert decided("[{when: {amount: {over: 050}}, decision: staff}]", {"amount": 45}) is None
    assert decided("[{when: {amount: {under: 0100}}, decision: allow}]", {"amount": 90}) == "allow"


@pytest.mark.parametrize("value", ["ＲＵ", "R\u200bU", "R U", "RU\u202e"])
def test_what_a_server_may_take_for_a_listed_word_is_denied_and_never_spared(value: str):
    rule = "[{{when: {{country: {{one_of: [RU]}}}}, decision: {}}}]"
    assert decided(rule.format("deny"), {"country": value}) == "deny"
    assert decided(rule.format("allow"), {"country": value}) is None


def test_a_number_in_another_spelling_is_denied_and_never_spared():
    rule = "[{{when: {{code: {{one_of: [471]}}}}, decision: {}}}]"
    assert decided(rule.format("deny"), {"code": "0471"}) == "deny"
    assert decided(rule.format("allow"), {"code": "0471"}) is None


def test_each_condition_and_each_part_of_one_must_hold():
    rule = "[{when: {amount: {over: 10, under: 20}, reason: {one_of: [late]}}, decision: deny}]"
    assert decided(rule, {"amount": 15, "reason": "late"}) == "deny"
    assert decided(rule, {"amount": 25, "reason": "late"}) is None
    assert decided(rule, {"amount": 15, "reason": "broken"}) is None


LINES = "[{{when: {{lines.price: {{under: 10}}}}, decision: {}}}]"


@pytest.mark.parametrize(
    ("lines", "any_fits", "all_fit"),
    [
        ([{"price": 5}, {"price": 6}], True, True),
        ([{"price": 5}, {"price": 60}], True, False),
        ([{"price": 50}, {"price": 60}], False, False),
        ([{"price": 5}, {}], True, False),
        ([{"price": 50}, {}], True, False),
        ([{"price": 5}, "x"], True, False),
        ([{"price": [5, 50]}], True, False),
        ([], True, False),
        ({"price": 5}, True, True),
    ],
    ids=repr,
)
def test_of_a_list_one_item_is_enough_for_a_rule_and_all_are_needed_for_one_that_spares(
    lines: Any, any_fits: bool, all_fit: bool
):
    assert decided(LINES.format("deny"), {"lines": lines}) == ("deny" if any_fits else None)
    assert decided(LINES.format("allow"), {"lines": lines}) == ("allow" if all_fit else None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=8,
)
RULES = policy_of(
    """
    rules:
      - {when: {a.b: {over: 5}}, decision: allow}
      - {when: {a.b: {over: 5}}, decision: staff}
    """
)


@given(JSON)
def test_whatever_a_value_is_a_rule_that_spares_fits_only_where_the_same_without_sparing_fits(value: Any):
    allow, staff = RULES.rules
    arguments = {"a": value}
    spared = Policy([allow]).decide(tool(), arguments)
    asked = Policy([staff]).decide(tool(), arguments)
    assert spared is None or asked is not None
    found = RULES.decide(tool(destructive=True), arguments)
    assert found is None or found.decision == "staff"


# ---------------------------------------------------------------- a text that is none


@pytest.mark.parametrize("text", ["# none\nrules: []\n", "rules: []", "{}"])
def test_a_text_without_rules_has_none(text: str):
    assert policy_of(text).rules == ()


BAD = {
    "": "It is empty",
    "# nothing\n": "It is empty",
    "rules: [": "It is no YAML at line 1",
    "rules:\n  - decision: deny\n   tool: x": "It is no YAML at line 3",
    "rules: [{decision: sometimes}]": "At rules.0.decision:",
    "rules: [{tool: refund}]": "At rules.0.decision: Field required",
    "rules: [{decision: deny, amount: {over: 5}}]": "At rules.0.amount: Extra inputs",
    "rule: []": "At rule: Extra inputs",
    "- decision: deny": "At its top:",
    "rules: deny": "At rules:",
    "rules: [{decision: deny, when: {a: {over: much}}}]": "At rules.0.when.a.over:",
    "rules: [{decision: deny, when: {a: {over: .nan}}}]": "At rules.0.when.a.over:",
    "rules: [{decision: deny, when: {a: {one_of: []}}}]": "At rules.0.when.a.one_of:",
    "rules: [{decision: deny, tool: ''}]": "At rules.0.tool:",
    "rules: [{decision: deny, decision: allow}]": "At line 1: 'decision' stands on line 1 already",
    "rules: []\nrules: [{decision: allow}]": "At line 2: 'rules' stands on line 1 already",
    "rules:\n - decision: deny\n   when:\n    a: {over: 5}\n    a: {over: 9}": "At line 5: 'a' stands on",
    "rules: [&x {decision: deny}, *x]": "At line 1: an alias (*name)",
    "rules: !!python/object:os.system []": "At line 1: a tag (!name)",
    "rules: [{tool: , decision: allow}]": "At line 1: nothing stands here",
    "rules:\n - decision: allow\n   effect: ~": "At line 3: nothing stands here",
    "rules: [{decision: allow, when: {a: {under: }}}]": "At line 1: nothing stands here",
    "rules: [{decision: allow, when: {a: {}}}]": "At rules.0.when.a: Value error, it says nothing",
    "rules: [{decision: allow, when: {a: {under: 1:30}}}]": "At rules.0.when.a.under:",
    "rules: [{decision: deny, <<: {decision: allow}}]": "At rules.0.<<: Extra inputs",
    "[" * 5000: "It is",
}


@pytest.mark.parametrize(("text", "said"), BAD.items(), ids=[text[:40] for text in BAD])
def test_a_text_that_is_no_set_of_rules_is_refused_with_its_place(text: str, said: str):
    with pytest.raises(BadPolicy) as refused:
        policy_of(text)
    assert str(refused.value).startswith(said)


def test_a_rule_that_spares_a_question_is_about_the_shops_own_server_unless_it_names_another():
    rules = policy_of("rules: [{tool: refund, decision: allow}, {tool: refund, decision: staff}]")
    at = {"own": rules.at("server.py", own=True), "other": rules.at("python other.py", own=False)}
    found = {name: policy.decide(tool(), {}) for name, policy in at.items()}
    assert {name: rule.decision for name, rule in found.items() if rule} == {"own": "allow", "other": "staff"}


def test_a_tool_that_a_rule_names_and_the_server_does_not_have_is_told():
    at = SimpleNamespace(label="server.py", tools=[tool("refund")])
    rules = policy_of(
        "rules: [{tool: refund, decision: deny}, {tool: refunds, decision: deny}, {decision: ask},"
        " {server: python other.py, tool: cancel, decision: deny}]"
    )
    assert rules.strange_to(at) == [
        "A rule of APPROVAL_FILE is about the tool 'refunds', which this server does not have."
    ]


def test_a_rule_for_one_server_says_nothing_of_another():
    rules = policy_of("rules: [{server: python other.py, tool: refund, decision: allow}]")
    assert rules.at("python other.py", own=False).rules == rules.rules
    assert not rules.at("server.py", own=True).rules
