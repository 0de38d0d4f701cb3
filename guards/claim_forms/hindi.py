"""How an action is claimed in Hindi: मैंने टिकट खोल दिया, टिकट खोला गया.

Knows:    verbs, what they are done to, and the words that make a clause a denial or a condition.
Does not: know what was carried out.   (guards/claims.py)
"""

from guards.any_deed import HINDI as ANY_DEED
from guards.claim_shape import START, Forms, any_form, gathered

_END_HI = r"(?=\s(?:है|हैं|था|थी|थे|गया|गई|गयी|गए)|\s?[।.!,]|\s?$)"
_DONE_HI = (
    rf"\s(?:कर\s(?:दिया|दी|दिए|लिया|ली|चुका|चुकी|चुके)|(?:किया|की|किए){_END_HI}"
    r"|हो\s(?:गया|गई|गयी|गए|चुका|चुकी|चुके))"
)
_GIVEN_HI = r"\s(?:दिया|दी|दिए|लिया|ली|चुका|चुकी|चुके)"
_NOT_YET_HI = r"(?!\s(?:नहीं|जा(?:ए|ता|ती|ते|ना|एगा|एगी|एंगे|\sसक)|होगा|होगी|करना))"
_BUSY_HI = r"\s(?:रहा|रही)\sहूं|\sरहे\sहैं"


def _hindi(objects: str, roots: str, adjectives: str = "", done: str = "") -> tuple[str, str]:
    """roots: as in खोल दिया. adjectives: as in दर्ज कर दिया. done: further finished forms, a pattern."""
    verbs = [rf"(?:{roots.replace(' ', '|')})(?:{_GIVEN_HI})"] if roots else []
    verbs += [rf"(?:{adjectives.replace(' ', '|')}){_DONE_HI}"] if adjectives else []
    verbs += [rf"(?:{done}){_END_HI}"] if done else []
    thing = rf"(?<![\u0900-\u097f])(?:{objects})"
    claim = rf"{thing}[^।.!?;,]{{0,50}}?(?:{'|'.join(verbs)}){_NOT_YET_HI}"
    who = r"(?:मैंने|हमने|टीम\sने|मैं|हम)"
    busy = rf"(?:{(roots or adjectives).replace(' ', '|')})(?:\sकर)?(?:{_BUSY_HI})"
    return rf"{who}[^।.!?;]{{0,40}}?{claim}|{thing}[^।.!?;,]{{0,50}}?{busy}", claim


_HI = {
    "ticket": _hindi(
        "टिकट|शिकायत|अनुरोध|रिक्वेस्ट|मामला|केस",
        "खोल बना डाल",
        "दर्ज जमा रजिस्टर ओपन क्रिएट जनरेट जेनरेट",
        r"खोला|खोली|बनाया|बनाई|(?:खुल|बन)\s(?:गया|गई|चुका)|खुला\sहै|खुली\sहै",
    ),
    "refund": _hindi(
        r"रिफंड|धनवापसी|धन\sवापसी", "कर दे लौटा भेज", "जारी शुरू प्रोसेस स्वीकृत मंजूर पूरा", r"हो\s(?:गया|गई|चुका)|किया"
    ),
    "refund: money": _hindi(
        "पैसे|पैसा|राशि|रकम", "लौटा", "वापस रिफंड ट्रांसफर", r"लौटाया|लौटाए|लौटाई|वापस\sभेज\s(?:दिए|दी|दिया)"
    ),
    "cancel": _hindi("ऑर्डर|आर्डर|खरीद|शिपमेंट|डिलीवरी|सदस्यता", "", "रद्द कैंसल कैंसिल निरस्त", r"रद्द\sहै"),
    "replace": _hindi(
        r"रिप्लेसमेंट|एक्सचेंज|पिकअप|लेबल|वापसी|(?:नया|नयी|नई)\s\S+",
        "भेज",
        "शुरू तय बुक शेड्यूल स्वीकार मंजूर",
        r"भेजा|भेजी",
    ),
    "record": _hindi("पता|पते|खाता|खाते|विवरण|प्रोफाइल|ऑर्डर", "बदल हटा", "अपडेट संशोधित एडिट", r"बदला|बदली|बदले"),
    "told": _hindi(
        r"(?:टीम|विभाग|सहकर्मी|सहकर्मियों|विशेषज्ञ|मैनेजर|प्रबंधक|गोदाम|विक्रेता|कर्मचारी|कर्मचारियों|स्टाफ)\s(?:को|तक|से)",
        "बता भेज पहुंचा",
        "सूचित अग्रेषित संपर्क रेफर",
        r"सूचना\sदे\sदी|बताया|भेजा",
    ),
    "message": _hindi("ईमेल|ई-मेल|मेल|संदेश|मैसेज|पुष्टि", "भेज", "", r"भेजा|भेजी"),
}


HINDI = Forms(
    any_form(r"[\u0900-\u097f]"),
    gathered(_HI, 0, other=ANY_DEED),
    gathered(
        _HI,
        1,
        request=rf"{START}हो\sगया(?=\s?[!।.])|काम\sहो\sगया|आपका\sअनुरोध\sपूरा\s(?:हो\sगया|कर\sदिया)",
    ),
    any_form(r"(?<![\u0900-\u097f])(?:नहीं|न|ना|बिना|असमर्थ|मत)(?![\u0900-\u097f])"),
    any_form(
        r"(?<![\u0900-\u097f])(?:अगर|यदि|जब|जैसे\sही|के\sबाद|क्या|चाहते|चाहती|चाहेंगे|चाहें|आपने|\S{1,12}ने\sपर)(?![\u0900-\u097f])"
    ),
    any_form(r"(?<![\u0900-\u097f])(?:लेकिन|और|इसलिए|परंतु)(?![\u0900-\u097f])"),
)
