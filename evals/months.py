"""The names of months and weekdays in the five languages, as people write them in a date.

Knows:    words and their numbers; spellings, cases and short forms are words of their own.
Does not: read a date.   (values.py)
Why here: the server writes its dates with a library and the guards have tables; a reading of its own finds
          what those get wrong. A test compares these words with the library's.
"""

import re
import unicodedata

# One line a month, January first; in a line the languages are en, es, ru, hi, ar and ar of the Levant.
_MONTHS = """
january jan | enero ene | январь января янв | जनवरी जन॰ | يناير | كانون_الثاني
february feb | febrero feb | февраль февраля февр фев | फ़रवरी फरवरी फ़र॰ | فبراير | شباط
march mar | marzo mar | март марта мар | मार्च | مارس | آذار
april apr | abril abr | апрель апреля апр | अप्रैल | أبريل ابريل إبريل | نيسان
mayo | май мая | मई | مايو | أيار
june jun | junio jun | июнь июня июн | जून | يونيو يونيه | حزيران
july jul | julio jul | июль июля июл | जुलाई जुल॰ | يوليو يوليه | تموز
august aug | agosto ago | август августа авг | अगस्त अग॰ | أغسطس اغسطس | آب
september sept sep | septiembre setiembre | сентябрь сентября сент сен | सितंबर सितम्बर सित॰ | سبتمبر | أيلول
october oct | octubre oct | октябрь октября окт | अक्टूबर अक्तूबर अक्तू॰ अक्टू॰ | أكتوبر اكتوبر | تشرين_الأول
november nov | noviembre nov | ноябрь ноября нояб ноя | नवंबर नवम्बर नव॰ | نوفمبر | تشرين_الثاني
december dec | diciembre dic | декабрь декабря дек | दिसंबर दिसम्बर दिस॰ | ديسمبر | كانون_الأول
"""

# Monday first. "the two" and "the one" are the Arabic Monday and Sunday too: these count after "day" only.
_WEEKDAYS = (
    r"monday|lunes|понедельник[ауе]?|सोमवार|يوم (?:ال)?[اإ]ثنين",
    r"tuesday|martes|вторник[ауе]?|मंगलवार|الثلاثاء",
    r"wednesday|miércoles|miercoles|сред[ауеы]|बुधवार|ال[أا]ربعاء",
    r"thursday|jueves|четверг[ауе]?|गुरुवार|गुरूवार|बृहस्पतिवार|الخميس",
    r"friday|viernes|пятниц[ауеы]|शुक्रवार|الجمعة",
    r"saturday|sábado|sabado|суббот[ауеы]|शनिवार|السبت",
    r"sunday|domingo|воскресень[еяю]|रविवार|इतवार|يوم ال[أا]حد",
)

# Vowel signs are no letters to `re`, so \b would end a Hindi word in its middle.
START = r"(?<![\w\u0900-\u0963\u0966-\u097f])"
END = r"(?![^\W\d_]|[\u0300-\u036f\u064b-\u0652\u0900-\u0963\u0970-\u097f])"


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


NUMBERS = {
    _normal(word.replace("_", " ")): number
    for number, line in enumerate(_MONTHS.strip().splitlines(), 1)
    for word in re.findall(r"[^|\s]+", line)
} | {"may": 5}

_WORDS = sorted((word for word in NUMBERS if word != "may"), key=len, reverse=True)
MONTH = rf"(?:(?:{'|'.join(map(re.escape, _WORDS))}|(?-i:May|MAY)|may(?=\s+20[0-9]{{2}})){END}\.?)"
"""A month's name; that of May, a verb as well, only with a capital letter or before a year."""

WEEKDAYS = re.compile(
    START + "(?:" + "|".join(f"(?P<d{n}>{_normal(words)})" for n, words in enumerate(_WEEKDAYS)) + f"){END}",
    re.IGNORECASE,
)


def month_number(written: str) -> int:
    """Return the number of a month that MONTH matched."""
    return NUMBERS[_normal(written).casefold().rstrip(".")]


def weekdays_in(text: str) -> list[tuple[int, str]]:
    """Return the weekdays of a text, Monday as 0, each with the word as written."""
    return [
        (next(n for n in range(7) if match[f"d{n}"]), match[0]) for match in WEEKDAYS.finditer(_normal(text))
    ]
