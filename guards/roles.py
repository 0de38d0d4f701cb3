"""What a number is called in the words before it: an order's, a ticket's, a parcel's, or money.

Knows:    the words for each in the five languages, and what may stand between them and the number.
Does not: know which numbers there are.   (guards/values.py, observed.py)
"""

import re
from functools import cache

ORDER, TICKET, TRACKING, ITEM, VOUCHER, MONEY = (
    "order",
    "ticket",
    "tracking",
    "item",
    "voucher",
    "money",
)
OTHER = "other"
"""An id that is none of these, as that of a payment method."""
ANY = "any"
"""An id of which nothing says whose it is: `#4471`, or typed as it is."""

_AL = "(?:و|ف)?(?:ال|لل|ل|ب|بال)?"
_IDS: dict[str, str] = {
    ORDER: r"orders?|purchases?|pedidos?|[óo]rden(?:es)?|compras?|заказ\w{0,3}|ऑर्डर|आर्डर|आदेश"
    rf"|{_AL}طلب(?:ات|ك|كم|ه|ها|يه|يتك|اتك)?",
    TICKET: r"tickets?|tiques?|incidencias?|тикет\w{0,3}|заявк\w{0,2}|обращени\w{0,2}|\w{0,3}تذكر\w{0,3}"
    r"|टिकट",
    TRACKING: r"track(?:ing|ed)?|waybill|consignment|parcels?|packages?|shipments?|seguimiento|gu[ií]a"
    r"|rastreo"
    r"|paquetes?|env[ií]os?|отслеживан\w{1,3}|трек\w{0,4}|накладн\w{1,3}|посылк\w{0,2}"
    rf"|{_AL}(?:تتبع|شحنه|طرد)|ट्रैकिंग|ट्रैक|पार्सल|शिपमेंट",
    ITEM: r"items?|products?|articles?|sku|art[ií]culos?|productos?|товар\w{0,3}|артикул\w{0,2}"
    rf"|{_AL}منتج(?:ات)?|सामान|उत्पाद|आइटम",
    VOUCHER: r"(?:discount|promo(?:tion)?|coupon|gift|voucher|access|security|verification)?[\s-]?codes?"
    r"|coupons?"
    r"|vouchers?|promo|c[óo]digos?|cup[óo]n(?:es)?|(?:промо)?код\w{0,2}|купон\w{0,2}"
    rf"|{_AL}(?:كود|رمز|كوبون|قسيمه)|कोड|कूपन",
}
_MONEY = (
    r"paid|pays?|paying|costs?|costing|priced?|prices?|total(?:s|ed|led|ing|ling)?|amounts?|charged?|charges"
    r"|refund(?:ed|s)?|fees?|balance|worth|sums?|subtotal|deposit|deducted|owe[sd]?|discount|credit(?:ed)?"
    r"|saved?"
    r"|spent|spend|billed"
    r"|pag(?:ar|ado|[oó]|aste|a)|cuestan?|cost[óo]|precios?|importes?|montos?|reembols\w{1,4}|descuento"
    r"|tarifa"
    r"|стои\w{1,4}|цен\w|сумм\w|итого|оплат\w{1,5}|заплат\w{1,5}|скидк\w|стоимост\w{1,2}"
    rf"|{_AL}(?:سعر\w{{0,2}}|مبلغ|اجمالي|تكلف\w{{0,3}}|ثمن\w{{0,2}}|رسوم)|دفعت\w?"
    r"|कीमत|मूल्य|दाम|कुल|राशि|भुगतान|शुल्क"
)
_SIGNS = r"[\s:#.=(*`\"'«“\[-]"
_BETWEEN_ID = (
    r"numbers?|nos?|nr|num|ids?|codes?|ref|reference|is|are|was|were|called|namely|de|del|es|son|no\.º"
    r"|n[uú]meros?"
    r"|n[º°]|n[uú]m|номер\w{0,2}|это|رقم\w{0,2}|رقمها|ارقام|هو|هي|ذات|ذو|नंबर|नम्बर|संख्या|क्रमांक|है|हैं"
    r"|का|की|के"
)
_BETWEEN_MONEY = (
    r"of|is|was|were|are|at|to|only|just|about|exactly|now|amounts?|price|total|sum|comes?|came|you|us|a"
    r"|the|by|back"
    r"es|de|fue|era|son|del?|la|el|en|a|составля\w{1,2}|составил\w?|равн\w{1,2}|это|на|в|है|हैं|का|की|के"
    r"|मूल्य|राशि"
    r"|هو|هي|بلغ|يبلغ|قدره|قيمته"
)

_WINDOW = 64
"""Characters before a number in which its word is looked for."""


@cache
def _called() -> re.Pattern[str]:
    kinds = "|".join(f"(?P<{role}>{words})" for role, words in _IDS.items())
    return re.compile(
        rf"(?<!\w)(?:(?:{kinds})(?!\w)(?:{_SIGNS}{{1,3}}(?:(?:{_BETWEEN_ID})(?!\w))?){{0,4}}"
        rf"|(?P<{MONEY}>{_MONEY})(?!\w)(?:{_SIGNS}{{1,3}}(?:(?:{_BETWEEN_MONEY})(?!\w))?){{0,4}})$",
        re.IGNORECASE,
    )


_LISTED = re.compile(r"\s?(?:,|;|/|&|\+)?\s?(?:and|or|y|e|o|u|и|или|و|او|और|या|with)?\s?#?", re.IGNORECASE)
"""What stands between the numbers of one list."""


def role_of(text: str, start: int) -> str:
    """Return what the words right before this place call the number there; "" where they say nothing."""
    before = text[max(0, start - _WINDOW) : start]
    found = _called().search(before)
    if found and found.lastgroup:
        return found.lastgroup
    return ANY if before.endswith("#") else ""


def goes_on(text: str, end: int, start: int) -> bool:
    """Say whether the number at start is in one list with the one that ends before it."""
    return end <= start <= end + 12 and _LISTED.fullmatch(text, end, start) is not None
