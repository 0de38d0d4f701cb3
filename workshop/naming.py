"""A folder's name out of any title: plain lower-case ASCII that every system takes.

Knows:    Cyrillic letters and accents in Latin ones, and the names that Windows keeps for its devices.
Does not: look at the disk: who asks says which names are taken.
Law:      never empty, at most LONGEST characters of a-z, 0-9 and single dashes, and its own name again.
"""

import hashlib
import re
import unicodedata
from collections.abc import Collection

LONGEST = 48
DEVICES = frozenset("con prn aux nul conin$ conout$ clock$".split()) | {
    f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"
}
"""Names that Windows gives to devices, whatever extension follows."""

_SOUNDS = {
    **dict(zip("абвгдезийклмнопрстуфыэіїєґўјљњћђџѓќѕ", (
        "a b v g d e z i y k l m n o p r s t u f y e i yi ye g u j lj nj c dj dz g k dz".split()
    ), strict=True)),
    "ё": "yo", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya",
    "ъ": "", "ь": "", "ѝ": "i",
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "þ": "th", "ð": "d", "ı": "i",
    "ħ": "h", "ŋ": "ng",
}  # fmt: skip
_ODD = re.compile(r"[^a-z0-9]+")


def folder_name(title: str) -> str:
    """Return a safe folder name for the title. Letters of other scripts become a short word."""
    spelled = "".join(_spelled(char) for char in unicodedata.normalize("NFC", title.casefold()))
    name = _ODD.sub("-", spelled).strip("-")[:LONGEST].strip("-")
    if _unwritten(title) or not name:
        name = _with_ending(name, _word_for(title))
    return f"project-{name}" if name.partition("-")[0] in DEVICES and name in DEVICES else name


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, or with the lowest number from 2 on that is not taken; letters' cases are one."""
    others = {other.casefold() for other in taken}
    candidate, number = name, 2
    while candidate.casefold() in others:
        candidate, number = _with_ending(name, str(number)), number + 1
    return candidate


def _spelled(char: str) -> str:
    """Return the character in ASCII, a dash where it has no such form; apostrophes and marks go unseen."""
    if char in _SOUNDS:
        return _SOUNDS[char]
    if char in "'’ʼ`":
        return ""
    plain = "".join(part for part in unicodedata.normalize("NFKD", char) if not unicodedata.combining(part))
    return "".join(part if part.isascii() else _SOUNDS.get(part, "-") for part in plain)


def _unwritten(title: str) -> bool:
    """Tell whether letters or digits of the title have no form in ASCII: two such titles must not be one."""
    chars = unicodedata.normalize("NFC", title.casefold())
    return any(char.isalnum() and char not in _SOUNDS and "-" in _spelled(char) for char in chars)


def _word_for(title: str) -> str:
    return hashlib.sha256(unicodedata.normalize("NFC", title).encode("utf-8", "surrogatepass")).hexdigest()[
        :8
    ]


def _with_ending(name: str, ending: str) -> str:
    return f"{name[: LONGEST - len(ending) - 1].strip('-') or 'project'}-{ending}"
