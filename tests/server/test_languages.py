"""What the server says, in five languages: the same facts, in each one's form, and nothing invisible."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from string import Formatter
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextResourceContents

from common.language import LANGUAGES, language_of
from common.text import unsafe_characters
from guards.output import Observed, unverified
from server import build_server
from store import Item, OrderStatus, Payment
from store.forms import spoken_amount, spoken_date
from store.money import decimals
from store.policies import load_policies, sections
from store.wording import LONGEST_NAME, items_told, order_told
from store.words import words
from tests.server.shop import (
    DRY_RUN,
    STAFF,
    TODAY,
    ask,
    demo,
    demo_orders,
    opened,
    order_of_the_demo,
    said,
    ticket,
)

pytestmark = pytest.mark.anyio

OTHERS = set(LANGUAGES) - {"en"}


def told(result: CallToolResult) -> dict[str, str]:
    """Return what a result says in the other languages, after checking that it says it in each."""
    assert result.meta is not None
    found = dict(result.meta["shopkart/said"])
    english = found.pop("en", None)  # of a refusal that says to the model what the customer is told otherwise
    assert english is None or english.startswith((result.structured_content or {})["message"])
    assert set(found) == OTHERS
    assert all(text.strip() == text and text for text in found.values())
    assert said(result) not in found.values()
    return found


async def every_result(client: Client) -> list[CallToolResult]:
    """Return an answer of every kind: each order, each outcome of a ticket, each refusal, searches."""
    results = [await ask(client, "get_order_status", order_id=order.id) for order in demo_orders(TODAY)]
    for category in ("damaged", "refund", "return", "damaged", "other", "delivery"):
        results.append(await ticket(client, "4470", category, DRY_RUN))
        results.append(await ticket(client, "4470", category))
    for order_id, category in (("4459", "return"), ("4461", "refund"), ("4463", "refund"), ("9999", "other")):
        results.append(await ticket(client, order_id, category))
    results.append(await ticket(client, "no number", "other"))
    results.append(await ask(client, "no_tool"))
    queries = ("how long is the warranty", "enviáis a Nepal?", "есть ли бонусы", "!!")
    return results + [await ask(client, "search_policy", query=query) for query in queries]


async def test_every_answer_and_refusal_is_told_in_every_language(era: str):
    async with opened(era, caller=STAFF) as client:
        for result in await every_result(client):
            told(result)


async def test_no_sentence_holds_anything_invisible():
    async with opened(caller=STAFF) as client:
        for result in await every_result(client):
            for text in told(result).values():
                assert unsafe_characters(text) == []
                assert "{" not in text
                assert "None" not in text
                assert not re.search(r"\s\s|\s[.,;)]", text), text
                assert all(not char.isdigit() or char.isascii() for char in text)


async def test_the_agents_check_takes_no_sentence_of_the_server_for_an_invention():
    async with opened(caller=STAFF) as client:
        for result in await every_result(client):
            found = result.structured_content or {}
            english = str(found["message"]) if result.is_error else said(result)
            if "create_ticket" in english:
                continue  # 4466: its item's name is hostile, and the check is right
            for language, text in {**told(result), "en": english}.items():
                seen = Observed()
                seen.see({} if result.is_error else found, text if result.is_error else english)
                if found.get("created"):
                    seen.act("create_ticket", "Open a ticket")
                assert unverified(text, seen, ["create_ticket"]) == [], text
                assert language_of(text) == language, text


_LATIN_THEN_LATIN = re.compile(r"[A-Za-z][\w-]*[^\w\u0621-\u064a]+[A-Za-z]")


async def test_in_arabic_an_arabic_word_stands_between_any_two_latin_names():
    async with opened(caller=STAFF) as client:
        for result in await every_result(client):
            text = told(result)["ar"]
            named = re.sub(r"«([^»]*[A-Za-z][^»]*)»", "Name", text)
            assert not _LATIN_THEN_LATIN.search(named), text


def _ids_and_names(order: Any) -> Iterator[str]:
    yield order.id
    yield from (item.name if len(item.name) <= LONGEST_NAME else item.name[:20] for item in order.items)
    if order.status not in ("cancelled", "pending", "processing"):
        yield from filter(None, (order.carrier, order.tracking_number))


def test_an_orders_ids_names_dates_and_amounts_stand_in_every_language():
    for order in demo_orders(TODAY):
        for language in LANGUAGES:
            text = order_told(order, TODAY, language)
            days = [order.placed_on, order.delivered_on]
            assert all(each in text for each in _ids_and_names(order))
            assert all(spoken_date(day, language) in text for day in days if day)
            assert spoken_amount(order.total_minor, order.currency, language) in text
            if sum(item.quantity for item in order.items) > 1:
                prices = [spoken_amount(item.price_minor, order.currency, language) for item in order.items]
                assert all(price in text for price in prices)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_state_and_payment_of_an_order_has_its_own_sentence(language: str):
    order = order_of_the_demo("4471")
    texts = {
        order_told(replace(order, status=status, payment=payment, delivered_on=TODAY), TODAY, language)
        for status in get_args(OrderStatus)
        for payment in get_args(Payment)
    }
    # An order that came back unpaid is told like a cancelled one: it was not paid.
    assert len(texts) == len(get_args(OrderStatus)) * len(get_args(Payment))


def test_one_order_in_five_languages():
    order = order_of_the_demo("4459")
    assert {language: order_told(order, TODAY, language) for language in LANGUAGES} == snapshot(
        {
            "en": (
                'Order 4459 (1 x "Travel Kettle" at 29.95 EUR, 2 x "Tea Sampler" at 12.50 EUR '
                "each) has arrived: it was delivered on 28 September 2026 with UPS (tracking "
                "number 1Z999AA10123456784). It was placed on 22 September 2026; the total of "
                "54.95 EUR is paid. The time to return it ended on 28 October 2026."
            ),
            "ar": (
                "الطلب 4459 (1 × «Travel Kettle» بسعر 29.95 يورو و2 × «Tea Sampler» بسعر 12.50 "
                "يورو للقطعة) وصل، وكان تسليمه في 28 سبتمبر 2026 مع UPS (رقم التتبع "
                "1Z999AA10123456784). قُدِّم الطلب في 22 سبتمبر 2026، والمبلغ الإجمالي 54.95 يورو "
                "مدفوع. انتهت مدة إرجاعه في 28 أكتوبر 2026."
            ),
            "es": (
                "El pedido 4459 (1 x «Travel Kettle» a 29,95 € y 2 x «Tea Sampler» a 12,50 € por "
                "unidad) ha llegado: se entregó el 28 de septiembre de 2026 con UPS (número de "
                "seguimiento 1Z999AA10123456784). El pedido se hizo el 22 de septiembre de 2026; "
                "el total de 54,95 € está pagado. El plazo para devolverlo terminó el 28 de "
                "octubre de 2026."
            ),
            "hi": (
                'ऑर्डर 4459 (1 x "Travel Kettle" – €29.95 और 2 x "Tea Sampler" – €12.50 प्रति नग) '
                "पहुँच चुका है: इसकी डिलीवरी 28 सितंबर 2026 को UPS से (ट्रैकिंग नंबर "
                "1Z999AA10123456784) हुई। ऑर्डर 22 सितंबर 2026 को दिया गया था; €54.95 की कुल रकम "
                "चुकाई जा चुकी है। इसे लौटाने का समय 28 अक्टूबर 2026 को समाप्त हो गया।"
            ),
            "ru": (
                "Заказ 4459 (1 x «Travel Kettle» за 29,95 € и 2 x «Tea Sampler» по 12,50 €) "
                "прибыл: он доставлен 28 сентября 2026 года (перевозчик UPS, трек-номер "
                "1Z999AA10123456784). Заказ оформлен 22 сентября 2026 года; сумма 54,95 € "
                "оплачена. Срок возврата закончился 28 октября 2026 года."
            ),
        }
    )


@pytest.mark.parametrize(
    ("language", "day", "price"),
    [
        ("en", "1 May 2026", "1499.00 EUR"),
        ("es", "1 de mayo de 2026", "1.499,00 €"),
        ("ru", "1 мая 2026 года", "1 499,00 €"),
        ("ar", "1 مايو 2026", "1,499.00 يورو"),
        ("hi", "1 मई 2026", "€1,499.00"),
    ],
)
def test_dates_and_amounts_take_the_customers_form(language: str, day: str, price: str):
    assert spoken_date(date(2026, 5, 1), language) == day
    assert spoken_amount(149900, "EUR", language) == price


@given(
    minor=st.integers(0, 10**9),
    currency=st.sampled_from(["EUR", "USD", "JPY", "AED", "INR", "XAF", "KWD", "IQD", "CLF"]),
    language=st.sampled_from(LANGUAGES),
)
def test_an_amount_keeps_its_cents_and_its_digits_in_every_form(minor: int, currency: str, language: str):
    text = spoken_amount(minor, currency, language)
    digits = re.sub(r"[^0-9]", "", text)
    assert int(digits) == minor
    assert len(digits) >= 1 + decimals(currency)
    assert unsafe_characters(text) == []


def test_items_in_a_row_end_in_and():
    items = (Item("A", 1, 1), Item("B", 2, 1), Item("C", 3, 1))
    assert items_told(items, "es") == "1 x «A», 2 x «B» y 3 x «C»"
    assert items_told(items, "ar") == "1 × «A» و2 × «B» و3 × «C»"


# ---------------------------------------------------------------- the word files


def _templates(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _templates(each, f"{path}.{key}")


def _placeholders(template: str) -> set[str]:
    named = {name for _, name, _, _ in Formatter().parse(template) if name}
    return named - {"policy", "title"}  # English names a policy by its file, the others by its title


@pytest.mark.parametrize("language", sorted(OTHERS))
def test_a_languages_words_have_the_keys_and_places_of_the_english_ones(language: str):
    english = dict(_templates(words("en").model_dump()))
    other = dict(_templates(words(language).model_dump()))
    assert set(other) == set(english)
    for path, template in english.items():
        if path.endswith(".next"):  # to the model in English, to the customer in the others
            assert _placeholders(other[path]) <= _placeholders(template), path
        else:
            assert _placeholders(other[path]) == _placeholders(template), path


# ---------------------------------------------------------------- the policies

NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def numbers(text: str) -> list[str]:
    return sorted(number.replace(",", ".") for number in NUMBER.findall(text))


@pytest.mark.parametrize("language", sorted(OTHERS))
def test_a_translated_policy_has_the_sections_sentences_and_numbers_of_the_english_one(language: str):
    english, other = load_policies("en"), load_policies(language)
    assert [policy.name for policy in other] == [policy.name for policy in english]
    for one, translated in zip(english, other, strict=True):
        pairs = list(zip(sections(one), sections(translated), strict=True))
        assert len({section.heading for _, section in pairs}) == len(pairs)
        for section, same in pairs:
            assert len(section.sentences) == len(same.sentences), same.heading
            for sentence, other_sentence in zip(section.sentences, same.sentences, strict=True):
                assert numbers(sentence) == numbers(other_sentence), same.heading
        assert unsafe_characters(translated.text.replace("\n", " ")) == []
        assert not re.search(r"@|https?:|www\.|\+\d|\d{6,}", translated.text)


@pytest.mark.parametrize("language", sorted(OTHERS))
def test_a_translated_policy_writes_amounts_as_the_shop_does_elsewhere(language: str):
    (shipping,) = (policy for policy in load_policies(language) if policy.name == "shipping")
    assert spoken_amount(990, "EUR", language) in shipping.text


async def test_a_translated_policy_can_be_read_and_is_not_listed(shop: Client):
    listed = {str(resource.uri) for resource in (await shop.list_resources()).resources}
    assert listed == {f"policy://{policy.name}" for policy in load_policies()} | {"shop://session"}
    (content,) = (await shop.read_resource("policy://es/returns")).contents
    assert isinstance(content, TextResourceContents)
    assert content.text.startswith("# Devoluciones")
    assert content.mime_type == "text/markdown"


@pytest.mark.parametrize("uri", ["policy://es/nothing", "policy://xx/returns", "policy://es/returns.md"])
async def test_a_translation_that_is_not_there_is_a_protocol_error(shop: Client, uri: str):
    with pytest.raises(MCPError):
        await shop.read_resource(uri)


async def test_a_rule_that_is_there_in_english_only_is_said_to_be_english():
    class English:
        """The demo shop without its translations."""

        def __init__(self) -> None:
            self._shop = demo()

        def __getattr__(self, name: str) -> Any:
            return getattr(self._shop, name)

        def policies(self) -> Any:
            return load_policies("en")

    server = build_server(English(), STAFF)  # pyright: ignore[reportArgumentType]
    async with Client(server) as client:
        result = await ask(client, "search_policy", query="how long is the warranty")
        unknown = await ask(client, "search_policy", query="¿cuánto dura la garantía?")
    assert told(result)["es"].startswith(
        "Esta norma de la tienda está escrita en inglés («Warranty: How long"
    )
    assert "Every item has a warranty" in told(result)["ru"]
    assert told(unknown)["es"].startswith("Las normas de la tienda no están en español")
