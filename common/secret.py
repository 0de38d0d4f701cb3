"""Does a line look as if it held a secret?

Knows:    the common forms of keys, passwords and card numbers, in the five languages of the shop.
Does not: find every secret. It errs towards yes: a line too few in the history costs nothing.
"""

import re

_NAMED = re.compile(
    r"(?:pass(?:word|phrase|code|wd)|\bpwd\b|\bpin\b|api[ _-]?key|secret|token|\bcvv\b|\bcvc\b"
    r"|contrase(?:ñ|n)a|clave|парол\w*|كلمة (?:المرور|السر)|पासवर्ड)"
    r"(?:\s*[:=]\s*|\s+(?:is|are|es|это|هي|है)\s*:?\s*)[\"'«]?\S+",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bxox[abprs]-[\w-]{10,}"
    r"|\bAKIA[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{10,}\.[\w-]{10,}|-----BEGIN |\bBearer\s+\S{12,}"
    r"|\bhf_[A-Za-z0-9]{16,}|://[^\s/:@]+:[^\s/@]+@"
)
_LONG = re.compile(r"[A-Za-z0-9+/_=-]{24,}")
_CARD = re.compile(r"(?<![0-9])[0-9](?:[ -]?[0-9]){12,18}(?![0-9])")


def looks_secret(text: str) -> bool:
    """Say whether a line should not be kept in a file."""
    return bool(
        _NAMED.search(text)
        or _KEY.search(text)
        or any(_is_random(match[0]) for match in _LONG.finditer(text))
        or any(_is_card(match[0]) for match in _CARD.finditer(text))
    )


def _is_random(word: str) -> bool:
    """Say whether a long word mixes letters and digits as keys do, and no word or number does."""
    digits = sum(char.isdigit() for char in word)
    return digits >= 4 and sum(char.isalpha() for char in word) >= 8


def _is_card(written: str) -> bool:
    """Say whether the digits pass the check of card numbers.  Source: ISO/IEC 7812-1, annex B (Luhn)."""
    total = 0
    for index, digit in enumerate(reversed([int(char) for char in written if char.isdigit()])):
        doubled = digit * 2 if index % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0
