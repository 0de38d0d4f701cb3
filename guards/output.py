"""The output check: no reply carries a value or a claim that nothing observed supports.

Knows:    what was observed in the conversation, and the reply.
Does not: know whether an observed value is the one that was asked for; that is the model's part.
Rule:     every number of three or more digits, amount, date, time, duration, code and contact, and every word
          that leads away from the shop, is compared by value and kind with what was observed (observed.py):
          the number of an order is no amount. Sums and differences of observed amounts pass. A value that
          belongs to another order than the one it is said of does not (records.py). Claims: claims.py.
Minus:    an amount that was observed as negative is said with its minus, or beside a word that says which way
          it goes: a refund, a discount, less. One that was not is never said with a minus.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from guards.claims import unsupported_claims
from guards.clauses import around
from guards.days import fits
from guards.fields import fields_of
from guards.observed import CONTACTS, MEASURED, QUOTED, Observed, as_ids, quotable
from guards.reading import WORKING, Reading, Value
from guards.roles import ANY, MONEY, VOUCHER
from guards.units import SAME
from guards.values import Read, read

__all__ = ["MAX_REPLY", "Observed", "brought", "unobserved", "unverified"]

MAX_REPLY = 6_000
"""Characters of a reply; a support answer needs a few hundred, and a page of text hides what matters."""

_MAX_AMOUNTS = 60
"""Amounts whose sums are formed, the newest; with more, a sum proves little."""

_MARKUP = re.compile(
    r"```|</?tool_?(?:call|response)s?\b|</?tools>|</?function\b|<\|im_(?:start|end)\|>|\"(?:arguments|parameters)\"\s*:"
    r"|\btool (?:result|call|response)s?\b"
    r"|\bthe customer\b(?!['’]?s? (?:service|support|care|team|portal|account))"
    r"|\{\s*\{?\s*\"(?:name|action|tool)\"\s*:"
    # The same words between the agent and the model, in the other languages.
    r"|\b(?:resultado|respuesta|llamada) (?:de|a) la herramienta\b|\b[Ee]l cliente\b"
    r"|\b(?:результат|вызов|ответ)\w{0,2} инструмента\b|(?<!номер )\bклиент(?:у|а|ом)?\b"
    r"|(?:نتيجة|استدعاء|رد) الأداة|(?<!رقم )(?<!خدمة )(?<!\w)العميل"
    r"|टूल (?:का |की )?(?:परिणाम|कॉल|प्रतिक्रिया)|ग्राहक (?:को|से|ने) ",
    re.IGNORECASE,
)

_TIED = re.compile(r"[a-z]{4,}[-_]?(\d+)|(\d+)-[a-z]{4,}")
"""A word tied to a number: order-4471 and 4471-related say no more than 4471."""

_LESS = re.compile(
    r"\b(?:refund|discount|credit(?!\s(?:limit|card|score|line))|deduct|reimburs|rebate|reduc|voucher|coupon|cashback)\w{0,6}\b"
    r"|\b(?:less|off|back|lower|cheaper|minus|negative|owe|owed|favou?r|subtract\w{0,3}|sav(?:e|ed|es|ing))\b"
    r"|\b(?:reembols|descuent|devol|devuel|abon|rebaj|ahorr|crédito|cupón)\w{0,6}\b|\b(?:menos|negativ[oa]|favor)\b"
    r"|(?<!\w)(?:возвра|верн|скидк|минус|меньше|дешевле|вычет|вычт|списан|отрицательн|пользу)\w{0,6}"
    r"|(?:استرداد|استرجاع|رد|خصم|تخفيض|اقل|ناقص|سالب|ارخص|لصالح)\w{0,3}|रिफंड|वापस|छूट|कम|घटा|ऋण|माइनस|बचत",
    re.IGNORECASE,
)
"""Words beside which an amount of less is said without its minus."""

_SIGNED = re.compile(
    r"\b(?:balance|difference|movement|change|net|saldo|diferencia|movimiento)\b|баланс|разниц|остат|движени|رصيد|فرق"
    r"|बैलेंस|अंतर|शेष",
    re.IGNORECASE,
)
"""Words for amounts that have a sign of their own: the word of less must stand in the same clause."""

_DIFFERENCE = re.compile(r"\bdifference|\bdiferencia|разниц|(?:ال)?فرق|अंतर", re.IGNORECASE)
"""Words beside which the difference of two amounts may have a minus."""


def unverified(
    text: str, observed: Observed, tool_names: Iterable[str] = (), today: date | None = None
) -> list[str]:
    """Return what stands in a piece of a reply and nothing supports, as written, each once.

    today: by which "tomorrow" is a date; without it such a word is supported by nothing.
    """
    seen = read(text)
    found = [value.written for value in unobserved(seen, observed, today)]
    found += [f"{value.written}, said of {id}" for value, id in observed.records.strangers(seen)]
    found += unsupported_claims(text, observed.actions, observed.states)
    if _MARKUP.search(text) or any("_" in name and name in text for name in tool_names):
        found.append("text that is not meant for the customer")
    return list(dict.fromkeys(found))


def unobserved(seen: Read, observed: Observed, today: date | None = None) -> Iterator[Value]:
    """Yield the values of a text that nothing observed supports."""
    quoted = _quotations(seen.text, observed)
    for value in seen.values:
        if not _is_observed(value, seen, observed, today) and not (
            value.kind not in CONTACTS
            and any(start <= value.start and value.end <= end for start, end in quoted)
        ):
            yield value


def brought(arguments: Mapping[str, Any], observed: Observed) -> list[str]:
    """Return the texts in a call's arguments that say what nobody has said: the longest first.

    Where a result repeats them, they are still the model's.
    """
    texts = {part.text for part in fields_of(arguments, {}) if len(part.text) > 2}
    strange = (text for text in texts if any(True for _ in unobserved(read(text), observed)))
    return sorted(strange, key=len, reverse=True)


def _quotations(text: str, observed: Observed) -> list[tuple[int, int]]:
    """Return where a text quotes others, word for word and with quotation marks."""
    if not observed.quotes:
        return []
    spans = (found.span() for found in QUOTED.finditer(text))
    return [
        (start, end)
        for start, end in spans
        if any(quotable(text[start + 1 : end - 1]) in kept for kept in observed.quotes)
    ]


def _is_observed(value: Value, seen: Read, observed: Observed, today: date | None) -> bool:
    match value.kind:
        case "date":
            return any(_dated(reading, observed) for reading in value.readings)
        case "number" | "code":
            return _is_number(value, observed)
        case "amount":
            return _is_amount(value, seen, observed)
        case "duration":
            return any(_lasts(value, reading, observed, today) for reading in value.readings)
        case "day":
            return any(_falls(str(reading), observed, today) for reading in value.readings)
        case "time" | "channel":
            return any(reading in observed.texts for reading in value.readings)
        case _:
            return any(_reaches(value.kind, str(reading), observed) for reading in value.readings)


# ---------------------------------------------------------------- contacts and days


_SHORT_PHONE = 7
"""Digits of a phone number without its country, from which it is the same number."""


def _reaches(way: str, plain: str, observed: Observed) -> bool:
    if f"{way}:{plain}" in observed.contacts:
        return True
    if way not in ("phone", "account"):
        return False
    if any(plain in ids for ids in observed.ids.values()):
        return True  # a parcel's number may be grouped as a phone's is
    return len(plain) >= _SHORT_PHONE and any(
        kept.startswith("phone:") and kept.endswith(plain.removeprefix("0")) for kept in observed.contacts
    )


def _falls(reading: str, observed: Observed, today: date | None) -> bool:
    if reading in observed.texts and reading.startswith("weekday"):
        return True
    return any(fits(reading, day, today) for day in _calendar(observed))


def _calendar(observed: Observed) -> Iterator[date]:
    for year, month, day in observed.dates:
        try:
            if year:
                yield date(year, month, day)
        except ValueError:  # 31 February was written by somebody, and is no day
            continue


def _dated(reading: Reading, observed: Observed) -> bool:
    if not isinstance(reading, tuple):
        return False
    if len(reading) == 2:
        year, month = reading
        return any((year is None or seen[0] == year) and seen[1] == month for seen in observed.dates) or any(
            f"month:{kept}-{month}" in observed.texts
            for kept in ({year or "", ""} if year is None else {year})
        )
    if reading[0] is None:
        return any(seen[1:] == reading[1:] for seen in observed.dates)
    return reading in observed.dates


def _lasts(value: Value, reading: Reading, observed: Observed, today: date | None) -> bool:
    if not isinstance(reading, Decimal):
        return False
    unit = value.unit
    if reading in observed.figures or any(
        f"{many} {of}" in observed.durations for many, of in _same(reading, unit)
    ):
        return True
    if unit not in ("day", "week") or value.role == WORKING:
        return False
    return _are_between(reading * (7 if unit == "week" else 1), observed, today, value.role)


def _same(number: Decimal, unit: str) -> Iterator[tuple[Decimal, str]]:
    """Yield a duration in each unit in which it may have been said."""
    yield number, unit
    if number > _LONGEST:
        return
    for (many, small), (few, large) in SAME.items():
        if unit == large:
            yield number * many / few, small
        if unit == small and number % many == 0:
            yield number / many * few, large


def _are_between(number: Decimal, observed: Observed, today: date | None, role: str) -> bool:
    """Say whether so many days lie between two observed dates of one record, as "30 days" of a return date.

    today: from which days ahead and days ago are counted. role: which of the two is said, if any.
    """
    if number != number.to_integral_value() or not 0 < number < _LONGEST:
        return False
    by = timedelta(days=int(number))
    from_today = {day - today for day in _calendar(observed)} if today else set[timedelta]()
    if (by in from_today and role != "ago") or (-by in from_today and role != "ahead"):
        return True
    return not role and any(
        day - date.min >= by and day - by in days for days in _days_of_records(observed) for day in days
    )


_LONGEST = 1_000_000
"""Of any unit; the calendar has no more than four times as many days."""


def _days_of_records(observed: Observed) -> list[set[date]]:
    days = {day.isoformat(): day for day in _calendar(observed)}
    return [{days[key] for key in keys if key in days} for keys in observed.records.days()]


# ---------------------------------------------------------------- numbers


def _is_number(value: Value, observed: Observed) -> bool:
    if value.digits < 3 and value.role != ANY:
        return value.role != VOUCHER or value.kind == "number" or _is_id(value, observed)
    if value.role and value.role != MONEY:
        return _is_id(value, observed)
    return _is_id(value, observed) or any(_is_said(reading, observed) for reading in value.readings)


def _is_id(value: Value, observed: Observed) -> bool:
    roles = observed.ids if value.role in ("", ANY, VOUCHER, MONEY) else (value.role, ANY)
    known = set[str]().union(*(observed.ids.get(role, ()) for role in roles))
    return any(form in known for written in as_ids(value) for form in _id_forms(written))


def _id_forms(written: str) -> Iterator[str]:
    yield written
    if tied := _TIED.fullmatch(written):
        yield (tied[1] or tied[2]).lstrip("0")


def _is_said(reading: Reading, observed: Observed) -> bool:
    if isinstance(reading, Decimal):
        return reading in observed.numbers or reading in observed.figures
    code = str(reading)
    if " " in code:  # groups that are numbers of their own
        return all(len(part) < 2 or Decimal(part) in observed.numbers for part in code.split(" "))
    if code in observed.texts:
        return True
    inside = MEASURED.fullmatch(code) or _TIED.fullmatch(code)
    return inside is not None and Decimal(next(filter(None, inside.groups()))) in observed.numbers


# ---------------------------------------------------------------- amounts


def _is_amount(value: Value, seen: Read, observed: Observed) -> bool:
    currencies = observed.currencies or ({observed.currency} if observed.currency else set[str]())
    if value.currency and currencies and not value.currency & currencies:
        return False
    readings = [reading for reading in value.readings if isinstance(reading, Decimal)]
    if (
        not value.currency
        and not value.role
        and not value.negative
        and any(reading in observed.numbers and -reading not in observed.amounts for reading in readings)
    ):
        return True
    return any(_is_sum(reading, value, seen, observed) for reading in readings)


def _is_sum(reading: Decimal, value: Value, seen: Read, observed: Observed) -> bool:
    known = observed.amounts.keys() | observed.figures
    if value.negative:
        if -reading in known:
            return True
        return reading not in known and reading in _differences(observed) and _says(_DIFFERENCE, value, seen)
    if reading in known:
        return True
    if -reading in known:
        return _says(_LESS, value, seen, narrow=_says(_SIGNED, value, seen, narrow=True))
    return reading in _sums(observed) or reading in _differences(observed)


def _says(words: re.Pattern[str], value: Value, seen: Read, *, narrow: bool = False) -> bool:
    clause, _ = around(seen.text, value.start, value.end, narrow=narrow)
    return words.search(clause) is not None


def _sums(observed: Observed) -> set[Decimal]:
    newest = _newest(observed)
    pairs = {one + other for index, one in enumerate(newest) for other in newest[index:]}
    return pairs | {sum(newest, Decimal(0))}


def _differences(observed: Observed) -> set[Decimal]:
    newest = _newest(observed)
    return {one - other for one in newest for other in newest} - {Decimal(0)}


def _newest(observed: Observed) -> list[Decimal]:
    return list(observed.amounts)[-_MAX_AMOUNTS:]


# ---------------------------------------------------------------- what is told without a model

LEFT_OUT = "[…]"


def without_strangers(text: str, observed: Observed) -> str:
    """Return the text without the ways to reach somebody that nothing observed supports."""
    seen = read(text)
    strangers = [value for value in unobserved(seen, observed) if value.kind in CONTACTS]
    if not strangers:
        return text
    if all(value.written in text for value in strangers):
        for value in strangers:
            text = text.replace(value.written, LEFT_OUT)
        return text
    plain = seen.text  # hidden by what folding undoes, so it is told as it was read
    for value in reversed(strangers):
        plain = plain[: value.start] + LEFT_OUT + plain[value.end :]
    return plain
