"""Words that lead a customer away from the shop: "message us on WhatsApp", "send me the PIN".

Knows:    the names of messengers and ways to pay, what is asked for, and who is told to, in five languages.
Does not: know which of them the shop has: what it says of itself may be said.   (guards/observed.py)
Limit:    lists of words, as claims.py is one. An address, a number or a link is found without them.
"""

import re
from collections.abc import Iterator
from functools import cache

from guards.clauses import around, is_asked, is_denied
from guards.reading import Value

_NAMES: dict[str, str] = {
    "whatsapp": r"what'?s[\s-]?app|wh?ats?app|wasap|guasap|(?:ватс|вотс|вац)[\sа]?ап\w{0,4}|واتس\s?(?:اب"
    r"|آب)|व्हाट्स[एऐअ]?प",
    "telegram": r"telegram|телеграм\w{0,4}|تيليجرام|تلغرام|تليجرام|تيليغرام|टेलीग्राम",
    "messenger": r"messenger|viber|wechat|skype|discord|snapchat|signal\s(?:app|messenger|chat)|imo\sapp"
    r"|вайбер\w{0,4}|فايبر"
    r"|सिग्नल\sऐप",
    "social": r"facebook|fb|insta(?:gram)?|tiktok|twitter|linkedin|фейсбук\w{0,4}|инстаграм\w{0,4}|فيسبوك"
    r"|انستغرام|انستجرام|फेसबुक"
    r"|इंस्टाग्राम",
    "sms": r"sms|смс|text\smessage|एसएमएस",
    "paypal": r"pay\s?pal|пейпал|باي\s?بال|पेपाल",
    "money apps": r"zelle|venmo|cash\s?app|revolut|paytm|phone\s?pe|google\s?pay|g\s?pay|bizum|alipay"
    r"|m-?pesa|киви|qiwi|पेटीएम",
    "upi": r"upi|यूपीआई",
    "money transfer": r"western\s?union|money\s?gram|money\sorder|вестерн\sюнион|ويسترن\sيونيون"
    r"|वेस्टर्न\sयूनियन",
    "crypto": r"bitcoins?|btc|ethereum|eth|usdt|tether|crypto\w{0,9}|wallet|биткоин\w{0,4}|криптовалют\w"
    r"|бит[ск]оин\w{0,4}"
    r"|بيتكوين|عملات?\sرقميه|المحفظه|बिटकॉइन|क्रिप्टो\w{0,5}",
    "remote control": r"any\s?desk|team\s?viewer|rust\s?desk|ultra\s?viewer|quick\s?support|эни\s?деск\w{0,2}"
    r"|انيديسك|एनीडेस्क",
    "gift card": r"(?:amazon|itunes|google\splay|apple|steam)\s(?:gift\s)?(?:cards?|vouchers?|codes?)"
    r"|tarjetas?\s(?:de\s)?(?:amazon|itunes|steam)|gift[\s_-]?cards?|steam\scards?|tarjetas?\s(?:de\s)?regalo|подарочн\w{2,3}\sкарт\w{0,3}"
    r"|بطاق(?:ه|ات)\s(?:ال)?هدايا|"
    r"गिफ्ट\sकार्ड",
    "transfer": r"(?:bank|wire)[\s_-]?transfers?|wire|transferencias?(?:\sbancarias?)?"
    r"|банковск\w{2,3}\sперевод\w{0,4}"
    r"|перевод\w{0,4}\sна\s(?:карт|сч[её]т)\w{0,2}|(?:ال)?تحويل\s(?:ال)?(?:بنكي|مصرفي)|(?:ال)?حواله"
    r"|बैंक\sट्रांसफर",
    "cash": r"(?:in|by)\scash|en\sefectivo|наличн\w{2,4}|نقدا|नकद",
}
_SECRETS = (
    r"passwords?|passcodes?|pin(?:\s(?:code|number))?|cv[vc]2?|security\scode|card\s(?:number|details|data)"
    r"|bank\s(?:details|account|login)|one[\s-]time\s(?:code|password)|otp|verification\scode"
    r"|social\ssecurity|ssn|passport|seed\sphrase|recovery\sphrase|private\skey"
    r"|contraseña|clave|número\sde\s(?:su\s|tu\s|la\s)?tarjeta|datos\sbancarios|código\sde\s(?:seguridad"
    r"|verificación)"
    r"|парол\w{1,2}|пин-?код\w{0,4}|номер\s(?:вашей\s|своей\s)?карты|данные\s(?:вашей\s|своей\s)?карты"
    r"|код\sиз\sсмс"
    r"|كلمه\s(?:المرور|السر)|رقم\s(?:بطاقتك|البطاقه)|بيانات\s(?:بطاقتك|البطاقه)|الرقم\sالسري|رمز\sالتحقق"
    r"|पासवर्ड|पिन|कार्ड\s(?:का\s)?नंबर|ओटीपी|सीवीवी|बैंक\sविवरण"
)
_ACCOUNTS = (
    r"(?:the|this|our|my|a|an|another|following|new|other|different|private|personal|direct)\s"
    r"(?:(?:following|new|other|different|private|personal|direct|bank|safe|secure|payment|own)\s){0,2}"
    r"(?:account|card|wallet|iban|phone|number|address|link|page|website|site|person|agent|email|e-mail"
    r"|line|chat)"
    r"|(?:la|esta|nuestra|mi|una|otra|el|este|nuestro|un|otro)\s(?:\w+\s)?(?:cuenta|tarjeta|cartera|número"
    r"|enlace|página)"
    r"|(?:на|по)\s(?:\w+\s){0,2}(?:сч[её]т|карт[уе]|кошел\w+|номер\w{0,4}|ссылк[еу]|адрес\w{0,4})"
    r"|(?:الي|علي|عبر|في)\s(?:هذا\s|هذه\s)?(?:ال)?(?:حساب|بطاقه|محفظه|رقم|رابط)\w{0,3}"
    r"|(?:इस|हमारे|मेरे|नए|दूसरे)\s(?:\w+\s)?(?:खाते|कार्ड|वॉलेट|नंबर|लिंक)"
)
_MONEY = (
    r"money|payments?|fees?|amounts?|balance|deposit|funds|difference|price|total|sum|dinero|pago|importe"
    r"|tarifa|saldo"
    r"|деньг\w{0,4}|сумм\w|плат[её]ж\w{0,4}|оплат\w|المبلغ|المال|الرسوم|الدفع|पैसे|राशि|भुगतान|शुल्क"
    r"|[$€£₹₽]|\d"
)
_CONTACT = (
    r"call|phone|ring|text|message|dm|ping|write|e-?mail|mail|contact|reach|add|find|chat|talk|speak"
    r"|get\sin\stouch|join"
    r"|follow|use|try|install|download|run|instal[ae]r?|descarg\w{1,4}|установи\w{0,4}|скача\w{1,4}|ثبت|حمل|نزل"
    r"|इंस्टॉल|डाउनलोड|us[ae]r?|используй\w{0,2}|(?:و|ف)?استخدم\w{0,3}|ll[aá]m[ae]\w{0,4}|escr[ií]b\w{1,5}"
    r"|mand[ae]\w{0,4}|contact[ae]\w{0,4}|agr[eé]g\w{1,5}|comun[ií]\w{2,8}"
    r"|позвони\w{0,4}|звони\w{0,4}|(?:на)?пиш[иу]\w{0,2}|свяжи\w{0,4}|связ\w{2,6}|обрат\w{2,6}|добав\w{2,4}"
    r"|(?:و|ف)?(?:اتصل|راسل|اكتب|تواصل|كلم|اضف)\w{0,3}|कॉल|फोन|मैसेज|संदेश|लिख\w{0,4}|संपर्क|बात"
)
_PAY = (
    r"pay|transfer|send|wire|remit|deposit|settle|buy|purchase|top\sup|(?:p[aá]g(?:ue|ar|a|uen)|abone"
    r"|transfier[ae]|transferir"
    r"|deposit[ae]r?|env[ií][ae]r?|compr[ae]r?|gir[ae]r?)(?:lo|la|nos|me)?|оплат\w{2,4}|заплат\w{2,4}"
    r"|перевед\w{2,4}"
    r"|перечисл\w{2,4}|отправ\w{2,4}|пришли\w{0,4}|купи\w{0,4}|внес\w{2,4}"
    r"|(?:و|ف)?(?:ادفع|حول|ارسل|اشتر|سدد|اودع)\w{0,3}|भेज\w{0,4}|ट्रांसफर|जमा|भुगतान|पे"
)
_ASK = (
    r"send|give|tell|reply\swith|enter|provide|share|confirm|type|text|read|hand|submit|fill\sin"
    r"|env[ií][ae]\w{0,4}|d[ií]ga\w{0,4}|conf[ií]rm[ae]\w{0,4}|ind[ií][cq]\w{1,6}|proporci[oó]n[ae]\w{0,4}"
    r"|introdu\w{3,5}"
    r"|пришли\w{0,4}|отправ\w{2,4}|назов\w{2,4}|сообщ\w{2,4}|введ\w{2,4}|укаж\w{2,4}|подтверд\w{2,4}"
    r"|(?:و|ف)?(?:ارسل|اعط|اخبر|ادخل|زود|شارك|اكد)\w{0,4}|भेज\w{0,4}|बता\w{0,3}|दर्ज|साझा|दीजिए|दें"
)
# Who is told to do it: nobody is named, or the customer is. "We will send it" tells nobody anything.
_TOLD = (
    r"(?:(?:^|[.!?:;,\n(\u2013\u2014-]|\b(?:please|kindly|just|simply|then|now|or|and|also|instead|you"
    r"|should|must|can"
    r"|to|por\sfavor|puede|debe|tiene\sque|пожалуйста|можете|нужно|надо|просто|कृपया|आप|يرجي|الرجاء|يمكنك"
    r"|عليك)\b)\s?)"
)
# Hindi tells at the end: "व्हाट्सएप पर संदेश भेजें".
_TOLD_LAST = (
    r"(?:भेजें|भेजिए|भेजो|करें|कीजिए|करो|लिखें|लिखिए|खरीदें|खरीदिए|दें|दीजिए|बताएं|बताइए)"
    r"(?![\u0900-\u0963])"
)
_BY_US = re.compile(
    r"\b(?:we|our\s(?:team|staff)|they|it|nosotros|мы|نحن|हम)\b(?:['’]ll|\s(?:will|can|would|may"
    r"|have))?\s(?:\w+\s){0,2}$"
    r"|\b(?:wir|will|they)\s$",
    re.IGNORECASE,
)


_JOINED = "(?:[وف]?(?:بال|لل|ال|ب|ل)?)"
"""What Arabic writes as one word with the next."""


def _any(words: str) -> str:
    return rf"(?<![^\W_]){_JOINED}(?:{words})(?![^\W_])"


@cache
def _named() -> re.Pattern[str]:
    return re.compile(
        "|".join(f"(?P<n{index}>{_any(words)})" for index, words in enumerate(_NAMES.values())), re.IGNORECASE
    )


@cache
def _verbs() -> dict[str, re.Pattern[str]]:
    kinds = {"reach": f"{_CONTACT}|{_PAY}", "pay": _PAY, "ask": _ASK}
    return {
        name: re.compile(rf"{_TOLD}{_any(words)}|{_TOLD_LAST}", re.IGNORECASE)
        for name, words in kinds.items()
    }


@cache
def _objects() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return (
        ("ask", re.compile(_any(_SECRETS), re.IGNORECASE)),
        (
            "pay",
            re.compile(
                rf"(?:(?:to|into|onto|at|through|via|on|a|en|por)\s)?{_any(_ACCOUNTS)}", re.IGNORECASE
            ),
        ),
    )


_WANTED = re.compile(
    r"(?<!\w)(?:what(?:['’]s|\s(?:is|are))\syour|(?:may|can)\s(?:I|we)\shave|(?:could|can|would)\syou\s(?:\w+\s)?(?:give|tell"
    r"|send|share|provide)|(?:I|we)(?:['’]ll)?\s(?:\w+\s)?need|cu[aá]l\ses\s(?:su|tu)|necesit(?:o|amos)"
    r"|(?:какой|какая|каков)\s(?:у\s)?ва[сш]|(?:мне|нам)\s(?:нуж\w{2,3}|понадобится)|ما\s(?:هي|هو)|(?:ا|ن)حتاج"
    r"|(?:आपका|आपकी)(?=.{1,40}क्या\sहै)|हमें(?=.{1,40}चाहिए)|मुझे(?=.{1,40}चाहिए))",
    re.IGNORECASE,
)
"""A secret that is asked for as a question, or as what somebody here needs."""

_PAID = re.compile(rf"(?:{_MONEY})(?![^\W_])", re.IGNORECASE)


def named_channels(text: str) -> set[str]:
    """Return every messenger and way to pay that a text names and does not deny."""
    return {
        _channel(found) for found in _named().finditer(text) if not is_denied(around(text, *found.span())[0])
    }


def _channel(found: re.Match[str]) -> str:
    return f"channel:{list(_NAMES)[int((found.lastgroup or 'n0')[1:])]}"


def channels(text: str) -> Iterator[Value]:
    """Yield what the customer is told to reach, pay or hand over outside of the shop's own words."""
    for found in _named().finditer(text):
        if _is_told(text, found, "reach"):
            yield Value("channel", found[0], (_channel(found),), *found.span())
    for verb, objects in _objects():
        for found in objects.finditer(text):
            clause, _ = around(text, *found.span())
            wanted = verb == "ask" and _WANTED.search(clause) and not is_denied(clause)
            if wanted or (_is_told(text, found, verb) and (verb == "ask" or _PAID.search(clause))):
                yield Value("channel", found[0], (f"channel:{found[0].casefold()}",), *found.span())


def _is_told(text: str, found: re.Match[str], kind: str) -> bool:
    clause, begins = around(text, *found.span())
    told = next(
        (verb for verb in _verbs()[kind].finditer(clause) if not _BY_US.search(clause[: verb.start() + 1])),
        None,
    )
    if told is None or is_asked(text, found.end()):
        return False
    place = begins + told.start()
    first, last = sorted((place, found.start()))
    narrow, _ = around(text, first + 1, max(last, found.end()), narrow=True)
    return not is_denied(narrow)
