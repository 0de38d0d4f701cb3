"""Which variables of the environment hold what the contracts' upstreams are shown.

Knows:    the keys under which the table of upstreams names them.
Does not: check the table   (contracts/upstreams_file.py, in the server's own process), or read a secret.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import yaml

KEYS = frozenset({"token", "client_id", "client_secret"})

_NAME = re.compile(r"[A-Z][A-Z0-9_]{2,80}")

_MAX_BYTES = 1_000_000


def secrets_named_in(path: Path) -> set[str]:
    """Return the names in a table; none where it cannot be read: the server then says what is wrong."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return set()
        table: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        return set(_names(table))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError):
        return set()


def _names(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for item in cast(list[Any], part):
            yield from _names(item)
    if not isinstance(part, dict):
        return
    for key, value in cast(dict[Any, Any], part).items():
        if key in KEYS and isinstance(value, str) and _NAME.fullmatch(value):
            yield value
        else:
            yield from _names(value)
