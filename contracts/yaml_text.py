"""YAML as contracts are written in: plain values, each key once, and the line of everything.

Knows:    the nodes of a text, and which spellings mislead.
Does not: know any field.   (reading.py)
Rule:     what YAML reads otherwise than it looks is refused: NO is false, 0471 is 313, 1:30 is 90; so is an
          alias, which can make a small file a huge one, and a character that a reviewer cannot see.
Speed:    libyaml's parser where PyYAML has it; the values are made here, in one walk over the nodes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import yaml as _untyped

from common.text import unsafe_characters

_yaml = cast(Any, _untyped)
_LOADER = getattr(_yaml, "CSafeLoader", _yaml.SafeLoader)

MOST_LEVELS = 40
MOST_BYTES = 400_000
"""Of one file; a task of two hundred functions has some 200,000."""

MOST_ENTRIES = 1_000
"""Of one mapping or list: what compares them with each other must end soon."""

_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]{1,3})?")
_NULL = frozenset({"null", "~", ""})
_TAG = "tag:yaml.org,2002:"

Loc = tuple[str | int, ...]


@dataclass(frozen=True)
class Flaw:
    """Something in the text that misleads, or cannot be read."""

    line: int
    rule: str
    remedy: str


@dataclass
class Text:
    """One file's values and where they stand. flaws: empty where the values may be used."""

    value: Any = None
    flaws: list[Flaw] = field(default_factory=list[Flaw])
    first_line: int = 1
    _node: Any = None

    def line(self, loc: Sequence[str | int]) -> int:
        """Return the line of a place, or of the nearest thing around it."""
        node, found = self._node, self.first_line
        for step in loc:
            inner = _below(node, step)
            if inner is None:
                continue  # the name of an alternative, or a field that is missing
            node, mark = inner
            found = mark.line + self.first_line
        return found

    def path(self, loc: Sequence[str | int]) -> str:
        """Return a place in words: `functions[2].request.query`. Names of alternatives are left out."""
        node, shown = self._node, ""
        for at, step in enumerate(loc):
            inner = _below(node, step)
            if inner is None and at < len(loc) - 1:
                continue
            if inner is not None:
                node = inner[0]
            elif isinstance(step, str) and ("[" in step or step in _LABELS):
                continue
            shown += f"[{step}]" if isinstance(step, int) else f".{step}"
        return shown.lstrip(".")


_LABELS = frozenset(
    {"str", "int", "float", "bool", "name", "argument", "constant", "Shape", "constrained-str"}
)


def _below(node: Any, step: str | int) -> tuple[Any, Any] | None:
    """Return the node of a key or an index, and the mark of its line."""
    if node is None:
        return None
    if node.id == "mapping":
        for key, value in node.value:
            if key.value == str(step):
                return value, key.start_mark
    elif node.id == "sequence" and isinstance(step, int) and 0 <= step < len(node.value):
        return node.value[step], node.value[step].start_mark
    return None


def read_yaml(data: bytes, first_line: int = 1) -> Text:
    """Return the values of a text. first_line: where it begins in its file."""
    text = Text(first_line=first_line)
    if len(data) > MOST_BYTES:
        text.flaws.append(
            Flaw(0, f"It has {len(data)} bytes, and {MOST_BYTES} are allowed.", "Split it into two tasks.")
        )
        return text
    try:
        written = data.decode("utf-8")
        text.flaws += unseen(written, first_line)
        if "*" in written and _has_aliases(written, text):
            return text  # what they would make may be huge: it is not made
        text._node = _yaml.compose(written, Loader=_LOADER)  # pyright: ignore[reportPrivateUsage]
        if text._node is not None:  # pyright: ignore[reportPrivateUsage]
            text.value = _made(text._node, text, 0)  # pyright: ignore[reportPrivateUsage]
    except UnicodeDecodeError as error:
        text.flaws.append(Flaw(0, f"It is no UTF-8 (byte {error.start}).", "Save it as UTF-8."))
    except RecursionError:
        text.flaws.append(Flaw(0, "It is nested too deep.", "Make it flatter."))
    except _yaml.YAMLError as error:
        text.flaws.append(_unreadable(error, first_line))
    return text


def unseen(written: str, first_line: int = 1) -> list[Flaw]:
    """Return the lines that hold characters which are not seen, or turn what is seen around."""
    flaws: list[Flaw] = []
    for number, line in enumerate(written.removeprefix("\ufeff").split("\n"), first_line):
        if found := _unseen_in(line):
            flaws.append(Flaw(number, f"A character that is not seen stands here ({found}).", "Remove it."))
    return flaws


def _unseen_in(text: str) -> str:
    """Return the first character of a text that is not seen, as U+202E; empty where all are."""
    if text.isprintable():
        return ""
    found = unsafe_characters(text.translate(_LAYOUT))
    return found[0] if found else ""


_LAYOUT = dict.fromkeys(map(ord, "\n\r\t"), " ")


def _unreadable(error: Any, first_line: int) -> Flaw:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + first_line if mark else 0
    what = " ".join(str(getattr(error, "problem", None) or "it cannot be parsed").split())[:160]
    return Flaw(line, f"It is no YAML: {what}.", "Correct the line, or put its text in quotes.")


def _has_aliases(written: str, text: Text) -> bool:
    """Add a flaw for every alias."""
    found = False
    for event in _yaml.parse(written, Loader=_LOADER):
        if isinstance(event, _yaml.AliasEvent):
            found = True
            line = event.start_mark.line + text.first_line
            text.flaws.append(Flaw(line, "An alias (*name) stands here.", "Write the value out."))
    return found


def _made(node: Any, text: Text, level: int) -> Any:
    """Return the value of a node; what misleads becomes a flaw and None."""
    if level > MOST_LEVELS:
        return _flaw(node, text, f"It is nested deeper than {MOST_LEVELS} levels.", "Make it flatter.")
    if node.id != "scalar" and len(node.value) > MOST_ENTRIES:
        many = f"{len(node.value)} entries stand here, and {MOST_ENTRIES} are allowed."
        return _flaw(node, text, many, "Leave some out, or split the task.")
    if node.id == "mapping":
        return _mapping(node, text, level)
    if node.id == "sequence":
        if node.tag != f"{_TAG}seq":
            return _flaw(node, text, "A tag (!name) stands here.", "Leave it out.")
        return [_made(item, text, level + 1) for item in node.value]
    return _scalar(node, text)


def _mapping(node: Any, text: Text, level: int) -> dict[Any, Any]:
    made: dict[Any, Any] = {}
    if node.tag != f"{_TAG}map":
        _flaw(node, text, "A tag (!name) stands here.", "Leave it out.")
    for key, value in node.value:
        if key.id != "scalar":
            _flaw(key, text, "A key is no plain text.", "Write a name before the colon.")
            continue
        name = key.value
        if not key.tag.startswith(_TAG):
            _flaw(key, text, "A tag (!name) stands here.", "Leave it out.")
        if name in made:
            _flaw(key, text, f"{key.value[:60]!r} stands here a second time.", "Keep one of them.")
        made[name] = _made(value, text, level + 1)
        if value.id == "scalar" and not value.value and not value.style and value.tag == f"{_TAG}null":
            _flaw(
                key,
                text,
                f"Nothing stands behind {name[:60]!r}.",
                "Write a value. Inside {…} and […] a comma ends a text: put a text with commas in quotes.",
            )
    return made


def _scalar(node: Any, text: Text) -> Any:
    written, tag = node.value, node.tag.removeprefix(_TAG)
    if tag in ("str", "timestamp"):
        found = _unseen_in(written)
        if found:
            return _flaw(node, text, f"A character that is not seen is written here ({found}).", "Remove it.")
        return written
    if tag == "int" and _INT.fullmatch(written):
        return int(written)
    if tag == "float" and _FLOAT.fullmatch(written):
        return float(written)
    if tag == "bool" and written.lower() in ("true", "false"):
        return written.lower() == "true"
    if tag == "null" and written in _NULL:
        return None
    if tag == "bool":
        return _flaw(
            node,
            text,
            f"{written!r} is read as true or false.",
            "Write true or false, or put the word in quotes.",
        )
    if tag not in ("int", "float", "bool", "null", "value", "merge"):
        return _flaw(node, text, "A tag (!name) stands here.", "Leave it out.")
    return _flaw(
        node, text, f"{written[:40]!r} is not read as it looks.", "Put it in quotes, or write a plain number."
    )


def _flaw(node: Any, text: Text, rule: str, remedy: str) -> None:
    text.flaws.append(Flaw(node.start_mark.line + text.first_line, rule, remedy))
