"""Numbers in words: "thirty days", "treinta días", "тридцати дней", "तीस दिन", "ثلاثين يوما".

Knows:    whole numbers to a hundred, and some above, as they stand before a unit or a currency.
Does not: know ordinals, or the words for one that are also an article (a, un, एक).
"""

from collections.abc import Iterator

from common.text import fold
from guards.words import any_of, levelled

_ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()

_SPANISH_ONES = (
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
    " diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco"
    " veintiséis veintisiete veintiocho veintinueve"
).split()
_SPANISH_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_SPANISH_HUNDREDS = (
    "cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
).split()

# Each number as it stands after "is" and after "within": пять, пяти.
_RUSSIAN_ONES = (
    "один|одного|одна|одной два|две|двух три|трех четыре|четырех пять|пяти шесть|шести семь|семи"
    " восемь|восьми девять|девяти десять|десяти одиннадцать|одиннадцати двенадцать|двенадцати"
    " тринадцать|тринадцати четырнадцать|четырнадцати пятнадцать|пятнадцати шестнадцать|шестнадцати"
    " семнадцать|семнадцати восемнадцать|восемнадцати девятнадцать|девятнадцати"
).split()
_RUSSIAN_TENS = (
    "двадцать|двадцати тридцать|тридцати сорок|сорока пятьдесят|пятидесяти шестьдесят|шестидесяти"
    " семьдесят|семидесяти восемьдесят|восьмидесяти девяносто|девяноста"
).split()
_RUSSIAN_HUNDREDS = "сто|ста двести|двухсот триста|трехсот четыреста|четырехсот пятьсот|пятисот".split()

_HINDI = (
    "दो तीन चार पांच छह|छः|छे सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह|पन्द्रह सोलह सत्रह अठारह उन्नीस बीस"
    " इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस|अठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस"
    " छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस"
    " उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ"
    " छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी"
    " अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे"
    " चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे सौ"
).split()

_ARABIC_ONES = "ثلاث اربع خمس ست سبع ثماني تسع عشر".split()
_ARABIC_TENS = "عشر ثلاث اربع خمس ست سبع ثمان تسع".split()
_JOINED = ("", "ال", "ب", "ل")
"""What Arabic writes as one word with the number: the article, and two prepositions."""


def _english() -> Iterator[tuple[str, int]]:
    ones = list(enumerate(_ONES, 1))
    tens = [(word, index * 10) for index, word in enumerate(_TENS, 2)]
    yield from ((word, value) for value, word in ones)
    yield from tens
    yield from ((f"{ten}-{one}", value + more) for ten, value in tens for more, one in ones[:9])
    for name, factor in (("hundred", 100), ("thousand", 1_000)):
        yield f"a {name}", factor
        yield from ((f"{one} {name}", value * factor) for value, one in ones)


def _spanish() -> Iterator[tuple[str, int]]:
    ones = [(word, value) for value, word in enumerate(_SPANISH_ONES, 1)]
    yield from ones[1:]
    yield "veintiún", 21
    for value, ten in enumerate(_SPANISH_TENS, 3):
        yield ten, value * 10
        yield from ((f"{ten} y {one}", value * 10 + more) for one, more in [*ones[:9], ("un", 1), ("una", 1)])
    yield from ((word, value * 100) for value, word in enumerate(_SPANISH_HUNDREDS, 1))
    yield from ((word.replace("cientos", "cientas"), value) for word, value in [("doscientos", 200)])
    yield "mil", 1_000
    yield from ((f"{one} mil", more * 1_000) for one, more in ones[1:20])


def _russian() -> Iterator[tuple[str, int]]:
    ones = [(form, value) for value, forms in enumerate(_RUSSIAN_ONES, 1) for form in forms.split("|")]
    tens = [(form, value * 10) for value, forms in enumerate(_RUSSIAN_TENS, 2) for form in forms.split("|")]
    yield from ones
    yield from tens
    yield from ((f"{ten} {one}", value + more) for ten, value in tens for one, more in ones if more < 10)
    for value, forms in enumerate(_RUSSIAN_HUNDREDS, 1):
        yield from ((form, value * 100) for form in forms.split("|"))


def _hindi() -> Iterator[tuple[str, int]]:
    for value, forms in enumerate(_HINDI, 2):
        yield from ((form, value) for form in forms.split("|"))


def _arabic() -> Iterator[tuple[str, int]]:
    ones = [(word + end, value) for value, word in enumerate(_ARABIC_ONES, 3) for end in ("", "ه")]
    tens = [(word + end, value * 10) for value, word in enumerate(_ARABIC_TENS, 2) for end in ("ون", "ين")]
    small = [("واحد", 1), ("احدي", 1), ("اثنان", 2), ("اثنين", 2), *ones[:-2]]
    teens = [("احد", 1), ("احدي", 1), ("اثنا", 2), ("اثني", 2), ("اثنتا", 2), ("اثنتي", 2), *ones[:-2]]
    yield from ones
    yield from tens
    yield from ((f"{one} عشر{end}", 10 + value) for one, value in teens for end in ("", "ه"))
    yield from ((f"{one} و{ten}", value + more) for ten, value in tens for one, more in small)
    yield from (("مئه", 100), ("مائه", 100), ("مئتان", 200), ("مئتين", 200), ("الف", 1_000))


def _spelled() -> dict[str, int]:
    named = dict(_english())
    named |= {fold(word): value for word, value in _spanish()}
    named |= {word.translate(_UNACCENTED): value for word, value in _spanish()}
    named |= {levelled(fold(word)): value for word, value in (*_russian(), *_hindi())}
    return named | {head + levelled(fold(word)): value for head in _JOINED for word, value in _arabic()}


_UNACCENTED = str.maketrans("éóú", "eou")

SPELLED = _spelled()
"""Each number by its name, levelled and in lower case."""

SPELLED_NAMES = any_of(SPELLED)
