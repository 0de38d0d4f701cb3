"""Names and sentences for contracts, from what a description calls things.

Knows:    how foreign names become names of ours, and foreign texts one line.
Does not: know operations.
Rule:     texts of a description are somebody else's: controls, markup and braces are taken out, and they
          are cut.
"""

import hashlib
import re
import unicodedata
from collections.abc import Container

from common.text import one_line

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TAG = re.compile(r"<[^<>]{0,200}>")
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()]{0,500}\)")
_MARKUP = re.compile(
    r"[`*|]+|(?<![\w.])_{1,3}(?=\w)|(?<=\w)_{1,3}(?![\w.])|(?<!\w)#+(?=\s|$)|^\s*[->]+\s", re.MULTILINE
)
"""Signs of Markdown. A _ or # inside a word is part of a name."""


def snake(name: str) -> str:
    """Return a name in lower case with _ between its words, in ASCII letters and digits; maybe empty."""
    plain = unicodedata.normalize("NFKD", _CAMEL.sub("_", name)).encode("ascii", "ignore").decode()
    parts = re.findall(r"[a-z0-9]+", plain.lower())
    joined = "_".join(parts)
    return joined if not joined or joined[0].isalpha() else f"n{joined}"


def singular(word: str) -> str:
    """Return an English noun in the singular, where that is plain."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def is_plural(word: str) -> bool:
    """Say whether a word looks like a plural."""
    return singular(word) != word


def cut(name: str, most: int, of: str) -> str:
    """Return a name that is short enough; what is cut off is told by a digest of what it stands for."""
    if len(name) <= most:
        return name
    mark = hashlib.sha256(of.encode()).hexdigest()[:6]
    return f"{name[: most - 7].rstrip('_')}_{mark}"


def free(name: str, taken: Container[str], most: int = 64) -> str:
    """Return the name, or the name with the first number that is free."""
    if name not in taken:
        return name
    number = 2
    while (numbered := f"{name[: most - 1 - len(str(number))].rstrip('_')}_{number}") in taken:
        number += 1
    return numbered


def line(text: object, most: int) -> str:
    """Return a text as one line without markup and braces, cut at a word."""
    if not isinstance(text, str):
        return ""
    plain = _MARKUP.sub("", _LINK.sub(r"\1", _TAG.sub(" ", text[:4_000])))
    plain = one_line(plain.replace("{", "(").replace("}", ")"))
    if len(plain) <= most:
        return plain
    return f"{plain[: most - 1].rsplit(' ', 1)[0][: most - 1].rstrip('.,;: ')}…"


def sentence(text: str) -> str:
    """Return a line that ends as a sentence does."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
