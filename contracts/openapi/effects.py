"""What an operation does, from its method and its words; and what it may ask for.

Knows:    which words mean that something is lost.
Does not: know what the upstream really does: a draft is for a person to review.
Rule:     it errs on the safe side. POST never counts as a read; a verb of loss makes a change destructive; a
          GET whose own name is such a verb is refused.
"""

import re

from contracts.contract import Effect

_LOSS = re.compile(
    r"(?:^|_)(?:delete|destroy|remove|cancel|empty|clear|purge|void|refund|revoke|archive|reset|drop|erase"
    r"|terminate|deactivate|disable|close|reject|unsubscribe|logout|log_out|wipe|truncate|expire|detach"
    r"|unlink|uninstall|discard|forget|ban|block)(?:_|$)"
)
_CHANGE = re.compile(
    r"^(?:create|update|set|add|send|pay|approve|submit|publish|activate|enable|logout|log_out|login|register)"
    r"(?:_|$)"
)


def effect_of(method: str, name: str, last: str) -> Effect | None:
    """Return the effect; None for a read that is named like a change, which nobody should offer as a read.

    name, last: the operation's name and the last word of its path, in snake case.
    """
    if method in ("get", "head"):
        return None if any(_CHANGE.match(each) or _LOSS.match(each) for each in (name, last)) else "read"
    return "destructive" if method == "delete" or _LOSS.search(f"{name}_{last}") else "write"


def scopes_of(task: str, effect: Effect) -> list[str]:
    """Return the one scope that a draft asks for."""
    return [f"{task}.read" if effect == "read" else f"{task}.read_write"]
