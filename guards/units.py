"""What a number counts: durations, percent and money, in the words of five languages.

Knows:    patterns over levelled text, and which currencies a word or sign may stand for.
Does not: read the number.   (guards/values.py)
"""

SIGNS = {
    "$": frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "MXN", "HKD"}),
    "€": frozenset({"EUR"}),
    "£": frozenset({"GBP"}),
    "₹": frozenset({"INR"}),
    "¥": frozenset({"JPY", "CNY"}),
    "₽": frozenset({"RUB"}),
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
    " TRY KRW"
).split()

MONEY: tuple[tuple[str, frozenset[str]], ...] = (
    (r"dollars?|d[óo]lar(?:es)?|доллар\w{0,3}|دولار(?:ات|ا)?|डॉलर", SIGNS["$"]),
    (r"euros?|евро|يورو(?:هات)?|यूरो", SIGNS["€"]),
    (r"pounds?|libras?|фунт\w{0,3}|جنيه(?:ات|ا)?|पाउंड|पौंड", SIGNS["£"] | {"EGP"}),
    (r"rupees?|rupias?|рупи[йяиею]\w?|روبيه|روبيات|रुपये|रुपए|रुपया|रुपयों|रु", SIGNS["₹"]),
    (r"yens?|yenes|иен\w?|ين(?:ات)?|येन", SIGNS["¥"]),
    (r"rubles?|roubles?|rublos?|рубл\w{1,3}|руб|р(?=\.)|روبل(?:ات)?|रूबल", SIGNS["₽"]),
    (r"pesos?|песо|بيزو|पेसो", frozenset({"MXN"})),
    (r"riyals?|riales|риал\w{0,3}|ريال(?:ات|ا)?|रियाल", frozenset({"SAR", "QAR"})),
    (r"dirhams?|дирхам\w{0,3}|درهم(?:ا)?|دراهم|दिरहम", frozenset({"AED"})),
    (r"dinars?|динар\w{0,3}|دينار(?:ا)?|دنانير|दीनार", frozenset({"KWD"})),
)
"""Each currency's words, a pattern, and the codes it may stand for."""
MONEY_WORDS = "|".join(words for words, _ in MONEY)
CENTS = r"cents?|c[ée]ntimos?|centavos?|цент\w{0,3}|копе[йе]\w{1,2}|سنت(?:ات|ا)?|सेंट|पैसे"

TIMES: dict[str, int] = {
    r"thousand|mil|тысяч\w?|тыс\.?|الف|الاف|हजार": 1_000,
    r"lakhs?|लाख": 100_000,
    r"million|mill[óo]n(?:es)?|миллион\w{0,2}|млн|مليون|ملايين": 1_000_000,
}
"""What multiplies the number before it."""
TIMES_WORDS = "|".join(TIMES)

_PERCENT = r"percent|por\sciento|процент\w{0,3}|بالمئه|بالمائه|في\sالمئه|في\sالمائه|प्रतिशत|%"
UNITS = (
    r"(?:days?|weeks?|months?|years?|hours?|minutes?"
    r"|d[íi]as?|semanas?|mes(?:es)?|años?|horas?|minutos?"
    r"|день|дн(?:я|ей|ю|ям|ями|ях)|сут(?:ки|ок)|недел\w{1,2}|месяц\w{0,3}|год(?:а|у|ом)?|лет|час(?:а|ов|у)?|минут\w?"
    r"|يوم(?:ا)?|ايام|اسبوع(?:ا)?|اسابيع|شهر(?:ا)?|اشهر|شهور|سنه|سنوات|سنين|عام(?:ا)?|اعوام|ساعه|ساعات|دقيقه|دقايق|دقائق"
    r"|दिन|दिनों|दिवस|दिवसों|हफ्ते|हफ्तों|हफ्ता|सप्ताह|सप्ताहों|महीने|महीनों|महीना|माह|साल|सालों|वर्ष|वर्षों|घंटे|घंटों|घंटा|मिनट|मिनटों"
    rf"|{_PERCENT})"
)
BEFORE_UNIT = r"(?:(?:business|working|calendar|full|more|рабоч\w{1,3}|календарн\w{1,3}|कार्य|कामकाजी)\s)?"
BETWEEN = r"(?:-|–|to|or|a|y|o|до|или|и|الي|او|و|से|या)"
"""What stands between the two ends of "3 to 5 days"."""

TWO_OF = (
    r"(?:لل|ال|ب|ل|و)?"
    r"(?:يوم(?:ان|ين)|اسبوع(?:ان|ين)|شهر(?:ان|ين)|عام(?:ان|ين)|سنت(?:ان|ين)|ساعت(?:ان|ين)|دقيقت(?:ان|ين))"
)
"""Arabic says two days, two weeks without a number."""
