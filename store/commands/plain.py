"""Values as JSON and CSV write them.

Knows:    that a moment is told in UTC to the second, and which texts a spreadsheet would run.
Does not: know what the values mean.
"""

import unicodedata
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, cast


def plain(value: Any) -> Any:
    """Return the value in the types of JSON."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in cast("list[Any]", value)]
    return value


def cell(value: Any) -> str:
    """Return the value as a cell of CSV that no spreadsheet takes for a formula.

    Source: OWASP, CSV injection. A quote before it shows in the sheet, and what a customer typed stays text.
    """
    told = "" if value is None else str(plain(value))
    first = unicodedata.normalize("NFKC", told.lstrip())[:1]
    return f"'{told}" if first and (first in "=+-@" or told[0] in "\t\r\n") else told
