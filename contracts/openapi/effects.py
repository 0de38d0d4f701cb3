"""What an operation does, from its method and its words; and what it may ask for.

Knows:    which words mean that something is lost, and how a scope of theirs becomes one of ours.
Does not: know what the upstream really does: a draft is for a person to review.
Rule:     it errs on the safe side. POST never counts as a read; a verb of loss makes a change destructive; a
          GET whose own name is such a verb is refused.
"""

import re
from collections.abc import Iterable

from contracts.contract import Effect
from contracts.openapi.words import snake

_LOSS = re.compile(
    r"(?:^|_)(?:empties|(?:delete|destroy|remove|cancel|empty|clear|purge|void|refund|revoke|archive|reset|drop|erase"
    r"|terminate|deactivate|disable|close|reject|unsubscribe|logout|log_out|wipe|truncate|expire|detach"
    r"|unlink|uninstall|discard|forget|ban|block)(?:s|es)?)(?:_|$)"
)
_READ = re.compile(r"(?:^|_)(?:get|list|show|find|search|fetch|retrieve|read|count|query|lookup|view)(?:_|$)")
_THING = re.compile(r"(?:refund|archive|block|ban|drop|reset|close|reject|void|expire)s?")
"""Words of loss that are things as well: a GET that ends in one may well show it."""
_CHANGE = re.compile(
    r"^(?:create|update|set|add|send|pay|approve|submit|publish|activate|enable|logout|log_out|login|register)"
    r"(?:_|$)"
)


def effect_of(method: str, name: str, path: list[str], summary: str) -> Effect | None:
    """Return the effect; None for a read that is named like a change, which nobody should offer as a read.

    name, summary: the operation's, path: the words of its path; all in snake case.
    """
    last = path[-1] if path else ""
    if method in ("get", "head"):
        return None if _is_change(name, last) else "read"
    words = "_".join([name, *path, summary])
    return "destructive" if method == "delete" or _LOSS.search(words) else "write"


def _is_change(name: str, last: str) -> bool:
    """Say whether a GET is named like a change: by its path's last word, or by a name that reads nothing."""
    by_path = (_CHANGE.match(last) or _LOSS.match(last)) and not _THING.fullmatch(last)
    return bool(by_path or (not _READ.search(name) and (_CHANGE.match(name) or _LOSS.search(name))))


_RIGHTS = frozenset(
    "read write readonly writeonly rw ro manage view edit update create delete admin all full access".split()
)
_MOST_SCOPES = 5


def scopes_of(task: str, effect: Effect, declared: Iterable[str] = ()) -> list[str]:
    """Return the scopes that a draft asks for: those of its description in our form, else its task's.

    A scope of theirs names a thing and a right (`write:pets`, `pets.readonly`); ours is the thing, with the
    right that the effect needs and no more.
    """
    right = "read" if effect == "read" else "read_write"
    things = {
        "_".join(word for word in snake(scope.rsplit("/", 1)[-1]).split("_") if word not in _RIGHTS)[:40]
        for scope in declared
    }
    found = sorted(thing.strip("_") for thing in things if thing.strip("_")) or [task]
    return [f"{thing}.{right}" for thing in found[:_MOST_SCOPES]]
