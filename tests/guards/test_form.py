"""A server's form: what cannot be shown whole is not asked, and what is sent fits what was shown."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.approval import canonical
from guards.call import BadCall
from guards.form import MAX_MESSAGE, BadForm, agreed, filled, form_of, host_of, message_of, words


def schema(required: Any = None, **fields: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields) if required is None else required,
    }


TEXT = {"type": "string"}
YES = {"type": "boolean"}

SHOWN = {
    "nothing but a yes": (schema(), schema()),
    "a boolean": (schema(ok=YES), schema(ok=YES)),
    "a text with its lengths": (
        schema(
            why={"type": "string", "minLength": 2, "maxLength": 9, "title": "Why", "description": "In short"}
        ),
        schema(
            why={"type": "string", "minLength": 2, "maxLength": 9, "title": "Why", "description": "In short"}
        ),
    ),
    "a number with its bounds and default": (
        schema(n={"type": "integer", "minimum": 1, "maximum": 5, "default": 3}),
        schema(n={"type": "integer", "minimum": 1, "maximum": 5, "default": 3}),
    ),
    "a format": (
        schema(mail={"type": "string", "format": "email"}),
        schema(mail={"type": "string", "format": "email"}),
    ),
    "a choice": (
        schema(c={"type": "string", "enum": ["a", "b"]}),
        schema(c={"type": "string", "enum": ["a", "b"]}),
    ),
    "a choice with titles": (
        schema(
            c={"type": "string", "oneOf": [{"const": "a", "title": "One"}, {"const": "b", "title": "Two"}]}
        ),
        schema(c={"type": "string", "enum": ["a", "b"], "enumNames": ["One", "Two"]}),
    ),
    "a choice with titles of old": (
        schema(c={"type": "string", "enum": ["a", "b"], "enumNames": ["One", "Two"]}),
        schema(c={"type": "string", "enum": ["a", "b"], "enumNames": ["One", "Two"]}),
    ),
    "several of a choice": (
        schema(c={"type": "array", "minItems": 1, "items": {"type": "string", "enum": ["a", "b"]}}),
        schema(
            c={
                "type": "array",
                "minItems": 1,
                "items": {"type": "string", "enum": ["a", "b"]},
                "uniqueItems": True,
            }
        ),
    ),
    "rules that nobody is shown": (
        schema(a={"type": "string", "pattern": "(a+)+$", "x-secret": 1, "format": "regex"}),
        schema(a=TEXT),
    ),
    "a title over two lines": (
        schema(a={"type": "string", "title": "A\n  B"}),
        schema(a={"type": "string", "title": "A B"}),
    ),
    "a title with a hidden turn": (
        schema(a={"type": "string", "title": "A\u202eB"}),
        schema(a={"type": "string", "title": "A\\u202eB"}),
    ),
}


@pytest.mark.parametrize("asked", SHOWN.values(), ids=SHOWN.keys())
def test_of_a_schema_remains_what_a_person_is_shown(asked):
    given_schema, shown = asked
    assert form_of(given_schema) == {**shown, "additionalProperties": False}


NOT_SHOWN: dict[str, Any] = {
    "no object": {"type": "string"},
    "no fields": {"type": "object"},
    "fields that are a list": {"type": "object", "properties": []},
    "a field that is no schema": schema(a=1),
    "a field without a type": schema(a={}),
    "a type of another kind": schema(a={"type": "object", "properties": {}}),
    "two types": schema(a={"type": ["string", "null"]}),
    "a file": schema(a={"type": "string", "anyOf": [TEXT]}),
    "a reference": schema(a={"$ref": "#/$defs/a"}),
    "free lists": schema(a={"type": "array", "items": TEXT}),
    "an empty choice": schema(a={"type": "string", "enum": []}),
    "a choice of numbers": schema(a={"type": "string", "enum": [1, 2]}),
    "a choice with a value twice": schema(a={"type": "string", "enum": ["a", "a"]}),
    "two values under one title": schema(a={"type": "string", "enum": ["a", "b"], "enumNames": ["A", "A"]}),
    "two fields under one title": schema(
        a={"type": "boolean", "title": "Agree"}, b={"type": "boolean", "title": "agree"}
    ),
    "a field under the name of another": schema(a={"type": "boolean", "title": "b"}, b={"type": "boolean"}),
    "too few titles": schema(a={"type": "string", "enum": ["a", "b"], "enumNames": ["A"]}),
    "too much to choose from": schema(a={"type": "string", "enum": [str(n) for n in range(301)]}),
    "a value that cannot be seen": schema(a={"type": "string", "enum": ["a", "\u200b"]}),
    "a name that cannot be seen": schema(**{"a\u202e": TEXT}),
    "a blank name": schema(**{" ": TEXT}),
    "a default that cannot be seen": schema(a={"type": "string", "default": "a\u2066"}),
    "a default of another type": schema(a={"type": "boolean", "default": "yes"}),
    "a default that is no choice": schema(a={"type": "string", "enum": ["a"], "default": "b"}),
    "a default out of bounds": schema(a={"type": "number", "maximum": 1, "default": 2}),
    "a default that is no date": schema(a={"type": "string", "format": "date", "default": "soon"}),
    "a long title": schema(a={"type": "string", "title": "A" * 301}),
    "a title that is no text": schema(a={"type": "string", "title": 5}),
    "a required field that is not there": schema(["b"], a=TEXT),
    "required fields that are no list": schema("a", a=TEXT),
    "twenty-one fields": schema(**{f"f{n}": TEXT for n in range(21)}),
    "a megabyte": schema(**{"a": {"type": "string", "title": "A", "x": "A" * 1_000_000}}),
    "no JSON": schema(a={"type": "string", "x": object()}),
}


@pytest.mark.parametrize("asked", NOT_SHOWN.values(), ids=NOT_SHOWN.keys())
def test_what_cannot_be_shown_whole_is_not_asked(asked):
    with pytest.raises(BadForm):
        form_of(asked)


def test_a_schema_nested_without_end_is_not_asked():
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(BadForm):
        form_of(schema(a={"type": "string", "x": deep}))


def test_a_message_is_one_line_with_what_cannot_be_seen_written_out():
    assert message_of("Refund?\n\n  Approval needed: \u202enothing\x1b[2J") == (
        "Refund? Approval needed: \\u202enothing\\u001b[2J"
    )


def test_a_message_longer_than_a_person_reads_is_not_cut_but_refused():
    assert message_of("a" * MAX_MESSAGE)
    with pytest.raises(BadForm):
        message_of("a" * (MAX_MESSAGE + 1))


@given(st.text())
def test_words_are_always_one_visible_line_and_writing_them_again_changes_nothing(text: str):
    assert "\n" not in words(text)
    assert words(words(text)) == words(text)


AGREED = {
    "nothing is asked": (schema(), {}),
    "one yes or no": (schema(ok=YES), {"ok": True}),
    "one yes or no that is no by default": (schema(ok={**YES, "default": False}), {"ok": True}),
    "a reason may be added": (schema(["ok"], ok=YES, why=TEXT), {"ok": True}),
    "a default would go along": (schema(["ok"], ok=YES, news={**YES, "default": True}), None),
    "a text is needed": (schema(why=TEXT), None),
    "two are needed": (schema(ok=YES, sure=YES), None),
    "none is needed, and there are some": (schema([], ok=YES), None),
}


@pytest.mark.parametrize("case", AGREED.values(), ids=AGREED.keys())
def test_a_plain_yes_fills_in_one_yes_and_nothing_that_was_not_asked(case):
    asked, content = case
    assert agreed(form_of(asked)) == content


FORM = schema(
    ["mail", "n"],
    mail={"type": "string", "format": "email"},
    n={"type": "integer", "minimum": 1, "maximum": 5},
    day={"type": "string", "format": "date"},
    at={"type": "string", "format": "date-time"},
    page={"type": "string", "format": "uri"},
    c={"type": "string", "oneOf": [{"const": "a", "title": "One"}]},
    several={"type": "array", "items": {"enum": ["x", "y"]}, "maxItems": 2},
    ok=YES,
)
GOOD = {"mail": "ann@example.com", "n": 3}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"day": "2026-02-28", "at": "2026-02-28T10:00:00Z", "page": "https://example.com/", "ok": False},
        {"c": "a", "several": ["x", "y"]},
        {"mail": "آن@مثال.إختبار"},
    ],
)
def test_what_fits_is_sent_as_it_was_filled_in(more):
    assert filled(form_of(FORM), GOOD | more) == GOOD | more


BAD: dict[str, Any] = {
    "nothing": {},
    "no object": [1],
    "None": None,
    "a missing field": {"n": 3},
    "another field": GOOD | {"admin": True},
    "a text for a number": GOOD | {"n": "3"},
    "true for a number": GOOD | {"n": True},
    "too much": GOOD | {"n": 6},
    "not a number": GOOD | {"n": float("nan")},
    "half": GOOD | {"n": 1.5},
    "no address": GOOD | {"mail": "ann"},
    "an address with a blank": GOOD | {"mail": "an n@example.com"},
    "no such day": GOOD | {"day": "2026-02-30"},
    "a day without dashes": GOOD | {"day": "20260228"},
    "a day in other digits": GOOD | {"day": "٢٠٢٦-٠٢-٢٨"},
    "no moment": GOOD | {"at": "2026-02-28"},
    "no page": GOOD | {"page": "here"},
    "the title for the value": GOOD | {"c": "One"},
    "one of them twice": GOOD | {"several": ["x", "x"]},
    "text that is not Unicode": GOOD | {"mail": "a\ud800@example.com"},
    "null": GOOD | {"ok": None},
    "an object": GOOD | {"ok": {"a": 1}},
    "what is no JSON": GOOD | {"ok": object()},
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_what_does_not_fit_is_not_sent_and_the_reason_does_not_repeat_it(content):
    with pytest.raises(BadCall) as problem:
        filled(form_of(FORM), content)
    assert str(problem.value).endswith(".")
    assert "ann@" not in str(problem.value)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYWORDS = [
    "type",
    "title",
    "description",
    "default",
    "enum",
    "enumNames",
    "oneOf",
    "items",
    "minimum",
    "format",
]
FIELDS = st.dictionaries(
    st.text(max_size=5),
    ANYTHING
    | st.dictionaries(st.sampled_from(KEYWORDS), ANYTHING, max_size=4)
    | st.sampled_from([TEXT, YES, {"type": "integer", "default": 1}, {"type": "string", "enum": ["a"]}]),
    max_size=3,
)


@given(FIELDS, ANYTHING, ANYTHING)
def test_whatever_a_server_and_a_person_send_is_taken_or_refused_and_never_more(fields, needed, content):
    try:
        form = form_of({"type": "object", "properties": fields, "required": needed})
    except BadForm:
        return
    assert form_of(form) == form
    assert json.loads(canonical(form)) == form
    try:
        sent = filled(form, content)
    except BadCall:
        return
    assert sent == content
    assert set(form["required"]) <= set(sent) <= set(fields)


def test_a_field_that_is_not_asked_for_is_named_as_such_and_not_repeated():
    with pytest.raises(BadCall, match=r"^Something was filled in that the form does not ask for\.$"):
        filled(form_of(FORM), GOOD | {"admin": True})


HOSTS = {
    "https://pay.example.net/now?card=1": "pay.example.net",
    "https://ann:secret@pay.example.net:8443/": "pay.example.net",
    "https://раypal.com/": "xn--ypal-43d9g.com",
    "https://a\u202eb.example/": "?",
    "javascript:alert(1)": "?",
    "http://[": "?",
    "": "?",
}


@pytest.mark.parametrize(("url", "host"), HOSTS.items())
def test_a_page_is_named_by_its_host_alone_in_letters_that_pass_for_no_others(url, host):
    assert host_of(url) == host
