"""The names of the months, and of the days of a month, in the languages that customers write.

Knows:    names and short names of months and ordinals to 31, levelled and in lower case.
Does not: know which dates are true.
Source:   Unicode CLDR 46, Gregorian months, format and stand-alone, wide and abbreviated; the further
          Arabic names are those of the Levant and of the Maghreb.
"""

from collections.abc import Iterator

from common.text import fold
from guards.words import any_of, levelled

_ENGLISH = "january february march april may june july august september october november december"
_NAMES = (
    _ENGLISH,
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ene feb mar abr may jun jul ago sep oct nov dic",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    # Russian, in the cases that follow a number, "в", "к" and "с", and alone.
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
    "январю февралю марту апрелю маю июню июлю августу сентябрю октябрю ноябрю декабрю",
    "янв фев мар апр май июн июл авг сен окт ноя дек",
    "янв февр март апр мая июн июл авг сент окт нояб дек",
    "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितम्बर अक्तूबर नवम्बर दिसम्बर",
    "जन॰ फ़र॰ मार्च अप्रैल मई जून जुल॰ अग॰ सित॰ अक्टू॰ नव॰ दिस॰",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "يناير فبراير مارس إبريل مايو يونيه يوليه أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "كانون_الثاني شباط آذار نيسان أيار حزيران تموز آب أيلول تشرين_الأول تشرين_الثاني كانون_الأول",
    "جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر",
)

MONTH: dict[str, int] = {
    **{name[:3]: at for at, name in enumerate(_ENGLISH.split(), 1)},
    "sept": 9,
    "setiembre": 9,
    **{
        levelled(fold(name)).replace("_", " "): at
        for names in _NAMES
        for at, name in enumerate(names.split(), 1)
    },
}
"""The number of a month by its levelled name."""

# "may" is a verb far more often than a month: written small, it is a month only where a sentence could end.
_MAY = r"(?-i:May|MAY)|may(?=\s*(?:[.,;!?)]|$|(?:19|20)\d\d|(?:and|or|to|for|at|in|but|de|y|o)\b))"
# "ago" is Spanish for August only right after a day: "3 days ago. 14 items" holds none.
_AGO = r"(?:(?<=\d\s)|(?<=\d-)|(?<=\d/)|(?<=\sde\s))ago"
MONTH_NAMES = f"{any_of(set(MONTH) - {'may', 'ago'})}|{_MAY}|{_AGO}"
"""A pattern for any of them in levelled text; use it with IGNORECASE."""

_FIRST_TO_19 = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_RUSSIAN_FIRST_TO_20 = (
    "перв втор трет четверт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат четырнадцат"
    " пятнадцат шестнадцат семнадцат восемнадцат девятнадцат двадцат"
).split()
_RUSSIAN_ENDS = ("ого", "ое", "ому", "ым", "ом", "ьего", "ье", "ьему")
_ARABIC_FIRST_TO_10 = "الاول الثاني الثالث الرابع الخامس السادس السابع الثامن التاسع العاشر".split()
_ARABIC_ONES = ("الحادي", *_ARABIC_FIRST_TO_10[1:9])


def _ordinals() -> Iterator[tuple[str, int]]:
    yield from ((name, day) for day, name in enumerate(_FIRST_TO_19, 1))
    yield from (("thirtieth", 30), ("primero", 1), ("पहली", 1), ("पहला", 1), ("दूसरी", 2), ("तीसरी", 3))
    for ten, value in (("twenty", 20), ("thirty", 30)):
        yield from (
            (f"{ten}{join}{name}", value + day)
            for day, name in enumerate(_FIRST_TO_19[:9], 1)
            for join in "- "
        )
    for end in _RUSSIAN_ENDS:
        yield from ((f"{stem}{end}", day) for day, stem in enumerate(_RUSSIAN_FIRST_TO_20, 1))
        yield f"тридцат{end}", 30
        yield from (
            (f"{ten} {stem}{end}", value + day)
            for ten, value in (("двадцать", 20), ("тридцать", 30))
            for day, stem in enumerate(_RUSSIAN_FIRST_TO_20[:9], 1)
        )
    yield from ((name, day) for day, name in enumerate(_ARABIC_FIRST_TO_10, 1))
    for day, name in enumerate(_ARABIC_ONES, 1):
        yield f"{name} عشر", 10 + day
        yield from ((f"{name} و{ten}", value + day) for ten, value in _ARABIC_TENS)
    yield from _ARABIC_TENS


_ARABIC_TENS = (("العشرون", 20), ("العشرين", 20), ("الثلاثون", 30), ("الثلاثين", 30))

ORDINALS: dict[str, int] = {levelled(fold(name)): day for name, day in _ordinals() if day <= 31}
"""The day of a month by its ordinal in words; in Spanish and Hindi most are said as plain numbers."""

ORDINAL_NAMES = any_of(ORDINALS)
