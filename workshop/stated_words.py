"""The words between a call and what comes of it, in English and Russian.

Knows:    verbs, arrows, what may stand before a value, and what may follow one.
Does not: find calls or values.   (stated.py)
"""

import re

_MUST = (
    r"(?:should|must|shall|will|would|has to|have to|needs to|is expected to|ought to"
    r"|is supposed to|can|does)"
)
_RETURN = (
    r"returns?|gives?(?: back| us| you)?|yields?|produces?|equals?(?: to)?|evaluates? to|results? in"
    r"|becomes?"
    r"|outputs?|comes out as|(?:i |we )expect|(?:is )?expected(?: (?:result|output|value))?(?: is)?"
)
_IS = r"(?:is |are |be |to be )?equal to|is expected to be|to be|return value is|is|are|be"
_MUST_RU = r"(?:должн[аоы]|должен|обязан[аоы]?|будет|долж[её]н)"
_RETURN_RU = (
    r"возвраща(?:ет|ть|ют)|верн[её]т|вернуть|возвратит(?:ь)?|да[её]т|давать|дать|даст|выда(?:[её]т|вать"
    r"|ст|ть)"
    r"|равн(?:о|а|ы|яется|яться)|рав[её]н|быть равн(?:о|а|ы)|быть рав[её]н|быть|является|получается|это"
    r"|[—–]|будет|результат(?:ом будет)?|ответ"
    r"|получ(?:аем|им)|ожида(?:ется|ю|ем)"
)
_OFTEN = (
    r"(?:always |also |then |correctly |therefore |thus |just |now |simply |всегда |также |тогда "
    r"|правильно |просто )?"
)
_CLOSE = r"[`'\"*»”)]{0,3}"
_OPEN = r"[`*«]{0,3}"
_ERROR = (
    r"(?P<error>(?:[A-Za-z_]\w*\.)*"
    r"(?:[A-Z]\w*(?:Error|Exception|Warning|Interrupt)|StopIteration|SystemExit))\b"
)

CONNECTIVES = re.compile(
    rf"{_CLOSE}\s*(?:\#\s*)?(?:"
    r"(?P<sign>[-=]+>|→|⇒|↦|⟶|➜|=(?![=>]))"
    rf"|(?:[,:—–])?\s*(?P<verb>(?<![^\W\d_])"
    rf"(?:(?:which |that |it |this )?{_OFTEN}(?:{_MUST} )?{_OFTEN}(?:{_RETURN}|{_IS})"
    rf"|{_OFTEN}(?:{_MUST_RU} )?{_OFTEN}(?:{_RETURN_RU}))(?![\w'’]))"
    rf")\s*(?::\s*)?{_OPEN}",
    re.IGNORECASE,
)

LABEL = re.compile(
    rf"{_CLOSE}[ \t]*[,(]?\s*(?:\# ?)?(?:the |expected |sample |ожидаемый )?"
    rf"(?:output|result|answer|returns?|expected|ответ|вывод|результат)(?: value| result"
    rf"| output)?\s*:\s*{_OPEN}",
    re.IGNORECASE,
)
CELL = re.compile(rf"{_CLOSE}[ \t]*\|[ \t]*{_OPEN}(?=[^\n|]*\|)")
"""From one cell of a table to the next."""

PRINTS = re.compile(
    rf"{_CLOSE}\s*(?:\#\s*)?(?:{_OFTEN}(?:{_MUST} |{_MUST_RU} )?(?:prints?|outputs?|shows?|displays?"
    rf"|print|output"
    rf"|выводит|вывести|печатает|напечатать)|[-=]+>|→)\s*:?\s*{_OPEN}",
    re.IGNORECASE,
)

FILLER = re.compile(
    rf"(?:exactly |just |simply |also |ровно |просто )?(?:the |an? )?"
    r"(?:(?:empty |sorted |exact |пустой |пустую )?(?:list|string|str|number|integer|int|float"
    r"|tuple|dict|dictionary|set|value|text|result"
    r"|bool|boolean|array|список|строк[уа]|число|кортеж|словарь|множество|значение|результат|текст|массив)"
    rf"(?= |:|`))?[:]?[ \t]*{_OPEN}",
    re.IGNORECASE,
)

TRUTHS = re.compile(
    r"(?:(?P<true>true|истин[уаы]|правд[ау])|(?P<false>false|ложь)|(?P<none>none|null))(?![\w(\[]|\.\w)",
    re.IGNORECASE,
)

AFTER = re.compile(r"[`*\"'»”)]*\s*(?:$|[.,;:!?()\[\]`*\"'«»“”|#/\0…–—-]|\n|>>>)")
GOES_ON = re.compile(
    r"[`*]*\s+(?:and|but|while|whereas|because|since|as|so|then|when|if|for|with|also|not|after|again"
    r"|instead|too|always"
    r"|respectively"
    r"|и|а|но|так|потому|тогда|если|когда|для|при|поскольку|соответственно|не)\b",
    re.IGNORECASE,
)
REMARK = re.compile(r"[ \t]*\#[ \t]*(?=[^\n]*$)", re.MULTILINE)
"""A value in a remark beside a call, as in "f(2)  # 4"."""

NEVER_AFTER = re.compile(
    r"[`*]*\s*(?:(?:or|или|либо|to|до|through)\b|(?:,|and\b|и\b)\s*(?:-?\d|[\"'\[{]|(?:True|False|None)\b)"
    r"|(?:\.\.|…|%|\$|€|₽))",
    re.IGNORECASE,
)

_RAISE = (
    r"rais(?:es?|ing)|throws?|fails? with(?: an?| the)?|errors? with|ends? in"
    r"|(?:вызыва|выбрасыва|броса|поднима|кида|порожда)(?:ет|ть)"
    r"|вызвать|выбросить|бросить|поднять|кинуть|вызовет|выбросит|бросит|быть|gives?|results? in|produces?"
    r"|leads? to|is"
)
_KIND = r"(?:the |an? )?(?:exception |error |исключение |ошибк[ау] )?(?:of type |of |типа )?"

RAISES = re.compile(
    rf"{_CLOSE}\s*(?:[-=]+>|→|(?i:(?:{_MUST} "
    rf"|{_MUST_RU} )?(?:{_RAISE})))\s*:?\s*(?i:{_KIND}){_OPEN}{_ERROR}"
)
ERROR_BEFORE = re.compile(
    rf"(?:\b[Rr]aises\(\s*{_ERROR}[^)\n]*\)\s*:\s*"
    rf"|\b(?i:{_RAISE})\s+(?i:{_KIND}){_OPEN}{_ERROR.replace('<error>', '<other>')}{_CLOSE}\s+"
    rf"(?:for|on|when|if|при|для|на)\s+(?:calling |called as |вызове )?{_OPEN})"
)
