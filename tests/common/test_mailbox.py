"""When two e-mail addresses are one mailbox, and when they are two people's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.mailbox import email_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mira@Example.COM", " mira@example.com "),
        ("ÁNA@example.com", "a\u0301na@example.com"),
        ("info@STRAẞE.de", "info@straße.de"),
        ("info@bücher.example", "info@xn--bcher-kva.example"),
        ("info@BU\u0308CHER.example", "info@bücher.example"),
        ("ПОЧТА@пример.рф", "почта@ПРИМЕР.рф"),
    ],
)
def test_one_mailbox_has_one_key(one: str, other: str):
    assert email_key(one) == email_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("info@straße.de", "info@strasse.de"),
        ("\ufb01ona@example.com", "fiona@example.com"),
        ("weiß@example.com", "weiss@example.com"),
        ("ı@example.com", "i@example.com"),
        ("ſam@example.com", "sam@example.com"),
        ("a.b@example.com", "ab@example.com"),
        ("a+b@example.com", "a@example.com"),
        ("а@example.com", "a@example.com"),
    ],
)
def test_two_mailboxes_have_two_keys(one: str, other: str):
    assert email_key(one) != email_key(other)


@given(st.text(st.characters(), max_size=40), st.text(st.characters(), max_size=40))
def test_any_text_has_a_key_whose_key_it_is(local: str, domain: str):
    key = email_key(f"{local}@{domain}")
    assert email_key(key) == key
