"""YAML that means what it seems to: no key twice, of which the last would count in silence, and no alias.

Why as written: YAML reads NO as false, 0471 as 313 and 1:30 as 90, and whoever writes a file means the text.

Knows:    the nodes of a text.
Does not: know which keys there are, or read a file.   (shop_file.py, guards/policy.py)
"""

from typing import Any, cast


class NotPlain(Exception):
    """The text says something in a way that misleads; the text of this says where and what to do."""


def composed(text: str) -> Any:
    """Return the nodes of a text; None where there is nothing in it.

    Raises: NotPlain, and YAMLError where it is no YAML.
    """
    import yaml as untyped  # here, because a command that only shows its help needs none

    yaml = cast(Any, untyped)
    events = yaml.parse(text, Loader=yaml.BaseLoader)
    alias = next((event for event in events if isinstance(event, yaml.AliasEvent)), None)
    if alias is not None:
        line = alias.start_mark.line + 1
        raise NotPlain(f"line {line}: an alias (*name); write the value out")
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    if node is not None:
        _refuse_twice(node)
    return node


_NOTHING = ("", "~", "null", "Null", "NULL")


def as_written(text: str) -> Any:
    """Return what a text says, each scalar as the text that stands there; None where nothing is said.

    Raises: NotPlain, also for a key or an item with nothing behind it; YAMLError.
    """
    node = composed(text)
    return None if node is None else _written(node)


def _written(node: Any) -> Any:
    if not node.tag.startswith(_PLAIN_TAGS):
        raise NotPlain(f"line {node.start_mark.line + 1}: a tag (!name); leave it out")
    if node.id == "mapping":
        return {str(key.value): _written(value) for key, value in node.value}
    if node.id == "sequence":
        return [_written(item) for item in node.value]
    if node.style is None and node.value in _NOTHING:
        line = node.start_mark.line + 1
        raise NotPlain(f"line {line}: nothing stands here; write a value, or leave the key out")
    return node.value


_PLAIN_TAGS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("map", "seq", "str"))


def lines_of(mapping: Any) -> dict[str, int]:
    """Return the line of each key of a mapping.  Raises: NotPlain for a key that stands twice."""
    lines: dict[str, int] = {}
    for key, _ in mapping.value:
        name, line = str(key.value), key.start_mark.line + 1
        if name in lines:
            raise NotPlain(f"line {line}: {name!r} stands on line {lines[name]} already; keep one of them")
        lines[name] = line
    return lines


def _refuse_twice(node: Any) -> None:
    if node.id == "mapping":
        lines_of(node)
        for _, value in node.value:
            _refuse_twice(value)
    elif node.id == "sequence":
        for item in node.value:
            _refuse_twice(item)
