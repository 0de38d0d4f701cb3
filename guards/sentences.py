"""Where a sentence or a line of a list is complete, in the punctuation of five languages.

Knows:    full stops of each script, and the abbreviations that end no sentence.
Does not: check one.   (guards/output.py)
"""

import re

_STOPS = ".!?؟。！？।…"
_CLOSING = "\"'”’)]*_"
_SENTENCE_END = re.compile(r"(?:(?<![.!?؟。！？।…])[.!?؟。！？।…]+[\"'”’)\]*_]*)(?=\s)|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:no|nr|st|mr|mrs|ms|dr|vs|etc|approx|e\.g|i\.e|inc|ltd|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|sra?|núm|ene|abr|ago|dic|гг?|руб|коп|тыс|янв|фев|февр|апр|авг|сент?|окт|нояб?|дек)"
    r"|(?:^|\s)\d{1,2}|\b[A-Z])\.$",
    re.IGNORECASE,
)


def sentences(text: str, unfinished: str = "") -> tuple[list[str], str]:
    """Return the complete sentences and list lines of a text with their white space, and the unfinished rest.

    Joined together they are the text. unfinished: the rest of an earlier call, with which the text begins;
    what was looked at in it is not looked at again, or a text that comes by the letter costs its square.
    """
    done: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text, len(unfinished.rstrip().rstrip(_STOPS + _CLOSING))):
        if "\n" not in match[0] and _ABBREVIATION.search(text[max(start, match.end() - 8) : match.end()]):
            continue
        end = match.end()
        while end < len(text) and text[end].isspace():
            end += 1
        if end == len(text) and "\n" not in match[0]:
            break  # more white space, or the rest of this sentence, may follow
        if end > start:
            done.append(text[start:end])
            start = end
    return done, text[start:]
