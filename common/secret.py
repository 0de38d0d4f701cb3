"""Secrets in a text: where keys, tokens and passwords stand, and whether a line looks as if it held one.

Knows:    the common forms of keys and passwords, in the five languages of the shop.
Does not: find every secret. `looks_secret` errs towards yes: a line too few in the history costs nothing.
          `secrets_in` is used to rewrite texts, so there a word after "is" must look like a secret.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from common.text import fold

_WORD = (
    r"(?:pass(?:word|phrase|code|wd)|\bpwd?\b|\bpin\b(?:[ -]?(?:code|number)\b)?|api[ _-]?key|secret|token"
    r"|\bcv[vc]2?\b|security code|contrase(?:ñ|n)a|clave|парол\w*|токен\w*|\bпин(?:[ -]?код\w{0,2})?\b"
    r"|passwort|كلمة (?:المرور|السر)|الرقم السري|पासवर्ड)"
)
_CALLED = (
    r"(?:\bpass(?:word|phrase|code|wd|wort)|\bpwd?\b|\bcontrase(?:ñ|n)a|\bclave|\bparola"
    r"|\b(?:пароль|пароля|паролем)\b|كلمة (?:المرور|السر)|पासवर्ड)"
)
_IS = r"\s+(?:is|are|was|es|это|هي|है)\s*:?\s*"
_NAMED = re.compile(rf"{_WORD}(?:\s*[:=]\s*|{_IS})[\"'«]?\S+", re.IGNORECASE)
_ASSIGNED = re.compile(rf"{_WORD}[ \t]*[:=][ \t]*(?P<value>\S++)", re.IGNORECASE)
_SAID = re.compile(rf"{_WORD}{_IS}(?P<value>\S++)", re.IGNORECASE)
_SHORT_CODE = re.compile(
    r"(?:\b(?:pin|cv[vc]2?|security code|otp|one-time (?:code|password)|пин"
    r"|код (?:из (?:смс|sms)|подтверждения)|c[óo]digo de (?:seguridad|verificaci[óo]n))"
    r"|رمز (?:التحقق|الأمان)|الرمز السري|الرقم السري|ओटीपी|सीवीवी"
    r"|(?<!\w)पिन(?! ?\d{6}(?!\d)))"  # of six digits it is a postcode
    r"(?:[ -](?:code|number|код))?[ #:]{1,3}(?P<value>\d{3,8})(?!\d)",
    re.IGNORECASE,
)
_TOLD = re.compile(
    rf"{_CALLED} (?P<value>(?=\S{{0,60}}\d)"
    r"(?:(?=\S{0,60}[^\W\d_])[^\s\[\]]{5,}+|\d{4,12}(?![\w.,-]?\w)))",
    re.IGNORECASE,
)
"""A password with nothing between the word and it: letters and digits together, or four digits and more."""

_KEY = re.compile(
    r"\b(?:sk|pk|rk|tok|whsec)[-_][A-Za-z0-9_-]{12,}"
    r"|\b[a-z]{2,8}_(?:live|test|prod)_[A-Za-z0-9]{8,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{10,}"
    r"|\bshp(?:at|ca|pa|ss)_[A-Za-z0-9]{16,}|\bc[ks]_[a-f0-9]{20,}"  # Shopify's, WooCommerce's
    r"|\bA[KS]IA[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\bya29\.[\w-]{16,}|\bSG\.[\w-]{16,}(?:\.[\w-]+)?"
    r"|\b(?:hf|npm)_[A-Za-z0-9]{16,}|\bpypi-[\w-]{16,}"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)*"
    r"|\bBearer\s+\S{12,}|\bAuthorization:[ \t]*(?:Basic|Digest|Token)[ \t]+\S+",
    re.IGNORECASE,
)
_PEM = re.compile(r"-----BEGIN (?:(?!-----END)[\s\S])*+(?:-----END [^-\n]{0,40}-----)?")
_IN_URL = re.compile(r"://(?P<value>[^\s/:@]+:[^\s/@]+)@")
_LONG = re.compile(r"[A-Za-z0-9+/_=-]{16,}")
_CARD = re.compile(r"(?<![0-9])[0-9](?:[ -]?[0-9]){12,18}(?![0-9])")

_NO_SECRET = frozenset(
    "a an any already always being compromised correct empty expired gone hacked incorrect invalid leaked "
    "locked lost missing my needed never not now old on ok okay required reset right safe saved secret set "
    "stolen still strong that the there this too unknown valid weak what where wrong your "
    "incorrecta correcta no mala nueva неверный правильный не غير خطأ गलत सही".split()
)
"""What is said of a password after "is"; anything else there is the password."""

Span = tuple[int, int]


def secrets_in(text: str) -> Iterator[Span]:
    """Yield where secrets stand, in no order; spans may overlap."""
    for pattern in (_PEM, _KEY):
        yield from (found.span() for found in pattern.finditer(text))
    for pattern in (_IN_URL, _ASSIGNED, _SHORT_CODE, _TOLD):
        yield from (found.span("value") for found in pattern.finditer(text))
    yield from (found.span("value") for found in _SAID.finditer(text) if _is_telling(found))
    yield from (found.span() for found in _LONG.finditer(text) if _is_random(found[0]))


def looks_secret(text: str) -> bool:
    """Say whether a line should not be kept in a file."""
    return bool(
        _NAMED.search(text)
        or any(True for _ in secrets_in(text))
        or any(is_card(match[0]) for match in _CARD.finditer(fold(text)))
    )


def is_card(written: str) -> bool:
    """Say whether the digits pass the check of card numbers.  Source: ISO/IEC 7812-1, annex B (Luhn)."""
    total = 0
    for index, digit in enumerate(reversed([int(char) for char in written if char.isdigit()])):
        doubled = digit * 2 if index % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _is_telling(found: re.Match[str]) -> bool:
    """Say whether what follows "the password is" is the password, not what is said of it."""
    value = found["value"].strip("\"'«»“”.,;:!?()")
    if not value.isalpha() or not (value.islower() or value.istitle()):
        return bool(value)
    is_last = (
        found.end() == len(found.string)
        or found["value"][-1] in ".,;!?\n"
        or found.string[found.end()] == "\n"
    )
    return is_last and value.casefold() not in _NO_SECRET


def _is_random(word: str) -> bool:
    """Say whether a long word mixes letters and digits as keys do, and no name, number or path does.

    Six changes between small letters, capitals and digits: a parcel's number has four at the most.
    """
    kinds = [_kind(char) for char in word if char.isalnum()]
    digits = kinds.count("digit")
    changes = sum(one != other for one, other in pairwise(kinds))
    return changes >= 6 and digits >= 3 and len(kinds) - digits >= 4


def _kind(char: str) -> str:
    return "digit" if char.isdigit() else "capital" if char.isupper() else "small"
