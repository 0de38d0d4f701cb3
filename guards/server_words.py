"""The words by which tools are named: verbs that change something, verbs that read, things that are read.

Knows:    English names as programmers write them; Spanish, Arabic, Hindi and Russian as titles begin.
Does not: weigh them.   (guards/servers.py)
Note:     past forms (`sent`, `cancelled`) and plurals (`refunds`, `orders`) are none of the verbs: they name
          what is listed. Verbs of which it is open whether they change anything (`run`) are left out.
"""

import re

VERBS = frozenset(
    "delete remove cancel send create write pay buy drop purge revoke erase wipe destroy terminate kill"
    " insert add append edit modify update upsert overwrite rename merge replace submit publish upload"
    " approve reject decline grant assign unassign withdraw donate subscribe unsubscribe suspend"
    " deactivate activate disable enable ban unban unblock unlock restore reopen reorder redeem deliver"
    " install uninstall deploy apply attach detach clear empty flush discard dismiss unlink register"
    " enroll invite notify reschedule reassign resend repay void rollback revert put patch give make move"
    " checkout save confirm accept sell prescribe authorize manage set leave fill adjust".split()
)
"""Words that say of themselves that something is changed."""

DESTROYS = frozenset(
    "delete remove cancel revoke erase wipe destroy terminate kill purge drop overwrite replace clear empty"
    " flush discard uninstall void rollback revert withdraw edit modify rename trash".split()
)
"""Those of them after which something is not what it was."""

MAYBE_VERBS = frozenset(
    "order refund return charge transfer exchange place issue deposit book schedule mark share reply"
    " forward block archive reset wire ship request start stop change credit debit post claim reserve swap"
    " upgrade downgrade renew close purchase trade bid release lock dispatch execute complete"
    " associate link pause resume trash escalate".split()
)
"""Verbs that are nouns as well, or part of a service's name."""

READS = frozenset(
    "get list find search read show view fetch query look lookup check count describe calculate compute"
    " preview track retrieve download browse inspect see scan estimate quote validate verify compare"
    " summarize summarise explain analyze analyse load select exists is are has have can which what where"
    " when who how why whether filter recommend suggest translate convert ping status information info"
    " details history about watch monitor audit diff parse detect predict resolve discover enumerate peek"
    " display obtain collect poll recall recognize classify extract test measure simulate".split()
)
"""Words that say that something is looked up; among them nouns that say so by themselves."""

THINGS_TO_READ = frozenset(
    "status state history detail details info information policy policies count counts stats statistics"
    " summary summaries report reports log logs option options rule rules method methods fee fees price"
    " prices rate rates date dates time times list lists total totals quote limit limits balance type"
    " types template templates preview availability terms schema metadata receipt receipts tracking lookup"
    " search query label labels tracker requests items lines notes".split()
)
"""Nouns that make what stands before them a thing to look at."""

KEYS = frozenset("id ids number numbers code codes address".split())
"""The same, where they follow at once: `order_id`."""

NEVER_CHANGED = frozenset("reason reasons eligibility deadline deadlines window windows".split())
"""Nouns that nobody cancels or sends."""

SETS_ANYTHING = frozenset(
    "update set edit modify write put patch add insert delete remove clear create manage".split()
)
"""Verbs that change even a thing to look at: `order_update_status`."""

OFTEN_NOUNS = frozenset(["order", "post", "book"])
"""Words that are verbs only where something follows them."""

MARKS_A_NOUN = frozenset(
    "last latest my current recent pending next previous open all each per the a an this that your"
    " customer user of for by from in on with to no any active past total max min about".split()
)
"""Words before a noun."""

BEFORE_A_VERB_OF_OTHERS = frozenset("to can before after without of for by cannot".split())
"""Words before a verb that says what might be done: `orders_to_cancel`."""

PREPOSITIONS = frozenset("by for of with from in on to and or then as via using into at".split())

AND = frozenset(["and", "then", "or", "also", "plus"])

TWO_WORDS = frozenset(
    ["check out", "log out", "sign up", "opt out", "opt in", "shut down", "set up", "turn off"]
)

_ES = (
    r"(?:cancel|elimin|borr|anul|reembols|actualiz|modific|cambi|agreg|quit|revoc|orden|rechaz|cobr)(?:ar|a|e)"
    r"|(?:enviar|env[íi][ae]|pagar|paga|pague|comprar|compre|crea|crear|cree|devolver|devuelv[ae]|transferir"
    r"|transfier[ae]|cerrar|cierr[ae]|escribir|escrib[ae]|añadir|añad[ae]|suprimir|suprim[ae]|pedir|pid[ae]"
    r"|aprobar|aprueb[ae]|vaciar|vacía|reemplazar|reemplac[ae]"
    r"|cancelación|eliminación|anulación|modificación|creación|actualización)"
)
_RU = (
    r"(?:удал|измен|обнов|отмен|добав|отправ|замен|куп|оплат|оформ|одобр|отклон|очист)(?:ить|и|ите|ь|ьте|яет|ляет)"
    r"|(?:удал|измен|обновл|добавл|оформл)ение|отмена|отправка|очистка|замена|верн(?:уть|и|ите)"
    r"|переве(?:сти|ди|дите)|(?:возврат|перевод)\s(?:средств|денег|товара|заказа|платежа)|созда(?:ть|й|йте|ние|ет)"
    r"|закр(?:ыть|ой|ойте|ывает|ытие)|спис(?:ать|ание)|спиши(?:те)?|написать|напиши(?:те)?|записать|убрать"
    r"|убери(?:те)?|отозвать|отзови(?:те)?|стереть|сотри(?:те)?|заказать|закажи(?:те)?"
)
_AR = (
    r"حذف|إلغاء|الغاء|إرسال|ارسال|تحويل|شراء|إنشاء|انشاء|تحديث|تعديل|تغيير|إغلاق|اغلاق|استرداد|إضافة|اضافة|إزالة|ازالة"
    r"|مسح|كتابة|رد المبلغ|سحب|دفع|احذف|ألغ|الغ|أرسل|ارسل|ادفع|حول|اشتر|أنشئ|حدث|عدل|غير|أغلق|أضف|امسح|اكتب"
)
_HI_DO = r"\s?(?:कर(?:ें|ना|ो|िए|िये|े)|कीजिए|दें|दीजिए|देना)"
_HI = (
    "(?:रद्द|रद|बंद|बन्द|अपडेट|डिलीट|कैंसल|कैंसिल|भुगतान|वापस|रिफंड|ट्रांसफर|स्थानांतरित|ऑर्डर|आर्डर|जमा|संशोधित|संशोधन|परिवर्तन|पेमेंट)"
    rf"{_HI_DO}"
    "|(?:हटा|मिटा|बना|चुका|लौटा)(?:एँ|एं|ए|ओ|ना|इए|इये|यें)|(?:भेज|खरीद|बदल|लिख|जोड़|खोल|निकाल)(?:ें|ना|ो|िए|िये)"
)
ABROAD = re.compile(
    r"^[^\w]*(?:[^:|/–—-]{1,40}[:|/–—-]\s?)?(?:por\sfavor,?\s|пожалуйста,?\s)?"
    rf"(?:{_ES}|{_RU}|{_AR})(?!\w)|(?:{_HI})",
    re.IGNORECASE,
)
"""The verb of a title: the first word, or the first behind `Shop:`; in Hindi wherever it stands."""
