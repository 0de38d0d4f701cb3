"""Calls that a model writes as text: what is held back while it streams, and what is never shown.

Knows:    how a call can begin, in every shape seen, and how the beginning of one looks when it is cut off.
Does not: read a call.   (recovery.py)
Rule:     text is shown only while it cannot be the beginning of a call; a reply with signs of one is no
          words for a customer, whole or cut.
"""

import re
from collections.abc import AsyncIterator, Callable, Collection
from functools import lru_cache

from model.replies import Reply

TAGS = (
    *("tool_call", "tool_calls", "toolcall", "tools", "tool", "function", "function-call", "function_call"),
    *("functioncall", "function_calls", "invoke", "parameter", "tool_code", "think"),
    *("tool_response", "tool_result", "tool_results"),
)
MARKS = ("tool_calls", "tool_results", "available_tools", "tool", "args")
KEYS = ("name", "arguments", "parameters", "function", "tool_calls")
LINES = ("Thought:", "Action:", "Action Input:", "Observation:")

OPENING = re.compile(
    r"[{\[<]|```|\"(?:" + "|".join(KEYS) + r")\"|^[ \t]*(?:" + "|".join(LINES) + ")", re.MULTILINE
)
"""Where a call may begin; from there text is held until the reply is whole."""

SIGNS = re.compile(
    rf"</?\s*(?:{'|'.join(TAGS)})\b"
    r"|<[|\uff5c]"
    rf"|\[/?(?:{'|'.join(MARKS)})\b"
    r'|"(?:arguments|parameters)"\s*:'
    r'|\{[\s{]*(?:"|\Z)'
    r"|\[[\s\[]*(?:\{|\Z)"
    r"|^[ \t]*(?:Action Input|Observation):|\A\s*Thought:",
    re.MULTILINE | re.IGNORECASE,
)
"""What no reply to a customer holds: mark-up of calls and made-up results, or JSON."""

CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
CUT_FENCE = re.compile(r"(?<![\w`])`{1,2}\Z|```\w*\s*\Z")
CUT_TAG = re.compile(r"</?([\w-]*)\Z")
CUT_MARK = re.compile(r"\[/?(\w*)\Z")
BEFORE_ARGUMENTS = re.compile(r"(\s*)(?:[(\[{<]|```)")
LAST_WORD = re.compile(r"(?<!\w)\w+\Z")
THOUGHTS = re.compile(r"<think>.*?</think>\s*", re.DOTALL)


def without_thoughts(text: str) -> str:
    """Return the text without what a reasoning model thinks aloud before it."""
    return THOUGHTS.sub("", text) if "</think>" in text else text


def opening(text: str, names: Collection[str] = ()) -> int | None:
    """Return where a call may begin, None when nothing in the text begins one."""
    found = [match.start() for match in (OPENING.search(text), _named(names).search(text)) if match]
    return min(found, default=None)


def is_markup(text: str, names: Collection[str] = ()) -> bool:
    """Tell whether the text carries a call, the beginning of one, or a result that the model made up."""
    body = text.strip()
    return bool(SIGNS.search(body)) or _is_whole_json(body) or _is_cut(body, names) or _is_named(body, names)


class Held:
    """Lets text through until something in it might open a call."""

    def __init__(self, names: Collection[str] = ()) -> None:
        self._names = names
        self._shown = ""
        self._waiting = ""
        self._shut = False

    def take(self, piece: str) -> str:
        """Take a piece; return what may be shown now."""
        self._waiting += piece
        if self._shut:
            return ""
        # The character before decides with: whether a line begins here, or a word.
        before = self._shown[-1:]
        text = before + self._waiting
        until = opening(text, self._names)
        self._shut = until is not None
        if until is None:
            until = _undecided(text, len(before), self._names)
        shown = text[len(before) : until]
        self._waiting = self._waiting[len(shown) :]
        self._shown = shown or self._shown
        return shown

    def rest(self) -> str:
        """Return what was held back; only for a reply that proved to be text."""
        shown, self._waiting = self._waiting, ""
        return shown


async def guarded(
    items: AsyncIterator[str | Reply], settle: Callable[[Reply], Reply], names: Collection[str] = ()
) -> AsyncIterator[str | Reply]:
    """Yield the text that is no call, then the reply as `settle` leaves it."""
    held, shown = Held(names), ""
    async for item in items:
        if isinstance(item, Reply):
            reply = settle(item)
            if rest := _after(shown, reply.content, held):
                yield rest
            yield reply
        elif piece := held.take(item):
            shown += piece
            yield piece


def _after(shown: str, content: str | None, held: Held) -> str:
    """Return what of the settled content was not shown yet."""
    if content is None:
        return ""
    rest = held.rest()
    if (shown + rest).strip() == content.strip():
        return rest
    return content[len(shown) :] if content.startswith(shown) else ""


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first) or r"(?!)")


def _named(names: Collection[str]) -> re.Pattern[str]:
    return _pattern(tuple(sorted(names)))


def _undecided(text: str, begin: int, names: Collection[str]) -> int:
    """Return where the end of the text begins that more text may make the beginning of a call."""
    anywhere = ("```", *(f'"{key}"' for key in KEYS))
    for start in range(max(begin, len(text) - _longest(names)), len(text)):
        tail, before = text[start:], text[start - 1 : start]
        if tail.isspace() and (tail[0] == "\n" or before in ("", "\n")):
            return start
        begins_word = not (before.isalnum() or before == "_")
        if any(opener.startswith(tail) for opener in anywhere):
            return start
        if begins_word and any(word.startswith(tail) for word in (*names, *LINES)):
            return start
    return len(text)


def _longest(names: Collection[str]) -> int:
    return max(map(len, (*names, *LINES, *KEYS))) + 2


def _is_cut(text: str, names: Collection[str]) -> bool:
    """Tell whether the text ends in the beginning of a call that stops before its first sign."""
    if CUT_FENCE.search(CODE.sub("", text)):
        return True
    for pattern, words in ((CUT_TAG, TAGS), (CUT_MARK, MARKS)):
        cut = pattern.search(text)
        if cut and any(word.startswith(cut.group(1).lower()) for word in words):
            return True
    line = text.rpartition("\n")[2].strip()
    if line.startswith("Action:") and any(name.startswith(line[7:].strip()) for name in names):
        return True
    if line and any(word.startswith(line) for word in (*names, *LINES, *(f'"{key}":' for key in KEYS))):
        return True
    word = LAST_WORD.search(text)
    return bool(word and "_" in word.group() and any(name.startswith(word.group()) for name in names))


def _is_named(text: str, names: Collection[str]) -> bool:
    """Tell whether a tool's name stands where a call puts it: before its arguments."""
    for match in _named(names).finditer(text):
        after = BEFORE_ARGUMENTS.match(text, match.end())
        # A name that is a plain word may stand before a bracket in a sentence, with a space between.
        if after and not (after.group(1) and match.group().isalpha()):
            return True
    return False


def _is_whole_json(body: str) -> bool:
    return body.startswith("{") and body.endswith("}")
