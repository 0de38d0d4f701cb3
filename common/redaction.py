"""Texts without what is personal or secret, for whatever is kept or logged.

Knows:    e-mail addresses, numbers of cards, bank accounts and phones, secrets; also where they are written
          with digits of other scripts, wide letters, odd spaces and dashes, or unseen characters between.
Does not: find names or postal addresses: nothing tells them from other words. Order, ticket and parcel
          numbers, amounts and dates stay.
Law:      what was redacted once is not changed by doing it again.
"""

import logging
import re
import sys
import threading
import traceback
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import urlsplit

from common.bank_accounts import bank_accounts_in
from common.mail_addresses import mail_addresses_in
from common.personal_numbers import cards_in, phones_in
from common.secret import secrets_in

_MARKS = re.compile(r"\[(?:e-mail|phone|card number|bank account|secret)\]")
_TELLTALE = re.compile(
    r"[\d@]|[^\x00-\x7f]|-----BEGIN|\b(?:at|dot|punto)\b|_at_|\(a\)|arroba|pass|\bpw|pin|key|secret|token|cvv|cvc|code|bearer|clave|contrase"
    r"|[\w+/=-]{16}",
    re.IGNORECASE,
)
"""What a text must have to hold anything of what is looked for."""

Replacement = tuple[int, int, str]


def redact(text: str) -> str:
    """Return the text with a mark in the place of each: "[e-mail]", "[bank account]", "[secret]"..."""
    if not _TELLTALE.search(text):
        return text
    while (once := _redact_once(text)) != text:
        text = once  # what stood around a mark may be something by itself now
    return text


class RedactingFormatter(logging.Formatter):
    """A log's lines without what is personal or secret, tracebacks too."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line as it may be written."""
        return redact(super().format(record))


def log_redacted(level: int) -> None:
    """Have the log written to stderr, redacted."""
    handler = logging.StreamHandler()
    handler.setFormatter(RedactingFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])


def redact_tracebacks() -> None:
    """Have the traceback of whatever nobody catches written redacted, too; for a whole process."""
    sys.excepthook = lambda kind, error, trace: show_redacted(error)
    threading.excepthook = lambda failed: show_redacted(failed.exc_value)


def show_redacted(error: BaseException | None) -> None:
    """Write an error's traceback to stderr, redacted. A process without stderr has nobody to tell."""
    if error is not None and sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr.write(redact("".join(traceback.format_exception(error))))


def plain_address(url: str) -> str:
    """Return an address without user, password, query and fragment: any of them may hold a secret."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "a bad address"
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{parts.path}"


def _redact_once(text: str) -> str:
    for find in (_accounts, _secrets, _emails, _cards, _phones):
        text = _replaced(text, find)
    return text


def _replaced(text: str, find: Callable[[str], Iterator[Replacement]]) -> str:
    """Return the text with what is found in its plain form replaced where it stands."""
    plain, places = _plain(text)
    marks = [found.span() for found in _MARKS.finditer(plain)]
    done: list[str] = []
    reached = 0
    for start, end, kind in sorted(find(plain)):
        if start < reached or any(start >= first and end <= last for first, last in marks):
            continue  # a mark is no secret
        done += [text[places[reached] : places[start]], f"[{kind}]"]
        reached = end
    return "".join([*done, text[places[reached] :]]) if done else text


def _secrets(plain: str) -> Iterator[Replacement]:
    yield from _joined(secrets_in(plain), "secret")


def _emails(plain: str) -> Iterator[Replacement]:
    yield from _joined(mail_addresses_in(plain), "e-mail")


def _joined(found: Iterable[tuple[int, int]], kind: str) -> Iterator[Replacement]:
    """Yield each stretch of spans that overlap as one."""
    spans = sorted(found, reverse=True)
    while spans:
        start, end = spans.pop()
        while spans and spans[-1][0] < end:
            end = max(end, spans.pop()[1])
        yield start, end, kind


def _accounts(plain: str) -> Iterator[Replacement]:
    yield from ((*span, "bank account") for span in bank_accounts_in(plain))


def _cards(plain: str) -> Iterator[Replacement]:
    yield from ((*span, "card number") for span in cards_in(plain))


def _phones(plain: str) -> Iterator[Replacement]:
    yield from ((*span, "phone") for span in phones_in(plain))


def _plain(text: str) -> tuple[str, list[int]]:
    """Return the text in plain characters, and for each where it stands; the last place is the text's end."""
    chars: list[str] = []
    places: list[int] = []
    for index, char in enumerate(text):
        written = char if char.isascii() else _plainly(char)
        chars += written
        places += [index] * len(written)
    return "".join(chars), [*places, len(text)]


def _plainly(char: str) -> str:
    """Return one character in plain ones: its ASCII digit, a dash, a space, nothing where nothing is seen."""
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    category = unicodedata.category(char)
    if category in ("Cf", "Me", "Cc") or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category == "Pd" or char == "\u2212":
        return "-"
    if category in ("Zs", "Zl", "Zp"):
        return " "
    return unicodedata.normalize("NFKC", char)
