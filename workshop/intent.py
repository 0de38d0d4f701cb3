"""Whether a person asks for something to be built: decided in code, by whole words in their context.

Knows:    requests in English and Russian, the questions and remarks that use the same words, what forbids.
Does not: start anything: the words that decided are shown to the person, who confirms.   (talking.py)
Why code: a small model takes "review this specification" for an order, and nobody can look up why.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from workshop import intent_words as words

_READ = 20_000
_QUOTED = re.compile(r"```.*?(?:```|$)|`[^`\n]*`|\"[^\"\n]*\"|«[^»\n]*»|“[^”\n]*”", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*")
_ALL_QUOTED = re.compile(r"\s*([\"«“])([^\"«»“”]+)[\"»”]\s*")
_PLAIN = str.maketrans({"ё": "е", "’": "'", "\t": " ", "\u00a0": " "})


@dataclass(frozen=True)
class Intent:
    """What was recognised. words: the part of the text that decided, "" where nothing is asked for."""

    build: bool
    words: str = ""
    kind: Literal["program", "contract", ""] = ""


def wants_build(text: str) -> Intent:
    """Return whether the text asks for a program or a contract to be made, and by which words."""
    text = text[:_READ]
    if quoted := _ALL_QUOTED.fullmatch(text):
        text = quoted[2]
    plain = _QUOTED.sub(lambda found: " " * len(found.group()), _lowered(text))
    if words.FORBIDDEN.search(_even(plain)) or words.FORBIDDEN_RU.search(_even(plain)):
        return Intent(False)
    for start, sentence in (*_sentences(plain), *_sentences(_unwrapped(plain))):
        if found := _request(sentence, plain):
            first = found.start("verb") if "verb" in found.re.groupindex else found.start()
            said = _original(text, start, sentence, first, found.end())
            groups = found.groupdict()
            contract = groups.get("contract") or groups.get("told_contract")
            return Intent(True, said, "contract" if contract else "program")
    return Intent(False)


def _request(sentence: str, whole: str) -> re.Match[str] | None:
    """Return what asks for a build in the sentence, if anything does."""
    even = _even(sentence)
    if found := words.NAMED.match(even) or words.NAMED_RU.match(even):
        return found
    for pattern in (words.ASKED_OF_YOU, words.ASKED_OF_YOU_RU, words.WANTED_RU):
        if (found := pattern.search(even)) and not _is_asked_about(even, found):
            return found
    for pattern in (words.SAID_OF_ONESELF, words.NEEDED, words.NEEDED_RU):
        found = pattern.search(even)
        if found and not _is_asked_about(even, found) and not words.ADVICE.search(_even(whole)):
            return found
    return None


def _is_asked_about(sentence: str, found: re.Match[str]) -> bool:
    """Tell whether the sentence is a question about making, not a request to make."""
    before = sentence[: found.start("verb")]
    if words.HOW_BEFORE.search(before):
        return True
    asks = words.QUESTION.match(sentence) or words.QUESTION_RU.match(sentence)
    return bool(asks) and not re.search(r"\b(?:then|потом|затем)\s+$", before)


def _sentences(plain: str) -> Iterator[tuple[int, str]]:
    for found in _SENTENCE.finditer(plain):
        yield found.start(), found.group()


def _unwrapped(plain: str) -> str:
    """Return the text with its single line ends as spaces: a long message may be wrapped anywhere."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", plain)


def _lowered(text: str) -> str:
    """Return the text in lower case, each character where it was."""
    lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lower.translate(_PLAIN)


def _even(text: str) -> str:
    """Return the text with one space between words and none at its ends."""
    return re.sub(r"\s+", " ", text).strip(" -*•")


def _original(text: str, start: int, sentence: str, first: int, last: int) -> str:
    """Return the matched words as the person wrote them; first and last count in the evened sentence."""
    even, part = _even(sentence), text[start : start + len(sentence)]
    pieces = even[first:last].split()
    spaced = r"\s+".join(re.escape(piece) for piece in pieces)
    found = re.search(spaced, _lowered(part))
    return " ".join(part[found.start() : found.end()].split()) if found else even[first:last]
