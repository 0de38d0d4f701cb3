"""Cells: one meaning, or none."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from store.importing.values import (
    Calendar,
    TwoMeanings,
    Unfit,
    amount_of,
    day,
    moment,
    order_shown,
    whole,
    written_amount,
)
from store.money import BadAmount, amount, decimals, minor

CURRENCIES = st.sampled_from(["EUR", "USD", "JPY", "KWD", "CLF", "XAF"])


@pytest.mark.parametrize(
    ("text", "currency", "expected"),
    [
        ("49.99", "EUR", 4999),
        ("49,99", "EUR", 4999),
        ("€ 49.99", "EUR", 4999),
        ("49,99 €", "EUR", 4999),
        ("49.99 EUR", "EUR", 4999),
        ("US$ 1,234.56", "USD", 123456),
        ("1.234,56", "EUR", 123456),
        ("1,234.56", "EUR", 123456),
        ("1 234,56", "EUR", 123456),
        ("1\u202f234,56", "EUR", 123456),
        ("1'234.50", "CHF", 123450),
        ("1’234.50", "CHF", 123450),
        ("1,234,567", "EUR", 123456700),
        ("12,34,567.00", "INR", 123456700),
        ("1234.5", "EUR", 123450),
        ("7", "EUR", 700),
        ("0.5", "EUR", 50),
        ("1,234", "JPY", 1234),
        ("1500", "JPY", 1500),
        ("1500.00", "JPY", 1500),
        ("1.234", "KWD", 1234),
        ("٤٩٫٩٩", "EUR", 4999),
        ("-10.00", "EUR", -1000),
    ],
)
def test_an_amount_is_read_as_it_is_written(text: str, currency: str, expected: int):
    assert written_amount(text, currency) == expected


@pytest.mark.parametrize("text", ["1,234", "1.234", "12.345", "999,999"])
def test_an_amount_that_could_be_a_thousand_times_as_much_is_refused(text: str):
    with pytest.raises(Unfit, match="one meaning: write"):
        written_amount(text, "EUR")


@pytest.mark.parametrize(
    ("value", "currency"),
    [
        ("two", "EUR"),
        ("€ 5", "USD"),
        ("49.999", "EUR"),
        ("0.5", "JPY"),
        ("1.2.3", "EUR"),
        ("12,34", "JPY"),
        ("", "EUR"),
        ("=1+1", "EUR"),
        ("1e5", "EUR"),
        ("NaN", "EUR"),
        ("9" * 500, "EUR"),
        (Decimal("NaN"), "EUR"),
        (Decimal("Infinity"), "EUR"),
        (Decimal("1E+999999999"), "EUR"),
        (Decimal("1E-999999999"), "EUR"),
        (10**16, "EUR"),
        (True, "EUR"),
        (None, "EUR"),
        ([], "EUR"),
    ],
)
def test_what_is_no_amount_is_refused(value: object, currency: str):
    with pytest.raises((Unfit, BadAmount)):
        amount_of(value, currency)


@settings(deadline=None)
@given(st.integers(-(10**14), 10**14), CURRENCIES)
def test_an_amount_comes_back_from_its_decimal_form(units: int, currency: str):
    assert amount_of(amount(units, currency), currency) == units


@settings(deadline=None)
@given(st.integers(0, 10**12), CURRENCIES.filter(lambda each: decimals(each) != 3), st.sampled_from(".,"))
def test_an_amount_with_grouped_digits_is_the_same_amount(units: int, currency: str, group: str):
    whole_part, _, rest = amount(units, currency).partition(".")
    point = "," if group == "." else "."
    grouped = f"{int(whole_part):,}".replace(",", group) + (f"{point}{rest}" if rest else "")
    if rest or grouped.count(group) != 1 or group == ",":
        assert written_amount(grouped, currency) == units


@settings(deadline=None)
@given(st.decimals(allow_nan=True, allow_infinity=True), CURRENCIES, st.booleans())
@example(Decimal("1E+1000000"), "EUR", True)
def test_a_number_becomes_minor_units_or_is_refused(value: Decimal, currency: str, rounded: bool):
    try:
        units = minor(value, currency, rounded=rounded)
    except BadAmount:
        return
    off = abs(Decimal(amount(units, currency)) - value)
    assert off * 2 <= Decimal(1).scaleb(-decimals(currency)) if rounded else off == 0


def test_minor_units_follow_the_currency():
    found = [(code, amount(123456, code)) for code in ("EUR", "JPY", "KWD", "CLF")]
    assert found == [("EUR", "1234.56"), ("JPY", "123456"), ("KWD", "123.456"), ("CLF", "12.3456")]
    assert [amount(units, "EUR") for units in (0, 5, -5, 100)] == ["0.00", "0.05", "-0.05", "1.00"]


@pytest.mark.parametrize(
    ("value", "expected"), [("2", 2), (2, 2), ("2.0", 2), (Decimal("3.00"), 3), ("٣", 3)]
)
def test_a_number_of_pieces_is_read(value: object, expected: int):
    assert whole(value) == expected


@pytest.mark.parametrize("value", ["two", "1.5", "-1", -1, True, None, 10**7, Decimal("1E+50"), "1,000", []])
def test_what_is_no_number_of_pieces_is_refused(value: object):
    with pytest.raises(Unfit, match="whole number"):
        whole(value)


# ---------------------------------------------------------------- days and moments

BERLIN = Calendar(ZoneInfo("Europe/Berlin"))
AT = datetime(2026, 3, 22, 15, 28, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "calendar", "expected"),
    [
        ("2026-03-22T16:28:02+01:00", Calendar(), AT),
        ("2026-03-22 16:28:02 +0100", Calendar(), AT),
        ("2026-03-22T15:28:02Z", Calendar(), AT),
        ("2026-03-22 15:28:02 UTC", BERLIN, AT),
        ("2026-03-22T15:28:02.123456", Calendar(), AT),
        ("2026-03-22T16:28:02", BERLIN, AT),
        ("22.03.2026 16:28:02", BERLIN, AT),
        ("22/03/2026 16:28:02", BERLIN, AT),
        ("3/22/2026 4:28:02 PM", BERLIN, AT),
        ("05.04.2026 12:00", Calendar(), datetime(2026, 4, 5, 12, tzinfo=UTC)),
        ("05/04/2026 12:00", Calendar(order="mdy"), datetime(2026, 5, 4, 12, tzinfo=UTC)),
        ("05/04/2026 12:00", Calendar(order="dmy"), datetime(2026, 4, 5, 12, tzinfo=UTC)),
        ("05/05/2026 12:00 AM", Calendar(), datetime(2026, 5, 5, tzinfo=UTC)),
        ("2026-03-22", BERLIN, datetime(2026, 3, 22, 12, tzinfo=UTC)),
        ("2026/3/22", Calendar(), datetime(2026, 3, 22, 12, tzinfo=UTC)),
        # an hour that a change of clocks leaves out, or gives twice
        ("2026-03-29T02:30:00", BERLIN, datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),
        ("2026-10-25T02:30:00", BERLIN, datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
    ],
)
def test_a_moment_is_read_with_and_without_a_zone(text: str, calendar: Calendar, expected: datetime):
    assert moment(text, calendar) == expected


@pytest.mark.parametrize("text", ["03/04/2026", "3-4-2026 10:00"])
def test_a_date_whose_day_and_month_could_be_swapped_is_refused(text: str):
    with pytest.raises(TwoMeanings, match="--dates dmy or --dates mdy"):
        moment(text, Calendar())


@pytest.mark.parametrize(
    "text",
    [
        *(
            "yesterday",
            "2026-02-30",
            "2026-13-01",
            "22/03/26",
            "46104",
            "2026-03-22T25:00",
            "13/13/2026",
            "2026",
        ),
        *("0001-01-01", "9999-12-31T23:59:59-14:00", "2026-03-22T10:00+99:99", "2026-03-22T13:00 PM", ""),
    ],
)
def test_what_is_no_date_is_refused(text: str):
    with pytest.raises(Unfit):
        moment(text, Calendar())


def test_a_day_is_the_one_that_is_written_whatever_the_zone():
    assert day("2026-03-22T00:30:00+05:00", Calendar()) == date(2026, 3, 22)


@settings(deadline=None)
@given(
    st.datetimes(datetime(1991, 1, 1), datetime(2099, 1, 1)).map(lambda each: each.replace(microsecond=0)),
    st.integers(-14 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters))),
)
def test_every_moment_comes_back_from_its_iso_form(naive: datetime, zone: timezone):
    at = naive.replace(tzinfo=zone)
    assert moment(at.isoformat(), Calendar()) == at
    assert moment(at.isoformat(sep=" "), Calendar()) == at


def test_a_date_shows_the_order_of_day_and_month_where_only_one_is_possible():
    shown = [order_shown(text) for text in ("13/01/2026", "01/13/2026", "01/02/2026", "2026-01-13", "x")]
    assert shown == ["dmy", "mdy", None, None, None]


@settings(deadline=None)
@given(st.text())
def test_no_text_is_more_than_refused(text: str):
    for read in (lambda: moment(text, Calendar()), lambda: whole(text), lambda: amount_of(text, "EUR")):
        try:
            read()
        except (Unfit, BadAmount) as refused:
            assert text not in str(refused) or len(text) < 8
