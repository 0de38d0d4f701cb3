"""The key of the trail: it seals the chain and makes the digests.

Knows:    where the key comes from, and who may read its file.
Does not: know a row.   (chain.py)
Why:      order numbers and customer ids are few: whoever had a digest without a key could try them all. And
          whoever can write the table, but has not the key, cannot compute a chain that verifies.
"""

import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from common.settings import state_folder
from journal.errors import JournalUnusable
from journal.settings import JournalSettings

FILE_NAME = "journal.key"


@dataclass(frozen=True, repr=False)
class JournalKey:
    """A key. Each use of it has a key of its own, so that no digest is ever a seal."""

    secret: bytes

    @property
    def fingerprint(self) -> str:
        """Return by what a row tells which key it was sealed with."""
        return self._mac("fingerprint", "")[:8]

    def seal(self, text: str, use: str = "chain") -> str:
        """Return the hash of a row, in hex; use: of the trail's, unless it is told otherwise."""
        return self._mac(use, text)

    def digest(self, kind: str, text: str) -> str:
        """Return the digest of a value, 128 bits in hex; equal values of two kinds differ."""
        return self._mac(f"digest/{kind}", text)[:32]

    def _mac(self, use: str, text: str) -> str:
        key = hmac.digest(self.secret, f"shopkart/journal/{use}".encode(), "sha256")
        return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def key_of(settings: JournalSettings, folder: Path | None = None, *, make: bool = True) -> JournalKey:
    """Return the key of the settings; without one that of the key file, which is made once.

    folder: where the file stands; the user's state folder unless given. make: whether it may be made; who
    only reads a trail proves nothing with a new one.
    Raises: JournalUnusable.
    """
    if set_key := settings.journal_key.get_secret_value():
        return JournalKey(set_key.encode("utf-8"))
    path = (folder or state_folder()) / FILE_NAME
    try:
        if make and not path.exists():
            _make(path)
        return read_key(path)
    except FileNotFoundError:
        raise JournalUnusable(
            f"The key of the audit trail, {path}, is not there, so nothing can be proven or looked up. "
            "Put it back, or set the JOURNAL_KEY that the trail was written with in .env.local."
        ) from None
    except OSError as error:
        raise JournalUnusable(
            f"The key of the audit trail, {path}, cannot be read or made ({error.strerror}). "
            "Make it readable to you, or set JOURNAL_KEY in .env.local."
        ) from None


def read_key(path: Path) -> JournalKey:
    """Return the key of a file.

    Raises: OSError, and JournalUnusable where others may read the file or it holds no key.
    """
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise JournalUnusable(
            f"The key of the audit trail, {path}, can be read by others. Run: chmod 600 {path}"
        )
    text = path.read_text("ascii", errors="replace").strip()
    if len(text) != 64 or not all(char in "0123456789abcdef" for char in text):
        raise JournalUnusable(
            f"{path} holds no key of an audit trail: 64 hexadecimal digits were expected. "
            "Put back a copy of it; without that, what was written with it cannot be proven."
        )
    return JournalKey(bytes.fromhex(text))


def _make(path: Path) -> None:
    """Make the file at once as a whole: another process that starts meanwhile finds it complete, or none."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            return  # the other process was quicker, and its key is the key
    finally:
        draft.unlink()
