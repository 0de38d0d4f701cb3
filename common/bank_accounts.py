"""Bank account numbers (IBAN) in a text.

Knows:    their form in each country, their check digits, and how people part and write them.
Does not: know accounts of other forms: nothing tells their digits from an order's.
Expects:  ASCII digits and letters, spaces and dashes.   (redaction.py)
Source:   ISO 13616, the registry of SWIFT; ISO/IEC 7064, MOD 97-10.
"""

import re
from collections.abc import Iterator

_FORMS = """
    AD 8n12c       AE 19n         AL 8n16c       AT 16n         AZ 4a20c       BA 16n
    BE 12n         BG 4a6n8c      BH 4a14c       BI 23n         BR 23n1a1c     BY 4c4n16c
    CH 5n12c       CR 18n         CY 8n16c       CZ 20n         DE 18n         DJ 23n
    DK 14n         DO 4c20n       EE 16n         EG 25n         ES 20n         FI 14n
    FK 2a12n       FO 14n         FR 10n11c2n    GB 4a14n       GE 2a16n       GI 4a15c
    GL 14n         GR 7n16c       GT 24c         HN 4a20n       HR 17n         HU 24n
    IE 4a14n       IL 19n         IQ 4a15n       IS 22n         IT 1a10n12c    JO 4a4n18c
    KW 4a22c       KZ 3n13c       LB 4n20c       LC 4a24c       LI 5n12c       LT 16n
    LU 3n13c       LV 4a13c       LY 21n         MC 10n11c2n    MD 20c         ME 18n
    MK 3n10c2n     MN 16n         MR 23n         MT 4a5n18c     MU 4a19n3a     NI 4a20n
    NL 4a10n       NO 11n         OM 3n16c       PK 4a16c       PL 24n         PS 4a21c
    PT 21n         QA 4a21c       RO 4a16c       RS 18n         RU 14n15c      SA 2n18c
    SC 4a20n3a     SD 14n         SE 20n         SI 15n         SK 20n         SM 1a10n12c
    SO 19n         ST 21n         SV 4a20n       TL 19n         TN 20n         TR 6n16c
    UA 6n19c       VA 18n         VG 4a16n       XK 16n         YE 4a4n18c
"""
"""What follows the country and the check digits: so many digits (n), letters (a) or either (c)."""

_FORM = {
    country: "".join(kind * int(times) for times, kind in re.findall(r"(\d+)([nac])", form))
    for country, form in re.findall(r"([A-Z]{2}) (\w+)", _FORMS)
}
_FITS = {"n": str.isdigit, "a": str.isalpha, "c": str.isalnum}

# Apart from its check digits the country may be a word: "order no 4463".
_BEGINS = re.compile(
    r"(?:(?<![^\W_])[A-Z]{2}|(?<=iban)[A-Z]{2}|(?<=iban[ :])[A-Z]{2} ?|(?<=iban: )[A-Z]{2} ?)[0-9]{2}",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[ .\-/]{0,3}([A-Z0-9])", re.IGNORECASE)

Span = tuple[int, int]


def bank_accounts_in(text: str) -> Iterator[Span]:
    """Yield where account numbers stand, in order."""
    reached = 0
    for begins in _BEGINS.finditer(text):
        end = _end(text, begins) if begins.start() >= reached else None
        if end is not None:
            yield begins.start(), end
            reached = end


def _end(text: str, begins: re.Match[str]) -> int | None:
    """Return where the account number ends that begins here; None where it is none."""
    country = begins[0][:2].upper()
    signs, end = country + begins[0][-2:], begins.end()
    for kind in _FORM.get(country, ""):
        following = _SIGN.match(text, end)
        if following is None or not _FITS[kind](following[1]):
            return None
        signs += following[1]
        end = following.end()
    return end if end > begins.end() and _passes_check(signs) else None


def _passes_check(written: str) -> bool:
    moved = written[4:] + written[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1
