"""How an API says that one signs in, as a suggestion for the deployment's table.

Knows:    OpenAPI's security schemes.
Does not: write a contract: a draft holds neither an address nor a credential.
Rule:     the description's own addresses are never believed. They are told, for a person to compare.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from contracts.openapi.described import Description, items, mapping
from contracts.openapi.words import line

_AS_A_SCOPE = re.compile(r"[a-z][a-z0-9_]{0,40}[.:](?:read|write|read_write)")
"""A role that is a scope, as `orders.read`."""


def signing_in(description: Description) -> tuple[frozenset[str], dict[str, Any], list[str]]:
    """Return the names of headers and parameters that sign in, a suggested `auth`, and notes."""
    schemes = mapping(mapping(description.said.get("components")).get("securitySchemes"))
    names = {"authorization"}
    auth: dict[str, Any] = {"kind": "none"}
    notes: list[str] = []
    for name, node in sorted(schemes.items()):
        scheme = description.follow(node)
        match scheme.get("type"):
            case "apiKey":
                key = str(scheme.get("name", ""))
                names.add(key.lower() if scheme.get("in") == "header" else key)
                if scheme.get("in") == "header" and auth["kind"] == "none":
                    auth = {"kind": "api_key", "header": key}
                elif scheme.get("in") == "header":
                    notes.append(f"The header {line(key, 40)} signs in too; a row of the table holds one.")
                elif scheme.get("in") != "header":
                    notes.append(f"The sign-in {line(name, 40)} is no header; the table cannot say it.")
            case "http" if str(scheme.get("scheme", "")).lower() == "bearer":
                notes += _too(auth)
                auth = auth if auth["kind"] == "oauth" else {"kind": "bearer"}
            case "oauth2" | "openIdConnect":
                notes += _too(auth)
                auth = {"kind": "oauth"}
                notes += [
                    f"OAuth, at the host {host}: compare before you believe it." for host in _hosts(scheme)
                ]
            case other:
                notes.append(f"The sign-in {line(name, 40)} ({line(other, 20)}) is not known here.")
    for server in items(description.said.get("servers")):
        if host := host_of(mapping(server).get("url")):
            notes.append(
                f"The description names the server {host}; it was not taken over. Set base_url yourself."
            )
    return frozenset(names), auth, list(dict.fromkeys(notes))


def _too(auth: dict[str, Any]) -> list[str]:
    """Tell of a key in a header that a token takes the place of."""
    if auth["kind"] != "api_key":
        return []
    return [f"The header {line(auth['header'], 40)} signs in too; a row of the table holds one."]


def host_of(address: object) -> str:
    """Return host and path of an address, for a person to read; empty where it is none."""
    if not isinstance(address, str):
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return line(address, 80)
    return line(f"{parts.netloc}{parts.path}" if parts.netloc else address, 80)


def _hosts(scheme: Any) -> Iterator[str]:
    for flow in mapping(mapping(scheme).get("flows")).values():
        for key in ("authorizationUrl", "tokenUrl"):
            if host := host_of(mapping(flow).get(key)):
                yield host
    if host := host_of(mapping(scheme).get("openIdConnectUrl")):
        yield host


def scopes_in(description: Description, security: Any) -> list[str]:
    """Return the scopes of the first way to sign in that names some. security: an operation's.

    Beside OAuth what stands there are roles, which count where they have the form of a scope.
    """
    schemes = mapping(mapping(description.said.get("components")).get("securitySchemes"))
    for way in items(security):
        for name, scopes in mapping(way).items():
            oauth = description.follow(schemes.get(name)).get("type") in ("oauth2", "openIdConnect")
            said = [each for each in items(scopes) if isinstance(each, str)]
            if found := said if oauth else [each for each in said if _AS_A_SCOPE.fullmatch(each)]:
                return found
    return []
