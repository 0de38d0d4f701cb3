"""Runs of a program that a person's sentence states: "python main.py 3 4 prints 7".

Knows:    the command, what is piped in, and the verbs for printing in English and Russian.
Does not: run a shell: a command with anything but plain arguments is no example.
"""

import ast
import re
import shlex
from collections.abc import Iterator
from typing import Any

from workshop.syntax import parsed

_VERB = (
    r"(?:(?:should|must|shall|will|would|has to|needs to) )?"
    r"(?:prints?(?: out)?|outputs?|displays?|shows?|writes?|says?|returns?|gives?)"
    r"|(?:(?:должн[аоы]|должен) )?(?:выводит|вывести|выведет|печатает|напечатать|напечатает"
    r"|показывает|показать|выда[её]т|выдать"
    r"|пишет|написать|да[её]т|дать)"
)
_PIPED = r"(?:(?:echo|printf)\s+(?P<piped>\"[^\"\n]*\"|'[^'\n]*'|[^\s|`]+)\s*\|\s*)?"
_RUN = re.compile(
    rf"(?:\$\s+)?{_PIPED}(?:\b(?:python|py)(?:3(?:\.\d+)?)?\s+|\./)(?P<file>[\w./-]+\.py)\b"
    rf"(?P<words>[^\n`]{{0,300}}?)(?P<close>[`*»]*)\s*(?:"
    rf"[,:]?\s*(?:with (?:the )?input|given|fed with|on input|со? вводом|на вводе?)\s+"
    r"(?P<input>\"[^\"\n]*\"|'[^'\n]*')[,]?\s*)?"
    rf"(?:\s*(?:->|=>|→|\#\s*(?:->|=>)?)\s*|(?:(?<=\s)|(?<=[`*»]))(?:and |it |и |то )?(?:{_VERB})\s*:?\s*)"
    r"(?:(?:exactly|the text|the line|the number|the string|строку|число|текст|ровно)\s+)?"
    r"(?P<output>(?=\S))",
    re.IGNORECASE,
)
_SESSION = re.compile(
    rf"^[ \t]*\$\s+{_PIPED}(?:python|py)(?:3(?:\.\d+)?)?\s+(?P<file>[\w./-]+\.py)\b(?P<words>[^\n]*)\n"
    r"(?P<output>(?:(?![ \t]*(?:\$|```))[^\n]*\S[^\n]*(?:\n|$))+)",
    re.MULTILINE,
)
_STRING = re.compile(r"`([^`\n]+)`|(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|«([^»\n]*)»|“([^”\n]*)”")
_BARE_ENDS = re.compile(r"\s*(?:[.;](?=\s|$)|,(?=\s)|`|\s(?:and|but|while|whereas|or|и|а|но|или)\s|\n|$)")
_SAYS_WHAT = re.compile(
    r"(?:the|an?|its|all|each|every|any|some|both|only|nothing|what|how|it|them|usage|help|errors?|results?|output|one|two"
    r"|no|this|that|their|your|что|как|все|всё|сумм[ау]|ничего|справку|ошибк[уи]|результат|текст|это|их|его)\b",
    re.IGNORECASE,
)
"""Words that begin a description of what is printed, not what is printed."""

_SHELL = re.compile(r"[|&;<>$`\\()]")

Found = tuple[int, int, list[dict[str, Any]]]


def program_runs(text: str) -> Iterator[Found]:
    """Yield each run: where it stands, where it ends, and the fields of its example."""
    for pattern in (_SESSION, _RUN):
        for found in pattern.finditer(text):
            arguments = _words(found["words"])
            output, end = _session_output(found) if pattern is _SESSION else _output(found)
            if arguments is None or not output:
                continue
            fields = {"arguments": arguments, "input": _input(found), "prints": output}
            yield found.start(), end, [{"file": found["file"].removeprefix("./"), **fields}]


def _session_output(found: re.Match[str]) -> tuple[str, int]:
    return found["output"].strip("\n"), found.end()


def _output(found: re.Match[str]) -> tuple[str, int]:
    """Return what is printed, and where that ends: a quoted text, or the words up to the next part."""
    start, text = found.start("output"), found.string
    if said := _STRING.match(text, start):
        return _unquoted(said), said.end()
    stop = _BARE_ENDS.search(text, start)
    end = stop.start() if stop else len(text)
    words = text[start:end].strip()
    return (words if _is_meant_as_it_is(words) else ""), end


def _is_meant_as_it_is(words: str) -> bool:
    """Tell whether words without quotes are the output itself: one word, numbers, or a capital first."""
    plain = " " not in words or not words[0].islower()
    return plain and len(words) <= 80 and not _SAYS_WHAT.match(words)


def _unquoted(said: re.Match[str]) -> str:
    if said[2]:
        return _string(said[2])
    return next(part for part in said.groups() if part is not None)


def _input(found: re.Match[str]) -> str:
    groups = found.groupdict()
    given = groups.get("piped") or groups.get("input")
    if not given:
        return ""
    text = _string(given) if given[0] in "\"'" else given
    return text if text.endswith("\n") else f"{text}\n"


def _string(quoted: str) -> str:
    tree = parsed(quoted)
    return tree.value if isinstance(tree, ast.Constant) and isinstance(tree.value, str) else quoted[1:-1]


def _words(text: str) -> tuple[str, ...] | None:
    """Return a command's arguments, or None where it needs a shell."""
    try:
        return None if _SHELL.search(text) else tuple(shlex.split(text))
    except ValueError:
        return None
