"""A small YAML file of settings that people edit: its values, and the line on which each key stands.

Knows:    YAML, and what would make such a file mean something else than it seems: a key twice, an alias.
          Every value is a text, a list or a mapping as it is written: 9:00 is no number and no is no false.
Does not: know which keys there are.   (common/shop.py)
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from common.plain_yaml import NotPlain, composed, lines_of

_MAX_BYTES = 64_000
"""Bytes of a file; one with every text at its limit takes a tenth."""


class BadShopFile(Exception):
    """The file cannot be read as one mapping of keys; the text says where and what to do."""


@dataclass(frozen=True)
class Source:
    """The values of the file, and the line of each of its keys, counted from 1."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    lines: dict[str, int] = field(default_factory=dict[str, int])

    def line_of(self, key: str) -> int:
        """Return the line of a key, 1 for one that is not there."""
        return self.lines.get(key, 1)


def parse(file: Path) -> Source:
    """Return what the file holds.  Raises: BadShopFile."""
    import yaml as untyped  # here, because a command that only shows its help needs no shop

    yaml = cast(Any, untyped)
    text = _text(file)
    try:
        node = composed(text)
        values: object = yaml.load(text, Loader=yaml.BaseLoader)
    except NotPlain as error:
        raise BadShopFile(str(error)) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadShopFile(
            f"line {line}: this is no YAML: {error.problem}; look at quotes and indents"
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise BadShopFile(f"this is no YAML: {str(error).splitlines()[0]}") from error
    if node is None:
        return Source()
    if not isinstance(values, dict):
        raise BadShopFile("line 1: this is no mapping; write lines as in `name: My Shop`")
    return Source(_named(cast(dict[object, Any], values)), lines_of(node))


def _text(file: Path) -> str:
    try:
        raw = file.read_bytes()[: _MAX_BYTES + 1]
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadShopFile(f"byte {error.start + 1} is not UTF-8; save the file as UTF-8") from error
    except OSError as error:
        raise BadShopFile(f"it cannot be read: {error.strerror}; SHOP_FILE names it") from error
    if len(raw) > _MAX_BYTES:
        raise BadShopFile(f"it has more than {_MAX_BYTES} bytes; shorten it")
    return text


def _named(values: dict[object, Any]) -> dict[str, Any]:
    return {str(key): value for key, value in values.items()}
