"""Cursors of lists: where the next page begins, sealed, and good for the very list that it was made for.

Knows:    how a page is cut, and how a cursor is sealed.
Does not: know what is listed.
Why:      a cursor of another list, profile or set of contracts would skip or repeat in silence.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import TypeVar

from contracts.problems import ContractsError

T = TypeVar("T")

_SEAL_BYTES = 16
_PLACE_BYTES = 4


class BadCursor(ContractsError):
    """A cursor that is none of this list as it is now."""

    def __init__(self) -> None:
        super().__init__("This cursor is not one of this list as it is now. List again from the beginning.")


class Cursors:
    """Cuts lists into pages. Its key lives as long as the process: a cursor is no bookmark."""

    def __init__(self, size: int, key: bytes | None = None) -> None:
        self._size = size
        self._key = key or secrets.token_bytes(32)

    def page(self, items: Sequence[T], cursor: str | None, bound: str) -> tuple[Sequence[T], str | None]:
        """Return one page and the cursor of the next, None behind the last.

        bound: which list it is, with its profile and the digest of what it lists.
        Raises: BadCursor, also for an empty text: only no cursor at all means the beginning.
        """
        begin = 0 if cursor is None else self._opened(cursor, bound)
        if cursor is not None and not 0 < begin < len(items):
            raise BadCursor
        end = begin + self._size
        return items[begin:end], self._sealed(end, bound) if end < len(items) else None

    def _sealed(self, place: int, bound: str) -> str:
        head = place.to_bytes(_PLACE_BYTES, "big")
        return base64.urlsafe_b64encode(head + self._seal(head, bound)).decode()

    def _opened(self, cursor: str, bound: str) -> int:
        try:
            data = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True)
        except (ValueError, binascii.Error):
            raise BadCursor from None
        head, seal = data[:_PLACE_BYTES], data[_PLACE_BYTES:]
        if not hmac.compare_digest(seal, self._seal(head, bound)):
            raise BadCursor
        return int.from_bytes(head, "big")

    def _seal(self, head: bytes, bound: str) -> bytes:
        return hmac.digest(self._key, head + bound.encode(), hashlib.sha256)[:_SEAL_BYTES]
