"""Amounts of money, held as a whole number of the currency's smallest unit.

Knows:    how many decimals each currency has, and how a decimal number becomes minor units and back.
Does not: read an amount as people write it (store/importing/values.py), or speak one (store/forms.py).
Source:   ISO 4217: the currencies below are those whose minor unit is not a hundredth.
"""

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

_NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE = "BHD IQD JOD KWD LYD OMR TND"
_FOUR = "CLF UYW"

_DECIMALS: Mapping[str, int] = MappingProxyType(
    {code: places for codes, places in ((_NONE, 0), (_THREE, 3), (_FOUR, 4)) for code in codes.split()}
)

DIGITS = 15
"""Of an amount in minor units: more than any price has, and few enough for a database's big integer."""


MOST = 10**DIGITS - 1
"""The largest amount in minor units, also of a sum that was derived."""


class BadAmount(ValueError):
    """A number that is no amount of this currency; the text says what was expected."""


def decimals(currency: str) -> int:
    """Return how many decimals an amount of this currency has."""
    return _DECIMALS.get(currency, 2)


def minor(value: Decimal, currency: str, *, rounded: bool = False) -> int:
    """Return an amount in minor units: 49.99 EUR -> 4999, 1500 JPY -> 1500.

    rounded: whether more decimals than the currency has are rounded, half up, where a sum was divided.
    Raises: BadAmount when it has more decimals, is no finite number, or is beyond any price.
    """
    places = decimals(currency)
    # The exponent is looked at before anything is computed: 1E+999999999 has too many digits to write out.
    if not value.is_finite() or value.adjusted() + places >= DIGITS:
        raise BadAmount("an amount that a shop could charge")
    whole = int(value.scaleb(places).to_integral_value("ROUND_HALF_UP"))
    if not rounded and Decimal(whole).scaleb(-places) != value:  # exact, where scaleb of the value may round
        raise BadAmount(_at_most(places, currency))
    return whole


def amount(minor_units: int, currency: str) -> str:
    """Return minor units as a decimal string: 4999 EUR -> 49.99, 1500 JPY -> 1500."""
    places = decimals(currency)
    sign, digits = ("-", str(-minor_units)) if minor_units < 0 else ("", str(minor_units))
    if not places:
        return sign + digits
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _at_most(places: int, currency: str) -> str:
    if not places:
        return f"an amount without decimals, since {currency} has none"
    return f"an amount with at most {places} decimals, as {currency} has"
