"""Ways to reach somebody: links, e-mail addresses, phone numbers, accounts, handles, street addresses.

Knows:    how they are written, and how they are hidden: hxxp, [.], "dot com", "at", spaces, other scripts.
Does not: know whose they are.   (guards/observed.py)
Expects:  folded and levelled text, with number words in digits.   (guards/values.py)
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from common.bank_accounts import bank_accounts_in
from common.mail_addresses import mail_addresses_in
from common.personal_numbers import cards_in, phones_in
from guards.addresses import STREET_AFTER, STREET_BEFORE
from guards.units import CODE, MONEY_WORDS, SIGN

Way = Literal["link", "email", "phone", "account", "handle", "address"]

_MARKS = "\u0300-\u036f\u0610-\u061a\u0670\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e"
_LABEL = rf"[\w{_MARKS}](?:[\w{_MARKS}-]{{0,61}}[\w{_MARKS}])?"
_REST = r"[^\s<>()\[\]\"'*`«»“”]"

_TOP = (
    "com|net|org|info|biz|edu|gov|io|co|app|dev|shop|store|online|site|website|xyz|top|club|live|life|world"
    "|today|link|click|page|space|tech|cloud|support|help|services?|email|company|group|center|agency|deals"
    "|sale|buy|pay|cash|money|finance|bank|credit|loan|win|bid|vip|pro|name|mobi|asia|chat|news|blog|art|fun"
    "|icu|buzz|cfd|sbs|lol|zip|mov|ai|gg|tv|cc|ws|ly|gd|gl|example|test|invalid|localhost|onion"
    "|eu|uk|de|fr|es|ru|su|by|ua|kz|ch|pl|nl|se|dk|fi|pt|gr|cz|sk|hu|ro|bg|rs|hr|lt|lv|ee|ie|lu|li|il|tr|ae"
    "|sa|eg|ma|dz|tn|jo|lb|iq|ir|pk|bd|lk|np|cn|jp|kr|tw|hk|sg|my|ph|th|vn|nz|au|ca|us|mx|br|ar|cl|pe|ve|za"
    "|ng|ke|gh|tk|ml|ga|cf|gq|рф|рус|онлайн|сайт|ком|भारत|कॉम|شبكه|موقع|كوم|مصر|السعوديه|امارات|公司|中国"
)
_WORD_TOP = "in|it|is|me|so|to|at|be|no|am|as|do|la|id|pm|pa|my|us|st|im|fm"
"""Ends of hosts that are words too: of a link only where a path or a further part shows it."""
CERTAIN_TOP = (
    "com|net|org|info|biz|io|co|app|shop|store|online|site|xyz|ru|uk|eu|de|es|example|рф|ком|कॉम|كوم"
)

_SAID_TOP = "com|net|org|info|biz|io|shop|store|online|xyz|ru|uk|eu|example|рф|ком|कॉम|كوم"
_SAID_DOT = r"[\s_*-](?:dot|punto|точка|نقطه|डॉट|दॉट)[\s_*-]"
_FRAMED_DOT = r"\s?[\[({<]\s?(?:\.|dot|punto|точка|نقطه|डॉट|दॉट)\s?[\])}>]\s?"
_PATH = rf"(?::\d{{1,5}})?(?:[/?#]{_REST}{{0,2000}})?"

_LINK = (
    rf"\b[a-z][a-z0-9+.-]{{1,20}}://{_REST}+"
    rf"|\bh(?:tt|xx|\*\*)ps?\s{{0,2}}[:\[\]]{{1,3}}\s{{0,2}}/\s?/\s{{0,2}}{_REST}+"
    r"|\b(?:javascript|vbscript|whatsapp|tg|skype|viber|bitcoin|ethereum|upi|intent|facetime|sms|file|about)"
    rf":(?=\S){_REST}+|\bdata:\w+/{_REST}+"
    rf"|\bwww\s?\.\s?{_REST}+"
    rf"|(?<=\]\()\s{{0,3}}(?!mailto:|tel:)[^)\s]+"
    rf"|(?<![\w@.{_MARKS}-])(?:{_LABEL}[.。]){{1,5}}(?:(?-i:{_TOP})|(?-i:{CERTAIN_TOP.upper()}))"
    rf"(?![\w{_MARKS}]|[.-][\w{_MARKS}]|@){_PATH}"
    rf"|(?<![\w@.{_MARKS}-])(?:{_LABEL}\.){{1,5}}(?-i:{_WORD_TOP})/{_REST}{{1,2000}}"
    rf"|(?<![\w@.{_MARKS}-])(?:{_LABEL}\.){{2,5}}(?-i:{_WORD_TOP})(?![\w{_MARKS}]|[.-][\w{_MARKS}]|@)"
    rf"|(?<![\w@.{_MARKS}-])(?:{_LABEL}{_FRAMED_DOT}){{1,4}}(?:{_TOP})(?![\w{_MARKS}]){_PATH}"
    rf"|(?<![\w@.{_MARKS}-])(?:{_LABEL}{_SAID_DOT}){{1,4}}(?:{_SAID_TOP})(?![\w{_MARKS}]){_PATH}"
    rf"|(?<![\w@.{_MARKS}-])(?-i:[a-z0-9-]{{2,63}})\s\.\s?(?-i:{CERTAIN_TOP})(?![\w{_MARKS}]){_PATH}"
    rf"|(?<![\w@.{_MARKS}-])(?-i:[a-z0-9-]{{2,63}})\.\s(?-i:com|ru)(?![\w{_MARKS}]){_PATH}"
    rf"|\bxn--[a-z0-9-]{{2,59}}{_PATH}"
    rf"|(?<![\w.])(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?![\w]|\.\d){_PATH}"
    r"|\[[0-9a-f:]{3,45}\](?::\d{1,5})?/"
)
_HANDLE = r"(?<![\w@./])@(?=[\w.]{0,31}[^\W\d_])[\w.]{2,32}"
_MAIL = r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"

_AT_WORD = re.compile(
    r"\s?[\[({<|*/_-]?\s?(?:@|\b(?:at[ -]sign|at|arroba|собака|собачка|आत|एट|ऐट|آت|ات)(?!\w))\s?[\])}>"
    r"|*/_-]?\s?"
)
_DOT_WORD = re.compile(
    r"\s?[\[({<|*/_-]?\s?(?:\.|(?<!\w)(?:dot|punto|точка|डॉट|दॉट|نقطه|نقطة|دوت)(?!\w))\s?[\])}>|*/_-]?\s?"
)
_MONEY_BESIDE = re.compile(rf"\s?(?:{SIGN}|{CODE}\b|(?:{MONEY_WORDS})(?!\w))", re.IGNORECASE)
_MONEY_BEFORE = re.compile(rf"(?:{SIGN}|\b{CODE})\s?$", re.IGNORECASE)
_STREETS = (
    rf"(?<![\w#-])\d{{1,5}}[A-Za-z]?\s(?-i:[A-Z][\w'’.-]{{0,30}}\s){{1,3}}(?:{STREET_AFTER})\b"
    r"|(?<!\w)[^\W\d_]{3,20}(?:straße|strasse|str\.)\s\d{1,4}[a-z]?\b"
    rf"|(?<!\w)(?:{STREET_BEFORE})\.?\s[^\d,;.!?\n]{{2,30}},?\s(?:д\.\s?)?\d{{1,4}}[a-z]?\b"
)


@dataclass(frozen=True)
class Contact:
    """One way to reach somebody, where it stands and in the form by which it is compared."""

    way: Way
    start: int
    end: int
    plain: str


@cache
def _links() -> re.Pattern[str]:
    return re.compile(_LINK, re.IGNORECASE)


@cache
def _mails() -> re.Pattern[str]:
    return re.compile(_MAIL)


@cache
def _handles() -> re.Pattern[str]:
    return re.compile(_HANDLE)


@cache
def _streets() -> re.Pattern[str]:
    return re.compile(_STREETS, re.IGNORECASE)


def contacts(text: str) -> list[Contact]:
    """Return the ways to reach somebody that stand in a text, in order; of two in one place the first."""
    if not _TELLTALE.search(text):
        return []
    found: list[Contact] = []
    taken = bytearray(len(text))
    for find in (_emails, _all_links, _accounts, _phones, _all_handles, _addresses):
        for contact in find(text):
            if not any(taken[contact.start : contact.end]):
                found.append(contact)
                taken[contact.start : contact.end] = b"\1" * (contact.end - contact.start)
    return sorted(found, key=lambda contact: contact.start)


_TELLTALE = re.compile(
    r"[@\d]|[.。:]\w|\s\.|[\[({<]\s?\.|\.\s(?:com|ru)\b|://|\]\(|xn--|\b(?:dot|at|punto|arroba|www)\b|точка"
    r"|собак|نقط|دوت|آت|ات|डॉट|दॉट|एट|ऐट|आत",
    re.IGNORECASE,
)
"""What a text must have to hold any of it."""


def link(written: str) -> str:
    """Return a link in the form by which links are compared."""
    plain = re.sub(
        r"\s", "", _DOT_WORD.sub(".", written.strip()) if " " in written or "[" in written else written
    )
    plain = plain.casefold().replace("。", ".")
    plain = re.sub(r"^h(?:xx|\*\*)p", "http", plain)
    plain = re.sub(r"^(?:https?:?/?/?/)?(?:www\.)?", "", plain) if not plain.startswith("www./") else plain
    return plain.rstrip(".,;:!?_~/")


def email(written: str) -> str:
    """Return an e-mail address in the form by which addresses are compared."""
    joined = _AT_WORD.sub("@", written.strip(), count=1)
    return re.sub(r"\s", "", _DOT_WORD.sub(".", joined)).casefold().rstrip(".")


def phone(written: str) -> str:
    """Return the digits of a phone number, without what stands for the plus."""
    return re.sub(r"\D", "", written).removeprefix("00")


def _emails(text: str) -> Iterator[Contact]:
    for found in _mails().finditer(text):
        yield Contact("email", *found.span(), email(found[0]))
    for start, end in mail_addresses_in(text):
        yield Contact("email", start, end, email(text[start:end]))


def _all_links(text: str) -> Iterator[Contact]:
    for found in _links().finditer(text):
        yield Contact("link", *found.span(), link(found[0]))


def _accounts(text: str) -> Iterator[Contact]:
    find: Callable[[str], Iterator[tuple[int, int]]]
    for find in (bank_accounts_in, cards_in):
        for start, end in find(_without_runs(text)):
            if not _is_money(text, start, end):
                yield Contact("account", start, end, re.sub(r"[\W_]", "", text[start:end]).casefold())


def _phones(text: str) -> Iterator[Contact]:
    for start, end in phones_in(_without_runs(text)):
        goes_on = "+" not in text[start:end] and re.match(r"[ -]\d", text[end : end + 2])
        if not goes_on and not _is_money(text, start, end):  # a parcel's number may begin as a phone's does
            yield Contact("phone", start, end, phone(text[start:end]))


_RUN = re.compile(r"(?:\d{1,4}[ ().\-/,;:|·_'*\\]{1,3}){40,}")
"""More groups of digits than any number has; each is a number of its own."""


def _without_runs(text: str) -> str:
    return _RUN.sub(lambda run: "\ue000" * len(run[0]), text)


def _is_money(text: str, start: int, end: int) -> bool:
    return bool(_MONEY_BESIDE.match(text, end) or _MONEY_BEFORE.search(text[max(0, start - 5) : start]))


def _all_handles(text: str) -> Iterator[Contact]:
    for found in _handles().finditer(text):
        yield Contact("handle", *found.span(), found[0].casefold().rstrip("."))


def _addresses(text: str) -> Iterator[Contact]:
    for found in _streets().finditer(text):
        yield Contact("address", *found.span(), re.sub(r"[\W_]+", " ", found[0]).casefold().strip())
