"""How an action is claimed in Spanish: he abierto un ticket, se ha abierto un ticket.

Knows:    verbs, what they are done to, and the words that make a clause a denial or a condition.
Does not: know what was carried out.   (guards/claims.py)
"""

import re

from guards.any_deed import SPANISH as ANY_DEED
from guards.claim_shape import NEAR, START, Forms, any_form, gathered

_IRREGULAR = {
    "abrir": ("abiert", "abriendo", "abrí", "abri[óo]"),
    "devolver": ("devuelt", "devolviendo", "devolví", "devolvi[óo]"),
    "hacer": ("hech", "haciendo", "hice", "hizo"),
    "corregir": ("corregid", "corrigiendo", "corregí", "corrigi[óo]"),
}


def _spanish_forms(verb: str) -> tuple[str, str, str, str]:
    """Return participle without its ending, gerund, "I did" and "it did"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    stem = verb[:-2]
    if verb.endswith("ir"):
        return f"{stem}id", f"{stem}iendo", f"{stem}í", f"{stem}i[óo]"
    soft = re.sub(r"z$", "c", re.sub(r"g$", "gu", re.sub(r"c$", "qu", stem)))
    return f"{stem}ad", f"{stem}ando", f"{soft}é", f"{stem}ó"


_ADVERBS_ES = r"(?:(?:ya|ahora|también|correctamente|con éxito|automáticamente)\s){0,2}"
_NO_RULE_ES = r"(?!\s(?:en (?:un )?(?:plazo|\d)|dentro de|cuando|si|automáticamente|después|tras|por|al))"
_ABLE_ES = (
    r"\b(?:(?:acabo|acabamos) de|(?:he|hemos) (?:podido|logrado|conseguido|procedido a)|logré|conseguí"
    r"|procedí a|pude)\s"
)


def _spanish(verbs: str, objects: str, people: str = "") -> tuple[str, str]:
    forms = [_spanish_forms(verb) for verb in verbs.split()]
    done, doing, did, it_did = ("|".join(column) for column in zip(*forms, strict=True))
    done = f"(?:{done})[oa]s?"
    to = "|".join(verbs.split())
    deeds = [
        rf"\b(?:he|hemos|(?:equipo|personal|compañer[oa])\sha)\s{_ADVERBS_ES}{done}\b{NEAR}\b(?:{objects})",
        rf"\b(?:{did})\b{NEAR}\b(?:{objects})",
        rf"{_ABLE_ES}(?:{to})(?:le|te|lo|la)?\b{NEAR}\b(?:{objects})",
        rf"\b(?:estoy|estamos)\s{_ADVERBS_ES}(?:{doing})(?:le|te|lo|la)?\b{NEAR}\b(?:{objects})",
    ]
    reports = [
        rf"\bse (?:l[eao]s? |te |nos )?(?:ha|han)\s{_ADVERBS_ES}{done}\b{NEAR}\b(?:{objects})",
        rf"\bse (?:l[eao]s? |te )?(?:{it_did})\b{NEAR}\b(?:{objects})",
        rf"\b(?:{objects})\w{{0,3}}\b[^.!?;,]{{0,40}}?\b(?:(?:ha|han) sido|fue|fueron|est[áa]|queda|qued[óo])"
        rf"\s{_ADVERBS_ES}{done}\b{_NO_RULE_ES}",
        rf"\b(?:{objects})\w{{0,3}}\b[^.!?;,]{{0,40}}?\bse (?:ha|han)\s{_ADVERBS_ES}{done}\b{_NO_RULE_ES}",
        rf"\b(?:ha|han) sido\s{_ADVERBS_ES}{done}\s(?:\w+\s){{0,2}}?(?:{objects})",
        rf"{START}(?:(?:su|tu|el|la|un|una)\s)?(?:{objects})\w{{0,3}}\s{_ADVERBS_ES}{done}\b{_NO_RULE_ES}",
    ]
    if people:
        parts = "|".join(_spanish_forms(verb)[0] for verb in people.split())
        deeds.append(rf"\b(?:l[eao]s?|te|os|se l[oa]s?)\s(?:he|hemos)\s{_ADVERBS_ES}(?:{parts})[oa]s?\b")
        reports.append(rf"\b(?:l[eao]s?|te|os)\s(?:ha|han)\s(?:sido\s)?{_ADVERBS_ES}(?:{parts})[oa]s?\b")
        reports.append(rf"\bse (?:ha|han)\s{_ADVERBS_ES}(?:{parts})[oa]s?\b{_NO_RULE_ES}")
    return "|".join(deeds), "|".join(reports)


_ES = {
    "ticket": _spanish(
        "abrir crear registrar generar presentar tramitar iniciar emitir hacer",
        r"tickets?|tiques?|incidencia|solicitud|reclamación|caso|queja|parte|reporte",
    ),
    "refund": _spanish(
        "emitir tramitar procesar iniciar aprobar abonar realizar hacer",
        r"reembolso|abono|devolución del (?:dinero|importe|pago)",
        people="reembolsar",
    ),
    "refund: money": _spanish("reembolsar devolver", "dinero|importe|pago|total"),
    "cancel": _spanish(
        "cancelar anular detener", r"pedido|compra|envío|entrega|orden|suscripción", people="cancelar anular"
    ),
    "replace": _spanish(
        "organizar programar enviar mandar iniciar gestionar solicitar aprobar reservar",
        r"reemplazo|sustitución|sustituto|cambio|recogida|etiqueta|devolución"
        r"|\w{4,} nuev[oa]s?\b|nuev[oa]s? \w{4,}",
    ),
    "record": _spanish(
        "actualizar cambiar modificar corregir editar eliminar borrar",
        r"dirección|pedido|cuenta|datos|perfil|método de pago",
    ),
    "told": _spanish(
        "avisar informar notificar contactar escalar reenviar remitir derivar transmitir",
        r"equipo|departamento|compañer|especialista|encargad|responsable|almacén|transportista|mensajería"
        r"|vendedor|personal",
        people="escalar derivar remitir",
    ),
    "told: passed on": (
        r"\b(?:he|hemos)\s(?:enviado|pasado|mandado)\b[^.!?;]{0,60}?\b(?:equipo|departamento|personal|encargad)",
        r"\b(?:solicitud|caso|mensaje|consulta|queja|reclamación|ticket)\b[^.!?;,]{0,40}?"
        r"\b(?:ha sido|fue|se ha)\s(?:enviad|remitid|derivad|reenviad|transmitid|escalad|pasad)[oa]\b",
    ),
    "message": _spanish("enviar mandar", r"correo|e-?mail|mensaje|confirmación"),
}

# Participles, gerunds, "I did", "it did", and the set phrases below.
_SIGN = any_form(
    r"(?:[ai]d|iert|uelt|ech)[oa]s?\b|[ai]e?ndo(?:l[eao])?\b|[éíóá]\b|\bse \w"
    r"|\b(?:acab|logr|pude|hizo|hice|listo)|\b(?:camino|proceso|activo)\b"
)

SPANISH = Forms(
    _SIGN,
    gathered(_ES, 0, other=ANY_DEED),
    gathered(
        _ES,
        1,
        ticket=r"\b(?:su|tu|un|el|nuevo)\s(?:\w{1,12}\s)?ticket(?:\s\S{1,20})?\s(?:ya\s)?est[áa]\s(?:ya\s)?"
        r"(?:abierto|activo)",
        refund=r"\b(?:reembolso|dinero|importe)\s(?:ya\s)?(?:est[áa]|va)\s(?:ya\s)?"
        r"(?:(?:en|de) camino|en proceso)",
        replace=r"\b(?:reemplazo|sustituto|sustitución)\s(?:ya\s)?(?:est[áa]|va)\s(?:ya\s)?(?:en|de) camino",
        request=rf"{START}¡?(?:listo|hecho)(?=\s?[!.—–-])|\bya est[áa] (?:hecho|resuelto|solucionado)\b"
        r"|\bsu solicitud (?:ha sido|fue) (?:completada|atendida|realizada)",
    ),
    any_form(r"\b(?:no|nunca|ni|sin|tampoco|nadie|ningún|ninguna|ninguno|nada|imposible)\b"),
    any_form(
        r"\b(?:si|cuando|una vez|después de|hasta que|antes de|en caso de|tan pronto|en cuanto|quiere|quieres"
        r"|desea|deseas|gustaría|(?:usted|ha|has) (?:dijo|dicho|mencionado|indicado|escrito))\b"
    ),
    any_form(r"\b(?:pero|y|así que)\b"),
)
