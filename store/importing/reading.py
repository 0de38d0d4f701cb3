"""Opening a file: what it is, how its characters are encoded, and a sentence for each that cannot be read.

Knows:    byte order marks, UTF-8, UTF-16 with and without a mark, Windows-1252, and files given by mistake.
Does not: part it into records.   (tables.py, json_stream.py)
"""

import codecs
import contextlib
import io
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, TextIO

from common.text import visible
from store.importing.problems import FileRefused, shown_name

_HEAD = 1 << 16
_FIRST = 64
"""Bytes in which column names or the keys of JSON stand, whatever language the rest is in."""
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""The longer marks first: that of UTF-16 begins that of UTF-32."""

_EXPORT = "Export the orders as CSV or JSON and give that"
_MISTAKEN = (
    (
        b"PK\x03\x04",
        "is a ZIP archive or an Excel workbook (.xlsx). Unpack it, or save it as CSV UTF-8 in Excel",
    ),
    (b"\xd0\xcf\x11\xe0", "is an old Excel workbook (.xls). Save it as CSV UTF-8 in Excel"),
    (b"\x1f\x8b", "is compressed with gzip. Unpack it first"),
    (b"%PDF", f"is a PDF. {_EXPORT}"),
    (
        b"SQLite format 3\x00",
        f"is a SQLite database. {_EXPORT}; to read it as the shop's own, set DATABASE_URL",
    ),
    (b"\x89PNG", f"is a picture. {_EXPORT}"),
    (b"\xff\xd8\xff", f"is a picture. {_EXPORT}"),
)


@dataclass(frozen=True)
class Source:
    """A file that can be read as text. told: what was assumed of it, where something was."""

    path: Path
    encoding: str
    kind: Literal["json", "table"]
    size: int
    told: str | None = None

    @property
    def name(self) -> str:
        """Return the name by which the file is told of."""
        return shown_name(self.path.name)

    @contextlib.contextmanager
    def open(self, watch: Callable[[int], None] = lambda _: None) -> Generator[TextIO]:
        """Open the file as text, line ends as they are; watch is told how many bytes were read on.

        Raises: FileRefused where the bytes are not what they were taken for.
        """
        with self.path.open("rb") as raw:
            try:
                yield io.TextIOWrapper(
                    io.BufferedReader(_Watched(raw, watch), _HEAD), encoding=self.encoding, newline=""
                )
            except UnicodeDecodeError as error:
                raise FileRefused(
                    f"{self.name} was taken for {self.encoding}, and holds bytes that are none "
                    f"({error.reason}). Save it as UTF-8, or name its encoding: --encoding cp1251"
                ) from None


class _Watched(io.RawIOBase):
    """A file whose reading is watched."""

    def __init__(self, inner: IO[bytes], watch: Callable[[int], None]) -> None:
        self._inner = inner
        self._watch = watch

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        chunk = self._inner.read(len(buffer))
        buffer[: len(chunk)] = chunk
        self._watch(len(chunk))
        return len(chunk)


def look_at(path: Path, encoding: str | None = None) -> Source:
    """Return how a file is to be read.  Raises: FileRefused."""
    if encoding:
        encoding = _known(encoding)
    size, head = _head(path)
    for signature, told in _MISTAKEN:
        if head.startswith(signature):
            raise FileRefused(f"{shown_name(path.name)} {told}.")
    codec, told = (encoding, None) if encoding else _encoding(path, head)
    text = _first_text(path, codec, head)
    if not text:
        raise FileRefused(f"{shown_name(path.name)} is empty. {_EXPORT} again.")
    if text.startswith("<"):
        raise FileRefused(f"{shown_name(path.name)} is HTML or XML. {_EXPORT}.")
    if "\x00" in text:
        raise FileRefused(f"{shown_name(path.name)} is no text file. {_EXPORT}.")
    return Source(path, codec, "json" if text[0] in "[{" else "table", size, told)


def _known(encoding: str) -> str:
    try:
        "".encode(encoding)
    except LookupError:
        raise FileRefused(f"There is no encoding {encoding}. Name one such as utf-8 or cp1251.") from None
    return "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding


def _head(path: Path) -> tuple[int, bytes]:
    given = visible(str(path))
    if path.is_dir():
        raise FileRefused(f"{given} is a folder. Name the files in it, as in {given}/*.json")
    if path.exists() and not path.is_file():
        raise FileRefused(
            f"{given} is a pipe or a device, and has to be read twice. Save it as a file first."
        )
    try:
        with path.open("rb") as file:
            return path.stat().st_size, file.read(_HEAD)
    except FileNotFoundError:
        raise FileRefused(
            f"There is no file {given}. Look at its name and at the folder you are in."
        ) from None
    except OSError as error:
        raise FileRefused(
            f"{given} cannot be read ({error.strerror}). Give it to this user to read."
        ) from None


def _first_text(path: Path, codec: str, head: bytes) -> str:
    try:
        decoder = codecs.getincrementaldecoder(codec)()
        return decoder.decode(head).lstrip(" \t\r\n\ufeff")
    except UnicodeDecodeError:
        raise FileRefused(
            f"{shown_name(path.name)} is not written in {codec}. Save it as UTF-8, or name its encoding, as "
            "in --encoding cp1251"
        ) from None


def _encoding(path: Path, head: bytes) -> tuple[str, str | None]:
    name = shown_name(path.name)
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return codec, None
    if codec := _utf16(head):
        return codec, f"{name} is read as UTF-16: half of its bytes are zero."
    if _decodes(path, "utf-8"):
        return "utf-8", None
    if _decodes(path, "cp1252"):
        return "cp1252", (
            f"{name} is no UTF-8 and was read as Windows-1252 (western European). Where letters came "
            "out wrong, import it again with its encoding, as in --encoding cp1250."
        )
    raise FileRefused(
        f"{name} is written in none of UTF-8, UTF-16 and Windows-1252. Save it as UTF-8, or name its "
        "encoding: --encoding cp1251"
    )


def _utf16(head: bytes) -> str | None:
    """Return the kind of UTF-16 without a mark: the Latin letters of its first line have a zero byte each."""
    first = head[:_FIRST]
    even, odd = first[::2].count(0), first[1::2].count(0)
    if max(even, odd) * 4 < len(first):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _decodes(path: Path, codec: str) -> bool:
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
