"""Arguments against a function's schema, before anything else is done with them.

Knows:    JSON Schema as jsonschema implements it, and how a broken rule is told without the value.
Does not: resolve words, build or send.
Rule:     nothing is converted: "5" is no number and true no integer. Defaults that the schema names are
          filled in, since the upstream may have others.
"""

import copy
import math
import re
from collections import OrderedDict
from collections.abc import Mapping
from itertools import islice
from typing import Any, cast

from jsonschema.exceptions import ValidationError

from common.rules import Rules, rules_of
from common.text import one_line
from contracts.task import Offered

MOST_TOLD = 5
MOST_LOOKED_AT = 50
MOST_DEPTH = 40
"""How deep arguments may be nested: deeper ones could neither be checked nor written."""

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_MOST_NUMBER = 10**300
"""Beyond it, a number has more digits than it can be written with."""

_PLAIN = 60


_known: OrderedDict[str, Rules] = OrderedDict()
"""Validators by generation, the latest used last: making one costs a hundred times what asking it does."""

_MOST_KNOWN = 4_000


def _rules(offered: Offered) -> Rules:
    rules = _known.pop(offered.generation, None) or rules_of(offered.params_schema)
    _known[offered.generation] = rules
    if len(_known) > _MOST_KNOWN:
        _known.popitem(last=False)
    return rules


def problems_of(offered: Offered, arguments: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the arguments: names and rules, never a value. Empty where nothing is."""
    if unsendable := [f"{name} {why}" for name, value in arguments.items() if (why := _unsendable(value))]:
        return [one_line(problem) for problem in unsendable[:MOST_TOLD]]
    errors = islice(_rules(offered).iter_errors(dict(arguments)), MOST_LOOKED_AT)
    return list(dict.fromkeys(_told(error, offered) for error in errors))[:MOST_TOLD]


def _unsendable(value: Any, depth: int = 0) -> str:
    """Return why a value cannot be written as JSON at all; empty where it can."""
    if depth > MOST_DEPTH:
        return "is nested too deep"
    if isinstance(value, str):
        return "must be valid Unicode" if _SURROGATE.search(value) else ""
    if isinstance(value, float):
        return "" if math.isfinite(value) else "must be a finite number"
    if isinstance(value, int):
        return "" if -_MOST_NUMBER < value < _MOST_NUMBER else "must be a smaller number"
    if isinstance(value, dict):
        fields = cast(dict[str, Any], value)
        inner: list[Any] = [*fields, *fields.values()]
    else:
        inner = cast(list[Any], value) if isinstance(value, list) else []
    return next((why for item in inner if (why := _unsendable(item, depth + 1))), "")


def filled(offered: Offered, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with the defaults of those that were left out."""
    defaults = {
        name: copy.deepcopy(shape.default)
        for name, shape in offered.contract.arguments.items()
        if "default" in shape.model_fields_set
    }
    return {**defaults, **arguments}


def _told(error: ValidationError, offered: Offered) -> str:
    where = ".".join(one_line(str(part)[:_PLAIN]) for part in error.absolute_path) or "the arguments"
    rule: Any = error.validator_value
    known = ", ".join(offered.contract.arguments) or "none"
    match error.validator:
        case "required":
            missing = error.message.split("'")[1] if "'" in error.message else "one"
            return f"{where} lacks {missing}" if error.absolute_path else f"{missing} is missing"
        case "additionalProperties":
            return f"there is an argument that the function has not (it has: {known})"
        case "type":
            return f"{where} must be {rule if isinstance(rule, str) else ' or '.join(rule)}"
        case "enum":
            return f"{where} must be one of {', '.join(map(str, rule))[:400]}"
        case "pattern":
            return f"{where} must match {rule}"
        case "minimum" | "exclusiveMinimum":
            return f"{where} must be at least {rule}"
        case "maximum" | "exclusiveMaximum":
            return f"{where} must be at most {rule}"
        case "minLength" | "minItems":
            return f"{where} must have at least {rule}"
        case "maxLength" | "maxItems":
            return f"{where} must have at most {rule}"
        case other:
            return f"{where} does not fit its schema (rule: {other})"
