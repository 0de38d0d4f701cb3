"""guards/contacts.py: whatever a customer could follow, write to, call or pay is found, however hidden."""

import pytest

from guards.contacts import contacts
from guards.output import LEFT_OUT, Observed, unverified, without_strangers
from guards.values import read

FOUND = {
    "see evil.com": "link:evil.com",
    "EVIL.COM": "link:evil.com",
    "hxxp://evil.com/x": "link:evil.com/x",
    "hxxps://evil[.]com/pay": "link:evil",
    "evil[.]com/pay": "link:evil.com/pay",
    "evil (dot) com": "link:evil.com",
    "example dot com": "link:example.com",
    "evil . com": "link:evil.com",
    "www.evil.com.": "link:evil.com",
    "[here](/pay)": "link:/pay",
    "[here](https://evil.com/a)": "link:evil.com/a",
    "javascript:alert(1)": "link:javascript:alert",
    "http://1.2.3.4/x": "link:1.2.3.4/x",
    "10.0.0.1:8080": "link:10.0.0.1:8080",
    "пример.рф": "link:пример.рф",
    "shоpkart.example": "link:shоpkart.example",
    "xn--80ak6aa92e.com": "link:xn--80ak6aa92e.com",
    "t.me/evil": "link:t.me/evil",
    "visit evil.in/pay": "link:evil.in/pay",
    "a at b dot com": "email:a@b.com",
    "kim_42 at gmail": "email:kim_42@gmail",
    "help [at] evil [dot] example": "email:help@evil.example",
    "[mail](mailto:a@b.com)": "email:a@b.com",
    "soporte arroba malo punto com": "email:soporte@malo.com",
    "help собака evil точка com": "email:help@evil.com",
    "help एट evil डॉट com": "email:help@evil.com",
    "+1-800-555-0199": "phone:18005550199",
    "call 800 555 0199": "phone:8005550199",
    "call five five five zero one nine nine": "phone:5550199",
    "Llame al 555-0199": "phone:5550199",
    "[call](tel:+15550199)": "phone:15550199",
    "DE89 3704 0044 0532 0130 00": "account:de89370400440532013000",
    "4111 1111 1111 1111": "account:4111111111111111",
    "@evil_support on Telegram": "handle:@evil_support",
    "221B Baker Street": "address:221b baker street",
    "986 Sunset Drive": "address:986 sunset drive",
}


@pytest.mark.parametrize(("text", "found"), FOUND.items(), ids=FOUND.keys())
def test_a_way_to_reach_somebody_is_found_and_needs_evidence(text: str, found: str):
    ways = ("link", "email", "phone", "account", "handle", "address")
    values = [f"{value.kind}:{value.readings[0]}" for value in read(text).values if value.kind in ways]
    assert values == [found]
    assert unverified(text, Observed())


@pytest.mark.parametrize(
    "text",
    [
        "It arrived. In two days it goes back.",
        "e.g. this one, i.e. yours",
        "Node.js and invoice.pdf",
        "1 499 000 RUB",
        "JJD000390007882",
        "It is 9:00. Then call.",
        "I'm at home. Dot the i.",
        "data: 5 orders",
        "27.5 in. display",
        "cualquier punto de entrega",
        "on 2026-09-14 at 10:00",
        "order no.4471",
        "a+b=c",
    ],
)
def test_an_ordinary_sentence_holds_none(text: str):
    assert contacts(text) == []


SHOPS = {
    "https://shop.example/returns": [
        "shop.example/returns",
        "https://shop.example/returns.",
        "(shop.example/returns)",
    ],
    "support@shop.example": ["support@shop.example", "support at shop dot example", "SUPPORT@shop.example"],
    "+49 30 1234567": ["+49 30 1234567", "+49301234567", "0049 30 1234567", "call 030 1234567"],
}


@pytest.mark.parametrize(("given", "said"), [(given, each) for given, all in SHOPS.items() for each in all])
def test_what_the_shop_gave_may_be_said_in_any_form(given: str, said: str):
    seen = Observed()
    seen.tell(given)
    assert unverified(said, seen) == []


@pytest.mark.parametrize("given", SHOPS)
@pytest.mark.parametrize("index", [2, -3])
def test_one_sign_changed_makes_another(given: str, index: int):
    seen = Observed()
    seen.tell(f"Reach us: {given}")
    old = given[index]
    new = str((int(old) + 1) % 10) if old.isdigit() else "x"
    changed = list(given)
    changed[index] = new
    assert unverified("".join(changed), seen)


def test_a_parcels_number_in_groups_is_no_phone():
    seen = Observed()
    seen.see({"tracking_number": "357962501027"}, "")
    assert unverified("Tracking number 357 962 501 027.", seen) == []


NAMES = [
    "Lamp (call 800 555 0199)",
    "Lamp, see evil.com",
    "Lamp - mail a@evil.com",
    "Lamp DE89 3704 0044 0532 0130 00",
    "Lamp a\u200b@evil.com",
]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_product_is_called_reaches_nobody_without_a_model(name: str):
    seen = Observed()
    text = f'Order 4471 (1 x "{name}") has been shipped.'
    seen.see({"order_id": "4471", "items": [{"name": name}]}, text)
    told = without_strangers(text, seen)
    assert LEFT_OUT in told
    assert unverified(told, seen) == []


def test_what_the_shop_gave_is_told_without_a_model():
    seen = Observed()
    seen.tell("Write to support@shop.example.")
    text = "Write to support@shop.example."
    assert without_strangers(text, seen) == text
