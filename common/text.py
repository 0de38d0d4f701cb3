"""Text as people write it, made safe to compare and to read.

Knows:    Unicode: digits of every script, compatibility forms, characters that cannot be seen.
Does not: know ids, prices or languages.   (guards/)
Source:   Unicode 15 general categories; UAX #9 for the bidirectional controls.
"""

import unicodedata

_JOINERS = {"\u200c", "\u200d"}
"""ZWNJ and ZWJ: needed inside words of Persian and the Indic scripts, and inside emoji."""

_BLANK_LETTERS = {
    *("\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u2d7f", "\u3164", "\uffa0"),
    *("\ufffc", "\U00016fe4", "\U0001d159"),
}
"""Characters that count as letters, marks or symbols and draw nothing."""

_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

_JOINED_SCRIPTS = frozenset(
    {"ARABIC", "SYRIAC", "NKO", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"}
    | {"ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "TIBETAN", "MYANMAR", "KHMER"}
)
"""First words of Unicode's names of the letters between which a joiner changes what is seen."""

_EMOJI_LETTERS = {"\u00a9", "\u00ae", "\u2139", "\u3030"}
"""Emoji that Unicode does not place among its symbols, or not among those above U+2000."""


def _is_variation_selector(char: str) -> bool:
    return (
        "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or "\u180b" <= char <= "\u180f"
    )


def _joins(before: str, after: str) -> bool:
    """Say whether a joiner between these two can be seen in the result."""
    return bool(before and after) and _may_join(before) and _may_join(after)


def _may_join(char: str) -> bool:
    kind = unicodedata.category(char)[0]
    if kind == "S":
        return ord(char) > 0x2FF
    if _is_variation_selector(char):
        return True
    return kind in "LM" and unicodedata.name(char, "").split(" ")[0] in _JOINED_SCRIPTS


def _draws_emoji(char: str, before: str, after: str) -> bool:
    """Say whether a variation selector is seen, in that an emoji or a keycap is drawn by it."""
    if char not in "\ufe0e\ufe0f" or not before:
        return False
    if after == "\u20e3":
        return before in "0123456789#*"
    return before in _EMOJI_LETTERS or (
        ord(before) > 0x2000 and unicodedata.category(before) in {"So", "Sk", "Sm", "Po"}
    )


def _is_unsafe(text: str, index: int) -> bool:
    char = text[index]
    if char.isascii():
        return not char.isprintable()
    if char in _JOINERS:
        return not _joins(text[index - 1 : index], text[index + 1 : index + 2])
    if _is_variation_selector(char):
        return not _draws_emoji(char, text[index - 1 : index], text[index + 1 : index + 2])
    return char in _BLANK_LETTERS or unicodedata.category(char) in _INVISIBLE_CATEGORIES


def unsafe_characters(text: str) -> list[str]:
    """Return the controls and invisible characters of a text as "U+202E", each once, in order.

    Line breaks and tabs count. Joiners count unless they stand where a script or an emoji needs them.
    """
    if text.isascii() and text.isprintable():
        return []
    found = [f"U+{ord(char):04X}" for index, char in enumerate(text) if _is_unsafe(text, index)]
    return list(dict.fromkeys(found))


def visible(text: str) -> str:
    r"""Return the text with every control and invisible character written out, as in `\u202e`."""
    while not (text.isascii() and text.isprintable()):
        shown = "".join(_escape(char) if _is_unsafe(text, index) else char for index, char in enumerate(text))
        if shown == text:
            break
        text = shown  # a joiner may have stood beside a character that is now written out
    return text


def _escape(char: str) -> str:
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if short:
        return short
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"


def one_line(text: str) -> str:
    """Return the text as one line without controls and invisible characters; marks stand on their letters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split()) if "  " in text else text.strip()
    text = unicodedata.normalize("NFC", text)
    while unsafe_characters(spaced := _spaced(text)):
        text = "".join(char for index, char in enumerate(spaced) if not _is_unsafe(spaced, index))
    return " ".join(spaced.split())


def _spaced(text: str) -> str:
    return "".join(" " if char.isspace() else char for char in text)


def length_of(text: str) -> int:
    """Return how many characters a text has to whoever compares it: one character may stand for eighteen."""
    return len(text) if text.isascii() else max(len(text), len(unicodedata.normalize("NFKC", text)))


def shortened(text: str, most: int) -> str:
    """Return the text, or what `length_of` counts of it up to the most, so that reading it is bounded."""
    return text if length_of(text) <= most else unicodedata.normalize("NFKC", text[:most])[:most]


def fold(text: str) -> str:
    """Return the text for comparing: compatibility forms composed, ASCII digits, nothing invisible.

    Case is kept. Line breaks and tabs stay. Lone surrogates become U+FFFD. Marks on a digit go, so that
    digits drawn in boxes or underlined are digits. Folding twice is folding once.
    """
    if text.isascii() and text.translate(_KEPT_CONTROLS).isprintable():
        return text
    # The codec joins surrogate pairs and replaces lone ones.
    folded = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    while (once := _fold_once(folded)) != folded:
        folded = once  # what stood around a removed character may compose now
    return folded


_KEPT_CONTROLS = dict.fromkeys(map(ord, "\n\r\t"))


def _fold_once(text: str) -> str:
    composed = unicodedata.normalize("NFKC", text)
    kept: list[str] = []
    for index, char in enumerate(composed):
        if char.isdecimal():
            kept.append(str(unicodedata.decimal(char)))
        elif kept and kept[-1].isdecimal() and _marks(char):
            continue
        elif char in "\n\r\t" or not _is_unsafe(composed, index):
            kept.append(char)
    return "".join(kept)


def _marks(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")
