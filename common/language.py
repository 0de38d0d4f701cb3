"""Which of the five languages a message is written in.

Knows:    scripts (Arabic, Devanagari, Cyrillic), and the everyday words that tell Spanish from English.
Does not: translate, or tell apart languages of one script: Persian counts as Arabic, Ukrainian as Russian,
          Marathi as Hindi, and Portuguese may pass for Spanish.
Rule:     the language of most words; digits, codes and words that nothing is known of have no vote.
Why so:   docs/decisions/009-fixed-sentences-and-language-by-script.md
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Literal

Language = Literal["en", "ar", "es", "hi", "ru"]

LANGUAGES: tuple[Language, ...] = ("en", "ar", "es", "hi", "ru")
"""The languages of the fixed sentences; the first is the one that others fall back to."""

_SCRIPTS: tuple[tuple[str, Language], ...] = (("ARABIC", "ar"), ("DEVANAGARI", "hi"), ("CYRILLIC", "ru"))

# Apostrophes are left out: "whats" and "what's" are one word, and many customers write the first.
_ENGLISH = frozenset(
    """
    am an and any anything are aren arent arrive arrived at be because been before broken but by bye
    can cancel cant change cheap cheers could couldnt damaged day days defective did didnt do does doesnt
    doing done dont else every expensive find for from get gets getting give go going gone good got great
    had hadnt hasnt have havent hello help her here hey hi him his how howdy i id if ill im in into is
    isnt it its ive just keep know last late let lets like long look lost made make many may maybe mine
    missing more morning most much must my name need never new next not nothing now of off on one
    only open or other our out over paid pay perfect please pls put really right said say see send sent
    she shipped shipping should show since some something sorry speak start stop such sure take tell than
    thank thanks that thats the their them then there theres these they thing this those thought thx to
    today told tomorrow too try two under until up us use used very wanna want was wasnt way we week well
    went were what whats when whens where wheres which who whos why will with without wont work would
    wouldnt wrong yeah yes yesterday yet you your youre yours yup
    """.split()
)
_LOANS = frozenset(
    """
    account address app bill card cash chat claim code complaint coupon customer delivery discount email
    help invoice number online order orders parcel payment pin please pls policy product refund
    replacement return robot sale service shipping shop sorry status support thanks ticket track tracking
    warranty web
    """.split()
)
"""English words that other languages use as they are: beside another script they have no vote."""

_SPANISH = frozenset(
    """
    abierto abra abre abrid abrir adios ahora al algo alguien alguno antes aquí asi aun avisa avise ayer
    ayuda ayudame ayudar ayudarme bien buen buena buenas buenos cada cambiar cambio cancela cancelar
    cancele cancelen cobrado cobraron cobro como compra comprado compre con costo cual cuales cualquier
    cuando cuantas cuanto cuantos cuesta cuestan dame de del desde devolucion devoluciones devolver dia
    dias dice dije dijo dime dinero donde dos durante ella ellos en entrega entregado enviado enviar
    enviaron envio envios eres es esa ese eso esos esta estaba estado estan estar este esto estos estoy
    falta fecha fue garantia gracias gustaria haber habia hace hacer hago hasta hay hola hoy humano
    incidencia la las le les llega llegada llegado llegar llegara llego lo los luego mas mañana mes meses
    mi mis misma mismo motivo mucha muchas mucho muy nada necesito ninguno nos nosotros nuestra nuestro
    otra otro pagado pagar pago paquete para pedido pedidos perfecto pero persona plazo podeis poder
    podria podrian politica por porque pregunta producto puede pueden puedes puedo que queria quien quiero
    quisiera recibido recibir reclamacion reembolso respecto respuesta rota roto saber se sea seguimiento
    semana ser si siempre sigue sobre son soy su sus tal tambien tampoco tarda tardan tarde tengo ti
    tiempo tienda tiene tienen tienes toda todas todavia todo todos tu tus un una unos usted ustedes vale
    veces venir vez viene y ya yo
    """.split()
)
_IN_ENGLISH_TOO = frozenset(
    "a al con dice dime dos en es ha has he la me no o se ser si son tal toda todo tu vale venir ya".split()
)
"""Spanish words that are also English ones, or other languages': alone they have no vote."""
_IN_NAMES = frozenset("de del el las le los mis sus un y".split())
"""Spanish words that stand in names: they vote only where no English word does."""

_EVERY_SPANISH = _SPANISH | _IN_ENGLISH_TOO | _IN_NAMES
_SHORTEST_WORD = 3
"""Letters of a word that alone decides: "y" is a yes typed late as well as a Spanish word."""

_SPANISH_LETTERS = frozenset("ñáíóú")
_SPANISH_MARKS = re.compile(r"[¿¡]")
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str, before: str = "en") -> str:
    """Return the language of a message, one of `LANGUAGES`.

    before: the answer where the words do not decide, as for a number, a name or "ok": the language that was
    spoken so far. It is returned as it is.
    """
    words = list(_words(text))
    if len(words) == 1 and len(words[0]) < _SHORTEST_WORD and not _script(words[0]):
        return before
    votes = Counter(script for script in map(_script, words) if script)
    beside_script = bool(votes)
    votes += _latin_votes([word for word in words if not _script(word)], text, beside_script=beside_script)
    if not votes:
        return before
    best = max(votes.values())
    leading = [language for language in _BY_TIE if votes[language] == best]
    return before if before in leading else leading[0]


_BY_TIE: tuple[Language, ...] = ("ar", "hi", "ru", "es", "en")
"""Who wins a tie: English words stand in texts of the others far more often than theirs in English ones."""


def _words(text: str) -> Iterator[str]:
    """Yield the words in lower case, without apostrophes and without marks that are no part of a letter."""
    composed = unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode()).casefold()
    plain = (char for char in composed if char not in "'’" and unicodedata.category(char)[0] != "M")
    yield from _WORD.findall("".join(plain))


def _script(word: str) -> Language | None:
    if word[0] < "\u0370":
        return None
    name = unicodedata.name(word[0], "")
    return next((language for script, language in _SCRIPTS if name.startswith(script)), None)


def _latin_votes(words: list[str], text: str, *, beside_script: bool) -> Counter[Language]:
    spanish = [word for word in words if _is_spanish(word)]
    english = [word for word in words if word in _ENGLISH | _LOANS and not (beside_script and word in _LOANS)]
    weight = len(spanish)
    weak = _IN_ENGLISH_TOO | _IN_NAMES if english else _IN_ENGLISH_TOO
    if all(word in weak for word in spanish):
        weight = 0  # "set a timer", "is it the Casa de la Torre": nothing in it is Spanish alone
    if _SPANISH_MARKS.search(text):
        weight += 2
    votes: Counter[Language] = Counter({"es": weight, "en": len(english)})
    return +votes


def _is_spanish(word: str) -> bool:
    bare = unicodedata.normalize("NFD", word)
    plain = "".join(char for char in bare if unicodedata.category(char) != "Mn")
    return word in _EVERY_SPANISH or plain in _SPANISH or bool(_SPANISH_LETTERS & set(word))
