"""The clause around a place in a text: is it denied, asked, a condition, or what somebody else said?

Knows:    where clauses end, and the words of denial and condition in five languages.
Does not: know what the clause is about.   (days.py, elsewhere.py, output.py)
"""

import re

_WIDE = re.compile(r"[.!?;\n؟।](?!\w)")
_NARROW = re.compile(r"[.!?;:,،؛\n؟।](?!\d)|\s[-\u2013\u2014]\s")
_REACH = 160
"""Characters to either side that are looked at."""

_DENIED = re.compile(
    r"\b(?:not(?!\sonly)|never|cannot|no|without|unable|neither|nor|instead\sof|rather\sthan)\b|n['’]t\b"
    r"|\b(?:nunca|ni|sin|tampoco|nadie|jamás|imposible)\b"
    r"|\b(?:не(?!\sтолько)|ни|нельзя|невозможно|без|никогда)\b"
    r"|(?<!\w)[وف]?(?:لم|لن|لا|ليس|ليست|لست|لسنا|بدون|دون|تعذر)(?!\w)"
    r"|(?<![\u0900-\u097f])(?:नहीं|न|ना|बिना|मत|असमर्थ)(?![\u0900-\u097f])",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|whether|when|unless|once|in\scase|as\ssoon\sas|would\syou|do\syou\swant|you\s(?:said|say|mentioned|wrote"
    r"|told|asked|want|wanted|need|needed|hoped|would\slike))\b"
    r"|\b(?:si|cuando|en\scaso|tan\spronto|quiere|desea|necesita|usted\sdijo|mencion\w+)\b"
    r"|\b(?:если|когда|как\sтолько|ли|хотите|вы\s(?:сказали|написали|просили))\b"
    r"|(?<!\w)[وف]?(?:اذا|لو|عندما|هل|متي|ذكرت|قلت|تريد|ترغب)(?!\w)"
    r"|(?<![\u0900-\u097f])(?:अगर|यदि|जब|आपने|चाहते|चाहें)(?![\u0900-\u097f])",
    re.IGNORECASE,
)


def around(text: str, start: int, end: int, *, narrow: bool = False) -> tuple[str, int]:
    """Return the clause in which a place stands, and where it begins. narrow: commas end it too."""
    marks = _NARROW if narrow else _WIDE
    first = max(0, start - _REACH)
    ends = [mark.end() for mark in marks.finditer(text, first, start)]
    after = marks.search(text, end, end + _REACH)
    begins = ends[-1] if ends else first
    return text[begins : after.start() if after else end + _REACH], begins


def is_denied(clause: str) -> bool:
    """Say whether the clause denies something."""
    return _DENIED.search(clause) is not None


def is_condition(clause: str) -> bool:
    """Say whether the clause sets a condition, or says what the customer said."""
    return _CONDITION.search(clause) is not None


def is_asked(text: str, end: int) -> bool:
    """Say whether the sentence that goes on after this place is a question."""
    mark = re.compile(r"[.!?\n؟।](?!\w)").search(text, end, end + 2 * _REACH)
    return mark is not None and mark[0] in "?؟"
