"""What a typed number is instead of an id: a price, a share, a date, a year, a count, a room, a phone.

Knows:    the words around such numbers in five languages.
Does not: know ids (guards/mentions.py), or read the value   (guards/values.py).
Rule:     what could be either stays a number that may be an id: the customer wrote it. A word such as
          "order" right before a number makes it one, but for what is written as money, a date or a room.
"""

import re
from collections.abc import Callable

from guards.calendar import MONTH_NAMES
from guards.units import CODES, MONEY_WORDS, SIGN
from guards.words import levelled

_FREE = r"(?<![\w.,#\u0900-\u097f])"
"""Where a number begins."""

_END = r"(?![\w\u0900-\u097f])"
"""Where a word ends; the vowel signs of Devanagari are no letters to Python."""

_N = r"(?:\d{1,3}(?:\x20\d{3}){1,8}(?:[.,]\d{1,2})?(?!\d)|\d[\d.,]{0,30})"
_COUNT = r"\d{1,3}(?![\d.,]\d|\d)"
_YEAR = r"(?:19|20)\d\d(?![\d.,-]?\d)"
_MONTH = rf"(?:{MONTH_NAMES})(?!\w)\.?"
_CURRENCY = rf"(?:{'|'.join(CODES)}|Rs\.?)"
_NO = r"(?:[\s.:]{0,3}(?:numbers?|no|nr|num|número|numero|nº|номер|رقم|नंबर|नम्बर|संख्या)(?!\w)){0,1}[\s.:#]{0,3}"

_NEVER = re.compile(
    rf"""
      \b\d{{4}}([-/.])\d{{1,2}}\1\d{{1,2}}\b | \b\d{{1,2}}([-/.])\d{{1,2}}\2\d{{2,4}}\b    # dates
    | \b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s(?:19|20)\d\d\b)? 
    | (?<!\d\s)(?<!\d\sde\s)\b{_MONTH},?\s(?:de\s)?(?:19|20)\d\d\b
    | \b\d{{1,2}}:\d{{2}}\b | \b\d{{1,2}}\s?[ap]\.?m\b                        # times
    | {_FREE}\d{{1,2}}\s(?:बजे|утра|вечера|ночи|صباحا|مساء){_END}
    | \b(?:a\slas|الساعه)\s\d{{1,2}}\b
    | (?:{SIGN}|\b{_CURRENCY})\s?\d[\d.,]{{0,30}}                              # prices
    | {_FREE}{_N}\s?
      (?:(?:{SIGN}|{_CURRENCY}(?!\w))(?!\s?\d)|(?:{MONEY_WORDS}|cents?|bucks|quid){_END})
    | (?<![\w.,#])\d{{1,3}}(?:,\d{{3}}){{1,8}}\.\d+\b | (?<![\w.,#])\d{{1,15}}\.\d{{1,2}}\b(?!\.\d)
    | {_FREE}{_N}\s?(?:%|(?:percent|per\scent|por\sciento|процент\w{{0,3}}|بالمئه|بالمائه|في\sالمئه|في\sالمائه
      |प्रतिशत|फीसदी){_END})                                                  # shares
    | (?<!\w)(?:room|apt|apartment|flat|suite|floor|house|building|habitación|piso|apartamento|apto|depto
      |departamento|casa|planta|portal|edificio|кв|квартир[аеыу]|дом[ае]?|комнат[аеыу]|офис[ае]?|этаж[ае]?
      |подъезд[ае]?|корпус|(?:ال)?(?:غرفه|شقه|طابق|مبني|عماره|فيلا|منزل|مكتب)|कमरा|कमरे|फ्लैट|मकान|मंजिल)
      {_NO}\d{{1,5}}(?![\w-])                                                  # rooms and houses
    | (?<!\w)(?:call|text|ring|phone|reach|whatsapp|message|ll[aá]m[ae]\w{{0,3}}|позвони\w{{0,4}}|звоните
      |перезвони\w{{0,4}}|اتصل\w{{0,3}}|كلمني|راسلني)
      \s(?:[^\W\d]{{1,10}}\s){{0,4}}\+?\d[\d\ ()-]{{5,18}}\d                   # telephone numbers
    | {_FREE}\+?\d[\d\ -]{{5,18}}\d\sपर\s(?:कॉल|फोन|संपर्क)
    | (?<![\w-])\(\d{{2,4}}\)\s?\d{{2,4}}[\ -]\d{{2,4}}(?:[\ -]\d{{2,4}})?(?![\w-])
    """,
    re.VERBOSE | re.IGNORECASE,
)

_UNITS = (
    r"(?:(?:business|working|calendar|рабоч\w{1,3}|календарн\w{1,3}|कार्य|कामकाजी)\s)?(?:"
    r"x|×|pcs|pieces?|items?|units?|pairs?|times|days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?"
    r"|piezas?|unidad(?:es)?|artículos?|productos?|veces|pares|días?|dias?|semanas?|mes(?:es)?|años?|horas?|minutos?"
    r"|шт(?:ук[аиу]?)?|единиц\w?|товар(?:а|ов)|пар[аы]?|раза?|день|дн(?:я|ей)|сут(?:ки|ок)|недел\w{1,2}|месяц\w{0,3}"
    r"|год[ау]?|лет|час(?:а|ов)?|минут\w?"
    r"|قطع(?:ه|تين)?|حبات|حبه|مرات|منتجات|يوم(?:ا)?(?!\s(?:ال|امس))|ايام|اسبوع(?:ا)?|اسابيع|شهر(?:ا)?|اشهر|شهور|سنه"
    r"|سنوات|سنين|اعوام|ساعه|ساعات|دقيقه|دقائق|دقايق"
    r"|पीस|नग|आइटम|बार|दिन(?:ों)?|हफ्त(?:े|ों|ा)|सप्ताह|महीन(?:े|ों|ा)|साल|वर्ष|घंट(?:े|ों|ा)|मिनट"
    r"|[mk]?g|[mc]l|[mck]m|grams?|kilos?|kilograms?|lbs?|oz|lit(?:re|er)s?|met(?:re|er)s?|inch(?:es)?|watts?|volts?"
    r"|mah|kwh|[gmt]b|gramos?|litros?|metros?|vatios?|[мк]?г|мл|[смк]м|грамм\w{0,2}|кило\w{0,8}|литр\w{0,2}"
    r"|метр\w{0,2}|ватт|غرام|جرام|كيلو|لتر|متر|سم|واط|ग्राम|किलो(?:ग्राम)?|लीटर|मीटर|वाट"
    r")"
)

_PAID = (
    r"(?:paid|pay|charged|spent|costs?|worth|billed|total|price|discount|amount"
    r"|pagu[ée]|pagado|pagamos|cobraron|cobrado|cuesta|costó|costaba|gasté|precio|importe|descuento"
    r"|заплатил[аи]?|оплатил[аи]?|списали|сняли|стоит|стоил[аио]?|потратил[аи]?|цена|стоимость|сумма|скидка"
    r"|دفعت|دفعنا|سعره?ا?|ثمنه?ا?|بسعر|بمبلغ|مبلغ|كلفني|كلفتني|يكلف|خصم|المجموع|الاجمالي"
    r"|कीमत|दाम|कुल|राशि|छूट)"
)
_PAID_WHAT = (
    r"(?:me|you|us|only|just|about|around|over|nearly|exactly|a|total|of|at|was|is|it|solo|unos|de|es|fue|мне|было"
    r"|всего|только|около|هو|قدره|حوالي|فقط|है|थी|लगभग)"
)

_BOUGHT = (
    r"(?:bought|ordered|received|got|purchased|want|wanted|need|needed|to\sorder|to\sbuy|to\sreturn"
    r"|compr[ée]|ped[íi]|recib[íi]|quiero|necesito|compramos|llegaron|he\spedido|he\scomprado|he\srecibido"
    r"|купил[аи]?|заказал[аи]?|получил[аи]?|пришл[оаи]|нужно|хочу|прислали"
    r"|اشتريت|طلبت|استلمت|وصلني|وصلتني|اريد|احتاج)"
)
_NO_GOODS = (
    r"(?:but|and|or|yet|on|in|at|from|today|yesterday|last|this|please|by|is|was|it|which|because|as|to|for|not"
    r"|pero|para|por|que|con|hoy|ayer|no|el|la|но|вчера|сегодня|не|или|لكن|امس|اليوم|ولم|من|في|يوم)"
)

_PERHAPS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\w.,#])(?P<n>\d{1,3}(?:,\d{3}){1,8})\b(?![.,]\d)",  # as money is written
        rf"(?<![#\w])(?P<n>\d{{1,2}}(?:st|nd|rd|th|[ºª])?\.?\s(?:(?:of|de)\s)?{_MONTH}(?:,?\s(?:de\s)?(?:19|20)\d\d\b)?)",
        rf"(?<![#\w])(?P<n>\d{{1,12}})\s{{0,3}}{_UNITS}{_END}",
        rf"(?<!\w)[x×](?P<n>\d{{1,3}})\b|(?<![#\w])(?P<m>{_COUNT})(?=\sof\s(?:them|these|those|the)\b)",
        rf"(?<!\w)(?:in|since|until|till|by|from|year|spring|summer|autumn|winter|christmas|easter|en|desde|hasta|año"
        rf"|navidad|verano|в|с|до|из|за|في|عام|العام|سنه|منذ|حتي|साल|वर्ष|सन)\s(?P<n>{_YEAR})",
        rf"{_FREE}(?P<n>{_YEAR})(?=\s?(?:г\.|год\w{{0,2}}(?!\w)|में{_END}|से{_END}|तक{_END}))",
        rf"(?<!\w){_PAID}(?:\s{_PAID_WHAT}){{0,3}}[\s:=]{{1,3}}(?P<n>{_N})(?!\w)",
        rf"(?<!\w)(?:bought|purchased|sold|compr[éó]|vendí|купил[аи]?|اشتريت\w?)(?:\s[^.?!؟\n\d]{{1,40}})?"
        rf"\s(?:for|por|за|ب)\s?(?P<n>{_N})(?!\w)",
        rf"{_FREE}(?P<m>\d{{1,3}})\s(?:x\s)?[^\W\d]{{2,20}}(?:\s[^\W\d]{{2,20}})?\s(?:for|por|за|ب)\s?(?P<n>{_N})(?!\w)",
        rf"(?<!\w)for\s(?P<n>{_N})(?=\s(?:each|apiece|in\stotal|altogether)\b)",
        rf"{_FREE}(?P<n>{_N})(?=\s(?:में\s(?:खरीद|लिय)|चुका|का\sभुगतान|दिए\sथे|दिये\sथे))",
        rf"(?<!\w){_BOUGHT}\s(?:(?:only|just|all|another|solo|только|всего|فقط)\s)?(?P<n>{_COUNT})"
        rf"(?=\s(?!{_NO_GOODS}{_END})[^\W\d]{{2,}})",
        rf"{_FREE}(?P<n>{_COUNT})(?=\s\S{{2,20}}\s(?:खरीद|मंगव|मंगा|मिले|चाहिए))",
    )
)

_CALLED_ID = re.compile(
    r"(?<!\w)(?:(?<!to\s)orders?|numbers?|nos?|nrs?|ids?|(?<!he\s)(?<!ha\s)(?<!has\s)(?<!hemos\s)pedidos?|orden|número"
    r"|numero|núm|nº|заказ(?:а|у|ом|е|ы|ов)?|номер\w{0,2}|[وبلفك]{0,2}(?:ال)?(?:رقم\w{0,2}|طلب(?:ي|يه|يتي|ك|نا)?|اوردر)"
    r"|ऑर्डर|आर्डर|नंबर|नम्बर|संख्या|क्रमांक)[\s.:#]{0,5}$|#\s{0,5}$",
    re.IGNORECASE,
)
"""Words before a number that make it an id whatever follows."""


def without_quantities(text: str) -> str:
    """Return a folded text with `;` in the place of every number that is no id."""
    level, places = _level(text)
    level = _NEVER.sub(lambda match: ";" * len(match[0]), level)
    for pattern in _PERHAPS:
        level = pattern.sub(_blank, level)
    chars = list(text)
    for at, char in enumerate(level):
        if char == ";":
            chars[places[at] : places[at + 1]] = ";" * (places[at + 1] - places[at])
    return "".join(chars)


def _blank(match: re.Match[str]) -> str:
    """Return the match with its numbers blanked, unless a word before the first of them calls it an id."""
    spans = sorted(match.span(name) for name, value in match.groupdict().items() if value)
    first = spans[0][0]
    if _CALLED_ID.search(match.string[max(0, first - 16) : first]):
        return match[0]
    chars = list(match[0])
    for start, end in spans:
        chars[start - match.start() : end - match.start()] = ";" * (end - start)
    return "".join(chars)


def _level(text: str) -> tuple[str, list[int]]:
    """Return the text in the spelling of our tables, and for each of its characters where it stands."""
    if text.isascii():
        return text, list(range(len(text) + 1))
    level: Callable[[str], str] = levelled
    pieces = [level(char) for char in text]
    places = [at for at, piece in enumerate(pieces) for _ in piece]
    return "".join(pieces), [*places, len(text)]
