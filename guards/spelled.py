"""The words that numbers are made of, in five languages: thirty, treinta, тридцати, तीस, ثلاثين.

Knows:    each word, its value, and what part of a number it can be.
Does not: put words together (guards/in_words.py), or know ordinals but for days (guards/calendar.py).
Left out: the words for one that are also an article (a, un, एक) unless a number goes on after them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from common.text import fold
from guards.words import any_of, levelled

Part = Literal["one", "teen", "ten", "hundreds", "hundred", "times", "begins", "point", "mixed"]
"""one: 0-9. teen: 10-19, in Hindi to 99. ten: 20, 30… hundreds: 200 in one word. hundred: multiplies by 100.
times: by a thousand and more. begins: one, which only counts with more behind it. point: before decimals.
mixed: one and a half.
"""


@dataclass(frozen=True)
class Word:
    """One word of a number. joined: Arabic's "and" is written as one with it."""

    language: str
    part: Part
    value: Decimal
    joined: bool = False


_ONES = "zero one two three four five six seven eight nine".split()
_TEENS = (
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty|fourty fifty sixty seventy eighty ninety".split()

_SPANISH_ONES = "cero uno dos tres cuatro cinco seis siete ocho nueve".split()
_SPANISH_TEENS = (
    "diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno|veintiún"
    "|veintiuna veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve"
).split()
_SPANISH_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_SPANISH_HUNDREDS = "doscient trescient cuatrocient quinient seiscient setecient ochocient novecient".split()

# Each number as it stands after "is" and after "within": пять, пяти.
_RUSSIAN_ONES = (
    "ноль|нуль|ноля|нуля один|одного|одна|одну|одной|одному два|две|двух|двум|двумя три|трех|трем|тремя"
    " четыре|четырех|четырем пять|пяти|пятью шесть|шести|шестью семь|семи|семью восемь|восьми девять|девяти"
).split()
_RUSSIAN_TEENS = (
    "десять|десяти одиннадцать|одиннадцати двенадцать|двенадцати тринадцать|тринадцати четырнадцать"
    "|четырнадцати пятнадцать|пятнадцати шестнадцать|шестнадцати семнадцать|семнадцати восемнадцать"
    "|восемнадцати девятнадцать|девятнадцати"
).split()
_RUSSIAN_TENS = (
    "двадцать|двадцати тридцать|тридцати сорок|сорока пятьдесят|пятидесяти шестьдесят|шестидесяти"
    " семьдесят|семидесяти восемьдесят|восьмидесяти девяносто|девяноста"
).split()
_RUSSIAN_HUNDREDS = (
    "сто|ста двести|двухсот триста|трехсот четыреста|четырехсот пятьсот|пятисот шестьсот|шестисот семьсот"
    "|семисот восемьсот|восьмисот девятьсот|девятисот"
).split()

_HINDI = (
    "शून्य एक दो तीन चार पांच छह|छः|छे सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह|पन्द्रह सोलह सत्रह अठारह उन्नीस"
    " बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस|अठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस"
    " छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस"
    " उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ"
    " छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी"
    " अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे"
    " चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे"
).split()

_ARABIC_ONES = "ثلاث اربع خمس ست سبع ثماني تسع".split()
_ARABIC_TENS = "عشر ثلاث اربع خمس ست سبع ثمان تسع".split()
_ARABIC_HUNDREDS = "ثلاث اربع خمس ست سبع ثمان تسع".split()
_JOINED = ("", "ال", "ب", "ل", "لل")
"""What Arabic writes as one word with the number: the article, and two prepositions."""

Entry = tuple[str, Part, int | Decimal]


def _listed(words: list[str], part: Part, first: int, step: int = 1) -> Iterator[Entry]:
    for index, forms in enumerate(words):
        yield from ((form, part, first + index * step) for form in forms.split("|"))


def _english() -> Iterator[Entry]:
    yield from _listed(_ONES, "one", 0)
    yield from _listed(_TEENS, "teen", 10)
    yield from _listed(_TENS, "ten", 20, 10)
    yield from (("couple of", "one", 2), ("hundred", "hundred", 100), ("dozen", "times", 12))
    yield from (("thousand", "times", 1_000), ("million", "times", 1_000_000), ("point", "point", 0))


def _spanish() -> Iterator[Entry]:
    yield from _listed(_SPANISH_ONES, "one", 0)
    yield from (("un", "begins", 1), ("una", "begins", 1))
    yield from _listed(_SPANISH_TEENS, "teen", 10)
    yield from _listed(_SPANISH_TENS, "ten", 30, 10)
    yield from (("cien", "hundreds", 100), ("ciento", "hundreds", 100))
    for index, stem in enumerate(_SPANISH_HUNDREDS, 2):
        yield from ((f"{stem}{end}", "hundreds", index * 100) for end in ("os", "as"))
    yield from (("mil", "times", 1_000), ("millón", "times", 1_000_000), ("millones", "times", 1_000_000))
    yield from (("coma", "point", 0), ("docena", "times", 12))


def _russian() -> Iterator[Entry]:
    yield from _listed(_RUSSIAN_ONES, "one", 0)
    yield from _listed(_RUSSIAN_TEENS, "teen", 10)
    yield from _listed(_RUSSIAN_TENS, "ten", 20, 10)
    yield from _listed(_RUSSIAN_HUNDREDS, "hundreds", 100, 100)
    yield from ((f"тысяч{end}", "times", 1_000) for end in ("", "а", "и", "у", "ам"))
    yield from ((f"миллион{end}", "times", 1_000_000) for end in ("", "а", "ов"))
    yield from ((form, "mixed", Decimal("1.5")) for form in ("полтора", "полторы", "полутора"))
    yield from (("дюжина", "times", 12), ("дюжину", "times", 12))


def _hindi() -> Iterator[Entry]:
    for value, forms in enumerate(_HINDI):
        part: Part = "begins" if value == 1 else "one" if value < 10 else "teen"
        yield from ((form, part, value) for form in forms.split("|"))
    yield from (("सौ", "hundred", 100), ("हजार", "times", 1_000), ("लाख", "times", 100_000))
    yield from (("करोड़", "times", 10_000_000), ("दशमलव", "point", 0), ("दर्जन", "times", 12))
    yield from (("डेढ़", "mixed", Decimal("1.5")), ("ढाई", "mixed", Decimal("2.5")))


def _arabic() -> Iterator[Entry]:
    yield from (("صفر", "one", 0), ("واحد", "one", 1), ("اثنان", "one", 2), ("اثنين", "one", 2))
    yield from ((form, "begins", 1) for form in ("احد", "احدي"))
    yield from ((form, "begins", 2) for form in ("اثنا", "اثني", "اثنتا", "اثنتي"))
    for value, word in enumerate(_ARABIC_ONES, 3):
        yield from ((word + end, "one", value) for end in ("", "ه"))
    yield from (("ثمان", "one", 8), ("عشر", "teen", 10), ("عشره", "teen", 10))
    for value, word in enumerate(_ARABIC_TENS, 2):
        yield from ((word + end, "ten", value * 10) for end in ("ون", "ين"))
    yield from ((form, "hundred", 100) for form in ("مئه", "مائه", "ميه"))
    yield from ((form, "hundreds", 200) for form in ("مئتان", "مئتين", "مائتان", "مائتين"))
    for value, word in enumerate(_ARABIC_HUNDREDS, 3):
        yield from ((word + end, "hundreds", value * 100) for end in ("مئه", "مائه", "ميه"))
    yield from (("الف", "times", 1_000), ("الفا", "times", 1_000), ("الاف", "times", 1_000))
    yield from (("الفان", "hundreds", 2_000), ("الفين", "hundreds", 2_000))
    yield from (("مليون", "times", 1_000_000), ("ملايين", "times", 1_000_000), ("فاصله", "point", 0))


_DAYS_TOO = {"احد", "اثنين"}
"""With the article these are Sunday and Monday."""

_UNACCENTED = str.maketrans("éóú", "eou")


def _words() -> dict[str, Word]:
    named = {word: Word("en", part, Decimal(value)) for word, part, value in _english()}
    for word, part, value in _spanish():
        named |= dict.fromkeys((fold(word), word.translate(_UNACCENTED)), Word("es", part, Decimal(value)))
    for language, entries in (("ru", _russian()), ("hi", _hindi())):
        named |= {levelled(fold(word)): Word(language, part, Decimal(value)) for word, part, value in entries}
    for word, part, value in _arabic():
        plain = levelled(fold(word))
        for head in _JOINED:
            if head != "ال" or plain not in _DAYS_TOO:
                named[head + plain] = Word("ar", part, Decimal(value))
                named["و" + head + plain] = Word("ar", part, Decimal(value), joined=True)
    return named


WORDS = _words()
"""Each word by its name, levelled and in lower case."""

SPELLED = {name: word.value for name, word in WORDS.items() if word.part not in ("begins", "point")}
"""Those that are a number by themselves."""

WORDS_PATTERN = any_of(WORDS)
