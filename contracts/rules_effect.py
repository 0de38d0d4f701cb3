"""Rules on what a function does: its effect, verb, scopes, approval and cache must say the same.

Knows:    one function.
Does not: know its request's parts.   (rules_request.py)
Source:   the second reference system's review gate: GET reads, DELETE destroys, a read holds read scopes.
"""

from collections.abc import Iterator

from contracts.broken import FUNCTIONS, Broken
from contracts.contract import Function
from contracts.yaml_text import Loc

READING = frozenset({"GET", "HEAD"})

Rules = Iterator[tuple[str, str, str]]
"""Field, rule, remedy."""


def broken_effect(at: Loc, function: Function) -> Iterator[Broken]:
    """Yield what a function's effect contradicts. at: the way to the function."""
    for rule in (_verb, _scopes, _approval, _cache, _idempotency):
        for name, said, remedy in rule(function):
            yield Broken(FUNCTIONS, (*at, name), said, remedy)


def _verb(function: Function) -> Rules:
    method, effect = function.method, function.effect
    if method in READING and effect != "read":
        yield (
            "effect",
            f"{method} only reads, and the effect is {effect}.",
            "Write effect: read, or the method that changes.",
        )
    if method not in READING and effect == "read":
        yield (
            "effect",
            f"{method} may change something, and the effect is read.",
            "Write effect: write or destructive.",
        )
    if method == "DELETE" and effect == "write":
        yield "effect", "DELETE destroys, and the effect is write.", "Write effect: destructive."


def _scopes(function: Function) -> Rules:
    if function.effect == "read":
        if wrong := [scope for scope in function.scopes if not scope.endswith(".read")]:
            yield (
                "scopes",
                f"A read asks for {', '.join(wrong)}.",
                "Ask for scopes that end in .read, and no more.",
            )
    elif function.scopes and not any(scope.endswith(".read_write") for scope in function.scopes):
        yield "scopes", "A change asks for no scope that may change.", "Ask for one that ends in .read_write."
    if len(set(function.scopes)) < len(function.scopes):
        yield "scopes", "A scope stands here twice.", "Keep one of them."


def _approval(function: Function) -> Rules:
    if function.effect == "read" and function.approval is not None:
        yield "approval", "A read is never asked about.", "Remove approval."
    if function.effect != "read" and function.approval is None:
        yield (
            "approval",
            "A change has no sentence for the person who is asked.",
            ('Write one, as in approval: "Delete category {id}".'),
        )
    if function.effect == "read" and function.asked_for:
        yield "asked_for", "A read need not be asked for in words.", "Remove asked_for."


def _cache(function: Function) -> Rules:
    if function.cache is None:
        return
    if function.effect != "read" or function.method not in READING:
        yield "cache", f"A function whose effect is {function.effect} is never cached.", "Remove cache."
    missing = [name for name in function.arguments if name not in function.cache.keys]
    if function.cache.keys and missing:
        yield (
            "cache",
            f"The result also depends on {', '.join(missing)}, and keys leaves that out.",
            "Add it to keys, or leave keys out: then all arguments count.",
        )
    if unknown := [name for name in function.cache.keys if name not in function.arguments]:
        yield "cache", f"keys names {', '.join(unknown)}, which is no argument.", "Correct the names."


def _idempotency(function: Function) -> Rules:
    if function.idempotency and function.effect == "read":
        yield "idempotency", "A read needs no key against being done twice.", "Remove idempotency."
