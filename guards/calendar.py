"""The names of the months in the languages that customers write.

Knows:    names and short names, in lower case.
Does not: know which dates are true.
Source:   Unicode CLDR 46, Gregorian months, format and stand-alone, wide and abbreviated.
"""

from common.text import fold

_ENGLISH = "january february march april may june july august september october november december"
_LONG = (
    _ENGLISH,
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितम्बर अक्तूबर नवम्बर दिसम्बर",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
)

MONTH: dict[str, int] = {
    **{name[:3]: at for at, name in enumerate(_ENGLISH.split(), 1)},
    "sept": 9,
    **{fold(name): at for names in _LONG for at, name in enumerate(names.split(), 1)},
}
"""The number of a month by its folded name."""

# "may" is a verb far more often than a month: written small, it is a month only where a sentence could end.
_MAY = r"(?-i:May|MAY)|may(?=\s*(?:[.,;!?)]|$|(?:19|20)\d\d|(?:and|or|to|for|at|in|but)\b))"
MONTH_NAMES = "|".join(sorted(set(MONTH) - {"may"}, key=len, reverse=True)) + f"|{_MAY}"
"""A pattern for any of them; use it with IGNORECASE."""
