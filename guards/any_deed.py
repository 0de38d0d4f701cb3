"""Anything the assistant says that it has done, whatever it is: "I've applied a discount", "he ampliado el plazo".

Knows:    the first person and a finished verb in five languages, and the verbs that only say what was looked at.
Does not: know a deed by name (the files beside it do), or what was carried out.   (guards/claims.py)
Form:     patterns over levelled text, one a language.
"""

_SEEN = (
    r"found|check(?:ed)?|look(?:ed)?|locat\w+|search\w+|noted|notic\w+|seen|read|review\w+|receiv\w+|confirm\w+|understood"
    r"|heard|listed|includ\w+|mention\w+|explain\w+|answer\w+|provid\w+|shar\w+|told|shown|tri(?:ed)|attempt\w+|compar\w+"
    r"|calculat\w+|count\w+|pulled|retriev\w+|identif\w+|used|quoted|stated|summari\w+|translat\w+|apologi\w+|ship\w+"
    r"|deliver\w+|dispatch\w+|packed|handed|needed|wanted|hoped|asked\syou|given\syou|sent\syour\s(?:order|parcel|package)"
    r"|outlined|described|named|copied|added\s(?:up|them)|total\w+|convert\w+|match\w+|tracked|consider\w+|verified\sthat"
    r"|figured|worked\sout|gone\s(?:over|through)|been|had|got|made\s(?:sure|a\smistake|an\serror)|taken\sa\slook|finished"
)
_NOW = r"(?:(?:just|already|now|also|since|then|successfully|gone\sahead\sand|went\sahead\sand)\s){0,3}"
_THING = (
    r"\s(?:your|the|a|an|this|that|these|those|it|them|you|our|my|all|both|everything|one|in|up|off|\d)\b"
)
_DONE = (
    r"appli(?:ed)|added|extended|reset|removed|booked|flagged|logged|placed|re-?ordered|e-?mailed|upgraded|waived"
    r"|adjusted|credited|rescheduled|reserved|activated|unlocked|blocked|paused|deleted|approved|arranged|scheduled"
    r"|set\sup|put\s(?:in|through)|passed|stopped|submitted|registered|created|charged|issued|switched|renewed|merged"
    r"|let\s(?:\w+\s){1,3}know"
)
ENGLISH = (
    rf"\b(?:I|we|our\steam|the\steam|a\scolleague)(?:['’]ve|\shave|\shas)\s{_NOW}(?!(?:{_SEEN})\b)"
    rf"(?:\w{{3,20}}ed|put|(?:re)?set|made|done|let|given|taken|written|chosen|begun)\b(?={_THING})"
    rf"|\b(?:I|we)\s{_NOW}(?:{_DONE})\b"
    r"|\b(?:voucher|coupon|credit|points|note|discount)\b[^.!?;,]{0,20}?\b(?:has|have)\s(?:now\s|just\s)?been\s"
    r"(?:added|credited)\b"
    r"|\b(?:window|period|deadline|subscription|warranty)\b[^.!?;,]{0,30}?\b(?:has|have)\s(?:now\s|just\s)?been\s"
    r"(?:extended|renewed|cancell?ed|paused)\b"
    r"|\bpassword\b[^.!?;,]{0,20}?\b(?:has|have)\s(?:now\s|just\s)?been\sreset\b"
    r"|\b(?:exchange|pick-?up|appointment|collection|call-?back)\b[^.!?;,]{0,20}?\b(?:has|have)\s(?:now\s|just\s)?been\s"
    r"(?:set\sup|booked|scheduled|arranged)\b"
    r"|\bpayment\b[^.!?;,]{0,20}?\b(?:has|have)\s(?:now\s|just\s)?been\s(?:cancell?ed|stopped|reversed|voided)\b"
    r"|(?:^|[.!\n✓✅*-]\s?)(?:successfully\s)?(?:cancell?ed|refunded|updated|changed|submitted|booked)(?:\ssuccessfully)?!"
)

SPANISH = (
    r"\b(?:he|hemos)\s(?:(?:ya|también|ahora)\s){0,2}(?!(?:encontrad|vist|comprobad|revisad|consultad|buscad|leíd|leid"
    r"|recibid|entendid|anotad|confirmad|indicad|mencionad|tenid|podid|dich|explicad|verificad|sid|estad|localizad"
    r"|identificad|calculad|comparad|respondid|contestad|intentad|tratad|notad|compartid|mostrad|incluid|listad|mirad"
    r"|entregad|hech\wa\sun\serror|enviado\s(?:su|tu|el)\spedido)\w*)(?:\w{2,20}[aeií]d[oa]s?|puest[oa]s?|abiert[oa]s?)\b"
    r"(?=\s(?:su|sus|tu|tus|el|la|los|las|un|una|le|lo|esto|eso|todo))"
    r"|\bse\s(?:le\s)?ha\s(?:añadido|aplicado|ampliado|extendido|prorrogado)\b"
)
RUSSIAN = (
    r"\b(?:я|мы)\s(?:(?:уже|только\sчто|также|вам|для\sвас|сам|сама|успешно)\s){0,3}"
    r"(?!(?:наш|провер|посмотр|вид|увид|проч|понял|получ|замет|уточн|иск|поиск|смог|был|сказ|указ|упомян|перечисл|сравн"
    r"|посчит|подсчит|ответ|хоте|мог|попыт|попроб|узна|слыш|дал|объясн|назв|привел|сообщил\w?\sвам|рассказ|перевел\w?\sтекст"
    r"|учел|учл|доставил|отправил\w?\s(?:ваш\s)?заказ)\w*)\w{2,16}(?:ил|ал|ел|ял|ул|ыл)[аи]?\b(?=\s\w)"
    r"|\b(?:скидка|купон|ваучер|бонусы)\b[^.!?;,]{0,30}?\b(?:применен|начислен|добавлен)[аоы]?\b"
)
ARABIC = (
    r"(?<!\w)[وف]?(?:قمت|قمنا)\s(?:\w+\s)?ب(?!(?:ال)?(?:بحث|تحقق|تاكد|مراجعه|فحص|اطلاع|قراءه|عثور|حساب|مقارنه)\w*)\w{3,}"
    r"|(?<!\w)(?:طبقت|طبقنا|مددت|مددنا|اضفت|اضفنا|حددت|حددنا|عالجت|عالجنا|فعلت|فعلنا|جددت|حجزت|حجزنا|منحتك|منحناك)"
    r"(?!\w)\s"
    r"|(?<!\w)[وف]?(?:ارسلت|ارسلنا|نقلت|نقلنا|حولت|حولنا)(?!\w)[^.!?؟;]{0,30}?(?<!\w)(?:الي|ل)\s?(?:ال)?(?:مستودع|فريق|قسم"
    r"|مدير|موظف|شركه)"
    r"|(?<!\w)[وف]?(?:تم|تمت)\s(?:اضافه|تطبيق|تمديد|اصدار|معالجه|تسجيل|تفعيل)\s(?:ال)?(?:قسيمه|خصم|رصيد|فتره|مهله|مبلغ"
    r"|استرداد|طلبك|اشتراك)"
)
HINDI = (
    r"(?:मैंने|हमने)(?![^।.!?]{0,60}(?:देख|पढ|जांच|खोज|ढूंढ|समझ|चेक|नोट|बता|जवाब|पता|उत्तर)\s?(?:कर\s|दे\s)?"
    r"(?:लिया|ली|लिए|दिया|दी|दिए))"
    r"[^।.!?;]{0,60}?\s(?:दिया|दी|दिए|दिये)(?=\s(?:है|हैं|गया)|\s?[।.!]|\s?$)"
    r"|(?:कूपन|छूट|वाउचर|क्रेडिट)[^।.!?;]{0,40}?(?:जोड|लगा|लागू\sकर)\s(?:दिया|दी)\s(?:गया|गई|है)"
)
