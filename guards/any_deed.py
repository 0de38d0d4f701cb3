"""Anything the assistant says that it has done, whatever it is: "I've applied a discount".

Knows:    the first person and a finished verb in five languages, and the verbs of mere looking.
Does not: know a deed by name (claims.py, claim_forms/), or what was carried out.   (guards/claims.py)
Form:     patterns over levelled text, one a language.
"""

_SEEN = (
    r"found|check(?:ed)?|look(?:ed)?|locat\w+|search\w+|noted|notic\w+|seen|read|review\w+|receiv\w+"
    r"|confirm\w+|understood"
    r"|heard|listed|includ\w+|mention\w+|explain\w+|answer\w+|provid\w+|shar\w+|told|shown|tri(?:ed)"
    r"|attempt\w+|compar\w+"
    r"|calculat\w+|count\w+|pulled|retriev\w+|identif\w+|used|quoted|stated|summari\w+|translat\w+"
    r"|apologi\w+|ship\w+"
    r"|deliver\w+|dispatch\w+|packed|handed|needed|wanted|hoped|asked\syou|given\syou|sent\syour\s(?:order"
    r"|parcel|package)"
    r"|outlined|described|named|copied|added\s(?:up|them)|total\w+|convert\w+|match\w+|tracked|consider\w+"
    r"|verified\sthat"
    r"|figured|worked\sout|gone\s(?:over|through)|been|had|got|made\s(?:sure|a\smistake|an\serror)"
    r"|taken\sa\slook|finished"
)
_NOW = r"(?:(?:just|already|now|also|since|then|successfully|gone\sahead\sand|went\sahead\sand)\s){0,3}"
_THING = (
    r"\s(?:your|the|a|an|this|that|these|those|it|them|you|our|my|all|both|everything|one|in|up|off|\d)\b"
)
_DONE = (
    r"appli(?:ed)|added|extended|reset|removed|booked|flagged|logged|placed|re-?ordered|e-?mailed|upgraded"
    r"|waived"
    r"|adjusted|credited|rescheduled|reserved|activated|unlocked|blocked|paused|deleted|approved|arranged"
    r"|scheduled"
    r"|set\sup|put\s(?:in|through)|passed|stopped|submitted|registered|created|charged|issued|switched"
    r"|renewed|merged"
    r"|let\s(?:\w+\s){1,3}know"
)
ENGLISH = (
    rf"\b(?:I|we|our\steam|the\steam|a\scolleague)(?:['’]ve|\shave|\shas)\s{_NOW}(?!(?:{_SEEN})\b)"
    rf"(?:\w{{3,20}}ed(?:\s(?:off|up|out|over))?|knocked\s\w+\s\w+|put|(?:re)?set|made|done|let|given|taken"
    rf"|written|chosen|begun)\b(?={_THING})"
    rf"|\b(?:I|we)\s{_NOW}(?:{_DONE})\b"
    r"|\b(?:voucher|coupon|credit|points|note|discount)\b[^.!?;,]{0,20}?\b(?:has|have)\s(?:now\s"
    r"|just\s)?been\s"
    r"(?:added|credited)\b"
    r"|\b(?:window|period|deadline|subscription|warranty)\b[^.!?;,]{0,30}?\b(?:has|have)\s(?:now\s"
    r"|just\s)?been\s"
    r"(?:extended|renewed|cancell?ed|paused)\b"
    r"|\bpassword\b[^.!?;,]{0,20}?\b(?:has|have)\s(?:now\s|just\s)?been\sreset\b"
    r"|\b(?:exchange|pick-?up|appointment|collection|call-?back)\b[^.!?;,]{0,20}?\b(?:has|have)\s(?:now\s"
    r"|just\s)?been\s"
    r"(?:set\sup|booked|scheduled|arranged)\b"
    r"|\bpayment\b[^.!?;,]{0,20}?\b(?:has|have)\s(?:now\s|just\s)?been\s(?:cancell?ed|stopped|reversed"
    r"|voided)\b"
    r"|(?:^|[.!\n✓✅*-]\s?)(?:successfully\s)?(?:cancell?ed|refunded|updated|changed|submitted"
    r"|booked)(?:\ssuccessfully)?!"
)

# What was done, by nobody in particular; a state of the name that `done` captures excuses it.
ENGLISH_REPORTS = (
    r"\b(?:your|the)\s(?:\w+\s){1,3}?(?:(?:has|have)\s|(?<=\w)['’](?:s|ve)\s)(?:now\s|just\s|already\s"
    r"|also\s|successfully\s)?been\s"
    r"(?:\w{2,12}ly\s)?(?!(?:deliver|ship|dispatch|plac|receiv|paid|pay|process|prepar|pack|pick|delay|lost"
    r"|expect|confirm"
    r"|charg|cancel|refund|return|bought|purchas|order|handed|mark|list|held|out|on|in|at|there|open|active"
    r"|damag|sold"
    r"|complet|sent\sto\sthe\scarrier|valid|available|the|a|an|no|not|with|for|since)\w*)"
    r"(?P<done>\w{3,20}ed|sent|set|changed|reset|put|made|taken|moved|given)\b"
    r"|\b(?:your|the)\s(?:\w+\s){0,2}?(?:change|update|cancellation|refund|exchange|return|request|upgrade"
    r"|transfer|redirection)"
    r"\s(?:has\sgone|went|is|was)\s(?:through|saved|complete[d]?|successful|confirmed|live)\b"
    r"|\b(?:I|we)(?:['’]ve|\shave)\s(?:got\s)?(?:your|a|the)\s(?:\w+\s){1,2}(?:scheduled|booked|arranged"
    r"|set\sup|lined\sup|on\sits\sway)\b"
)

SPANISH = (
    r"\b(?:he|hemos)\s(?:(?:ya|también|ahora)\s){0,2}(?!(?:encontrad|vist|comprobad|revisad|consultad"
    r"|buscad|leíd|leid"
    r"|recibid|entendid|anotad|confirmad|indicad|mencionad|tenid|podid|dich|explicad|verificad|sid|estad"
    r"|localizad"
    r"|identificad|calculad|comparad|respondid|contestad|intentad|tratad|notad|compartid|mostrad|incluid"
    r"|listad|mirad"
    r"|entregad|hech\wa\sun\serror|enviado\s(?:su|tu|el)\spedido)\w*)(?:\w{2,20}[aeií]d[oa]s?|puest[oa]s?"
    r"|abiert[oa]s?)\b"
    r"(?=\s(?:su|sus|tu|tus|el|la|los|las|un|una|le|lo|esto|eso|todo))"
    r"|\b(?:acabo|acabamos)\sde\s(?!(?:revis|comprob|consult|mir|ver|le|busc|encontr|recib"
    r"|calcul)\w*)\w{2,16}[aei]r(?:l[eao]s?)?\b"
    r"(?=\s(?:su|sus|tu|tus|el|la|los|las|un|una|todo|lo))"
    r"|\b(?:queda|quedan|quedó|ha\squedado)\s(?:ya\s)?(?:anulad|cancelad|modificad|actualizad|cambiad"
    r"|programad|registrad)[oa]s?\b"
    r"(?=\s(?:su|sus|tu|la|el))"
    r"|\bse\s(?:le\s)?ha\s(?:añadido|aplicado|ampliado|extendido|prorrogado)\b"
)
RUSSIAN = (
    r"\b(?:я|мы)\s(?:(?:уже|только\sчто|также|вам|для\sвас|сам|сама|успешно)\s){0,3}"
    r"(?!(?:наш|провер|посмотр|вид|увид|проч|понял|получ|замет|уточн|иск|поиск|смог|был|сказ|указ|упомян"
    r"|перечисл|сравн"
    r"|посчит|подсчит|ответ|хоте|мог|попыт|попроб|узна|слыш|дал|объясн|назв|привел|сообщил\w?\sвам|рассказ"
    r"|перевел\w?\sтекст"
    r"|учел|учл|доставил|отправил\w?\s(?:ваш\s)?заказ)\w*)\w{2,16}(?:(?:ил|ал|ел|ял|ул|ыл)[аи]?"
    r"|[бвгзкрстш]л[аи])(?:ся|сь)?\b(?=\s\w)"
    r"|\b(?:вам|для\sвас|ваш\w{0,3}|способ|адрес|дата|срок)\b[^.!?;,]{0,40}?\b(?:измен[её]н|обновл[её]н"
    r"|перенес[её]н|продл[её]н|удал[её]н"
    r"|добавлен|подключ[её]н|отключ[её]н|отправлен[ао]?\s(?:письм|смс|уведомл)\w*|перенаправлен)[аоы]?\b"
    r"|\b(?:скидка|купон|ваучер|бонусы)\b[^.!?;,]{0,30}?\b(?:применен|начислен|добавлен)[аоы]?\b"
)
ARABIC = (
    r"(?<!\w)[وف]?(?:قمت|قمنا)\s(?:\w+\s)?ب(?!(?:ال)?(?:بحث|تحقق|تاكد|مراجعه|فحص|اطلاع|قراءه|عثور|حساب"
    r"|مقارنه)\w*)\w{3,}"
    r"|(?<!\w)(?:طبقت|طبقنا|مددت|مددنا|اضفت|اضفنا|حددت|حددنا|عالجت|عالجنا|فعلت|فعلنا|جددت|حجزت|حجزنا|منحتك"
    r"|منحناك)"
    r"(?!\w)\s"
    r"|(?<!\w)[وف]?(?:غيرت|غيرنا|اجلت|اجلنا|عدلت|عدلنا|بدلت|بدلنا|نقلت|نقلنا|خفضت"
    r"|خفضنا)(?!\w)\s(?:لك\s)?(?:موعد|تاريخ|وقت|وسيله"
    r"|طريقه|رقم|مده|السعر|عنوان)"
    r"|(?<!\w)[وف]?(?:تم|تمت)\s(?:تغيير|تعديل|تاجيل|تحديث|نقل|حذف|اضافه|ارسال|حجز|جدوله)\s(?!طلبك|الطلب"
    r"|الشحنه|الطرد)\w{3,}"
    r"|(?<!\w)[وف]?(?:ارسلت|ارسلنا|نقلت|نقلنا|حولت|حولنا)(?!\w)[^.!?؟;]{0,30}?(?<!\w)(?:الي"
    r"|ل)\s?(?:ال)?(?:مستودع|فريق|قسم"
    r"|مدير|موظف|شركه)"
    r"|(?<!\w)[وف]?(?:تم|تمت)\s(?:اضافه|تطبيق|تمديد|اصدار|معالجه|تسجيل|تفعيل)\s(?:ال)?(?:قسيمه|خصم|رصيد"
    r"|فتره|مهله|مبلغ"
    r"|استرداد|طلبك|اشتراك)"
)
HINDI = (
    r"(?:मैंने|हमने)(?![^।.!?]{0,60}(?:देख|पढ|जांच|खोज|ढूंढ|समझ|चेक|नोट|बता|जवाब|पता|उत्तर)\s?(?:कर\s|दे\s)?"
    r"(?:लिया|ली|लिए|दिया|दी|दिए))"
    r"[^।.!?;]{0,60}?\s(?:दिया|दी|दिए|दिये)(?=\s(?:है|हैं|गया)|\s?[।.!]|\s?$)"
    r"|(?:मैंने|हमने)[^।.!?;]{0,60}?(?:संपर्क|बात)\sकर\s(?:लिया|ली)"
    r"|(?:बदल|हटा|जोड|बढा|घटा|लागू\sकर|अपडेट\sकर|दर्ज\sकर|बुक\sकर|तय\sकर)\s(?:दिया|दी|दिए)\s(?:गया|गई|गयी|गए)"
    r"|(?:कूपन|छूट|वाउचर|क्रेडिट)[^।.!?;]{0,40}?(?:जोड|लगा|लागू\sकर)\s(?:दिया|दी)\s(?:गया|गई|है)"
)
