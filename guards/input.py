"""The input guardrail: a cheap first line, so that nothing is spent on an open attack.

Knows:    the plain ways of telling a model to drop its rules or to show them.
Does not: defend: whatever passes meets the gates. It may not stop an ordinary customer, so it looks for
          an order to the model about its rules, never for single words.
Measured: `make eval` prints what it stops and what it stops wrongly.
"""

import re

from common.text import fold

MAX_QUESTION = 8_000
"""Characters of one message; more than a local model's window holds."""

_RULES = (
    r"(?:instruction|direction|directive|guideline|rule|prompt|programming|restriction|constraint|polic(?:y|ie)"
    r"|safeguard|guardrail|filter|safety (?:measure|feature|protocol)|training|order(?:s)? (?:you (?:were|have been)|above))s?"
)
_WHICH = (
    r"(?:(?:all|any|every(?:thing)?|each|of|your|the|these|those|its|my|our|previous(?:ly)?|prior|preceding|above|earlier"
    r"|former|past|existing|current|initial|original|first|system|developer|hidden|internal|safety|content|given|old"
    r"|standard|other|usual|built-in|openai'?s?|company)\s+)"
)
_OWNED = r"(?:(?:all|any|every|of|the|these|those|other)\s+)*(?:your|previous|prior|preceding|above|earlier|existing|initial|original|system|developer|hidden|internal|safety|given)\s+"

_DROP = r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|overrule|bypass(?:ing)?|circumvent|discard|set aside|put aside|drop|do not (?:follow|obey)|don'?t (?:follow|obey)|stop (?:following|obeying)|no longer (?:follow|obey)|disable|turn off|remove|erase|delete|delet(?:e|ing)|skip)"
_SHOW = r"(?:show|reveal|print|repeat|output|display|dump|leak|expose|disclose|share|send|give|tell|write|recite|copy|paste|list|translate|summari[sz]e|what (?:is|are|was|were)|what'?s)"

_ATTACKS = (
    # Drop the rules.
    rf"\b{_DROP}\s+{_OWNED}{_WHICH}*{_RULES}\b",
    rf"\b{_DROP}\s+(?:(?:all|any|every)\s+(?:of\s+)?)(?:the\s+)?{_RULES}\b(?!\s+(?:for|in the|on the|about|that))",
    rf"\b{_DROP}\s+(?:everything|anything|all)\s+(?:(?:that\s+)?(?:you|i)\s+(?:were|was|have been|'ve been)\s+told|(?:you\s+)?(?:said|written|above|before))",
    r"\b(?:do not|don'?t|never) (?:follow|obey|apply) (?:any of )?(?:your|the) (?:usual |system |own |shop'?s? )?(?:rules|instructions|guidelines|polic(?:y|ies))\b",
    rf"\b{_DROP}\s+(?:all|everything|anything)\s+(?:(?:of|the|your)\s+)*(?:previous|prior|preceding|above|earlier)\s+(?:inputs?|texts?|context|conversations?|content)\b",
    rf"\b{_DROP}\s+(?:the|everything|all|anything)\s+(?:of the\s+)?above\s+and\b",
    r"\b(?:pretend|imagine|act as if|behave as if|assume|suppose)\s+(?:that\s+)?you (?:have|had|are under|follow|know) no (?:\w+\s+)?(?:restriction|rule|filter|limit|guideline|polic(?:y|ie))s?\b",
    # Show the rules.
    r"\b(?:were you|you were|have you been|are you|you are) (?:told|given|instructed|prompted)\b.{0,40}\b(?:your|the) (?:initial|system|original|hidden|secret)? ?(?:instructions?|prompt)\b",
    rf"\b{_SHOW}\b(?:\s+(?:me|us|out|back|to me|exactly|verbatim))*\s+(?:(?:the|your|all|full|entire|exact|complete|whole|of|text of|content of|contents of|words of)\s+)*(?:system|initial|hidden|secret|original|internal|developer)\s+(?:prompt|instructions?|message|rules|directives?|configuration)s?\b",
    rf"\b{_SHOW}\b(?:\s+(?:me|us|out|back|exactly|verbatim))*\s+(?:(?:all|full|entire|exact|complete|of)\s+)*your\s+(?:\w+\s+)?(?:system\s+)?(?:prompt|instructions|configuration)\b",
    r"\b(?:repeat|print|output|write|recite)\s+(?:everything|all (?:the )?(?:text|words|of the (?:text|above))|the (?:text|words|sentences?))\s+(?:above|before)\b",
    # Be somebody without rules.
    r"\b(?:you are|you'?re|act as|pretend (?:to be|you are|that you are)|become|play(?: the role of)?|simulate|roleplay as|respond as|behave (?:as|like))\b.{0,120}?\b(?:no|without(?: any)?|free (?:of|from)|not bound by|unbound by|doesn'?t have|does not have|has no|have no|bypass(?:es)?|ignor(?:e|es))\s+(?:\w+\s+){0,3}(?:restriction|rule|filter|limit(?:ation)?|guideline|censorship|moral|ethic|constraint|polic(?:y|ie))s?\b",
    r"\b(?:jailbreak|jailbroken|DAN mode|developer mode|god mode|admin(?:istrator)? mode|debug mode|sudo mode|unrestricted mode|dev mode)\b.{0,60}\b(?:enabled?|activated?|on|output|now|is)\b|\b(?:enter|enable|activate|switch (?:in)?to|you are (?:now )?in|go into)\s+(?:\w+\s+){0,2}(?:jailbreak|jailbroken|DAN|developer|god|admin(?:istrator)?|debug|sudo|maintenance|unrestricted|dev|root)\s+mode\b",
    r"\bdo anything now\b|\bstay in (?:your )?character\b.{0,80}\bDAN\b|\bact as (?:a )?DAN\b",
    r"\byou (?:are|'re) (?:now )?(?:going to |about to )?(?:immerse|immersed|act(?:ing)?) .{0,60}\b(?:another|an?) (?:ai|model|chatbot)\b.{0,300}\b(?:unfiltered|amoral|immoral|unethical|uncensored|illegal)\b",
    r"\b(?:unfiltered|amoral|uncensored|unrestricted)\b.{0,80}\b(?:chatbot|ai|assistant|model|responses?|answers?)\b.{0,400}\b(?:never|no matter|without|always|regardless)\b",
    # Speak with another voice of the protocol.
    r"<\|(?:im_start|im_end|system|endoftext|assistant|user)\|>|\[/?INST\]|<</?SYS>>|</?tool_(?:call|response)>",
    r"(?:^|\n)\s*(?:###?\s*)?(?:system|developer|assistant)\s*(?:message|prompt|override|note)?\s*:\s*\S",
    r"(?:^|\n|[.!]\s+)(?:new|updated|real|revised)\s+(?:system\s+)?instructions?\s*:",
    r"\b(?:system|admin|developer) override\b|\boverride code\b",
    # Take the person out.
    r"\b(?:without|skip(?:ping)?|bypass(?:ing)?|ignor(?:e|ing))\s+(?:asking\s+|getting\s+|waiting for\s+|any\s+|the\s+|your\s+|a\s+)*(?:for\s+)?(?:human\s+)?(?:approval|permission|confirmation) (?:gate|check|step|process)s?\b",
    r"\b(?:approve|confirm) (?:it|this|everything|all (?:calls|tools|requests)) (?:yourself|automatically|on (?:my|staff'?s?) behalf)\b",
    # The same in other languages.
    r"\b(?:ignora|olvida|omite|desobedece)\s+(?:todas\s+)?(?:las|tus|sus|estas)?\s*(?:\w+\s+)?(?:instrucciones|reglas|indicaciones|directrices)\b",
    r"\b(?:muestra|revela|dime|repite|imprime)(?:me)?\s+(?:tu|el|tus|las)\s+(?:prompt|instrucciones)\s*(?:de(?:l)?\s+sistema|iniciales|ocultas|internas)?\b",
    r"(?:игнорируй|забудь|отбрось|проигнорируй|не следуй)(?:те)?\s+(?:\w+\s+){0,3}(?:инструкци|правил|указани)\w*",
    r"(?:покажи|раскрой|выведи|повтори)(?:те)?\s+(?:\w+\s+){0,2}(?:системн\w+|скрыт\w+|свои|твои|ваши)\s+(?:промпт|инструкци|правил|подсказк)\w*",
    r"(?:تجاهل|انس|تخط)[يىَ]?\s+(?:\w+\s+){0,2}(?:ال)?(?:تعليمات|قواعد|أوامر|توجيهات)\w*",
    r"(?:أظهر|اعرض|اكشف|اطبع)\s+(?:\w+\s+){0,3}(?:تعليمات(?:ك)?\s*(?:النظام|السرية|الداخلية)?|موجه النظام)",
    r"(?:पिछले|सभी|अपने)\s+(?:\S+\s+){0,3}(?:निर्देश|नियम)\S*\s+(?:\S+\s+){0,3}(?:अनदेखा|भूल|नज़रअंदाज|नजरअंदाज)",
    r"\bignorier(?:e|en)?\s+(?:\w+\s+){0,3}(?:anweisungen|regeln|vorgaben)\b|\bignore[zr]?\s+(?:toutes\s+)?(?:les|vos|tes)\s+(?:\w+\s+)?(?:instructions|consignes|règles)\b",
)
_ATTACK = re.compile("|".join(f"(?:{attack})" for attack in _ATTACKS), re.IGNORECASE | re.DOTALL)

_PERSONA = re.compile(
    r"\b(?:chatgpt|gpt-?\d|openai|language model|ai model|another ai|an ai\b|chatbot|persona|character|roleplay|simulat\w+|pretend"
    r"|act as|respond as|speak to me as|your name is|jailbreak\w*)",
    re.IGNORECASE,
)
_LICENCE = re.compile(
    r"\b(?:unethical|illegal|amoral|immoral|unfiltered|unfiltred|uncensored|unsafe|offensive|profan\w+|vulgar|malware|explicit|hate-?speech"
    r"|morals?|ethics?|ethical|legality|restrictions?|limitations?|jailbreak\w*|never refus\w+|do not reject|break(?:ing)? character"
    r"|stay in character|content polic\w+|openai'?s? polic\w+|the rules|any rules|unlocked|freed from|free from|broken free|no longer bound)\b",
    re.IGNORECASE,
)
_LICENCES = 2
"""Different words of licence that, beside a persona, no shop's customer uses (0 of 5,726 benign texts)."""


def looks_malicious(text: str) -> bool:
    """Say whether the message tells the model to drop, show or replace its rules."""
    plain = _plain(text)
    return bool(_ATTACK.search(plain)) or _asks_for_a_lawless_persona(plain)


def _asks_for_a_lawless_persona(plain: str) -> bool:
    if not _PERSONA.search(plain):
        return False
    return len({match[0].casefold() for match in _LICENCE.finditer(plain)}) >= _LICENCES


def _plain(text: str) -> str:
    """Return the text as it reads: no invisible characters, one quote sign, no spaces inside lines doubled."""
    folded = fold(text[:MAX_QUESTION]).replace("’", "'").replace("‘", "'")
    return re.sub(r"[ \t\u00a0]+", " ", folded)
