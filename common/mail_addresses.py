"""E-mail addresses in a text, written with @ or read out.

Knows:    the words for @ and the dot in the five languages, signs put around them, and large mail services.
Does not: take "it at example.com" for an address: before a bare "at" stands what is no word of its own.
Expects:  plain characters, as redaction.py makes them.
"""

import re
from collections.abc import Iterator
from functools import cache

_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e"
"""Vowel signs and the like, which `re` takes for no part of a word."""

_WORD = rf"[\w{_MARKS}]"
_PART = rf"[\w{_MARKS}-]"
_LOCAL = rf"[\w{_MARKS}.!#$%&'*+/=?^`{{|}}~-]"

_TOP = (
    r"(?:com|net|org|info|biz|edu|gov|io|co|me|app|dev|shop|store|online|example|ru|su|by|kz|de|at|ch|fr|it|nl|pl"
    r"|es|mx|ar|cl|pe|br|in|uk|us|ca|au|nz|ie|eu|eg|sa|ae|ma|рф|भारत|كوم|कॉम|ком)"
)
_SERVICE = (
    r"(?:gmail|googlemail|yahoo|ymail|hotmail|outlook|live|msn|icloud|proton(?:mail)?|gmx|aol|yandex|rambler|rediff"
    r"(?:mail)?|zoho|fastmail|gmail\.com|яндекс|जीमेल|جيميل)"
)
_DOT = r"(?:dot|punto|точка|डॉट|दॉट|نقطة|نقطه|دوت)"
_SAID_AT = r"(?:arroba|собака|собачка|at[ -]sign)"
_AT = rf"(?:at|{_SAID_AT}|आत|एट|ऐट|آت|ات)"
_FRAMED_AT = rf"(?:[\[({{<] ?(?:{_AT}|a|@) ?[\])}}>]|[|*/_-] ?{_AT} ?[|*/_-])"
_FRAMED_DOT = rf"(?:[\[({{<] ?(?:{_DOT}|\.) ?[\])}}>]|[|*/_-] ?{_DOT} ?[|*/_-])"
_END = rf"(?!{_WORD})"

_SAID_DOTS = rf"{_PART}++(?: ?(?:{_FRAMED_DOT}|(?<!{_WORD}){_DOT}{_END}) ?{_PART}++)+"
_HOST = rf"(?:[\w{_MARKS}-]++\.)+{_TOP}{_END}"
_ANY_HOST = rf"(?:{_SAID_DOTS}|{_HOST}|{_SERVICE}{_END})"
_NAME = rf"[\w{_MARKS}.+-]++"
_FIRST = rf"(?<![\w{_MARKS}.+-])(?:{_NAME} {_DOT} ){{0,3}}"
_NO_WORD = (
    rf"(?!(?-i:#?[A-Z]{{1,5}})[-_]?\d[\d-]*\s)(?=[^\s@]{{0,40}}[^\W\d_]{_WORD}{{0,40}}(?:[._+-]{_WORD}|\d))"
)
"""Ahead: letters, then a sign or a digit within, as in kim.lee and kim_42; no word, and no order's number."""

_FORMS = (
    # With its sign.
    rf"(?<!{_LOCAL}){_LOCAL}++(?: ?@{{1,2}} ?(?:{_PART}++\.{{1,2}})+[^\W\d_]{_PART}++"
    rf"|@{{1,2}}[^\W_]{_PART}*+(?:\.{_PART}++)*+|@\[[\w.:]{{3,45}}\]"
    rf"| ?@ ?{_PART}++ ?\. ?{_TOP}{_END})",
    rf"\"[^\"\n@]{{1,64}}\"@{_PART}++(?:\.{_PART}++)*+",
    # Read out, with words for the dots: whatever stands before "at" is meant.
    rf"{_FIRST}{_NAME} ?(?:{_FRAMED_AT}|(?<!{_WORD}){_AT}{_END}) ?{_SAID_DOTS}",
    # With something around "at", or a word that is said for @ alone.
    rf"{_FIRST}{_NAME} ?(?:{_FRAMED_AT}|(?<!{_WORD}){_SAID_AT}{_END}) ?{_ANY_HOST}",
    rf"(?<![\w{_MARKS}.+/-])[\w.+]{{1,40}}?[_-]at[_-][\w-]{{1,40}}(?:\.|[_-]dot[_-]){_TOP}{_END}",
    # With a bare "at".
    rf"{_FIRST}{_NO_WORD}{_NAME} {_AT} {_ANY_HOST}",
    rf"(?:e-?mail|mail|correo|почт\w{{1,3}}|мейл|имейл|بريد\w{{0,3}}|ईमेल)"
    r"(?: (?:address|id))?(?::| (?:is|es|это|هو|है):?) "
    rf"(?P<said>{_NAME} {_AT} {_ANY_HOST})",
)


@cache
def _compiled() -> list[re.Pattern[str]]:
    """Return the forms, made when a text first needs them: a start need not wait for it."""
    return [re.compile(form, re.IGNORECASE) for form in _FORMS]


Span = tuple[int, int]


def mail_addresses_in(text: str) -> Iterator[Span]:
    """Yield where addresses stand, in no order; spans may overlap."""
    for form in _compiled():
        for found in form.finditer(text):
            yield found.span("said" if "said" in form.groupindex else 0)
