"""guards/in_words.py: numbers in words become digits, and what stood there can be said again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.text import fold
from guards.in_words import told
from guards.spelled import SPELLED
from guards.words import levelled

TOLD = {
    "one thousand dollars": "1000 dollars",
    "twelve hundred": "1200",
    "one hundred and forty-nine euros ninety": "149 euros 90",
    "two hundred fifty-six thousand seven hundred and one": "256701",
    "a dozen": "a 12",
    "half a dozen": "6",
    "half an hour": "30 minutes",
    "four four seven one": "4471",
    "twenty twenty-six": "2026",
    "fourteen ninety-nine euros": "14.99 euros",
    "forty-nine point nine zero": "49.90",
    "the third of December": "the 3th of December",
    "December the twenty-first": "December the 21th",
    "thirty-day returns": "30-day returns",
    "5 thousand dollars": "5 thousand dollars",
    "at this point": "at this point",
    "a@one.com and two.example": "a@one.com and two.example",
    "mil cuatrocientos noventa y nueve": "1499",
    "ciento cuarenta y nueve con noventa": "149 con 90",
    "veinte por ciento": "20 por ciento",
    "una hora": "una hora",
    "сто сорок девять евро": "149 евро",
    "двадцать первого декабря": "21th декабря",
    "полтора года": "1.5 года",
    "चार हज़ार चार सौ इकहत्तर": "4471",
    "डेढ़ सौ": "150",
    "एक ऑर्डर": "एक ऑर्डर",
    "تسعة وتسعون": "99",
    "مئة وتسعة وأربعون": "149",
    "مئة وخمسة عشر": "115",
    "ألفان وأربعمئة": "2400",
    "يوم الأحد": "يوم الاحد",
    "عشرون في المئة": "20 في المئه",
}


@pytest.mark.parametrize(("written", "digits"), TOLD.items(), ids=TOLD.keys())
def test_words_for_a_number_are_read_as_its_digits(written: str, digits: str):
    plain = levelled(fold(written))
    assert told(plain).text == levelled(fold(digits))


def test_what_stood_there_can_be_said_again():
    read = told("order four four seven one and two hundred euros")
    assert read.text == "order 4471 and 200 euros"
    assert read.written(6, 10) == "four four seven one"
    assert read.written(15, 24) == "two hundred euros"
    assert read.written(0, 5) == "order"


@given(st.lists(st.sampled_from([*SPELLED, "and", "-", ",", "point", "order", "4471", " "]), max_size=12))
def test_any_run_of_words_is_read_and_nothing_is_lost(words: list[str]):
    plain = " ".join(words)
    read = told(plain)
    assert read.written(0, len(read.text)) == plain


@given(st.integers(0, 999_999))
def test_an_english_number_is_read_as_itself(number: int):
    assert told(_english(number)).text == str(number)


def _english(number: int) -> str:
    if number >= 1000:
        rest = number % 1000
        return f"{_english(number // 1000)} thousand" + (f" {_english(rest)}" if rest else "")
    if number >= 100:
        rest = number % 100
        return f"{_english(number // 100)} hundred" + (f" and {_english(rest)}" if rest else "")
    english = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
        " sixteen seventeen eighteen nineteen"
    ).split()
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    if number < 20:
        return english[number]
    return tens[number // 10 - 2] + (f"-{english[number % 10]}" if number % 10 else "")
