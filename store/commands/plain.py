"""Values as JSON and CSV write them.

Knows:    that a moment is told in UTC to the second, and which texts a spreadsheet would run.
Does not: know what the values mean.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, cast

SIGNS = "=+-@\u207a\u207c\u208a\u208c\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
"""What begins a formula, and every character that compatibility folding (NFKC) makes one of these of."""
_ENDS = ";|,\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Where a cell or a row may end, whatever the file says of it."""
_RUN = re.compile(rf"(?:^|(?<=[{re.escape(_ENDS)}]))(?=[\s\"]*[{re.escape(SIGNS)}])")


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

    A sheet may part cells elsewhere than the file does, as at semicolons where commas are in numbers: so a
    text inside that would begin a cell there is no formula either. An apostrophe shows in the sheet.
    Source: OWASP, CSV injection.
    """
    told = "" if value is None else str(plain(value))
    defused = _RUN.sub("'", told)
    return f"'{defused}" if defused.startswith(("\t", "\r", "\n")) else defused
