"""An upstream's answer becomes a result: unwrapped, projected to the declared fields, or told as a failure.

Knows:    answers and the response part of a contract.
Does not: send, or make sentences of a result.   (telling.py)
Rule:     what the contract does not declare does not pass, at any depth; a value of another type than the
          declared one does not either. An upstream's own words are data: one line, redacted, cut.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from common.redaction import redact
from common.text import one_line
from contracts.contract import Function
from contracts.failures import CallFailed
from contracts.shapes import Shape
from contracts.wire import Answer

DROPPED = object()
"""What stands for a value that does not pass."""

_MOST_WORDS = 200
_MOST_FIELDS = 10
_MOST_DEPTH = 40
_PLAIN = frozenset({str, int, float, bool, type(None)})
_OWN_WORDS = ("message", "detail", "error_description", "title", "error")


def project(value: Any, shape: Shape, depth: int = 0) -> Any:
    """Return what of a value is declared; DROPPED where it does not fit at all."""
    if shape.branches and depth < _MOST_DEPTH:
        return _first(value, shape, shape.branches, depth)
    if depth >= _MOST_DEPTH or type(value) not in shape.accepts:
        return DROPPED
    if isinstance(value, dict):
        return dict(_kept(cast(dict[str, Any], value), shape, depth))
    if isinstance(value, list):
        items = shape.items or Shape()
        projected = (project(item, items, depth + 1) for item in cast(list[Any], value))
        return [item for item in projected if item is not DROPPED]
    return value


def _first(value: Any, shape: Shape, branches: Sequence[Shape], depth: int) -> Any:
    """Return the value as the branch shows it that keeps the most of it."""
    own = [shape.model_copy(update={"any_of": None, "one_of": None})] if shape.types else []
    meant = [branch for branch in (*own, *branches) if _may_be(value, branch)]
    shown = [project(value, branch, depth + 1) for branch in meant]
    kept = [each for each in shown if each is not DROPPED]
    return max(kept, key=_size) if kept else DROPPED


def _may_be(value: Any, branch: Shape) -> bool:
    """Say whether a value can be a branch's: it has the values that the branch fixes, such as its kind."""
    if not isinstance(value, dict):
        return True
    fields = cast(dict[str, Any], value)
    return all(
        fields[name] == fixed
        for name, shape in (branch.properties or {}).items()
        if name in fields and (fixed := _fixed(shape)) is not DROPPED
    )


def _fixed(shape: Shape) -> Any:
    if "const" in shape.model_fields_set:
        return shape.const
    return shape.enum[0] if shape.enum and len(shape.enum) == 1 else DROPPED


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_size, cast(dict[str, Any], value).values()))
    return 1 + sum(map(_size, cast(list[Any], value))) if isinstance(value, list) else 1


def _kept(value: Mapping[str, Any], shape: Shape, depth: int) -> Iterator[tuple[str, Any]]:
    declared = shape.properties or {}
    rest = shape.additional_properties if isinstance(shape.additional_properties, Shape) else None
    for name, item in value.items():
        inner = declared.get(name, rest)
        if inner is None:
            continue
        if type(item) in _PLAIN and not inner.branches:  # most fields are, and need no further look
            if type(item) in inner.accepts:
                yield name, item
        elif (shown := project(item, inner, depth + 1)) is not DROPPED:
            yield name, shown


def at(data: Any, path: str | None) -> Any:
    """Return what stands at a dotted path; None where nothing does."""
    for part in path.split(".") if path else ():
        data = cast(dict[str, Any], data).get(part) if isinstance(data, dict) else None
    return data


def is_success(function: Function, answer: Answer) -> bool:
    """Say whether a status is no failure."""
    expected = function.response.success
    return answer.status in expected if expected else 200 <= answer.status < 300


def data_of(function: Function, answer: Answer) -> Any:
    """Return the declared part of an answer; None where the contract declares none.

    Raises: CallFailed (`answer_unexpected`) where there is nothing of the declared form.
    """
    response = function.response
    if not response.fields.types and not (response.fields.any_of or response.fields.one_of):
        return None
    found = at(answer.data, response.data)
    changes = function.effect != "read"
    if answer.data is None and (changes or function.method == "HEAD" or answer.status == 204):
        return None  # a success that says nothing
    shown = project(found, response.fields)
    if shown is DROPPED:
        done = "The shop's system did it, but" if changes else "The shop's system"
        raise CallFailed(
            "answer_unexpected",
            f"{done} answered in another form than the contract declares.",
            "Tell the user that the answer could not be read, and that the shop's staff must look at it."
            + (" Do not repeat it." if changes else ""),
            status=answer.status,
            sent=True,
        )
    return shown


_OF_PAGES = re.compile(
    r"page|count|total|limit|offset|size|cursor|next|prev|more|first|last|current|per_?item", re.IGNORECASE
)
"""What the names of facts on pages hold; whatever else stands beside them was never declared."""

_COUNTED = re.compile(r"[A-Za-z0-9_=+/.:-]{0,200}")


def pagination_of(function: Function, answer: Answer) -> dict[str, Any]:
    """Return what the contract keeps of the upstream's pages: numbers and short marks, no addresses."""
    pages = function.response.pagination
    kept = at(answer.data, pages.kept) if pages else None
    if not isinstance(kept, dict):
        return {}
    return {
        name: value
        for name, value in cast(dict[str, Any], kept).items()
        if _OF_PAGES.search(name) and _is_counted(value)
    }


def _is_counted(value: Any) -> bool:
    if isinstance(value, str):
        return "//" not in value and _COUNTED.fullmatch(value) is not None
    return isinstance(value, int)


# ---------------------------------------------------------------- failures


def failure_of(function: Function, answer: Answer, wait_s: float | None = None) -> CallFailed:
    """Return what a status means: the contract's sentence, and the upstream's words.

    wait_s: for how long the upstream asks to be left alone.
    """
    declared = function.failures.get(answer.status)
    words, fields = _own_words(answer.data), _field_words(answer.data)
    if declared is None:
        message = (
            f"The shop's system answered with status {answer.status}, which the contract does not explain."
        )
        next_step, retry, said = "Tell the user what happened, and do not guess why.", False, {}
    else:
        say = declared.say if isinstance(declared.say, dict) else {"en": declared.say}
        message, next_step, retry = say["en"], declared.next, declared.retry
        said = {language: text for language, text in say.items() if language != "en"}
    if words:
        words = words.replace('"', "'")  # so that what is quoted does not seem to end earlier
        end = "" if words.endswith((".", "!", "?", "…", "。", "؟", "।")) else "."
        message += f' The shop\'s system says: "{words}"{end}'
    if wait_s is not None and answer.status in (429, 503):
        message += f" It asks to be left alone for {max(1, round(wait_s))} seconds."
        retry = True
    return CallFailed(
        f"status_{answer.status}",
        message,
        next_step,
        said=said,
        fields=fields,
        status=answer.status,
        retry=retry,
        sent=True,
    )


def _own_words(data: Any) -> str:
    """Return the upstream's own message."""
    for place in (at(data, "error"), data, _only(at(data, "errors"))):
        if isinstance(place, str):
            return _clean(place)
        if isinstance(place, dict):
            for name in _OWN_WORDS:
                said = cast(dict[str, Any], place).get(name)
                if isinstance(said, str) and said.strip():
                    return _clean(said)
    return ""


def _only(value: Any) -> Any:
    return cast(list[Any], value)[0] if isinstance(value, list) and value else None


def _field_words(data: Any) -> dict[str, str]:
    """Return the upstream's words on single fields, in the forms that are common."""
    found: dict[str, str] = {}
    for place in ("error.fields", "error.details", "error.errors", "errors", "fields", "details"):
        _gather(at(data, place), found)
    return dict(list(found.items())[:_MOST_FIELDS])


def _gather(value: Any, found: dict[str, str]) -> None:
    if isinstance(value, dict):
        for name, said in cast(dict[str, Any], value).items():
            if text := _joined(said, name):
                found.setdefault(_clean(name)[:60], text)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            fields = cast(dict[str, Any], item) if isinstance(item, dict) else {}
            name, said = fields.get("field") or fields.get("name"), fields.get("message")
            if isinstance(name, str) and isinstance(said, str):
                found.setdefault(_clean(name)[:60], _clean(said, name))


def _joined(said: Any, name: str) -> str:
    texts = cast(list[Any], said) if isinstance(said, list) else [said]
    return "; ".join(_clean(each, name) for each in texts[:3] if isinstance(each, str))


_NO_WORD = re.compile(r"[\W_]+")


def _clean(text: str, of: str = "") -> str:
    """Return words of the upstream as they may be told. of: the field that they are about.

    A number under the name of a phone is one, which the number alone does not show.
    """
    field = _NO_WORD.sub(" ", of[:60]).strip()
    cleaned = redact(one_line(f"{field}: {text[:2_000]}")).partition(": ")[2] if field else ""
    cleaned = cleaned or redact(one_line(text[:2_000]))
    return cleaned if len(cleaned) <= _MOST_WORDS else f"{cleaned[:_MOST_WORDS]}…"
