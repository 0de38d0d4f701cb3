"""Rules on what a contract must never hold: an address, a credential, or a way to name one.

Knows:    the names under which values are sent, and the values that a contract sends by itself.
Does not: know which upstream there is; how one signs in there is a row of the deployment's table.
"""

import re
from collections.abc import Iterator

from contracts.contract import Constant, Function, Mapped
from contracts.rules_schema import Rules, inner_schemas
from contracts.shapes import Shape
from contracts.yaml_text import Loc

_ADDRESS = re.compile(r"://|^\s*//|\bwww\.|@|\blocalhost\b|^\d{1,3}(?:\.\d{1,3}){3}", re.IGNORECASE)

_SECRET = re.compile(
    r"^\s*(?:bearer|basic|token|digest|apikey)\s+\S"
    r"|\beyJ[A-Za-z0-9_-]{8,}"  # the head of every JSON Web Token: {"
    r"|\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|shpat|shpss)[_-][A-Za-z0-9_-]{8,}|\bAKIA[A-Z0-9]{12,}"
    r"|-----BEGIN"
    r"|\b(?=[A-Za-z_-]*[0-9])(?=[0-9_-]*[A-Za-z])[A-Za-z0-9_-]{32,}",
    re.IGNORECASE,
)
"""What looks like a secret: the forms of well-known ones, and long words of letters and digits."""

_CREDENTIAL = re.compile(
    r"(?:^|[^a-z])(?:access|api|auth|refresh|client|bearer|session)[_-]?(?:token|key|secret)(?:$|[^a-z])"
    r"|(?:^|[^a-z])(?:password|passwd|authorization|secret)(?:$|[^a-z])",
    re.IGNORECASE,
)
"""The name of a credential, or of a way to name one, as a word of its own."""

MOST_VALUE = 500
"""Characters of a value that a contract sends by itself."""

_KEYS = frozenset({"token", "key", "apikey", "sig", "signature", "pass", "pwd"})
"""Names that a credential has where the contract itself sends the value."""

_METHODS = frozenset({"_method", "x-http-method-override", "x-http-method", "x-method-override"})
"""Names by which frameworks let a POST stand for another method, a DELETE among them."""

_HEADER_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")

_HEADER_WORDS = frozenset(
    "auth authorization authenticate authentication token tokens key apikey secret secrets password passwd "
    "credential credentials signature session cookie cookie2 jwt csrf xsrf "
    "host forwarded origin referer ip url uri proxy via behalf impersonate sudo "
    "tenant merchant store shop account organization "
    "connection upgrade te trailer transfer content expect keep alive sec method override rewrite "
    "encoding date age access control".split()
)
"""Words of headers that decide where a request goes, who sends it, or how its bytes are read."""

_REMOVE = "Remove it: how one signs in is a row of the deployment's table of upstreams."


def names_a_credential(name: str) -> bool:
    """Say whether a name is one under which credentials travel, such as access_token or user.password."""
    return bool(_CREDENTIAL.search(name))


def broken_secrets(function: Function) -> Rules:
    """Yield what a function holds that is none of a contract's business."""
    yield from _headers(function)
    yield from _names(function)
    yield from _constants(function)
    for name, shape in function.arguments.items():
        yield from _values_of(shape, ("params", "properties", name))
    yield from _returned(function.response.fields, ("response", "fields"))


def mappings(function: Function) -> Iterator[tuple[str, dict[str, Mapped]]]:
    """Yield the parts of a request that map names to arguments and constants."""
    yield "query", function.request.query
    yield "headers", function.request.headers
    if isinstance(function.request.body, dict):
        yield "body", function.request.body


def is_reserved_header(name: str) -> bool:
    """Say whether a header decides where a request goes, who sends it, or how it travels."""
    return bool(set(re.split(r"[^a-z0-9]+", name.lower())) & _HEADER_WORDS)


def may_be_sent(value: str) -> bool:
    """Say whether a contract may send a value by itself: no address, nothing that looks like a secret."""
    return not any(_told(value, ()))


def _headers(function: Function) -> Rules:
    for name in function.request.headers:
        if is_reserved_header(name):
            yield (
                ("request", "headers", name),
                f"The header {name} decides where a request goes, who sends it, or how it travels.",
                _REMOVE,
            )
    if not function.idempotency:
        return
    name = function.idempotency.header
    words = set(re.split(r"[^a-z0-9]+", name.lower())) - {"key"}
    if words & _HEADER_WORDS or not words & {"idempotency", "idempotent", "request", "dedupe", "transaction"}:
        yield (
            ("idempotency", "header"),
            f"The header {name} is none that keeps a write from being done twice.",
            "Write Idempotency-Key, or the name that the upstream gives it.",
        )


def _names(function: Function) -> Rules:
    """Yield the names under which a credential would travel in a query or a body."""
    for part, mapping in mappings(function):
        for wire in mapping if part != "headers" else ():
            if names_a_credential(wire) or (wire.lower() in _KEYS and isinstance(mapping[wire], Constant)):
                yield ("request", part, wire), f"{wire} is the name of a credential.", _REMOVE
            if wire.lower() in _METHODS:
                told = f"{wire} has the request read as one of another method than the contract's."
                yield ("request", part, wire), told, "Remove it, and write the method itself."
    if function.request.body == "passthrough":
        for name in function.arguments:
            if names_a_credential(name):
                yield ("params", "properties", name), f"{name} is the name of a credential.", _REMOVE
            if name.lower() in _METHODS:
                told = f"{name} has the request read as one of another method than the contract's."
                yield ("params", "properties", name), told, "Remove it, and write the method itself."


def _returned(shape: Shape, at: Loc) -> Rules:
    """Yield the fields that would hand a credential to the model."""
    for name in shape.properties or {}:
        if names_a_credential(name):
            yield (*at, "properties", name), f"{name} is the name of a credential.", "Return no such field."
    for step, inner in inner_schemas(shape):
        yield from _returned(inner, (*at, *step))


def _constants(function: Function) -> Rules:
    for part, mapping in mappings(function):
        for wire, value in mapping.items():
            if not isinstance(value, Constant) or not isinstance(value.value, str):
                continue
            where: Loc = ("request", part, wire)
            if part == "headers" and not _HEADER_VALUE.fullmatch(value.value):
                yield where, "A header holds one line of plain letters, digits and signs.", "Write it so."
            yield from _told(value.value, where)


def _values_of(shape: Shape, at: Loc) -> Rules:
    """Yield what is wrong with the values that a schema makes the contract send."""
    fixed = [("default", shape.default), ("const", shape.const)]
    if len(shape.enum or ()) == 1:
        fixed.append(("enum", (shape.enum or ("",))[0]))
    for key, value in fixed:
        if isinstance(value, str):
            yield from _told(value, (*at, key))
    for step, inner in inner_schemas(shape):
        yield from _values_of(inner, (*at, *step))


def _told(value: str, at: Loc) -> Rules:
    if len(value) > MOST_VALUE:
        yield at, f"It has {len(value)} characters, and {MOST_VALUE} are allowed.", "Shorten it."
        return
    if _ADDRESS.search(value):
        yield (
            at,
            "A contract must not hold an address.",
            "Remove it: where the shop's API is, the table says.",
        )
    if _SECRET.search(value):
        yield at, "This looks like a credential, and a contract must not hold one.", _REMOVE
