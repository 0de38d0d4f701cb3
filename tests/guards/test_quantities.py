"""guards/quantities.py: what is written as a price, a year, a count or a room is no order number."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.order_ids import plain
from guards.mentions import mentions
from guards.quantities import without_quantities

NO_ID = {
    "en": (
        "3 x|I bought 2 lamps for 1499|paid 250|I paid 250|in 2026|20 %|20%|24 hours|room 12|2 items|x3|"
        "3 pcs|3x lamp|it cost 1499|charged me 250 twice|charged 250|the price was 1499|a total of 250|"
        "sold for 300|bought it for 1499|bought the lamp for 1499|since 2024|until 2027|Christmas 2025|"
        "on 14 September|14 September 2026|Sep 14|14.09.2026|10:30|at 10 am|apartment 12|flat no. 3|"
        "floor 5|house 45|1499 dollars|250 bucks|99 cents|1,499|3 of them|ordered 3 shirts|"
        "I want to order 3 shirts|received only 2 lamps|I need 5 chairs|call me at 5551234567|"
        "text me back on 98765 43210|(555) 123-4567|ten years since 2015|12 minutes|7 business days|49.99|"
        "10 percent|10 per cent|2 lamps for 1499|1 499 euros"
    ),
    "es": (
        "3 unidades|pagué 250|me cobraron 250|cuesta 1499|costó 1499|en 2026|desde 2024|20 por ciento|"
        "24 horas|habitación 12|piso 3|apartamento 12|1499 euros|250 pesos|14 de septiembre|"
        "14 de septiembre de 2026|compré 3 lámparas|he pedido 3 piezas|2 lámparas por 1499|hace 3 días|"
        "3 semanas|llámame al 5551234567|2 veces|compré la lámpara por 1499|total de 250|a las 10|"
        "navidad 2025"
    ),
    "ru": (
        "3 шт|3 штуки|заплатил 250|заплатила 250|стоит 1499|стоил 1499|в 2026|в 2026 году|с 2024 года|"
        "2025 г.|20 %|20 процентов|24 часа|кв. 12|дом 5|квартира 12|комната 12|1499 рублей|250 руб.|"
        "14 сентября|14 сентября 2026|купил 3 лампы|заказал 2 рубашки|2 лампы за 1499|3 дня назад|5 лет|"
        "позвоните мне по 89123456789|2 раза|купил лампу за 1499|сумма 250|1 499 руб|скидка 20"
    ),
    "ar": (
        "3 قطع|دفعت 250|سعره 1499|بمبلغ 250|في 2026|عام 2026|منذ 2024|20٪|20 بالمئة|24 ساعة|غرفة 12|"
        "شقة 12|الطابق 3|1499 ريال|250 درهم|14 سبتمبر|اشتريت 3 مصابيح|طلبت 2 قمصان|استلمت 2 كراسي|"
        "قبل 3 أيام|٣ أيام|3 مرات|اتصل بي على 5551234567|الساعة 10|دفعت ٢٥٠|14 يوم|خصم 20"
    ),
    "hi": (
        "3 पीस|250 रुपये|₹250|1499 रुपए|20 प्रतिशत|20 फीसदी|24 घंटे|3 दिन|साल 2026|2026 में|2024 से|"
        "कमरा 12|कमरा नंबर 12|फ्लैट 12|मकान नंबर 45|14 सितंबर|कीमत 1499|कुल 250|3 लैंप खरीदे|"
        "2 शर्ट मंगवाई|250 का भुगतान|5 साल|२५० रुपये|10 बजे|9876543210 पर कॉल|3 बार|1499 में खरीदा"
    ),
}

ID = {
    "en": (
        "4471|order 4471|where is 4471?|status for 4471|refund for 4471|ticket for 4471|I paid for 4471|"
        "paid twice for 4471|I ordered 4471|order 4471 2 items missing|order 4471 items missing|"
        "order 4471: 3 days late|order no 4471 EUR 20|order 4471 $20|order 4471, 14 September|"
        "my number is 4471|number 4471|id 4471|4471 is late|4471 arrived broken|cancel 4471 please|"
        "return 4471|refund 4471|received 4471 broken|got 4471 today|I need 4471|4471 on Monday|"
        "order 2024|order #2024|it is 4471 from March|about 4471 and 4468|4471 in 2026|paid 250 for 4471|"
        "4471 for 250 dollars|room 12 order 4471|bought 2 lamps in 4471"
    ),
    "es": (
        "pedido 4471|mi pedido 4471|pedido número 4471|orden 4471|¿dónde está el 4471?|el 4471|"
        "estado de 4471|reembolso de 4471|pagué 250 por el 4471|número 4471|pedido nº 4471|quiero 4471|"
        "recibí 4471 roto"
    ),
    "ru": (
        "заказ 4471|где заказ 4471?|заказа 4471|номер 4471|заказ № 4471|где 4471?|верните за 4471|"
        "по заказу 4471|заказом 4471 недоволен|4471 пришёл сломанным|я заплатил 250 за 4471|что с 4471"
    ),
    "ar": (
        "طلب 4471|طلبي 4471|الطلب 4471|الطلب رقم 4471|رقم 4471|أين 4471؟|طلبي رقم ٤٤٧١|"
        "طلبت 4471 يوم الاثنين|4471 متى يصل|دفعت 250 في الطلب 4471"
    ),
    "hi": (
        "ऑर्डर 4471|मेरा ऑर्डर 4471|ऑर्डर नंबर 4471|नंबर 4471|4471 कहाँ है?|4471 का क्या हुआ|ऑर्डर ४४७१|"
        "4471 नंबर का ऑर्डर|मुझे 4471 चाहिए|4471 में लैंप टूटा है"
    ),
}


def numbers(message: str) -> list[str]:
    return [piece.lstrip("#") for piece in mentions(message) if re.fullmatch(r"#?\d+", piece)]


def split(table: dict[str, str]) -> list[str]:
    return [message for row in table.values() for message in row.split("|")]


@pytest.mark.parametrize("message", split(NO_ID))
def test_what_is_written_as_something_else_is_no_order_number(message: str):
    assert numbers(message) == []


@pytest.mark.parametrize("message", split(ID))
def test_what_is_written_as_an_order_number_or_as_nothing_in_particular_is_one(message: str):
    assert set(numbers(message)) - {"4468"} == {"2024" if "2024" in message else "4471"}


@pytest.mark.parametrize("digits", ["٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "０１２３４５６７８９"])
def test_it_is_the_same_in_the_digits_of_every_script(digits: str):
    other = str.maketrans("0123456789", digits)
    for message in split(NO_ID):
        assert numbers(message.translate(other)) == [], message


@given(st.text(st.sampled_from("12 x%€.,دفعتأ३साल paid for room in2026:'\"\n"), max_size=80))
def test_nothing_but_digits_and_what_is_written_with_them_is_taken_out(text: str):
    kept = without_quantities(plain(text))
    assert len(kept) == len(plain(text))
    assert all(one in (other, ";") for one, other in zip(kept, plain(text), strict=True))


@given(st.integers(10, 10**9), st.sampled_from(["order", "pedido", "заказ", "طلب", "ऑर्डर", "#"]))
def test_a_number_behind_the_word_for_an_order_is_one_whatever_follows(number: int, word: str):
    for after in ("", " items missing", " days late", " x", "?", " 3 дня", " قطع", " दिन"):
        assert str(number) in numbers(f"{word} {number}{after}")
