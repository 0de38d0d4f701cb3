"""What is taken out of texts that are kept or logged, and what stays."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from common import personal_numbers
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
    "kim.lee@@example.com",
    "kim.lee@example..com",
    "kim.lee@ example . com",
    "kim.lee@[192.168.0.1]",
    '"kim lee"@example.com',
    "किम@उदाहरण.भारत",
    "كيم@مثال.إختبار",
    "kim.lee@exаmple.com",  # a Cyrillic letter
    "kim.lee (at) example.com",
    "kim [at] example.com",
    "kim{at}example.com",
    "kim<at>example.com",
    "kim(a)example.com",
    "kim|at|example.com",
    "kim *at* example.com",
    "kim -at- example.com",
    "kim_lee-at-example-dot-com",
    "kim.lee_at_example.com",
    "kim.lee at example.com",
    "kim_lee at gmail",
    "kim42 at example dot co dot uk",
    "kim dot lee at example dot com",
    "kim.lee at-sign example.com",
    "kim arroba example punto com",
    "kim.lee arroba example.com",
    "kim собака example точка ru",
    "kim собака mail.ru",
    "kim.lee आत example डॉट com",
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
    "4111/1111/1111/1111",
    "4111,1111,1111,1111",
    "4111;1111;1111;1111",
    "4111:1111:1111:1111",
    "4111|1111|1111|1111",
    "4111 | 1111 | 1111 | 1111",
    "4111·1111·1111·1111",
    "4111_1111_1111_1111",
    "4111'1111'1111'1111",
    "4111*1111*1111*1111",
    "(4111)(1111)(1111)(1111)",
    "3782/822463/10005",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
]
ACCOUNTS = [
    "DE89 3704 0044 0532 0130 00",
    "DE89370400440532013000",
    "de89 3704 0044 0532 0130 00",
    "GB29 NWBK 6016 1331 9268 19",
    "gb29nwbk60161331926819",
    "ES91-2100-0418-4502-0005-1332",
    "FR14\u00a02004\u00a01010\u00a00505\u00a00001\u00a03M02\u00a0606",
    "SA03 8000 0000 6080 1016 7519",
    "AE07 0331 2345 6789 0123 456",
    "MT84MALT011000012345MTLCAST001S",
    "NO93 8601 1117 947",
    "ＤＥ８９ ３７０４ ００４４ ０５３２ ０１３０ ００",
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
    "+49_171_2345678",
    "+49·171·2345678",
    "(0171 2345678)",
    "0 1 7 1 2 3 4 5 6 7 8",
    "0171\\2345678",
    "0171, 2345678",
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
    "ph {}",
    "ph: {}",
    "mob. {}",
    "cel {}",
    "wsp {}",
    "guasap: {}",
    "сот. {}",
    "ватсап {}",
    "تلفون {}",
]
MINE = ["my number is {}", "mi número es {}", "мой номер {}", "رقمي {}", "मेरा नंबर {}", "मेरा नंबर है {}"]
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
    "orders 4471,4468,4480 and 4111, 1111, 1111, 1111",
    "orders 4471/4468/4480/4490 and 4471;4468;4480;4490",
    "order 4471 plus 4472 4473 4474, and +1,234,567 views",
    "parcel YT2412345678901239 and SF4111111111111111",
    "I sent the mail to you at shop.com",
    "I saw it at amazon.com, look at this point. It costs 24.99 at shop.com",
    "order 4471 at shop.com, ORD-2026-000123 at shop.com",
    "is the lamp at www.example.com the same?",
    "is the bookshelf paid now?? order no 4463, i thought my husband did the transfer but he isnt sure",
    "hi my order is 4499, no updates since sunday, whats going on with it",
    "ORDER NO 4463 4471 4468 123, DE 20 PIECES 1234 5678",
    "I typed my password 3 times and reset the password for order 4471",
    "мой номер заказа 4471123456, мой номер 4471",
    "मेरा नंबर 4471, पिन कोड 110001",
    "моя собака съела посылку 4471",
    "mi número de pedido 4471123456",
    "a line\nof two",
    "",
]


@pytest.mark.parametrize("email", EMAILS)
def test_an_e_mail_address_is_taken_out(email: str):
    assert redact(f"write to {email}, please.") == "write to [e-mail], please."


@pytest.mark.parametrize("words", ["my email is {}", "e-mail address: {}", "mi correo es {}", "ईमेल: {}"])
def test_a_plain_name_is_an_address_where_a_word_says_so(words: str):
    assert redact(words.format("kim at example.com")) == words.format("[e-mail]")


@pytest.mark.parametrize("card", CARDS)
def test_a_card_number_is_taken_out_however_it_is_written(card: str):
    assert redact(f"I paid with {card}, thanks") == "I paid with [card number], thanks"
    assert redact(f"order 4471: {card}") == "order 4471: [card number]"


def test_a_card_number_behind_other_digits_is_taken_out():
    assert redact("20 4111 1111 1111 1111") == "20 [card number]"
    assert redact("4111 1111 1111 1111 12/30") == "[card number] 12/30"
    assert redact("VISA4111111111111111") == "VISA[card number]"
    assert redact("REF4111111111111111") == "REF[card number]"
    assert redact("O4111111111111111") == "O[card number]"


def test_digits_that_are_no_card_number_stay():
    assert redact("number 4111 1111 1111 1112") == "number 4111 1111 1111 1112"


@pytest.mark.parametrize("account", ACCOUNTS)
def test_a_bank_account_number_is_taken_out_however_it_is_written(account: str):
    assert redact(f"pay it to {account}, thanks") == "pay it to [bank account], thanks"
    assert redact(f"IBAN: {account}") == "IBAN: [bank account]"
    assert redact(f"IBAN{account}") == "IBAN[bank account]"


def test_a_bank_account_number_that_fails_its_check_or_form_stays():
    for text in ("DE88 3704 0044 0532 0130 00 x", "DE89 3704 0044", "XX89 3704 0044 0532 0130 00 y"):
        assert "[bank account]" not in redact(text)
    assert redact("IBAN: DE 89 3704 0044 0532 0130 00") == "IBAN: [bank account]"


@pytest.mark.parametrize("words", MINE)
@pytest.mark.parametrize("phone", ["89261234567", "9876543210", "050 123 4567"])
def test_a_number_that_somebody_calls_their_own_is_a_phone_number(words: str, phone: str):
    assert redact(words.format(phone)) == words.format("[phone]")


@pytest.mark.parametrize("phone", PHONES)
def test_a_phone_number_is_taken_out(phone: str):
    assert redact(f"I am at home, {phone}, until noon") == "I am at home, [phone], until noon"


@pytest.mark.parametrize("words", ANNOUNCED)
@pytest.mark.parametrize("phone", ["5551234567", "555 1234", "98765 43210", "+49 151 23456789"])
def test_a_number_that_is_called_a_phone_number_is_taken_out(words: str, phone: str):
    assert redact(words.format(phone)) == words.format("[phone]")


@pytest.mark.parametrize("text", ["plus 49 171 2345678", "más 34 612 345 678", "плюс 7 926 123 45 67"])
def test_a_plus_may_be_a_word(text: str):
    assert redact(f"{text}, thanks") == f"{text.split()[0]} [phone], thanks"


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
        ("my password hunter2 does not work", "my password [secret] does not work"),
        ("login: kim pw: hunter2", "login: kim pw: [secret]"),
        ("pw hunter2", "pw [secret]"),
        ("mi contraseña hunter2", "mi contraseña [secret]"),
        ("clave gato77", "clave [secret]"),
        ("пароль qwerty12", "пароль [secret]"),
        ("كلمة السر 1234", "كلمة السر [secret]"),
        ("पासवर्ड billi77", "पासवर्ड [secret]"),
        ("pin code is 4711", "pin code is [secret]"),
        ("my PIN number is 4711", "my PIN number is [secret]"),
        ("CVV2 123, CVC: 123", "CVV2 [secret], CVC: [secret]"),
        ("пин 4711", "пин [secret]"),
        ("пин-код 4711", "пин-код [secret]"),
        ("код из смс 471123", "код из смс [secret]"),
        ("código de seguridad 123", "código de seguridad [secret]"),
        ("رمز التحقق 4711", "رمز التحقق [secret]"),
        ("ओटीपी 471123", "ओटीपी [secret]"),
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
    [*EMAILS, *CARDS, *ACCOUNTS, *PHONES, *SECRETS, *(words.format("5551234567") for words in ANNOUNCED)]
)
BITS = st.sampled_from(
    [
        "[e-mail]",
        "[phone]",
        "[card number]",
        "[bank account]",
        "[secret]",
        "password: ",
        "password ",
        "IBAN",
        "pin ",
        " is ",
        "@",
        "+",
        "at",
    ]
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
    left = re.sub(r"\[(?:e-mail|phone|card number|bank account|secret)\]", "", redact(text))
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
    "char",
    [
        "1",
        "a",
        "@",
        " 1",
        "1-",
        "a.",
        "password:",
        "+",
        "a@",
        "://a:",
        "[",
        "eyJ",
        "at a dot ",
        "a at b. ",
        "a_at_",
        "a.1 at ",
        "DE89 ",
        "IBAN",
        "password 1a",
        "password 1a ",
        "plus 1 ",
        "my number ",
        "mail a ",
    ],
)
def test_a_long_text_of_one_thing_does_not_keep_us_waiting(char: str):
    """It would take minutes, not a moment, if a pattern went back over what it has read."""
    redact(char * 4_000)


@pytest.mark.parametrize("text", ["1 " * 150, "1/" * 150, "1-" * 150, "12 " * 100, "0 " * 150, "1 1a" * 75])
def test_each_place_of_a_number_is_looked_at_a_bounded_number_of_times(
    text: str, monkeypatch: pytest.MonkeyPatch
):
    looked_at: list[object] = []
    announced: list[str] = []
    is_phone, pattern = personal_numbers._is_phone, personal_numbers._ANNOUNCED
    monkeypatch.setattr(
        personal_numbers, "_is_phone", lambda part: (looked_at.append(part), is_phone(part))[1]
    )
    monkeypatch.setattr(
        personal_numbers,
        "_ANNOUNCED",
        SimpleNamespace(search=lambda before: (announced.append(before), pattern.search(before))[1]),
    )
    assert list(personal_numbers.phones_in(text)) == list(personal_numbers.phones_in(text))
    assert len(looked_at) <= 2 * 12 * len(re.findall(r"\d+", text))
    assert len(announced) <= 2
