"""What is taken out of texts that are kept or logged, and what stays."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from common.redaction import redact
from common.secret import is_card, looks_secret

DATA = Path(__file__).resolve().parents[1] / "data"

# Secrets are written in pieces: no file of this project holds one.
JWT = "ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
SECRETS = [
    "sk" + "-proj-abcdABCD1234efgh",
    "sk" + "_live_51H8abcdEFGH1234",
    "gh" + "p_" + "aB3d" * 6,
    "xox" + "b-1234567890-abcdef",
    "shp" + "at_" + "0a1b2c3d" * 4,
    "ck" + "_" + "0a1b2c3d4e" * 4,
    "AK" + "IA" + "ABCD" * 4,
    JWT,
    "Bearer abcdefghijklmnop",
    "d1f0c2a94e7b4d8c9f3a6b5e8d7c2f10",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "-----BEG" + "IN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----",
]
EMAILS = [
    "kim@example.com",
    "kim.lee+shop@mail.example.co.uk",
    "KIM_LEE@EXAMPLE.COM",
    "o'neil@example.ie",
    "ким@пример.рф",
    "kim@büro.example",
    "kim＠example．com",
    "kim\u200b@\u200bexample.com",
    "kim @ example.com",
    "kim (at) example (dot) com",
    "kim at example dot com",
    "kim@163.com",
    "kim@intranet",
]
CARDS = [
    "4111111111111111",
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "4111.1111.1111.1111",
    "4111 - 1111 - 1111 - 1111",
    "4111–1111–1111–1111",
    "4111\u00a01111\u20091111\u202f1111",
    "４１１１ １１１１ １１１１ １１１１",
    "٤١١١ ١١١١ ١١١١ ١١١١",
    "४१११ ११११ ११११ ११११",
    "4\u200b111 1111 1111 1111",
    "5500 0000 0000 0004",
    "3782 822463 10005",
    "30569309025904",
    "6011000990139424",
    "6200 0000 0000 0000 000",
    "2200 0000 0000 0004",
]
PHONES = [
    "+49 151 23456789",
    "+4915123456789",
    "+1 (555) 123-4567",
    "+44 20 7946 0958",
    "+7 (916) 123-45-67",
    "+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧",
    "(+49) 30 1234567",
    "+49 (0) 30 1234567",
    "0049 30 1234567",
    "(555) 123-4567",
    "555-123-4567",
    "555.123.4567",
    "1-800-555-0199",
    "555-0123",
    "07700 900123",
    "030/1234567",
    "01 23 45 67 89",
    "8 (916) 123-45-67",
    "612 345 678",
    "138 1234 5678",
    "٠٥٠ ١٢٣ ٤٥٦٧",
]
ANNOUNCED = [
    "my phone number is {}",
    "call me at {}",
    "tel: {}",
    "tel.{}",
    "WhatsApp {}",
    "you can reach me on {}",
    "mi teléfono es {}",
    "llámame al {}",
    "мой телефон {}",
    "позвоните мне по номеру {}",
    "هاتف {}",
    "رقم هاتفي: {}",
    "मेरा फ़ोन नंबर {}",
    "https://wa.me/{}",
]
STAYS = [
    "where is order 4471?",
    "orders 4471, 4468 and 4480 please",
    "orders 4471 4468, and 2 of 4471 4468",
    "order #1001, order W2378156, #W2378156 and ORD-2026-000123",
    "my order number is 123456789012",
    "order 111-1234567-1234567 of another shop",
    "ticket T-1001 and T-123456789012345",
    "tracking JD0146000044711, JJD000390007812345678 and 1Z999AA10123456784",
    "tracking RB123456785CN, TBA123456789000 and 00340434161094021501",
    "tracking 9400 1000 0000 0000 0000 00",
    "it cost 1,234.56 EUR, 1.234,56 €, 1 234 567,89 ₽ or $5551234567",
    "placed on 2026-11-30, expected 05.12.2026 or 02-12-2026 10:30, 12/05/2026",
    "from 2026-11-30 to 2026-12-05, at 2026-11-30T12:00:00Z",
    "from 01.12.2026 - 05.12.2026",
    "ISBN 978-0-306-40615-7, 24x36x12 cm, -20%, 3 x 49.99",
    "how do I reset my password?",
    "my password is wrong",
    "the token is missing.",
    "my secret is safe",
    "the key is under the mat",
    "meet me at 10",
    "Donaudampfschifffahrtsgesellschaft",
    "https://shop.example/returns/2026/how-to-return-my-lamp-4471",
    "policy://returns",
    "¿dónde está mi pedido 4471?",
    "मेरा ऑर्डर 4471 कहाँ है?",
    "أين طلبي 4471؟",
    "I bought a phone, order 447112345",
    "a line\nof two",
    "",
]


@pytest.mark.parametrize("email", EMAILS)
def test_an_e_mail_address_is_taken_out(email: str):
    assert redact(f"write to {email}, please.") == "write to [e-mail], please."


@pytest.mark.parametrize("card", CARDS)
def test_a_card_number_is_taken_out_however_it_is_written(card: str):
    assert redact(f"I paid with {card}, thanks") == "I paid with [card number], thanks"
    assert redact(f"order 4471: {card}") == "order 4471: [card number]"


def test_a_card_number_behind_other_digits_is_taken_out():
    assert redact("20 4111 1111 1111 1111") == "20 [card number]"
    assert redact("4111 1111 1111 1111 12/30") == "[card number] 12/30"
    assert redact("VISA4111111111111111") == "VISA[card number]"


def test_digits_that_are_no_card_number_stay():
    assert redact("number 4111 1111 1111 1112") == "number 4111 1111 1111 1112"


@pytest.mark.parametrize("phone", PHONES)
def test_a_phone_number_is_taken_out(phone: str):
    assert redact(f"I am at home, {phone}, until noon") == "I am at home, [phone], until noon"


@pytest.mark.parametrize("words", ANNOUNCED)
@pytest.mark.parametrize("phone", ["5551234567", "555 1234", "98765 43210", "+49 151 23456789"])
def test_a_number_that_is_called_a_phone_number_is_taken_out(words: str, phone: str):
    assert redact(words.format(phone)) == words.format("[phone]")


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_taken_out(secret: str):
    assert redact(f"use {secret} for it") == "use [secret] for it"
    assert looks_secret(f"use {secret} for it")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("my password is hunter2.", "my password is [secret]"),
        ("my password is swordfish", "my password is [secret]"),
        ("Password: swordfish and more", "Password: [secret] and more"),
        ("api_key=abc", "api_key=[secret]"),
        ("my pin is 1234, ok", "my pin is [secret] ok"),
        ("pin 1234", "pin [secret]"),
        ("CVV 123", "CVV [secret]"),
        ("mi contraseña es gato7", "mi contraseña es [secret]"),
        ("мой пароль: кот7", "мой пароль: [secret]"),
        ("كلمة المرور: قط7", "كلمة المرور: [secret]"),
        ("postgresql://shop:hunter2@localhost/shop", "postgresql://[secret]@localhost/shop"),
        ("Authorization: Basic c2hvcDpodW50ZXIy", "[secret]"),
    ],
)
def test_a_password_is_taken_out_and_its_sentence_stays(text: str, left: str):
    assert redact(text) == left


@pytest.mark.parametrize("text", STAYS)
def test_what_is_not_personal_stays(text: str):
    assert redact(text) == text


def test_what_stands_beside_each_other_is_taken_out_each():
    text = f"kim@example.com +49 151 23456789, 4111 1111 1111 1111 {JWT}"
    assert redact(text) == "[e-mail] [phone], [card number] [secret]"


def test_ordinary_messages_stay_as_they_are():
    messages = [
        json.loads(line)["text"]
        for line in (DATA / "benign-messages/clinc150_300.jsonl").read_text("utf-8").splitlines()
    ]
    assert len(messages) == 300
    changed = [redact(text) for text in messages if redact(text) != text]
    assert changed == ["make my pin [secret] for my checking account"]  # which is one


FOUND = st.sampled_from(
    [*EMAILS, *CARDS, *PHONES, *SECRETS, *(words.format("5551234567") for words in ANNOUNCED)]
)
BITS = st.sampled_from(
    ["[e-mail]", "[phone]", "[card number]", "[secret]", "password: ", "pin ", " is ", "@", "+", "at"]
)
TEXTS = st.lists(
    FOUND | BITS | st.text(max_size=6) | st.text("0123456789 -().+", max_size=20), max_size=6
).map("".join)


@given(TEXTS)
@example("password: [e-mail]")
@example("password: [e-mail][phone]x")
def test_redacting_twice_is_redacting_once(text: str):
    assert redact(redact(text)) == redact(text)


@given(TEXTS)
def test_nothing_comes_in_that_was_not_there(text: str):
    left = re.sub(r"\[(?:e-mail|phone|card number|secret)\]", "", redact(text))
    remaining = iter(text)
    assert all(char in remaining for char in left)


@given(st.from_regex(r"[0-9]{1,12}", fullmatch=True))
def test_an_order_number_of_the_default_form_stays(number: str):
    for text in (f"order {number}", f"#{number}", f"where is {number}?", number):
        assert redact(text) == text


@given(st.integers(0, 10**15 - 1), st.sampled_from([" ", "-", ""]), st.text("abc ,.:\n", max_size=5))
def test_no_card_number_is_left_whatever_stands_around_it(digits: int, separator: str, around: str):
    body = f"4{digits:015d}"[:15]
    number = next(body + str(last) for last in range(10) if is_card(body + str(last)))
    written = separator.join(number[index : index + 4] for index in range(0, 16, 4))
    assert redact(f"{around}{written}{around}") == f"{around}[card number]{around}"


@pytest.mark.parametrize(
    "char", ["1", "a", "@", " 1", "1-", "a.", "password:", "+", "a@", "://a:", "[", "eyJ", "at a dot "]
)
def test_a_long_text_of_one_thing_does_not_keep_us_waiting(char: str):
    """It would take minutes, not a moment, if a pattern went back over what it has read."""
    redact(char * 4_000)
