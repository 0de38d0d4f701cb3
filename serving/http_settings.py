"""The settings of the server over HTTP: whose tokens are believed, and under which names it is reached.

Knows:    the names, and which of them go together.
Does not: read a key or a token.   (tokens.py)
"""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, ValidationInfo, field_validator

from common.settings import Settings

SESSIONS = 20
"""Of one person, where nothing else is set: a few browsers, and some that were left behind."""

_LEAST_SECRET_BYTES = 32
"""What HMAC with SHA-256 needs. Source: RFC 7518, section 3.2."""

_HOST = re.compile(r"(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")


def _long_enough(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value()
    if text and len(text.encode()) < _LEAST_SECRET_BYTES:
        raise ValueError(
            f"must have at least {_LEAST_SECRET_BYTES} bytes; `openssl rand -base64 48` prints a good one"
        )
    if "-----BEGIN" in text:
        # A public key as the secret would let everyone sign who has it: everyone may have it.
        raise ValueError(
            "is a key file's text; put the public key into a file and name it in SHOPKART_TOKEN_PUBLIC_KEY"
        )
    return secret


class HttpSettings(Settings):
    """Whose tokens are believed: signed with one secret, or with the private key of one public key."""

    shopkart_token_secret: Annotated[SecretStr, AfterValidator(_long_enough)] = SecretStr("")
    shopkart_token_public_key: str = ""
    shopkart_token_audience: str = ""
    shopkart_token_issuer: str = ""
    shopkart_http_hosts: str = ""
    shopkart_http_sessions: Annotated[int, Field(ge=1, le=1000)] = SESSIONS

    @property
    def checks_tokens(self) -> bool:
        """Say whether a caller must show a token."""
        return bool(self.shopkart_token_secret.get_secret_value() or self.shopkart_token_public_key)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return the further names, each with or without a port, under which requests may come."""
        return _split(self.shopkart_http_hosts)

    @field_validator("shopkart_token_public_key")
    @classmethod
    def _one_kind_of_key(cls, value: str, info: ValidationInfo) -> str:
        if value and _secret_of(info):
            raise ValueError("must be empty where SHOPKART_TOKEN_SECRET is set; keep one of the two")
        return value

    @field_validator("shopkart_token_audience", "shopkart_token_issuer", "shopkart_http_hosts")
    @classmethod
    def _only_with_tokens(cls, value: str, info: ValidationInfo) -> str:
        # Without tokens these would seem to protect, or open, a server that they do nothing for. A field that
        # failed is missing from info.data, and has its own line.
        known = {"shopkart_token_secret", "shopkart_token_public_key"} <= set(info.data)
        if value and known and not (_secret_of(info) or info.data["shopkart_token_public_key"]):
            raise ValueError("needs SHOPKART_TOKEN_SECRET or SHOPKART_TOKEN_PUBLIC_KEY; set one, or empty it")
        return value

    @field_validator("shopkart_http_hosts")
    @classmethod
    def _are_hosts(cls, value: str) -> str:
        for host in _split(value):
            if not _HOST.fullmatch(host):
                raise ValueError("must list host names, as in shop.example, support.shop.example:8443")
        return value


def _secret_of(info: ValidationInfo) -> str:
    secret = info.data.get("shopkart_token_secret", SecretStr(""))
    return secret.get_secret_value()


def _split(hosts: str) -> tuple[str, ...]:
    return tuple(host for each in hosts.split(",") if (host := each.strip().lower()))
