"""The patterns of numbers, amounts, dates and durations, as one pattern.

Knows:    digits and the words beside them, in five languages; what is tried first.
Does not: know what a match means.   (guards/reading.py)
"""

import re
from functools import cache

from guards.calendar import MONTH_NAMES
from guards.units import (
    AGO,
    BEFORE_UNIT,
    BETWEEN,
    CENTS,
    CODE,
    MONEY_WORDS,
    ONE_OF,
    ONE_UNIT_WORDS,
    PARTS,
    SIGN,
    TIMES_WORDS,
    TWO_OF_WORDS,
    UNITS,
)

_NUMBER = r"\d+(?:[.,'\u2019\u02bc`_]\d+)*"
_GROUPED = r"\d{1,3}(?: \d{3}){1,8}"
"""1 499: groups of three with a space, as fold() leaves every kind of space."""

_AMOUNT = rf"{_GROUPED}(?:[.,]\d{{1,2}})?(?![\d.,]?\d)|{_NUMBER}"
_WORD_MINUS = r"minus|negative|menos|минус|ناقص|سالب|ماينس|माइनस|ऋण"
_MINUS = rf"(?<![\w)\]%.,/-])[-\u2212\u2013](?=[^\s-])|(?<!\w)(?:{_WORD_MINUS})\s"
_TIMES = rf"(?:\s?(?:{TIMES_WORDS})(?!\w))"
_MONEY = (
    rf"(?P<m1>{_MINUS})?(?P<before>{SIGN}|(?<![A-Za-z])(?:{CODE})(?=[\s\d-])|(?<!\w)(?:Rs|रु|руб)\.?)"
    rf"\s?(?P<m2>{_MINUS})?(?P<a>{_AMOUNT})(?P<x1>{_TIMES})?"
)
_MONEY_AFTER = (
    rf"(?P<m3>{_MINUS})?(?<![\w.,])(?P<b>{_AMOUNT})(?P<x2>{_TIMES})?[\s-]?(?:(?:of|de|млн|US|Canadian"
    rf"|Australian)\s)?"
    rf"(?P<after>(?:{SIGN}|(?:{CODE})(?![A-Za-z]))(?!\s?\d)"
    rf"|(?:{MONEY_WORDS})(?!\w)|(?:{CENTS})(?!\w))"
    rf"(?:,?\s(?:and\s|with\s|y\s|con\s|и\s|و\s?|और\s)?(?P<cents>\d{{1,2}})(?:\s(?:{CENTS})(?!\w)"
    rf"|(?=\s?(?:[.,;:!?)।؟،](?!\d)|$))))?"
)

_OTHER_SCRIPTS = (
    r"\u0370-\u03ff\u0530-\u05ff\u0980-\u10ff\u1100-\u11ff\u1200-\u139f\u1780-\u17ff\u3005-\u30ff"
    r"\u3400-\u9fff\uac00-\ud7af"
)
"""Letters of none of the five languages: what they say, a number or a deed, nobody here reads."""

_SHARES = "|".join(f"(?P<part{share}>{words})" for share, words in PARTS.items())

_MONTH_THEN = rf"(?:{MONTH_NAMES})(?!\w)"
_ENDS = r"(?=\s{0,3}(?:[.,;:!?؟،।)](?!\w)|$|(?:and|or|y|o|и|или)\b))"
_YEAR = r"(?:19|20)\d\d"
_ON = (
    r"on|by|until|till|before|after|since|from|to|through|arrives?|arrived|arriving|due|expected|delivered"
    r"|placed|shipped|dated"
    r"|ended|ends|expires?"
)
_IN_MONTH = (
    r"(?:in|during|since|by|of|early|late|mid|until|till|before|after|en|durante|desde|hasta|в|к|с|до|на|في"
    r"|خلال|منذ|حتي"
    r"|last|next|this)"
)

_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        "iso",
        r"(?<!\d)(?P<y>\d{4})(?P<t>[-/.])(?P<m>\d{1,2})(?P=t)(?P<d>\d{1,2})"
        r"(?:T(?P<hour>\d\d):(?P<minute>\d\d)[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)",
    ),
    (
        "dmy",
        rf"\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.?[oa]|\s?-?\s?(?:го|е|ое|му|м))?\.?"
        rf"(?:\s(?:day\sof|of|de|del|من))?[\s/-]{{1,3}}(?P<mn>{_MONTH_THEN})\.?"
        rf"(?:,?[\s/-](?:de\s|del\s|of\s)?(?P<y2>{_YEAR})\b)?",
    ),
    (
        "mdy",
        rf"\b(?P<mn2>{_MONTH_THEN})\.?[\s/-](?:the\s)?(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?!\w)(?![.,]\d)"
        rf"(?:,?[\s/-](?P<y3>{_YEAR})\b)?",
    ),
    ("my", rf"\b(?P<mn3>{_MONTH_THEN})\.?,?\s(?:de\s|of\s)?(?P<y4>{_YEAR})\b"),
    (
        "month",
        rf"(?<!\w){_IN_MONTH}[\s-](?:the\s)?(?:month\sof\s)?(?P<mn4>{_MONTH_THEN})(?!\s?\d)"
        rf"|(?<!\w)(?P<mn5>{_MONTH_THEN})\sमें(?!\w)",
    ),
    (
        "day",
        rf"\b(?:{_ON})\s"
        rf"(?:the\s(?P<d4>\d{{1,2}})(?:st|nd|rd|th){_ENDS}"
        rf"|(?:the\s)?(?P<p2>\d{{1,2}})/(?P<q2>\d{{1,2}})(?![\d/]))",
    ),
    (
        "day_elsewhere",
        rf"\b(?:el|al|del)\s(?:día\s)?(?P<d5>\d{{1,2}}){_ENDS}|(?<!\w)(?:يوم"
        rf"|بتاريخ)\s(?P<d6>\d{{1,2}}){_ENDS}"
        rf"|(?<!\d)(?P<d7>\d{{1,2}})(?:\s?-?\s?го)?\s(?:числа|तारीख)"
        rf"|\b(?:до|с|к|после)\s(?P<d8>\d{{1,2}})\s?-?\s?(?:го|му){_ENDS}",
    ),
    (
        "day_and_month",
        r"(?<!\w)(?:el|al|del|hasta|до|к|с|на|после|в|في|قبل|حتي|بعد|يوم|بتاريخ|بحلول)\s"
        r"(?P<p3>\d{1,2})/(?P<q3>\d{1,2})(?![\d/])"
        r"|(?<![\d/])(?P<p4>\d{1,2})/(?P<q4>\d{1,2})\s(?:को|तक|से)",
    ),
    ("numeric", r"(?<![\d./-])(?P<p>\d{1,2})(?P<s>[/.-])(?P<q>\d{1,2})(?P=s)(?P<y5>\d{4}|\d{2})(?![\d/-])"),
    (
        "time",
        r"(?<![\d:.,/])(?P<h1>\d{1,2}):(?P<i1>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<n1>[ap])\.?\s?m\b\.?)?(?![\d:])"
        r"|(?<![\d:.,/-])(?P<h2>1[0-2]|0?[1-9])(?:\.(?P<i2>[0-5]\d))?\s?(?P<n2>[ap])\.?m\b",
    ),
    ("money", f"{_MONEY}|{_MONEY_AFTER}"),
    (
        "duration",
        rf"(?<![\w.,])(?P<n3>{_NUMBER})(?:\s?{BETWEEN}\s?(?P<n4>{_NUMBER}))?[\s-]?(?P<sort>{BEFORE_UNIT})(?P<unit>{UNITS})(?!\w)(?P<ago>{AGO})?"
        rf"|(?<![\w%])(?P<mark>%)\s?(?P<n5>{_NUMBER})(?!\d)|(?<!\w)(?P<one>{ONE_OF}\s(?:الي"
        rf"|او)\s)?(?P<two>{TWO_OF_WORDS})(?!\w)"
        rf"|(?<![\w./])(?:{_SHARES})(?!\w)"
        rf"|(?<!\w)(?P<single>{ONE_UNIT_WORDS})(?![\w-])(?!\s(?:ال|{MONTH_NAMES}))",
    ),
    (
        "apart",
        r"(?<![\w.,])\d(?:(?:\s{1,3}|\s?[·_.|/:\u2013-]\s?|,)\d){2,40}(?![\w]|[.,-]\w)",
    ),
    ("groups", r"(?<![\w.,#-])#?\d{1,3}(?: \d{1,3}){1,8}(?![\w.,-]{0,40}\d)(?![\w-])"),
    ("range", r"(?<![\w.,#-])(?P<r1>\d{1,4})\s?[-\u2013]\s?(?P<r2>\d{1,4})(?![\w-])"),
    (
        "code",
        r"(?<![\w#])(?<![A-Za-z0-9][-_])#?(?=[A-Za-z0-9_-]{0,80}\d)(?![\d_]+\b)[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+(?!\w)"
        r"|(?<![\w#])#?(?=[A-Za-z|]{0,80}\d)(?=\d{0,80}[A-Za-z|])[A-Za-z0-9|]{2,}(?!\w)",
    ),
    ("foreign", rf"[{_OTHER_SCRIPTS}]{{2,80}}"),
    (
        "number",
        rf"(?P<m4>{_MINUS})?(?P<n>{_GROUPED}[.,]\d{{2}}(?!\d)|{_NUMBER})(?P<x3>\s(?:{TIMES_WORDS})(?!\w)"
        rf"|k(?!\w))?",
    ),
)


@cache
def any_value() -> re.Pattern[str]:
    """Return one pattern for all; made at the first use, since making it takes a tenth of a second."""
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS), re.IGNORECASE)
