"""How things are said in the five languages: states of an order, no, and that something is not known.

Knows:    words; those of the states stand in states.yaml.
Does not: decide what is true of a reply.   (truth.py, claims.py, invention.py)
Why here: the guards have words of their own; these were written without them.
"""

import re
import unicodedata

import yaml

from evals.settings import HERE

STATES: dict[str, dict[str, list[str]]] = yaml.safe_load((HERE / "states.yaml").read_text(encoding="utf-8"))
"""State -> language -> how it is said. A state that is not here is said as it is."""

_NOT_BEFORE = frozenset(
    "not no never cannot nor nunca sin ni не нет ни لم لا ليس ليست لن غير ما دون नहीं ना न".split()
)
_NOT_AFTER = frozenset("नहीं".split())
_WINDOW = 3
"""Words between a "not" and what it denies: "has not yet been delivered"."""

_NO = {
    "en": r"\b(?:no|not|none|cannot|unable|unfortunately|unknown|without|nothing|neither)\b",
    "es": r"\b(?:no|ning[uú]n\w*|nada|sin|tampoco|lamentablemente|desconoc\w+)\b",
    "ru": r"\b(?:не|нет|ни|нельзя|неизвестн\w*|невозможно|отсутству\w*|сожалени\w*)\b",
    "ar": r"(?<!\w)و?(?:لا|لم|لن|ليس|ليست|غير|دون|بدون|للأسف|يتعذر|تعذر)(?!\w)",
    "hi": r"(?:नहीं|अज्ञात|बिना|खेद)",
}
_NO_MORE = (
    r"\ball (?:that )?(?:i|we) (?:can see|know|have)|\btodo lo que (?:puedo|podemos|s[eé]|tengo|consta)"
    r"|это вс[её]|هذا كل ما|बस इतन"
)
UNKNOWN = re.compile(unicodedata.normalize("NFKC", "|".join((*_NO.values(), _NO_MORE))), re.IGNORECASE)
"""Any word of no, or "that is all I can see": the least that an answer has which is not there.

To be searched in a text made `normal`.
"""

_KNOW = {
    "es": r"\bs[eé]\b|tengo|tenemos|consta|puedo|podemos|aparec|encuentr|encontr|mencion|dice|figura"
    r"|informaci|dispo|sabe|cono[zc]|recog|especific|indic|dato|veo|vemos|exist|\bhay\b|confirm",
    "ru": r"зна[юеё]|вид[не]|виж[ую]|мог[ул]|можем|наш[лё]|найд|указан|информац|данн|упомин|говор|сказ|содерж"
    r"|извест|сведен|распола|имею|у (?:нас|меня)|существ|подтверд",
    "ar": r"[أن]عر|[أن]علم|لد[ين]|[يت]وجد|معلوم|متوفر|متاح|[مذيت]ذكر|مذكور|[أن]رى|ستطيع|يمكن|عثور|عثر|[أن]جد"
    r"|معروف|بيانات|تفاصيل|ظاهر|[يت]ظهر|تأكيد|تأكد",
    "hi": r"पता|जानकारी|मालूम|मिल|बता|दिख|लिखा|उल्लेख|ज्ञात|उपलब्ध|मौजूद|विवरण|देख|पास|कहत",
}
_NEAR = r"[^.!?؟।]{0,50}?"
_GIVEN = (
    r"(?:known|mention(?:ed)?|listed|given|recorded|available|specif(?:y|ied)|stated?|found|named|included?|shown?"
    r"|provided?|contain|hold|say|cover|see|anything)"
)
_ADMISSIONS = (
    r"\b(?:i|we)\b(?: [\w']+){0,3} (?:not|cannot|unable|no)\b(?: \w+){0,4} (?:know|have|see|find|tell|say"
    r"|look|access|provide|give|share|sure|able|confirm|information|details?|records?|data)\b",
    r"\b(?:polic(?:y|ies)|rules?|records?|data|results?|information|details?|system|orders?|chat|assistant)\b"
    rf"(?: [\w\"']+){{0,5}} (?:not|cannot|no|nothing)\b(?: \w+){{0,3}} {_GIVEN}",
    r"\bno (?:\w+ ){0,4}?(?:information|details?|mention|records?|data|orders?)\b",
    rf"\bno \w+(?: \w+)?(?: is| was| are| has been)? {_GIVEN}\b",
    rf"\b(?:not|never) (?:been )?{_GIVEN}\b",
    r"\b(?:unfortunately|unknown|unable|lamentablemente|к сожалению|للأسف|खेद)",
    *(rf"(?:{_NO[language]}){_NEAR}(?:{know})" for language, know in _KNOW.items()),
    *(rf"(?:{know}){_NEAR}(?:{_NO[language]})" for language, know in _KNOW.items()),
    r"неизвестн|отсутству|desconoc|अज्ञात|غير معروف",
    _NO_MORE,
)
_ADMITS = re.compile(unicodedata.normalize("NFKC", "|".join(_ADMISSIONS)), re.IGNORECASE)

_SENTENCE = re.compile(r"(?<=[.!?؟।])\s+|\n+")
_CLAUSE = re.compile(r"[.!?؟।;؛,،:\n]+(?:\s|$)|\s[–-]\s")
_WORD = re.compile(r"[\w\u0900-\u0963\u0966-\u097f]+")
_MARKS = re.compile(r"[\u0640\u064b-\u0652]")


def normal(text: str) -> str:
    """Return the text in the one form that compares: no capitals, no Arabic vowel marks, n't as not."""
    folded = _MARKS.sub("", unicodedata.normalize("NFKC", text)).casefold().replace("’", "'")
    return folded.replace("can't", "cannot").replace("n't", " not").replace("_", " ")


def words_of(text: str) -> list[str]:
    """Return the words of a text in the form that compares."""
    return _WORD.findall(normal(text))


def sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text."""
    return [sentence.strip() for sentence in _SENTENCE.split(text) if sentence.strip()]


def says_state(reply: str, state: str) -> bool:
    """Return whether a reply says that something is in this state, and does not deny it."""
    phrases = [words_of(phrase) for spoken in STATES[state].values() for phrase in spoken]
    clauses = [words_of(clause) for clause in _CLAUSE.split(reply)]
    return any(_says(clause, phrase) for clause in clauses for phrase in phrases)


def admits(reply: str) -> bool:
    """Return whether a sentence of the reply says that something is not known, not seen or not there."""
    return any(_ADMITS.search(normal(sentence)) for sentence in sentences(reply))


def _says(clause: list[str], phrase: list[str]) -> bool:
    for start in range(len(clause) - len(phrase) + 1):
        part = clause[start : start + len(phrase)]
        if _begins(part, phrase) and not _denied(clause, start, phrase):
            return True
    return False


def _begins(part: list[str], phrase: list[str]) -> bool:
    """The last word may go on; an Arabic word may also have begun before."""
    *whole, last = phrase
    return part[:-1] == whole and (
        part[-1].startswith(last) or (last in part[-1] and last[0] > "\u0600" and last[0] < "\u0700")
    )


def _denied(clause: list[str], start: int, phrase: list[str]) -> bool:
    if _NOT_BEFORE & set(phrase):
        return False
    end = start + len(phrase)
    return bool(_NOT_BEFORE & set(clause[max(0, start - _WINDOW) : start])) or bool(
        _NOT_AFTER & set(clause[end : end + _WINDOW])
    )
