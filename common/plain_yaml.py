"""YAML that means what it seems to: no key twice, of which the last would count in silence, and no alias.

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
