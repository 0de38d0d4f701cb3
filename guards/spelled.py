"""The words that numbers are made of, in five languages: thirty, treinta, тридцати, तीस, ثلاثين.

Knows:    each word, its value, and what part of a number it can be.
Does not: put words together (guards/in_words.py), or know ordinals but for days (guards/calendar.py).
Left out: the words for one that are also an article (a, un, एक) unless a number goes on after them.
"""

from collections.abc import Iterator, Sequence
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
_TEENS = ("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen").split()
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


def _listed(words: Sequence[str], part: Part, first: int, step: int = 1) -> Iterator[Entry]:
    for index, forms in enumerate(words):
        yield from _each(forms.replace("|", " "), part, first + index * step)


def _each(words: str, part: Part, value: int | Decimal) -> Iterator[Entry]:
    """Yield each of the words with the same value; _ stands for a space in one."""
    for word in words.split():
        yield word.replace("_", " "), part, value


def _english() -> Iterator[Entry]:
    yield from _listed(_ONES, "one", 0)
    yield from _listed(_TEENS, "teen", 10)
    yield from _listed(_TENS, "ten", 20, 10)
    yield from _each("couple_of", "one", 2)
    yield from _each("hundred", "hundred", 100)
    yield from _each("dozen", "times", 12)
    yield from _each("thousand", "times", 1_000)
    yield from _each("million", "times", 1_000_000)
    yield from _each("point", "point", 0)


def _spanish() -> Iterator[Entry]:
    yield from _listed(_SPANISH_ONES, "one", 0)
    yield from _each("un una", "begins", 1)
    yield from _listed(_SPANISH_TEENS, "teen", 10)
    yield from _listed(_SPANISH_TENS, "ten", 30, 10)
    yield from _each("cien ciento", "hundreds", 100)
    for index, stem in enumerate(_SPANISH_HUNDREDS, 2):
        yield from _each(f"{stem}os {stem}as", "hundreds", index * 100)
    yield from _each("mil", "times", 1_000)
    yield from _each("millón millones", "times", 1_000_000)
    yield from _each("docena", "times", 12)
    yield from _each("coma", "point", 0)


def _russian() -> Iterator[Entry]:
    yield from _listed(_RUSSIAN_ONES, "one", 0)
    yield from _listed(_RUSSIAN_TEENS, "teen", 10)
    yield from _listed(_RUSSIAN_TENS, "ten", 20, 10)
    yield from _listed(_RUSSIAN_HUNDREDS, "hundreds", 100, 100)
    yield from _each("тысяч тысяча тысячи тысячу тысячам", "times", 1_000)
    yield from _each("миллион миллиона миллионов", "times", 1_000_000)
    yield from _each("полтора полторы полутора", "mixed", Decimal("1.5"))
    yield from _each("дюжина дюжину", "times", 12)


def _hindi() -> Iterator[Entry]:
    yield from _each(_HINDI[0], "one", 0)
    yield from _each(_HINDI[1], "begins", 1)
    yield from _listed(_HINDI[2:10], "one", 2)
    yield from _listed(_HINDI[10:], "teen", 10)
    yield from _each("सौ", "hundred", 100)
    yield from _each("दर्जन", "times", 12)
    yield from _each("हजार", "times", 1_000)
    yield from _each("लाख", "times", 100_000)
    yield from _each("करोड़", "times", 10_000_000)
    yield from _each("डेढ़", "mixed", Decimal("1.5"))
    yield from _each("ढाई", "mixed", Decimal("2.5"))
    yield from _each("दशमलव", "point", 0)


def _arabic() -> Iterator[Entry]:
    yield from _each("صفر", "one", 0)
    yield from _each("واحد", "one", 1)
    yield from _each("اثنان اثنين", "one", 2)
    yield from _each("احد احدي", "begins", 1)
    yield from _each("اثنا اثني اثنتا اثنتي", "begins", 2)
    for value, word in enumerate(_ARABIC_ONES, 3):
        yield from _each(f"{word} {word}ه", "one", value)
    yield from _each("ثمان", "one", 8)
    yield from _each("عشر عشره", "teen", 10)
    for value, word in enumerate(_ARABIC_TENS, 2):
        yield from _each(f"{word}ون {word}ين", "ten", value * 10)
    yield from _each("مئه مائه ميه", "hundred", 100)
    yield from _each("مئتان مئتين مائتان مائتين", "hundreds", 200)
    for value, word in enumerate(_ARABIC_HUNDREDS, 3):
        yield from _each(f"{word}مئه {word}مائه {word}ميه", "hundreds", value * 100)
    yield from _each("الف الفا الاف", "times", 1_000)
    yield from _each("الفان الفين", "hundreds", 2_000)
    yield from _each("مليون ملايين", "times", 1_000_000)
    yield from _each("فاصله", "point", 0)


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
