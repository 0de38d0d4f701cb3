"""Where a request goes, proven: below its upstream's base address, or nowhere.

Knows:    an upstream's base address and a built path.
Does not: trust either the contract or the builder: it looks at what will be sent.
Rule:     scheme, host and port are the base's own; the path begins with the base's path and leads upwards in
          no reading of it, decoded once or twice.
"""

import unicodedata
from functools import lru_cache
from urllib.parse import unquote

import httpx2

from contracts.failures import CallFailed
from contracts.upstreams import Upstream
from contracts.wire import Outgoing

MOST_URL = 16_000
"""Characters of an address; common servers take half of it."""

_UNSAFE = frozenset("\\?#@")


def url_of(upstream: Upstream, outgoing: Outgoing) -> httpx2.URL:
    """Return the whole address of a request.  Raises: CallFailed (`not_confined`, `invalid_arguments`)."""
    base = _base(upstream.base_url)
    path = outgoing.path
    if not path.startswith("/") or "//" in path or _UNSAFE & set(path) or not path.isascii():
        raise _escapes(upstream)
    if len(path) + sum(len(name) + len(value) for name, value in outgoing.query) > MOST_URL:
        raise CallFailed(
            "invalid_arguments",
            f"The arguments make an address of more than {MOST_URL} characters.",
            "Call it with shorter or fewer values.",
        )
    url = httpx2.URL(upstream.base_url + path, params=list(outgoing.query) or None)
    sent = url.raw_path.partition(b"?")[0].decode()
    same = (url.scheme, url.host, url.port) == (base.scheme, base.host, base.port) and not url.userinfo
    prefix = base.raw_path.decode().rstrip("/")
    if not same or not sent.startswith(f"{prefix}/") or url.fragment:
        raise _escapes(upstream)
    for seen in _readings(sent.removeprefix(prefix)):
        if any(_leads_upwards(part) for part in seen.split("/")) or "\\" in seen or "//" in seen:
            raise _escapes(upstream)
    return url


@lru_cache(maxsize=256)
def _base(address: str) -> httpx2.URL:
    return httpx2.URL(address)


def _leads_upwards(part: str) -> bool:
    """Say whether a part is dots to somebody: also with spaces around, or before what a semicolon begins."""
    return part.partition(";")[0].strip() in (".", "..")


def _readings(path: str) -> tuple[str, str, str, str]:
    """Return a path as it is written, and as a server may read it that decodes once or twice, or composes."""
    once = unquote(path)
    twice = unquote(once)
    return path, once, twice, unicodedata.normalize("NFKC", twice)


def _escapes(upstream: Upstream) -> CallFailed:
    return CallFailed(
        "not_confined",
        f"The request would leave the address of the upstream {upstream.name}.",
        "Nothing was sent. Correct the arguments.",
    )
