"""The words by which a person asks for a program, in English and Russian, as patterns.

Knows:    who may stand before a verb of making for it to be a request, and what may not stand between it and
          the thing to be made.
Does not: decide about a message.   (intent.py)
"""

import re

_THING = (
    r"program(?:me)?|script|tool|function|module|class|app|application|utility|bot|chatbot|library"
    r"|package|game"
    r"|calculator|parser|converter|generator|scraper|crawler|simulator|api|cli|website|service|server"
    r"|code|codebase"
    r"|algorithm|prototype|plugin|decorator|solver|software|[a-z_]\w*\.py"
)
_SPECIFICATION = (
    r"(?:technical |software |functional |requirements )?(?:specification|spec|task description)"
    r"|technical task"
    r"|terms of reference|tor|project plan|requirements document"
)
_VERB = (
    r"write|build|make|create|develop|implement|code|program|generate|produce|draft|prepare|compose|design"
    r"|draw up|put together|code up|whip up|come up with"
)
_FILLER = (
    r"please|pls|plz|kindly|ok|okay|now|then|and|but|so|just|well|hi|hello|hey|also|first|next|finally"
    r"|again"
    r"|good (?:morning|day|evening)"
    r"|thanks|thank you|great|yes|sure|alright|right|go ahead and|if (?:possible|you can|you could"
    r"|you don't mind)|quickly"
)
_START = rf"(?:^|(?<=[,;:—–-]\s)|(?<=\band\s)|(?<=\bthen\s))(?:(?:{_FILLER})[\s,]+)*"
_YOU = (
    r"\b(?:can|could|would|will) (?:you|u) (?:(?:please|kindly|maybe|perhaps|now|just|also|quickly|help me"
    r"|help me to) )*"
    r"|\b(?:i|we)(?:'d| would| do)?(?: really| just| also)? (?:want|need|like|wish|expect|ask"
    r"|require) you to "
    r"|\byou (?:should|must|need to|will|have to|are to) |\b(?:your|the) (?:task|job) is to |\bhelp (?:me"
    r"|us) (?:to )?"
)
_I = (
    r"\b(?:i|we)(?:'d| would| do)?(?: really| just| also)? (?:want|need|like|wish|love|have) to "
    r"|\blet's |\blets |\blet us "
)
_NEED = (
    r"(?:\b(?:i|we)(?:'d| would| do)?(?: really| just| also| urgently)? (?:want|need|like|love|require"
    r"|wish for)(?: to have)?"
    r"|\b(?:i'm|i am|we're|we are) (?:looking for|after|in need of)|\b(?:give|get) (?:me|us)) "
)
_STOP = (
    r"the|this|that|these|those|my|your|our|their|his|her|its|about|of|on|with|for|from|which|to|how|why"
    r"|if|in|into|by|is|are"
    r"|was|be|sure|sense|it|you|me|and|or|employment|rental|lease|credit|card|loan|visa|labou?r|legal"
    r"|sales|marriage|me"
)
_AFTER = (
    r"descriptions?|reviews?|comparisons?|documentation|docs|summary|overview|explanation|lists?|names?"
    r"|calls?|diagram|tutorial"
    r"|errors?|articles?|essay|message|comments?|plan|idea|faster|slower|shorter|longer|better|cleaner"
    r"|simpler|work|run|return|stop"
    r"|is|are|was|were|fails?|failed|keeps|does|doesn't|has|had|broke|breaks|crashes|crashed|went|won't"
    r"|can't|didn't"
)
_BETWEEN = (
    r"(?:(?:please|pls|plz|kindly),? )?(?:(?:me|us|for me|for us|up|yourself) )?"
    rf"(?:(?!(?:{_STOP})\b)[\w'+#/.-]+ ){{0,6}}?"
)
_DEFINITE = r"(?:(?:me|us|for me|for us) )?(?:the|this) (?:following |whole |source |[\w-]+ ){0,3}?"
_OF_WHAT = r"(?= (?:that|which|who|for|to|of|called|named|below)\b|:|$)"


def _made(lead: str, verb: str) -> str:
    """Return the pattern of a request for a thing: a new one, or "the" one that is then told."""
    thing = rf"(?:\w+-)?(?P<thing>{_SPECIFICATION}|{_THING}|(?P<contract>contract))\b(?! (?:{_AFTER})\b)"
    told = thing.replace("<thing>", "<told>").replace("<contract>", "<told_contract>")
    follows = rf"(?:{_DEFINITE}(?<!\bmake the ){told}{_OF_WHAT})"
    return rf"(?:{lead})(?P<verb>{verb})(?:{_BETWEEN}{thing}|{follows})"


ASKED_OF_YOU = re.compile(_made(rf"{_START}|{_YOU}", rf"(?:{_VERB}),? "))
SAID_OF_ONESELF = re.compile(_made(_I, rf"(?:{_VERB}),? "))
NEEDED = re.compile(_made("", _NEED) + r"(?= (?:that|which|who|to|for|called|with|in|from|please)\b|[,:;]|$)")
NAMED = re.compile(
    rf"^(?:(?:{_FILLER})[\s,]+)*(?:an? |the )?(?P<thing>{_SPECIFICATION}) (?:for|of) "
    r"(?!(?:(?! (?:that|which|who) ).)* (?:is|was|are|were|has|looks|needs|should|does|isn't)\b)"
)
QUESTION = re.compile(
    rf"^(?:(?:{_FILLER})[\s,]+)*(?:how|what|why|when|where|which|who|whose|is|are|was|does|do|did|has"
    rf"|have|had|should|may|if|imagine"
    r"|suppose|am|will i|will it|can i|could i|would i|can we|could we)\b(?! not\b)"
)
ADVICE = re.compile(
    r"\b(?:where|how|what|which|why) (?:do|should|can|could|would|is|are|to|might)\b|\bexplain\b"
)
HOW_BEFORE = re.compile(r"\b(?:how (?:to|do|would|can|one|you|i|people)|как|чем)\b")
FORBIDDEN = re.compile(
    r"(?:^|[.,;:!?—–-]\s*|\b(?:please|but|and|just|so)\s+)(?:do not|don't|dont|never)\s+(?:\w+ly )?"
    r"(?:build|write|make|create|start|implement|code|generate|develop|begin)\b(?: building| coding"
    r"| writing)?"
    rf"(?:\s+(?:it|anything|this|that|yet|now|any code|code|me|(?:a|an|the"
    rf"|any) (?:\w+ ){{0,2}}(?:{_THING}|{_SPECIFICATION}))\b"
    r"|\s*(?:[.,;!?]|$))"
)

_THING_RU = (
    r"программ(?:у|а|ку|ка)|скрипт(?:ик)?|утилит(?:у|а)|инструмент|функци(?:ю|я)|модуль|приложение"
    r"|(?:чат-?)?бот[а]?|библиотек(?:у|а)"
    r"|класс|игр(?:у|а)|сервис|сайт|парсер|калькулятор|конвертер|конвертор|генератор|код|алгоритм"
    r"|прототип|пакет|декоратор|api|cli"
    r"|сервер|[a-z_]\w*\.py|программное обеспечение"
)
_SPECIFICATION_RU = (
    r"тз|техзадание|техническое задание"
    r"|(?:техническую |техническая )?спецификаци(?:ю|я)|план проекта|проектный план"
)
_IMPERATIVE = (
    r"(?:напиши|сделай|создай|разработай|реализуй|запрограммируй|составь|подготовь|сгенерируй|построй"
    r"|набросай|оформи|накидай|собери"
    r"|спроектируй|придумай|закодь)(?:те|-ка)?"
)
_INFINITIVE = (
    r"написать|сделать|создать|разработать|реализовать|запрограммировать|составить|подготовить"
    r"|сгенерировать|построить|набросать"
    r"|оформить|собрать|спроектировать|придумать"
)
_WE = r"напишем|сделаем|создадим|разработаем|реализуем|составим|подготовим|соберем"
_FILLER_RU = (
    r"пожалуйста|привет|здравствуй(?:те)?|добрый (?:день|вечер)|доброе утро|а|и|ну|теперь|ок|окей|так"
    r"|тогда|давай(?:те)?|сначала|затем|потом"
    r"|слушай|просто|срочно|быстро|спасибо|хорошо|да|что ж|будь добр|задача|если можно"
)
_START_RU = rf"(?:^|(?<=[,;:—–-]\s)|(?<=\bи\s)|(?<=\bпотом\s)|(?<=\bзатем\s))(?:(?:{_FILLER_RU})[\s,]+)*"
_ASKING_RU = (
    r"(?<!\bне )\b(?:надо|нужно|необходимо|требуется|хочу|хотим|хотел[аи]? бы|хотелось бы|хочется|прошу"
    r"|можешь|можете|мог(?:ла|ли)? бы"
    r"|сможешь|сможете|помоги(?:те)?|попробуй(?:те)?|давай(?:те)?|сумеешь)(?: ты| вы| мне| нам| тебя| вас"
    r"| бы| ли| срочно|,? пожалуйста,?)*"
    rf" (?={_INFINITIVE}|{_WE})|\bне мог(?:ла|ли)? бы (?:ты|вы) "
)
_NEED_RU = (
    r"(?<!\bне )\b(?:нужен|нужна|нужно|нужны|требуется|необходим[ао]?|мне бы|нам бы|хочу|хотел[аи]? бы"
    r"|хотелось бы"
    r"|дай(?:те)?)"
    r"(?: мне| нам| срочно| бы)* "
)
_STOP_RU = (
    r"о|об|обо|про|с|со|для|на|в|во|по|к|от|из|как|что|чтобы|который|которая|этот|эту|эта|это|ту|тот|мой"
    r"|мою|твой|твою|свой|свою|наш|нашу"
    r"|ваш|вашу|и|или|не|трудовой|арендный|брачный"
)
_AFTER_RU = r"быстрее|короче|лучше|понятнее|медленнее|проще|готов\w*|не|слишком|снова"
_BETWEEN_RU = (
    rf"(?:(?:,? ?пожалуйста,?|мне|нам|для меня|для нас) )?(?:(?!(?:{_STOP_RU})\b)[\w+#/.-]+,? ){{0,5}}?"
)


def _made_ru(lead: str, verb: str) -> str:
    thing = (
        rf"(?:\w+-)?(?P<thing>{_SPECIFICATION_RU}|{_THING_RU}"
        rf"|(?P<contract>контракт))\b(?! (?:{_AFTER_RU})\b)"
    )
    return rf"(?:{lead})(?P<verb>(?:{verb})\b,? ?){_BETWEEN_RU}{thing}"


ASKED_OF_YOU_RU = re.compile(_made_ru(_START_RU, _IMPERATIVE))
WANTED_RU = re.compile(_made_ru(_ASKING_RU, f"{_INFINITIVE}|{_WE}"))
NEEDED_RU = re.compile(_made_ru("", _NEED_RU))
NAMED_RU = re.compile(
    rf"^(?:(?:{_FILLER_RU})[\s,]+)*(?P<thing>{_SPECIFICATION_RU}) (?:для|на|по|к) "
    r"(?!.*\b(?:готов\w*|не|слишком|был\w*|где|плох\w*|нужно|устарел\w*)\b)"
)
QUESTION_RU = re.compile(
    rf"^(?:(?:{_FILLER_RU})[\s,]+)*(?:как|что(?! ж)|почему|зачем|когда|где|как(?:ой|ая|ую|ое|ие)|сколько"
    rf"|кто|чем|если(?! можно)|стоит ли|можно ли"
    r"|умеешь|представь|допустим)\b"
)
FORBIDDEN_RU = re.compile(
    r"(?:^|[.,;:!?—–-]\s*|\b(?:пожалуйста|но|и|только)\s+)не (?:надо |нужно |стоит |смей )?"
    r"(?:пиши(?:те)?|писать|делай(?:те)?|делать|создавай(?:те)?|создавать|строй(?:те)?|собирай(?:те)?"
    r"|начинай(?:те)?|составляй(?:те)?)\b"
    r"(?: пока| еще| мне)*(?: (?:это|его|ее|ничего|код|программ\w*|скрипт\w*|функци\w*|тз|приложени\w*"
    r"|бот\w*)\b|\s*(?:[.,;!?]|$))"
)
