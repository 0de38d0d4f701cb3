"""Tokens: who calls over HTTP, as the shop has signed it.

Knows:    the key of the settings, and what a token must hold.
Does not: speak HTTP (http.py), or know what its holder may see (identity.py).
Token:    a JWT with `sub` (the customer's id), `exp`, and for the shop's own people the scope `staff`.
Source:   RFC 7519 (claims), RFC 8725 (one key, one kind of algorithm), RFC 6750 (bearer tokens).
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from jwt.exceptions import InvalidSubjectError
from mcp.server.auth.provider import AccessToken
from starlette.authentication import AuthenticationError

from common.settings import ROOT
from common.text import unsafe_characters
from serving.http_settings import HttpSettings
from serving.identity import STAFF_SCOPE

_LEEWAY_S = 10
"""By how much two clocks may differ."""

_MAX_TOKEN = 8192
"""Characters of a token; ours have some two hundred."""

_MAX_SUBJECT = 128
_LEAST_RSA_BITS = 2048

_HMAC = ("HS256", "HS384", "HS512")
_RSA = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
_CURVES = {"secp256r1": "ES256", "secp384r1": "ES384", "secp521r1": "ES512", "secp256k1": "ES256K"}


class BadKey(Exception):
    """The key of the settings cannot be used; the text says why and what to do."""


class BadToken(AuthenticationError):
    """A token is not believed; the text is one of a few sentences and holds nothing of the token."""


@dataclass(frozen=True)
class Tokens:
    """The tokens that are believed. This is a token verifier of the SDK."""

    key: Any
    algorithms: tuple[str, ...]
    audience: str | None
    issuer: str | None

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return whom a token stands for.

        Raises: BadToken, where the SDK's protocol has None, which could not say why.
        """
        claims = self._claims(token)
        if self.audience is None and "aud" in claims:  # PyJWT lets an empty one pass
            raise BadToken(_OTHER_AUDIENCE)
        scopes = _scopes(claims)
        subject = _subject(claims)
        if subject is None and STAFF_SCOPE not in scopes:
            raise BadToken("The token names no customer")
        return AccessToken(
            token="",  # nothing needs it any more, and what is not kept is not shown
            # The SDK binds a session to this, the issuer and the subject: none is shared by two roles.
            client_id=f"{STAFF_SCOPE if STAFF_SCOPE in scopes else 'customer'}:{subject or ''}",
            scopes=scopes,
            expires_at=int(claims["exp"]) + _LEEWAY_S,
            subject=subject,
            claims={"iss": claims["iss"]} if "iss" in claims else {},
        )

    def _claims(self, token: str) -> dict[str, Any]:
        if len(token) > _MAX_TOKEN:
            raise BadToken(_FOREIGN)
        try:
            return jwt.decode(
                token,
                self.key,
                algorithms=list(self.algorithms),
                audience=self.audience,
                issuer=self.issuer,
                leeway=_LEEWAY_S,
                options={"require": ["exp"]},
            )
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise BadToken(_told(error)) from None


_FOREIGN = "The token is not one that this shop has signed"
_OTHER_AUDIENCE = "The token is for another audience"


def _told(error: Exception) -> str:
    """Return why a token is refused. All but the last are told to holders of a good signature only."""
    if isinstance(error, jwt.ExpiredSignatureError):
        return "The token has expired"
    if isinstance(error, jwt.ImmatureSignatureError):
        return "The token is not valid yet"
    missing = error.claim if isinstance(error, jwt.MissingRequiredClaimError) else None
    if isinstance(error, jwt.InvalidAudienceError) or missing == "aud":
        return _OTHER_AUDIENCE
    if isinstance(error, jwt.InvalidIssuerError) or missing == "iss":
        return "The token is of another issuer"
    if missing == "exp":
        return "The token does not say when it expires"
    if isinstance(error, InvalidSubjectError):
        return "The token names no customer"
    return _FOREIGN


def _subject(claims: dict[str, Any]) -> str | None:
    subject = claims.get("sub")
    if subject is None or subject == "":
        return None
    if len(subject) > _MAX_SUBJECT or subject != subject.strip() or unsafe_characters(subject):
        raise BadToken("The token names no customer")
    return subject


def _scopes(claims: dict[str, Any]) -> list[str]:
    """Return the scopes: words in one text or a list, under either of the two names in use."""
    found: list[str] = []
    for name in ("scope", "scopes"):
        held = claims.get(name)
        # By U+0020 alone (RFC 6749, 3.3): a scope with another space in it is one scope, and not ours.
        words = [] if held is None else held.split(" ") if isinstance(held, str) else held
        if not isinstance(words, list) or not all(isinstance(word, str) for word in cast(list[Any], words)):
            raise BadToken("The token's scope is neither a text nor a list of texts")
        found += cast(list[str], words)
    return found


# ---------------------------------------------------------------- keys


def tokens_of(settings: HttpSettings) -> Tokens | None:
    """Return the tokens that the settings believe, None where they set up none.

    Raises: BadKey.
    """
    secret = settings.shopkart_token_secret.get_secret_value()
    if not settings.checks_tokens:
        return None
    key, algorithms = (_padded(secret), _HMAC) if secret else _public_key(settings.shopkart_token_public_key)
    return Tokens(
        key, algorithms, settings.shopkart_token_audience or None, settings.shopkart_token_issuer or None
    )


def _padded(secret: str) -> bytes:
    # HMAC itself fills a short key up with zeros, so the signatures are the same; PyJWT would warn on every
    # token of HS512 that a key is shorter than its digest.
    return secret.encode().ljust(64, b"\0")


def _public_key(file: str) -> tuple[Any, tuple[str, ...]]:
    named = f"SHOPKART_TOKEN_PUBLIC_KEY names {file}, "
    try:
        pem = (ROOT / Path(file).expanduser()).read_bytes()
    except OSError as error:
        raise BadKey(f"{named}which cannot be read ({error.strerror}). Correct the path.") from None
    if b"PRIVATE KEY" in pem:
        raise BadKey(
            f"{named}which holds a private key. A server that only checks must not have it; make the public "
            "one with: openssl pkey -in KEY -pubout"
        )
    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        raise BadKey(
            f"{named}which holds no public key in PEM form (-----BEGIN PUBLIC KEY-----). Make one with: "
            "openssl pkey -in KEY -pubout, or openssl x509 -in CERTIFICATE -noout -pubkey"
        ) from None
    algorithms = _algorithms(key)
    if not algorithms:
        raise BadKey(
            f"{named}whose kind of key is not taken. Use RSA of {_LEAST_RSA_BITS} bits or more, "
            f"an elliptic curve of {', '.join(_CURVES)}, Ed25519 or Ed448."
        )
    return key, algorithms


def _algorithms(key: object) -> tuple[str, ...]:
    """Return what a key may have signed with: never chosen by the token, which an attacker writes."""
    if isinstance(key, rsa.RSAPublicKey):
        return _RSA if key.key_size >= _LEAST_RSA_BITS else ()
    if isinstance(key, ec.EllipticCurvePublicKey):
        return (_CURVES[key.curve.name],) if key.curve.name in _CURVES else ()
    return ("EdDSA",) if isinstance(key, ed25519.Ed25519PublicKey | ed448.Ed448PublicKey) else ()


# ---------------------------------------------------------------- signing


def signed(settings: HttpSettings, customer: str | None, *, staff: bool, ttl_s: int) -> str:
    """Return a token for a customer or for staff, signed with the secret of the settings.

    Raises: BadKey where they have no secret.
    """
    secret = settings.shopkart_token_secret.get_secret_value()
    if not secret:
        raise BadKey(
            "There is no secret to sign with. Set SHOPKART_TOKEN_SECRET in .env.local, for example to what "
            "`openssl rand -base64 48` prints. With SHOPKART_TOKEN_PUBLIC_KEY the holder of the private key "
            "signs (docs/identity.md)."
        )
    now = int(time.time())
    claims = {
        "sub": customer,
        "scope": STAFF_SCOPE if staff else None,
        "iat": now,
        "exp": now + ttl_s,
        "aud": settings.shopkart_token_audience or None,
        "iss": settings.shopkart_token_issuer or None,
    }
    held = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(held, _padded(secret), algorithm=_HMAC[0])
