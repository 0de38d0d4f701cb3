"""The input guardrail: a cheap first line, so that nothing is spent on an open attack.

Knows:    the plain ways of telling a model to drop its rules or to show them.
Does not: defend: whatever passes meets the gates. It may not stop an ordinary customer, so it looks for
          an order to the model about its rules, never for single words.
Work:     no pattern repeats without a bound, so each place of a text costs a bounded number of steps.
Measured: `make eval` prints what it stops and what it stops wrongly.
"""

import re

from common.text import fold, shortened

MAX_QUESTION = 8_000
"""Characters of one message, by `length_of`; more than a local model's window holds."""

_RULES = (
    r"(?:instruction|direction|directive|guideline|rule|prompt|programming|restriction|constraint"
    r"|polic(?:y|ie)|safeguard|guardrail|(?<=content )filter|(?<=safety )filter|(?<=your )filter"
    r"|safety (?:measure|feature|protocol)|training|order(?:s)? (?:you (?:were|have been)|above))s?"
)
_WHICH = (
    r"(?:(?:all|any|every(?:thing)?|each|of|your|the|these|those|its|my|our|previous(?:ly)?|prior"
    r"|preceding|above|earlier|former|past|existing|current|initial|original|first|system|developer"
    r"|hidden|internal|safety|content|given|old|standard|other|usual|built-in|openai'?s?|company)\s)"
)
_OWNED = (
    r"(?:(?:all|any|every|of|the|these|those|other)\s){0,6}(?:your|previous|prior|preceding|above"
    r"|earlier|existing|initial|original|system|developer|hidden|internal|safety|given)\s"
)
_DROP = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|overrule|bypass(?:ing)?"
    r"|circumvent|discard|set aside|put aside|drop|do not (?:follow|obey)|don'?t (?:follow|obey)"
    r"|stop (?:following|obeying)|no longer (?:follow|obey)|disable|turn off|remove|erase|delet(?:e"
    r"|ing)|skip)"
)
_SHOW = (
    r"(?:show|reveal|print|repeat|output|display|dump|leak|expose|disclose|share|send|give|tell|write"
    r"|recite|copy|paste|list|translate|summari[sz]e|what (?:is|are|was|were)|what'?s)"
)
_THEIRS = r"(?!\s(?:I|we|my)\s(?:gave|sent|left|wrote|had|told|entered))"
"""Not the rules of the model: the instructions that a customer left for a courier."""

_FREE = (
    r"(?:no|without(?: any)?|free (?:of|from)|not bound by|unbound by|doesn'?t have|does not have"
    r"|has no|have no|bypass(?:es)?|ignor(?:e|es))\s(?:\w{1,24}\s){0,3}(?:restriction|rule|filter"
    r"|limit(?:ation)?|guideline|censorship|moral|ethic|constraint|polic(?:y|ie))s?\b"
)

_ATTACKS = (
    # Drop the rules.
    rf"\b{_DROP}\s{_OWNED}{_WHICH}{{0,8}}{_RULES}\b{_THEIRS}",
    rf"\b{_DROP}\s(?:(?:all|any|every)\s(?:of\s)?)(?:the\s)?{_RULES}\b(?!\s(?:for|in the|on the|about"
    rf"|that)){_THEIRS}",
    rf"\b{_DROP}\s(?:the|these|those)\s{_RULES}\s(?:above\b|you (?:were|have been|got)\b"
    rf"|(?:that\s)?your (?:developers?|makers?|creators?|owners?)\b)",
    rf"\b{_DROP}\s(?:everything|anything|all)\s(?:(?:that\s)?(?:you|i)\s(?:were|was|have been|'ve "
    rf"been)\stold|(?:you\s)?(?:said|written|above|before))",
    r"\b(?:do not|don'?t|never) (?:follow|obey|apply) (?:any of )?(?:your|the) (?:usual |system |own "
    r"|shop'?s? )?(?:rules|instructions|guidelines|polic(?:y|ies))\b(?!\s(?:on|for|of|about|in)\b)",
    rf"\b{_DROP}\s(?:all|everything|anything)\s(?:(?:of|the|your)\s){{0,4}}(?:previous|prior"
    rf"|preceding|above|earlier)\s(?:inputs?|texts?|context|conversations?|content)\b",
    rf"\b{_DROP}\s(?:the|everything|all|anything)\s(?:of the\s)?above\sand\b",
    r"\b(?:pretend|imagine|act as if|behave as if|assume|suppose)\s(?:that\s)?you (?:have|had|are "
    r"under|follow|know) no (?:\w{1,24}\s)?(?:restriction|rule|filter|limit|guideline|polic(?:y"
    r"|ie))s?\b",
    rf"\b(?:pretend|imagine|act as if|behave as if|assume"
    rf"|suppose)\s(?:that\s)?your\s(?:\w{{1,24}}\s)?{_RULES}\s(?:did|do) ?n[o']t (?:exist|apply)\b",
    # Show the rules.
    r"\b(?:were you|you were|have you been|are you|you are) (?:told|given|instructed"
    r"|prompted)\b.{0,40}\b(?:your (?:prompt|(?:initial|system|original|hidden|secret) instructions?)"
    r"|the (?:initial|system|hidden|secret) (?:instructions?|prompt))\b",
    rf"\b{_SHOW}\b.{{0,40}}\b(?<!delivery )(?<!return )(?<!shipping )(?<!care "
    rf")instructions?\s(?:that\s)?you\s(?:were|have been)\sgiven\b(?!\s(?:by|for|with)\b)",
    rf"\b{_SHOW}\b(?:\s(?:me|us|out|back|to me|exactly|verbatim)){{0,3}}\s(?:(?:the|your|all|full"
    rf"|entire|exact|complete|whole|of|text of|content of|contents of|words of)\s){{0,6}}(?:(?:system"
    rf"|hidden|secret|internal|developer)\s(?:prompt|instructions?|message|rules|directives?"
    rf"|configuration)s?\b|(?:initial|original)\s(?:prompt\b|instructions?\b(?!\s(?:for|of|from|that"
    rf"|on|in|I|we|sheet|manual|booklet)\b)))",
    rf"\b{_SHOW}\b(?:\s(?:me|us|out|back|exactly|verbatim)){{0,3}}\s(?:(?:all|full|entire|exact"
    rf"|complete|of)\s){{0,4}}your\s(?:(?:system|initial|original|hidden|secret|own|full|exact"
    rf"|internal)\s){{0,2}}(?:prompt|instructions|configuration)\b(?!\s(?:for|on|about|to|regarding"
    rf"|when|if|of)\b)",
    r"\b(?:repeat|print|output|write|recite)\s(?:everything|all (?:the )?(?:text|words|of the (?:text"
    r"|above)))\s(?:above|before)\b|\b(?:repeat|output|recite)\sthe (?:text|words"
    r"|sentences?)\s(?:above|before)\b",
    # Be somebody without rules.
    rf"\b(?:act (?:as|like) (?:an?|the|if|my)|pretend (?:to be|you are|that you are)|play the role of"
    rf"|simulate|roleplay as|respond as|behave (?:as|like)|become an?|you(?: are|'re) (?:now\b"
    rf"|an?\s(?:\w{{1,20}}\s){{0,4}}(?:ai|model|assistant|bot|chatbot|character|machine|system"
    rf"|program)\b))\b.{{0,120}}?\b{_FREE}",
    r"\b(?:jailbreak|DAN|god|sudo|unrestricted) mode\b.{0,60}\b(?:enabled?|activated?|on|output"
    r"|now)\b|\[?(?:developer|admin(?:istrator)?|debug|dev) mode (?:output|enabled"
    r"|activated)\]?\s?[:.!]",
    r"(?:(?:^|[.!:,\n])\s?(?:please\s|now\s){0,2}(?:enter|enable|activate|switch (?:in)?to|go into)"
    r"|\byou are (?:now )?in)\s(?:\w{1,24}\s){0,2}(?:jailbreak|jailbroken|DAN|developer|god"
    r"|admin(?:istrator)?|debug|sudo|maintenance|unrestricted|dev|root)\smode\b(?!\s(?:on|of|in"
    r"|for)\s(?:my|the|this|a)\b)",
    r"\bdo anything now\b|\bstay in (?:your )?character\b.{0,80}\bDAN\b|\bact as (?:a )?DAN\b",
    r"\byou (?:are|'re) (?:now )?(?:going to |about to )?(?:immerse|immersed|act(?:ing)?) "
    r".{0,60}\b(?:another|an?) (?:ai|model|chatbot)\b.{0,300}\b(?:unfiltered|amoral|immoral|unethical"
    r"|uncensored|illegal)\b",
    r"\b(?:unfiltered|amoral|uncensored|unrestricted)\b.{0,80}\b(?:chatbot|ai|assistant|model"
    r"|responses?|answers?)\b.{0,400}\b(?:never|no matter|without|always|regardless)\b",
    # Speak with another voice of the protocol.
    r"<\|(?:im_start|im_end|system|endoftext|assistant|user)\|>|\[/?INST\]|<</?SYS>>|</?tool_(?:call"
    r"|response)>|</?system>",
    r"(?:^|\n)\s?(?:#{1,3}\s?)?(?:system|developer)\s?(?:message|prompt|override"
    r"|note)?\s?:\s?.{0,60}\b(?:you (?:are|must|will|shall|now)|rules?|instructions?|ignore|override"
    r"|disabled?|safety|restrictions?|approv(?:e|al)s?|grant)\b",
    r"(?:^|\n|[.!]\s)(?:new|updated|real|revised)\s(?:system\sinstructions?\s?:"
    r"|instructions?\s?:.{0,60}\b(?:you (?:are|must)|ignore|disregard|skip|approve|reveal|refund "
    r"(?:every|all)|act as)\b)",
    r"\b(?:system|admin|developer) override\b|\boverride code\b",
    # Take the person out.
    r"\b(?:without|skip(?:ping)?|bypass(?:ing)?|ignor(?:e|ing))\s(?:asking\s|getting\s|waiting for\s"
    r"|any\s|the\s|your\s|a\s){0,4}(?:for\s)?(?:human\s)?(?:approval|permission) (?:gate|check|step"
    r"|process)(?:e?s)?\b",
    r"\b(?:approve|confirm) (?:everything|all (?:calls|tools|requests)) (?:yourself|automatically|on "
    r"(?:my|staff'?s?) behalf)\b",
    # The same in other languages.
    r"\b(?:ignora|olvida|omite|desobedece)\s(?:todas\s)?(?:las|tus|sus"
    r"|estas)?\s?(?:\w{1,24}\s)?(?:instrucciones|reglas|indicaciones|directrices)\b",
    r"\b(?:muestra|revela|dime|repite|imprime)(?:me)?\s(?:tu|el|tus|las)\s(?:prompt"
    r"|instrucciones)\s?(?:de(?:l)?\ssistema|iniciales|ocultas|internas)",
    r"(?:игнорируй|забудь|отбрось|проигнорируй|не следуй)(?:те)?\s(?:\w{1,24}\s){0,3}(?:инструкци"
    r"|правил|указани)",
    r"(?:покажи|раскрой|выведи|повтори)(?:те)?\s(?:\w{1,24}\s){0,2}(?:системн\w{1,5}|скрыт\w{1,5}"
    r"|свои|твои)\s(?:промпт|инструкци|правил|подсказк)",
    r"(?:تجاهل|انس|تخط)[يىَ]?\s(?:\w{1,24}\s){0,2}(?:ال)?(?:تعليمات|قواعد|أوامر|توجيهات)",
    r"(?:أظهر|اعرض|اكشف|اطبع)\s(?:\w{1,24}\s){0,3}(?:تعليمات(?:ك)?\s?(?:النظام|السرية|الداخلية)|موجه "
    r"النظام)",
    r"(?:पिछले|सभी|अपने)\s(?:\S{1,24}\s){0,3}(?:निर्देश|नियम)\S{0,12}\s(?:\S{1,24}\s){0,3}(?:अनदेखा"
    r"|भूल|नज़रअंदाज|नजरअंदाज)",
    r"\bignorier(?:e|en)?\s(?:\w{1,24}\s){0,3}(?:anweisungen|regeln|vorgaben)\b"
    r"|\bignore[zr]?\s(?:toutes\s)?(?:les|vos|tes)\s(?:\w{1,24}\s)?(?:instructions|consignes"
    r"|règles)\b",
)
_ATTACK = re.compile("|".join(f"(?:{attack})" for attack in _ATTACKS), re.IGNORECASE | re.DOTALL)

_PERSONA = re.compile(
    r"\b(?:chatgpt|gpt-?\d|openai|language model|ai model|another ai|an ai\b|chatbot|persona"
    r"|character|roleplay|simulat(?:e|ion|ing)|pretend|act as|respond as|speak to me as|your name is"
    r"|jailbreak)",
    re.IGNORECASE,
)
_LICENCE = re.compile(
    r"\b(?:unethical|illegal|amoral|immoral|unfilte?red|uncensored|profan(?:e|ity)|vulgar|malware"
    r"|hate-?speech|morals?|ethics?|ethical|legality|jailbreak|never refus(?:e|es)|do not reject"
    r"|break(?:ing)? character|stay in character|content polic(?:y|ies)|openai'?s? polic(?:y|ies)"
    r"|broken free|no longer bound)\b",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"\b(?:unsafe|offensive|explicit|restrictions?|limitations?|the rules|any rules|unlocked|freed "
    r"from|free from)\b",
    re.IGNORECASE,
)
_LICENCES = 2
"""Words of licence that, beside a persona, no shop's customer uses: two plain ones, or one and two hints.

A customer does ask a chatbot about restrictions and limitations, so hints alone never count.
"""


def looks_malicious(text: str) -> bool:
    """Say whether the message tells the model to drop, show or replace its rules."""
    plain = _plain(text)
    return bool(_ATTACK.search(plain)) or _asks_for_a_lawless_persona(plain)


def _asks_for_a_lawless_persona(plain: str) -> bool:
    if not _PERSONA.search(plain):
        return False
    licences = len({match[0].casefold() for match in _LICENCE.finditer(plain)})
    hints = len({match[0].casefold() for match in _HINT.finditer(plain)})
    return licences >= _LICENCES or (licences >= 1 and hints >= _LICENCES)


def _plain(text: str) -> str:
    """Return the text as it reads: nothing invisible, one quote sign, each run of white space as one."""
    folded = fold(shortened(text, MAX_QUESTION)).replace("’", "'").replace("‘", "'")
    return re.sub(r"\s+", lambda run: "\n" if "\n" in run[0] else " ", folded)
