"""What a number counts: durations, shares and money, in the words of five languages.

Knows:    patterns over levelled text, and which currencies a word or sign may stand for.
Does not: read the number.   (guards/values.py)
Source:   ISO 4217 for the codes; Unicode 15, category Sc, for the signs.
"""

SIGNS = {
    "$": frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "MXN", "HKD"}),
    "€": frozenset({"EUR"}),
    "£": frozenset({"GBP"}),
    "₹": frozenset({"INR"}),
    "¥": frozenset({"JPY", "CNY"}),
    "₽": frozenset({"RUB"}),
    "₺": frozenset({"TRY"}),
    "₩": frozenset({"KRW"}),
    "₴": frozenset({"UAH"}),
    "₪": frozenset({"ILS"}),
    "₫": frozenset({"VND"}),
    "₱": frozenset({"PHP"}),
    "₦": frozenset({"NGN"}),
    "฿": frozenset({"THB"}),
    "₸": frozenset({"KZT"}),
    "₿": frozenset({"BTC"}),
}
DOLLARS = {
    "us$": frozenset({"USD"}),
    "ca$": frozenset({"CAD"}),
    "c$": frozenset({"CAD"}),
    "au$": frozenset({"AUD"}),
    "a$": frozenset({"AUD"}),
    "nz$": frozenset({"NZD"}),
    "mx$": frozenset({"MXN"}),
    "hk$": frozenset({"HKD"}),
    "s$": frozenset({"SGD"}),
}
SIGN = rf"(?:(?<![a-z])(?:US|CA?|AU?|NZ|MX|HK|S)\$|[{''.join(SIGNS)}])"
"""A currency's sign, with the letters that say whose dollar it is."""
CODES = (
    "USD EUR GBP INR JPY CNY CAD AUD NZD SGD MXN HKD CHF SEK NOK DKK PLN CZK RUB AED SAR EGP QAR KWD BRL ZAR"
    " TRY KRW UAH KZT ILS THB VND PHP NGN KES HUF RON BGN IDR MYR TWD CLP COP ARS PEN MAD TND DZD JOD BHD OMR"
    " LBP IQD PKR BDT LKR NPR BTC ETH USDT"
).split()
# "try 3 times", "cop 20": written small, only a code that is no word is one.
_NEVER_SMALL = {"TRY", "COP", "MAD", "RON", "ARS", "PEN", "ALL", "OMR"}
CODE = (
    rf"(?-i:{'|'.join(CODES)}|"
    rf"{'|'.join(code.lower() + '|' + code.capitalize() for code in CODES if code not in _NEVER_SMALL)})"
)

MONEY: tuple[tuple[str, frozenset[str]], ...] = (
    (r"dollars?|bucks|d[óo]lar(?:es)?|доллар\w{0,3}|долл|دولار(?:ات|ا)?|डॉलर", SIGNS["$"]),
    (r"euros?|евро|يورو(?:هات)?|यूरो", SIGNS["€"]),
    (r"pounds?|quid|libras?|фунт\w{0,3}|جنيه(?:ات|ا)?|पाउंड|पौंड", SIGNS["£"] | {"EGP"}),
    (r"rupees?|rupias?|рупи[йяиею]\w?|روبيه|روبيات|रुपये|रुपए|रुपया|रुपयों|रु", SIGNS["₹"]),
    (r"yens?|yenes|иен\w?|ين(?:ات)?|येन", SIGNS["¥"]),
    (r"yuan(?:es)?|renminbi|юан\w{1,2}|يوان|युआन", frozenset({"CNY"})),
    (r"rubles?|roubles?|rublos?|рубл\w{1,3}|руб|р(?=\.)|روبل(?:ات)?|रूबल", SIGNS["₽"]),
    (r"francs?|francos?|франк\w{0,3}|فرنك(?:ات)?|फ्रैंक", frozenset({"CHF"})),
    (r"liras?|лир\w{0,2}|ليره|ليرات|लीरा", frozenset({"TRY", "LBP"})),
    (r"hryvnias?|grivnas?|гривн\w{0,2}|гривен", SIGNS["₴"]),
    (r"z[lł]oty(?:s|ch)?|злот\w{1,3}", frozenset({"PLN"})),
    (r"pesos?|песо|بيزو|पेसो", frozenset({"MXN", "ARS", "CLP", "COP", "PHP"})),
    (r"riyals?|riales|риал\w{0,3}|ريال(?:ات|ا)?|रियाल", frozenset({"SAR", "QAR", "OMR"})),
    (r"dirhams?|дирхам\w{0,3}|درهم(?:ا)?|دراهم|दिरहम", frozenset({"AED", "MAD"})),
    (r"dinars?|динар\w{0,3}|دينار(?:ا)?|دنانير|दीनार", frozenset({"KWD", "JOD", "BHD", "IQD", "TND", "DZD"})),
    (r"bitcoins?|биткоин\w{0,2}|بيتكوين|बिटकॉइन", frozenset({"BTC"})),
)
"""Each currency's words, a pattern, and the codes it may stand for."""
MONEY_WORDS = "|".join(words for words, _ in MONEY)
CENTS = (
    r"cents?|pence|c[ée]ntimos?|centavos?|цент\w{0,3}|копе[йе]\w{1,2}|коп(?=\.)|سنت(?:ات|ا)?|قرش(?:ا)?|सेंट|पैसे"
)

TIMES: dict[str, int] = {
    r"hundred|cientos|сотен|सौ": 100,
    r"thousand|grand|mil|тысяч\w?|тыс\.?|الف|الاف|हजार|k": 1_000,
    r"lakhs?|लाख": 100_000,
    r"million|mill[óo]n(?:es)?|миллион\w{0,2}|млн|مليون|ملايين|मिलियन|mn|m": 1_000_000,
    r"crores?|करोड": 10_000_000,
    r"billion|миллиард\w{0,2}|млрд|مليار|bn": 1_000_000_000,
}
"""What multiplies the number before it."""
TIMES_WORDS = "|".join(TIMES)

_PERCENT = r"percent|per\scent|por\sciento|процент\w{0,3}|بالمئه|بالمائه|في\sالمئه|في\sالمائه|प्रतिशत|%"
UNIT_WORDS: dict[str, str] = {
    "minute": r"minutes?|mins?|minutos?|минут\w?|мин(?=\.)|دقيقه|دقايق|دقائق|मिनट|मिनटों",
    "hour": r"hours?|hrs?|horas?|час(?:а|ов|у|ам|ах)?|ساعه|ساعات|घंटे|घंटों|घंटा",
    "day": r"days?|d[íi]as?|день|дн(?:я|ей|ю|ям|ями|ях)|сут(?:ки|ок)|يوم(?:ا)?|ايام|दिन|दिनों|दिवस|दिवसों",
    "week": r"weeks?|semanas?|недел\w{1,2}|اسبوع(?:ا)?|اسابيع|हफ्ते|हफ्तों|हफ्ता|सप्ताह|सप्ताहों",
    "month": r"months?|mes(?:es)?|месяц\w{0,3}|شهر(?:ا)?|اشهر|شهور|महीने|महीनों|महीना|माह",
    "year": r"years?|años?|год(?:а|у|ом)?|лет|سنه|سنوات|سنين|عام(?:ا)?|اعوام|साल|सालों|वर्ष|वर्षों",
    "percent": _PERCENT,
}
"""Each unit by what it is called; percent is one."""
UNITS = rf"(?:{'|'.join(UNIT_WORDS.values())})"
SAME: dict[tuple[int, str], tuple[int, str]] = {
    (7, "day"): (1, "week"),
    (24, "hour"): (1, "day"),
    (60, "minute"): (1, "hour"),
    (12, "month"): (1, "year"),
}
"""So many of one unit are so many of another, and their multiples."""
_OF_MONEY = r"(?=\s(?:ال)?(?:مبلغ|سعر|ثمن|قيمه))"
_OF_IT = r"(?=\s(?:the|that|this|your|as\smuch)\b)"
PARTS: dict[int, str] = {
    50: r"half|(?:la\s)?mitad|половин\w|نصف|आधा|आधी|आधे",
    33: r"(?:an?|one|1)\sthird(?=\sof\b)|1\s?[/⁄]\s?3(?=\sof\b)|un\stercio(?=\sde)"
    r"|(?:la\s|una\s)tercera\sparte"
    r"|трет[ьи](?=\s[а-я])|ثلث|(?:एक\s)?तिहाई",
    67: r"(?:2|two)\sthirds|2\s?[/⁄]\s?3(?=\sof\b)|(?:2|dos)\stercios|(?:2|две)\sтрети|ثلثي|ثلثا"
    r"|(?:2|दो)\sतिहाई",
    25: r"(?:an?|one|1)\squarter(?=\sof\b)|1\s?[/⁄]\s?4(?=\sof\b)|un\scuarto(?=\sde\sl)"
    r"|(?:la\s|una\s)cuarta\sparte"
    rf"|четверть(?=\s[а-я])|ربع{_OF_MONEY}|(?:एक\s)?चौथाई",
    75: r"(?:3|three)\squarters|3\s?[/⁄]\s?4(?=\sof\b)",
    200: rf"(?:double|twice){_OF_IT}|el\sdoble|вдвое|ضعف{_OF_MONEY}|दोगुन[ाीे]|दुगुन[ाीे]",
    300: rf"(?:triple|3\stimes|three\stimes){_OF_IT}|el\striple|втрое|तिगुन[ाीे]",
}
"""Shares of something in words, by percent."""

_IN = r"(?:in|within|after|takes?|lasts?|for|about|around)\san?"
_IN_SPANISH = r"(?:en|dentro\sde|durante|tras|tarda)\suna?"
_IN_RUSSIAN = r"(?:через|за|в\sтечение)"
_IN_ARABIC = r"(?:خلال|بعد|في\sغضون)"
ONE_UNIT: dict[str, str] = {
    "hour": rf"{_IN}\shour|{_IN_SPANISH}\shora|{_IN_RUSSIAN}\sчас(?:а)?|{_IN_ARABIC}\sساعه",
    "day": rf"{_IN}\sday|{_IN_SPANISH}\sd[ií]a|(?:за|в\sтечение)\s(?:день|дня)|{_IN_ARABIC}\sيوم",
    "week": rf"{_IN}\sweek|{_IN_SPANISH}\ssemana|{_IN_RUSSIAN}\sнедел[юи]|{_IN_ARABIC}\sاسبوع"
    r"|(?:हफ्ते|सप्ताह)\sभर\sमें",
    "month": rf"{_IN}\smonth|{_IN_SPANISH}\smes|{_IN_RUSSIAN}\sмесяца?|{_IN_ARABIC}\sشهر|महीने\sभर\sमें",
    "year": rf"{_IN}\syear|{_IN_SPANISH}\saño|{_IN_RUSSIAN}\sгода?|{_IN_ARABIC}\s(?:سنه|عام)"
    r"|(?:साल|वर्ष)\sभर\sमें",
}
"""One of a unit that is said without its number: "within a week"."""
ONE_UNIT_WORDS = "|".join(ONE_UNIT.values())

BEFORE_UNIT = (
    r"(?:(?:business|working|calendar|full|more|whole|consecutive|рабоч\w{1,3}|календарн\w{1,3}|полн\w{1,3}"
    r"|कार्य|कामकाजी|further|another|additional|من)[\s-]){0,2}"
)
AGO = r"\s(?:ago|back|earlier|назад|पहले)(?!\w)"
AHEAD = r"in|dentro\sde|через|بعد"
"""What makes a duration one that begins today."""

BETWEEN = r"(?:-|–|to|or|a|y|o|до|или|и|الي|او|و|से|या)"
"""What stands between the two ends of "3 to 5 days"."""

TWO_OF: dict[str, str] = {
    "day": "يوم(?:ان|ين)",
    "week": "اسبوع(?:ان|ين)",
    "month": "شهر(?:ان|ين)",
    "year": "(?:عام|سنت)(?:ان|ين)",
    "hour": "ساعت(?:ان|ين)",
    "minute": "دقيقت(?:ان|ين)",
}
"""Arabic says two days, two weeks without a number."""
ONE_OF = "(?:يوم|اسبوع|شهر|عام|سنه|ساعه|دقيقه)"
TWO_OF_WORDS = rf"(?:لل|ال|ب|ل|و)?(?:{'|'.join(TWO_OF.values())})"
