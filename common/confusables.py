"""Letters and digits that pass for others: which words of a text a reader may take for what they are not.

Knows:    scripts, forms and digits as Unicode names them, and which letters of other scripts look Latin.
Does not: know what cannot be seen at all (text.py), or decide what is done about either.
Rule:     a word in one script is normal, whichever it is. Reported is a word that mixes Latin with a script
          that looks like it, a plain letter or digit in another form, and, where only an id or an address can
          stand, whatever is not what it looks like.
Source:   UTS #39, mixed-script detection (moderately restrictive); its confusables.txt for the letters.
Why ours: docs/decisions/035-look-alikes-by-script.md
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from common.text import unsafe_characters

_MAX_WORD = 40
_MAX_NAMED = 8
"""Characters of one word, and code points, that are named of it."""

_LOOKS_LATIN = {
    "Cyrillic": "АВСЕԌНЈКМОРЅТѴԜХУҮаЬсԁеҽһіꙇӏјІӀорԛгѕѵѡԝхуү",
    "Greek": "ΑΒϹΕϜΗͿΚΜϺΝΟΡΤΧΥϒΖαϲιϳοσρϱυνγ",
    "Armenian": "ՕՏՍքցհոռօգզսա",
    "Coptic": "ⲤⲎⲔⳐⲘⲚⲞⲢⲦⲬⲨⲥⲒⲟⲣⲅ",
}
"""Letters that look like a letter of ASCII, in the scripts of which whole words can."""

_LOOKS_LATIN_ALONE = frozenset("اهہەዐሀଠംഠဝංჿყ〇ㅇㅣ")
"""Single letters of the other scripts that do."""

_ODD_LATIN = frozenset("ꞴꞘƜƦꞳɑƄᴄꬲꬵꞙſɡᶃƍɪɩƖǀᴏᴑꬽꭇꭈꜱƽꞟᴜꭎꭒʋᴠɯᴡɣᶌʏỿꭚᴢʙʜʟɴʀɢᴀᴅᴇᴊᴋᴍᴘᴛ")
"""Latin letters of phonetic writing that look like plain ones."""

_GREEK_SYMBOLS = frozenset("μΩΔπΣλ")
"""Greek beside Latin letters as units and formulas have it: µm, kΩ, Δt."""

_BESIDE_LATIN = frozenset(
    {
        "Arabic",
        "Bengali",
        "Devanagari",
        "East Asian",
        "Ethiopic",
        "Georgian",
        "Gujarati",
        "Gurmukhi",
        "Hebrew",
    }
    | {"Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thai"}
    | {"Thaana", "Tibetan"}
)
"""Scripts whose words do take a Latin one in, as in iPhoneवाला: only look-alikes of theirs are reported."""

_EAST_ASIAN = frozenset({"Cjk", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Halfwidth"})
_NO_SCRIPT = frozenset({"Feminine", "Ideographic", "Katakana-Hiragana", "Masculine", "Micro", "Modifier"})

_FORMS = {
    "<wide>": "full-width",
    "<font>": "mathematical",
    "<circle>": "circled",
    "<square>": "squared",
    "<compat>": "compatibility",
}
"""Unicode's word for a form in which plain letters and digits come, and ours."""

_MARKS = dict(zip("․。．｡∕⁄⧸／：꞉∶＠﹫", "....////:::@@", strict=True))
"""Marks that look like those of an address."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|@|^[^.]+(?:\.[^.]+)*\.[A-Za-z]{2,}(?=$|[/:?#])")
_NUMBERED = re.compile(r"(?P<letters>[^\W\d_]{1,5})[-_#/]?[0-9]{3,}")

_AROUND = "\"'([{<>}]).,;:!?¿¡«»“”"
_VARIATION_16 = "\ufe0f"
_LEAST_WORD = 3
"""Letters of a word that looks Latin and is not, in a Latin text: shorter ones are Russian's с, а, о, со."""


@dataclass(frozen=True)
class Lookalike:
    """One word that may be taken for another.

    why: what is odd about it. characters: which ones, as "U+0440".
    """

    word: str
    why: str
    characters: tuple[str, ...]

    def __str__(self) -> str:
        """Return what a person is told."""
        named = " ".join(self.characters[:_MAX_NAMED]) + (" …" if len(self.characters) > _MAX_NAMED else "")
        word = self.word if len(self.word) <= _MAX_WORD else self.word[: _MAX_WORD - 1] + "…"
        return f"'{word}' {self.why} ({named})"


def lookalikes(text: str, *, exact: bool = False) -> list[Lookalike]:
    """Return the words of a text that may be taken for others, each once, in order.

    exact: the text is an id or an address: its digits are 0 to 9, its marks are ASCII.
    """
    if text.isascii():
        return []
    chunks = dict.fromkeys(chunk for chunk in text.split() if not chunk.isascii())
    posing = _posing_scripts(text)
    found = [each for chunk in chunks for each in _in_chunk(_seen(chunk), posing, exact=exact)]
    return list(dict.fromkeys(found))


def _seen(chunk: str) -> str:
    """Return the chunk without what cannot be seen, so that it joins no two words and parts none."""
    return "".join(char for char in chunk if not unicodedata.category(char).startswith("C"))


def _posing_scripts(text: str) -> frozenset[str]:
    """Return the scripts of a Latin text of which only letters that look Latin stand in it."""
    letters: dict[str, set[str]] = {}
    for char in set(text):
        letters.setdefault(script_of(char), set()).add(char)
    if "Latin" not in letters:
        return frozenset()
    return frozenset(
        script
        for script, likes in _LOOKS_LATIN.items()
        if script in letters and letters[script] <= set(likes)
    )


def _in_chunk(chunk: str, posing: frozenset[str], *, exact: bool) -> Iterator[Lookalike]:
    plain = "".join(_MARKS.get(char, char) for char in chunk).strip(_AROUND)
    strict = exact or _ADDRESS.search(plain) is not None
    numbered = _is_numbered(plain)
    for word in _words(chunk):
        yield from _in_word(word)
        script = _latin_in_looks(word)
        if script and (strict or numbered or (script in posing and len(word) >= _LEAST_WORD)):
            yield _told(plain if numbered else word, f"looks Latin and is {script}", _letters(word))
    yield from _digits(chunk, strict=strict)
    if strict:
        yield from _odd_marks(chunk, exact=exact)


def _words(chunk: str) -> Iterator[str]:
    """Yield the runs of letters, digits and marks."""
    word = ""
    for char in chunk:
        if unicodedata.category(char)[0] in "LMN" or _form(char):
            word += char
        elif word:
            yield word
            word = ""
    if word:
        yield word


def _in_word(word: str) -> Iterator[Lookalike]:
    styled = _styled(word)
    if styled:
        forms = " and ".join(dict.fromkeys(_form(char) for char in styled))
        yield _told(word, f"has {forms} characters", styled)
    if odd := [char for char in word if char in _ODD_LATIN]:
        yield _told(word, "has phonetic letters that look like plain ones", odd)
    scripts = dict.fromkeys(script for char in word if (script := script_of(char)))
    foreign = [char for char in word if script_of(char) not in ("", "Latin")]
    if len(scripts) > 1 and not _may_stand_together(scripts, foreign):
        shown = foreign if "Latin" in scripts else [char for char in word if script_of(char)]
        names = sorted(scripts, key=lambda script: script != "Latin")
        yield _told(word, f"mixes {' and '.join(names)}", shown)


def _may_stand_together(scripts: dict[str, None], foreign: list[str]) -> bool:
    others = set(scripts) - {"Latin"}
    if "Latin" not in scripts or len(others) > 1:
        return False
    if others <= _BESIDE_LATIN:
        return any(char not in _LOOKS_LATIN_ALONE for char in foreign)
    return others == {"Greek"} and set(foreign) <= _GREEK_SYMBOLS


def _styled(word: str) -> list[str]:
    """Return the letters and digits in another form; one that stands alone is a sign, as ℹ and ① are."""
    seen = [char for char in word if not unicodedata.category(char).startswith("M")]
    styled = [
        char
        for index, char in enumerate(word)
        if _form(char) and word[index + 1 : index + 2] != _VARIATION_16
    ]
    alone = len(seen) == 1
    return [char for char in styled if not alone or _is_never_a_sign(char)]


def _is_never_a_sign(char: str) -> bool:
    return unicodedata.name(char, "").startswith(("FULLWIDTH", "MATHEMATICAL"))


@lru_cache(maxsize=4_096)
def _form(char: str) -> str:
    """Return the form in which a plain letter or digit stands here; empty for all else."""
    if unicodedata.name(char, "").startswith("NEGATIVE "):
        return "inverted" if "LATIN CAPITAL LETTER" in unicodedata.name(char) else ""
    form = _FORMS.get(unicodedata.decomposition(char).partition(" ")[0], "")
    plain = unicodedata.normalize("NFKC", char)
    return form if form and len(plain) == 1 and plain.isascii() and plain.isalnum() else ""


def _letters(word: str) -> list[str]:
    return [char for char in word if char.isalpha()]


def _latin_in_looks(word: str) -> str:
    """Return the script of a word that looks Latin throughout and is not; empty for any other."""
    letters = _letters(word)
    script = script_of(letters[0]) if letters else ""
    likes = _LOOKS_LATIN.get(script, "")
    return script if likes and all(char in likes for char in letters) else ""


def _is_numbered(plain: str) -> bool:
    """Say whether capital letters stand before a number, as in an order's: C-1001."""
    match = _NUMBERED.fullmatch(plain)
    return match is not None and match["letters"].isupper()


def _digits(chunk: str, *, strict: bool) -> Iterator[Lookalike]:
    digits = [char for char in chunk if char.isdecimal() and not _form(char)]
    odd = [char for char in digits if not char.isascii()]
    beside = len(odd) < len(digits) or any(script_of(char) == "Latin" for char in chunk)
    zeros = {ord(char) - unicodedata.decimal(char) for char in digits}
    if odd and (strict or beside or len(zeros) > 1):
        yield _told(chunk, "has digits that are not 0 to 9", odd)


def _odd_marks(chunk: str, *, exact: bool) -> Iterator[Lookalike]:
    odd = [
        char
        for char in chunk
        if char in _MARKS or (exact and not char.isascii() and unicodedata.category(char)[0] in "PSZ")
    ]
    if odd:
        yield _told(chunk, "has marks that look like others", odd)


def _told(word: str, why: str, characters: list[str]) -> Lookalike:
    return Lookalike(word, why, tuple(dict.fromkeys(f"U+{ord(char):04X}" for char in characters)))


@lru_cache(maxsize=4_096)
def script_of(char: str) -> str:
    """Return the script of a letter, as Unicode's name of it begins; empty for what belongs to none."""
    if not char.isalpha() or _form(char):
        return ""
    script = unicodedata.name(char, "").split(" ")[0].title()
    if script in _EAST_ASIAN:
        return "East Asian"
    return "" if script in _NO_SCRIPT else script


def hidden(text: str) -> list[str]:
    """Return the characters of a text that cannot be seen, as "U+202E"; line breaks and tabs are none."""
    lines = text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")
    return unsafe_characters(lines)
