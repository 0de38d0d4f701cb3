"""common/confusables.py: what passes for something else is named; honest words of any language are not."""

import unicodedata

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from common.confusables import hidden, lookalikes
from tests.house.tree import ROOT

LIKE_LATIN = dict(zip("аеорсухіјѕАВЕКМНОРСТХ", "aeopcyxijsABEKMHOPCTX", strict=True))
"""Cyrillic letters and the Latin ones they look like."""

LATIN_WORD = st.text(
    st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), min_size=2, max_size=9
)
PLAIN = st.text(st.sampled_from("abc XYZ éñü 0189 -./:@ привет Ωμ"), max_size=20)

UNSEEN = st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Co", "Cs", "Cn"], exclude_characters="\n\t") | (
    st.sampled_from("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u180b\ufe00\ufe0f\U000e0100")
)


def told(text: str, *, exact: bool = False) -> list[str]:
    return [str(each) for each in lookalikes(text, exact=exact)]


@given(before=PLAIN, unseen=UNSEEN, after=PLAIN)
@example(before="0", unseen="\u180b", after="")
@example(before="4", unseen="\ufe0f", after="")
def test_every_character_that_cannot_be_seen_is_reported_wherever_it_stands(
    before: str, unseen: str, after: str
):
    assert f"U+{ord(unseen):04X}" in hidden(before + unseen + after)


@given(before=LATIN_WORD, letter=st.sampled_from(sorted(LIKE_LATIN)), after=LATIN_WORD)
def test_a_cyrillic_letter_in_a_latin_word_is_reported(before: str, letter: str, after: str):
    (found,) = lookalikes(f"please pay {before}{letter}{after} now")
    assert found.word == before + letter + after
    assert found.why == "mixes Latin and Cyrillic"
    assert found.characters == (f"U+{ord(letter):04X}",)


@given(
    word=st.lists(
        st.sampled_from(
            [
                char
                for code in range(0x1D400, 0x1D800)
                if unicodedata.normalize("NFKC", char := chr(code)).isascii() and unicodedata.name(char, "")
            ]
            + [chr(code) for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))]
        ),
        min_size=1,
        max_size=8,
    )
)
def test_full_width_and_mathematical_letters_and_digits_are_reported(word: list[str]):
    found = lookalikes(f"say {''.join(word)} now")
    assert {name for each in found for name in each.characters} == {f"U+{ord(char):04X}" for char in word}


@given(st.text(st.characters(), max_size=60), st.booleans())
def test_any_text_can_be_looked_at_and_what_is_reported_stands_in_it(text: str, exact: bool):
    for each in lookalikes(text, exact=exact):
        assert each.characters
        assert all(chr(int(name[2:], 16)) in text for name in each.characters)
    hidden(text)


@given(st.text(st.characters(max_codepoint=127), max_size=60), st.booleans())
def test_ascii_is_never_reported(text: str, exact: bool):
    assert lookalikes(text, exact=exact) == []


def test_two_different_scripts_in_one_word_are_named_with_the_characters():
    assert told("see раypal now") == ["'раypal' mixes Latin and Cyrillic (U+0440 U+0430)"]
    assert told("αдb") == ["'αдb' mixes Latin and Greek and Cyrillic (U+03B1 U+0434)"]
    assert told("приvет") == ["'приvет' mixes Latin and Cyrillic (U+043F U+0440 U+0438 U+0435 U+0442)"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ⓟⓐⓨ", "has circled characters"),
        ("🅿🅰🆈", "has inverted characters"),
        ("🄿🄰🅈", "has squared characters"),
        ("paypaⅼ", "has compatibility characters"),
        ("ɡooɡle", "has phonetic letters that look like plain ones"),
        ("paypaا", "mixes Latin and Arabic"),
        ("gഠഠgle", "mixes Latin and Malayalam"),
        ("Ꭺpple", "mixes Latin and Cherokee"),
        ("44७1", "has digits that are not 0 to 9"),
        ("A٤٤", "has digits that are not 0 to 9"),
        ("१٢", "has digits that are not 0 to 9"),
        ("go to аррӏе.com today", "looks Latin and is Cyrillic"),
        ("https://раура.example/x", "looks Latin and is Cyrillic"),
        ("write to sales@сосо.example", "looks Latin and is Cyrillic"),
        ("the order С-1001 is late", "looks Latin and is Cyrillic"),
        ("заказ А1001", "looks Latin and is Cyrillic"),
        ("please open рос now", "looks Latin and is Cyrillic"),
        ("see shop。com", "has marks that look like others"),
        ("http://shop.example∕pay", "has marks that look like others"),
        ("pay\u200bраl", "mixes Latin and Cyrillic"),
    ],
)
def test_what_passes_for_something_else_is_reported(text: str, why: str):
    assert [each.why for each in lookalikes(text)] == [why]


@pytest.mark.parametrize("text", ["С-1001", "T–1001", "٤٤٧١", "४४७१", "Ｃ-1001", "ОК", "TΟ-1"])
def test_an_id_that_is_not_what_it_looks_like_is_reported(text: str):
    assert lookalikes(text, exact=True)


@pytest.mark.parametrize("text", ["طلب-5", "АБ-12", "заказ-17", "W1001"])
def test_an_id_in_another_script_that_looks_like_no_latin_one_is_not(text: str):
    assert lookalikes(text, exact=True) == []


@pytest.mark.parametrize(
    "text",
    [
        "¿Dónde está mi pedido nº 4471? El 2.º llegó; ½ kg, 30 m², 10 µF, 5 kΩ, Δt.",
        "Где мой заказ 4471? USB-кабель, бумага А4, размер 42, 5000р., кв. 5А, д. 12В, iPhone со скидкой.",
        "أين طلبي رقم ٤٤٧١؟ الـiPhone لم يصل، و الiPhone القديم يعمل. ١٥٪",
        "मेरा ऑर्डर ४४७१ कहाँ है? iPhoneवाला कवर टूटा हुआ है। USB केबल भी।",
        "Mi nombre es Núñez; café, naïve, Straße, Łódź, kırmızı, Đorđe.",
        "می‌خواهم سفارش را لغو کنم",
        "क्‍ष और क्‌ष",
        "👨‍👩‍👧 ☎️ ❤️‍🔥 ℹ️ Ⓜ️ 🅰️ 1️⃣2️⃣ 🇪🇸 ① ™ © ℹ 🙂‍↕️",
        "Tシャツ 漢字とカナ 한국어漢字",
        "кафе.рф росса.Потом año.Gracias café.com",
        "Mac с SSD",
        "C'était l'été — où est-il ?",
        "two\nlines\tand a tab\r\nand more",
    ],
)
def test_honest_words_of_any_language_are_not_reported(text: str):
    assert (hidden(text), told(text)) == ([], [])


@pytest.mark.parametrize("language", ["en", "es", "ar", "hi", "ru"])
def test_no_sentence_of_the_house_is_reported(language: str):
    path = ROOT / "common" / "phrases" / f"{language}.yaml"
    sentences = list(_texts(yaml.safe_load(path.read_text("utf-8"))))
    assert sentences
    assert {text: (hidden(text), told(text)) for text in sentences if hidden(text) or lookalikes(text)} == {}


def test_what_is_told_of_a_long_word_stays_short():
    (found,) = told("a" + "".join(chr(code) for code in range(0x410, 0x44F)) * 1_000)
    assert len(found) < 200


def _texts(value: object):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
