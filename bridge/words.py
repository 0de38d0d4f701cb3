"""The words under which a server is pinned: its address or its command, without anything secret.

Knows:    where secrets stand in addresses and commands.
Does not: know the file.   (lock.py)
Rule:     what may be a secret is left out, the value of an unknown option too. Two servers that differ in
          nothing else have one pin, so that the second is refused, which is the safe side.
Limit:    a short password that stands alone among the words of a command cannot be told from a word.
"""

import re
from urllib.parse import urlsplit

from bridge.transport import Target
from common.secret import secrets_in
from common.target import HouseServer

_LEFT_OUT = "…"

_FLAGS = frozenset(
    "-m -y --yes -i --rm -q -u -s -S -E -B -I -O -OO -W -it -t -- - --from --package --with --offline".split()
)
"""Options after which a word is shown: they take none, or the name of what is run."""

_SCRIPT = re.compile(r"[^=]+\.(?:py|js|mjs|cjs|ts|jar|sh|rb|php|exe)")
_RANDOM = re.compile(r"(?=[A-Za-z_-]*[0-9])(?=[0-9_-]*[A-Za-z])[A-Za-z0-9_-]{20,}")


def words_of(target: Target) -> str | None:
    """Return the words of a target; None for the shop's own server, which is not pinned."""
    if target is None:
        return None
    if isinstance(target, HouseServer):
        return target.word
    if isinstance(target, str):
        return _address(target)
    if isinstance(target, list):
        return _command(target)
    return f"in this process: {target.name}"


def _address(written: str) -> str:
    try:
        url = urlsplit(written)
        port = f":{url.port}" if url.port else ""
    except ValueError:
        return _LEFT_OUT
    path = "/".join(_LEFT_OUT if _is_secret(part) else part for part in url.path.split("/"))
    return f"{url.scheme}://{url.hostname or ''}{port}{path}"


def _command(words: list[str]) -> str:
    shown: list[str] = []
    is_value = False
    for word in words:
        name, sign, _ = word.partition("=")
        if is_value and not word.startswith("-") and not _SCRIPT.fullmatch(word):
            shown.append(_LEFT_OUT)
        elif "://" in word and not word.startswith("-"):
            shown.append(_address(word))
        elif sign:
            shown.append(f"{name}={_LEFT_OUT}")
        else:
            shown.append(_LEFT_OUT if _is_secret(word) else word)
        is_value = word.startswith("-") and not sign and word not in _FLAGS
    return " ".join(shown)


def _is_secret(word: str) -> bool:
    return any(True for _ in secrets_in(word)) or bool(_RANDOM.fullmatch(word))
