"""Days that are said without a date: "on Monday", "tomorrow", "next week", in five languages.

Knows:    the words, and which of them say when something happens: "it comes today", not "how are you today".
Does not: know what day it is.   (guards/observed.py)
Form:     a reading is `weekday:0` for Monday, or `day:+1`, `week:-1`, `month:+1` counted from today.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import pairwise

from guards.clauses import around, is_asked, is_condition, is_denied
from guards.reading import Value
from guards.words import levelled

_WEEKDAYS = (
    "mondays?|lunes|понедельник\\w{0,2}|सोमवार|(?:يوم )(?:ال)?اثنين|الاثنين",
    "tuesdays?|martes|вторник\\w{0,2}|मंगलवार|الثلاثاء",
    "wednesdays?|mi[ée]rcoles|сред[ауеы]|बुधवार|الاربعاء",
    "thursdays?|jueves|четверг\\w{0,2}|गुरुवार|गुरूवार|बृहस्पतिवार|الخميس",
    "fridays?|viernes|пятниц\\w{1,2}|शुक्रवार|الجمعه",
    "saturdays?|s[áa]bados?|суббот\\w{1,2}|शनिवार|السبت",
    "sundays?|domingos?|воскресень\\w{1,2}|रविवार|इतवार|(?:يوم )الاحد",
)
_NEXT, _LAST = (
    r"(?:next|coming|following|próxim[oa]|следующ\w{2,3}|будущ\w{2,3}|अगले|आने\sवाले)",
    r"(?:last|past|previous|pasad[oa]|прошл\w{2,3}|पिछले)",
)
_THIS = r"(?:this|est[ea]|эт\w{1,2}|текущ\w{2,3}|इस)"
_WEEK = r"(?:week(?:end)?|semana|недел\w{1,2}|हफ्ते|सप्ताह)"
_MONTH = r"(?:month|mes|месяц\w?|महीने|माह)"
_RELATIVE: tuple[tuple[str, str], ...] = (
    ("day:+2", r"day\safter\stomorrow|pasado\smañana|послезавтра|بعد\sغد|परसों"),
    ("day:-2", r"day\sbefore\syesterday|anteayer|antier|позавчера|اول\sامس|परसों"),
    ("day:+1", r"tomorrow|(?<!la )(?<!esta )(?<!por la )mañana|завтра|غدا|कल"),
    ("day:-1", r"yesterday|ayer|вчера|امس|कल"),
    ("day:+0", r"today|tonight|this\s(?:morning|afternoon|evening)|hoy|сегодня|اليوم|آج|आज"),
    ("week:+1", rf"{_NEXT}\s{_WEEK}|{_WEEK}\s(?:que\sviene|próxima)|الاسبوع\s(?:القادم|المقبل)"),
    ("week:-1", rf"{_LAST}\s{_WEEK}|{_WEEK}\spasada|الاسبوع\sالماضي"),
    ("week:+0", rf"{_THIS}\s{_WEEK}|هذا\sالاسبوع"),
    ("month:+1", rf"{_NEXT}\s{_MONTH}|{_MONTH}\s(?:que\sviene|próximo)|الشهر\s(?:القادم|المقبل)"),
    ("month:-1", rf"{_LAST}\s{_MONTH}|{_MONTH}\spasado|الشهر\sالماضي"),
    ("month:+0", rf"{_THIS}\s{_MONTH}|هذا\sالشهر"),
)
_HAPPENS = re.compile(
    r"\b(?:arriv|deliver|dispatch|ship(?!ping\s(?:address|cost|fee))|receiv|refund|expir|cancel"
    r"|process)\w{0,5}\b"
    r"|\b(?:comes?|coming|came|sent|expected|due|paid|placed|ordered|charged|ends?|ended|starts?|picked\sup"
    r"|late)\b"
    r"|\breach(?:es)?\syou|\b(?:get|have)\s(?:it|your|them|the)\b|\b(?:be|is|was|are|were)\s(?:there|here"
    r"|with\syou)\b"
    r"|\b(?:lleg|entreg|envi|recib|reembols|venc|termin|acab)\w{1,6}|\bpag(?:ó|ado|ada|amos)\b|\besper(?:a"
    r"|ado|ada)\b"
    r"|(?<!\w)(?:приб|прид|приш|достав|отправ|ожида|получ|верн|возвра|истека|оплач|оформ|законч)\w{1,8}"
    r"|(?<!\w)[سوف]{0,2}(?:يصل|تصل|وصل|تسليم|يسلم|توصيل|شحن|ارسال|ارسل|متوقع|استلام|استرداد|ينتهي|تنتهي"
    r"|الغاء)\w{0,4}"
    r"|पहुंच|डिलीवर|डिलीवरी|भेज|मिलेग|मिला|आएग|आयेग|वापस|रिफंड|समाप्त|खत्म",
    re.IGNORECASE,
)
_TO = r"(?:\s?[-\u2013]\s?|\s(?:to|through|until|till|a|al|по|до|الي|حتي|से)\s)"


@cache
def _weekday() -> re.Pattern[str]:
    names = "|".join(f"(?P<w{index}>{words})" for index, words in enumerate(_WEEKDAYS))
    return re.compile(rf"(?<![\w\u0900-\u0963])(?:{names})(?![\w\u0900-\u0963])", re.IGNORECASE)


@cache
def _relative() -> re.Pattern[str]:
    names = "|".join(f"(?P<r{index}>{levelled(words)})" for index, (_, words) in enumerate(_RELATIVE))
    return re.compile(rf"(?<![\w\u0900-\u0963])(?:{names})(?![\w\u0900-\u0963])", re.IGNORECASE)


def days_said(text: str) -> Iterator[Value]:
    """Yield each weekday, and each word as "tomorrow" where something happens then."""
    for found in _weekday().finditer(text):
        reading = f"weekday:{(found.lastgroup or '')[1:]}"
        yield Value("day", found[0], (reading,), *found.span())
    for found in _relative().finditer(text):
        clause, _ = around(text, *found.span(), narrow=True)
        if _HAPPENS.search(clause) and not (
            is_denied(clause) or is_condition(clause) or is_asked(text, found.end())
        ):
            readings = tuple(
                key for key, words in _RELATIVE if re.fullmatch(levelled(words), found[0], re.IGNORECASE)
            )
            yield Value("day", found[0], readings, *found.span())


def weekdays_between(text: str, said: list[Value]) -> set[str]:
    """Return the weekdays that "Monday to Friday" names without saying them."""
    named = [value for value in said if value.kind == "day" and str(value.readings[0]).startswith("weekday")]
    between: set[str] = set()
    for one, other in pairwise(named):
        if re.fullmatch(_TO, text[one.end : other.start], re.IGNORECASE):
            first, last = (int(str(each.readings[0])[-1]) for each in (one, other))
            between |= {f"weekday:{day % 7}" for day in range(first, last + 1 + 7 * (last < first))}
    return between


def fits(reading: str, day: date, today: date | None) -> bool:
    """Say whether a day said without a date is this day."""
    unit, _, by = reading.partition(":")
    if unit == "weekday":
        return day.weekday() == int(by)
    if today is None:
        return False
    if unit == "day":
        return day == today + timedelta(days=int(by))
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=int(by))
        return monday <= day < monday + timedelta(weeks=1)
    return (day.year * 12 + day.month) - (today.year * 12 + today.month) == int(by)
