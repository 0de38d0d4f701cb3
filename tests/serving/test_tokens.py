"""A token is believed when the shop signed it, for here and for now; a refusal says why, and no more."""

import base64
import hashlib
import hmac
import json
import time
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from serving.tokens import BadKey, BadToken, Tokens, tokens_of
from tests.serving.desk import SECRET, believed, forged, settings, token

pytestmark = pytest.mark.anyio

FOREIGN = "The token is not one that this shop has signed"


def claims(**changed: Any) -> dict[str, Any]:
    """Return good claims, with these changed; None leaves one out."""
    now = int(time.time())
    held = {"sub": "C-1001", "iat": now, "exp": now + 600} | changed
    return {name: value for name, value in held.items() if value is not None}


async def why_refused(tokens: Tokens, shown: str) -> str:
    with pytest.raises(BadToken) as refused:
        await tokens.verify_token(shown)
    assert shown not in str(refused.value)
    return str(refused.value)


# ---------------------------------------------------------------- whom a token stands for


async def test_a_token_of_ours_stands_for_its_customer_and_keeps_nothing_of_itself():
    found = await believed().verify_token(token("C-1001"))
    assert found is not None
    assert (found.subject, found.scopes, found.token) == ("C-1001", [], "")


@pytest.mark.parametrize(
    "scopes",
    [
        {"scope": "staff"},
        {"scope": "openid staff email"},
        {"scope": ["staff"]},
        {"scopes": ["openid", "staff"]},
        {"scopes": "staff"},
    ],
)
@pytest.mark.parametrize("subject", [None, "E-7"])
async def test_the_scope_staff_in_any_usual_form_stands_for_staff(
    scopes: dict[str, Any], subject: str | None
):
    found = await believed().verify_token(forged(claims(sub=subject, **scopes)))
    assert found is not None
    assert "staff" in found.scopes


@pytest.mark.parametrize(
    "scopes",
    [
        {"scope": "staffing"},
        {"scope": "read\u00a0staff"},
        {"scope": "read\x1fstaff"},
        {"scope": "read\tstaff\n"},
        {"scopes": ["read staff"]},
        {"scope": "Staff"},
        {"scopes": ["staff of none"]},
        {"role": "staff"},
        {"staff": True},
    ],
)
async def test_no_other_claim_makes_a_customer_staff(scopes: dict[str, Any]):
    found = await believed().verify_token(forged(claims(**scopes)))
    assert found is not None
    assert "staff" not in found.scopes


@pytest.mark.parametrize(
    "scopes", [{"scope": 5}, {"scope": {"staff": True}}, {"scopes": [None]}, {"scope": True}]
)
async def test_a_scope_that_cannot_be_read_refuses_the_token(scopes: dict[str, Any]):
    assert "scope" in await why_refused(believed(), forged(claims(**scopes)))


@pytest.mark.parametrize("subject", ["", " ", " C-1001", "C-1001\n", "C-\u202e1001", "x" * 129])
async def test_a_subject_that_is_no_customers_id_is_refused(subject: str):
    assert await why_refused(believed(), forged(claims(sub=subject))) == "The token names no customer"


@pytest.mark.parametrize("subject", [1001, ["C-1001"], {"id": "C-1001"}, True])
async def test_a_subject_that_is_no_text_is_refused(subject: Any):
    assert await why_refused(believed(), unchecked(claims(sub=subject))) == "The token names no customer"


async def test_a_token_that_names_nobody_and_is_not_staffs_is_refused():
    assert await why_refused(believed(), forged(claims(sub=None))) == "The token names no customer"
    assert (
        await why_refused(believed(), forged(claims(sub=None, scope="openid")))
        == "The token names no customer"
    )


# ---------------------------------------------------------------- when, and for whom, it is good


async def test_a_token_must_say_when_it_expires():
    assert await why_refused(believed(), forged(claims(exp=None))) == "The token does not say when it expires"


@pytest.mark.parametrize("past_s", [11, 3600, 10**9])
async def test_an_expired_token_is_refused(past_s: int):
    assert (
        await why_refused(believed(), forged(claims(exp=int(time.time()) - past_s)))
        == "The token has expired"
    )


async def test_two_clocks_may_differ_by_seconds():
    now = int(time.time())
    assert await believed().verify_token(forged(claims(exp=now - 5)))
    assert await believed().verify_token(forged(claims(iat=now + 5, nbf=now + 5)))


@pytest.mark.parametrize("name", ["nbf", "iat"])
async def test_a_token_of_the_future_is_refused(name: str):
    later = forged(claims(**{name: int(time.time()) + 60}))
    assert await why_refused(believed(), later) == "The token is not valid yet"


@pytest.mark.parametrize("name", ["exp", "nbf", "iat"])
@pytest.mark.parametrize("value", ["soon", [1], {}, float("inf"), float("nan"), 1e400])
async def test_a_time_that_is_none_refuses_the_token(name: str, value: Any):
    assert await why_refused(believed(), unchecked(claims() | {name: value})) == FOREIGN


async def test_the_audience_is_checked_where_one_is_set_and_nothing_for_others_is_taken_where_none_is():
    ours = believed(audience="shopkart")
    assert await ours.verify_token(forged(claims(aud="shopkart")))
    assert await ours.verify_token(forged(claims(aud=["web", "shopkart"])))
    for other in ("web", ["web"], None):
        assert await why_refused(ours, forged(claims(aud=other))) == "The token is for another audience"
    for named in ("web", ["web"], "", [], [""]):
        assert await why_refused(believed(), forged(claims(aud=named))) == "The token is for another audience"
    for named in ("", [], [""]):
        assert await why_refused(ours, forged(claims(aud=named))) == "The token is for another audience"


async def test_the_issuer_is_checked_where_one_is_set():
    ours = believed(issuer="https://shop.example")
    assert await ours.verify_token(forged(claims(iss="https://shop.example")))
    for other in ("https://shop.example/", "https://other.example", None):
        assert await why_refused(ours, forged(claims(iss=other))) == "The token is of another issuer"


# ---------------------------------------------------------------- signatures


@pytest.mark.parametrize("algorithm", ["HS256", "HS384", "HS512"])
async def test_each_hmac_takes_a_secret_as_it_stands(algorithm: str):
    # Signed here over the bytes of the secret itself, as any other library does.
    assert await believed().verify_token(unchecked(claims(), algorithm=algorithm))


async def test_another_secret_signs_nothing():
    assert await why_refused(believed(), forged(claims(), SECRET + "!")) == FOREIGN
    assert await why_refused(believed(), forged(claims(), SECRET[:-1])) == FOREIGN


@pytest.mark.parametrize(
    "alg", ["none", "None", "NONE", "nOnE", "", "HS1", "RS256", "ES256", "EdDSA", None, 5, ["HS256"]]
)
async def test_the_token_does_not_choose_how_it_is_checked(alg: Any):
    for signature in ("", _bare(b"x" * 32)):
        unsigned = f"{_part({'alg': alg, 'typ': 'JWT'})}.{_part(claims())}.{signature}"
        assert await why_refused(believed(), unsigned) == FOREIGN


def _private_keys() -> dict[str, PrivateKeyTypes]:
    return {
        "RS256": rsa.generate_private_key(65537, 2048),
        "ES256": ec.generate_private_key(ec.SECP256R1()),
        "ES384": ec.generate_private_key(ec.SECP384R1()),
        "ES512": ec.generate_private_key(ec.SECP521R1()),
        "ES256K": ec.generate_private_key(ec.SECP256K1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate(),
        "EdDSA 448": ed448.Ed448PrivateKey.generate(),
    }


PRIVATE = _private_keys()


def public_pem(key: Any) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def private_pem(key: Any) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def believed_by_key(folder: Path, pem: bytes) -> Tokens:
    file = folder / "key.pem"
    file.write_bytes(pem)
    return believed(secret="", public_key=str(file))


@pytest.mark.parametrize("kind", PRIVATE)
async def test_a_public_key_checks_what_its_private_key_has_signed_and_no_other(kind: str, tmp_path: Path):
    tokens = believed_by_key(tmp_path, public_pem(PRIVATE[kind]))
    assert await tokens.verify_token(forged(claims(), PRIVATE[kind], kind.split()[0]))
    for other, key in PRIVATE.items():
        if other != kind:
            assert await why_refused(tokens, forged(claims(), key, other.split()[0])) == FOREIGN


@pytest.mark.parametrize("algorithm", ["RS384", "RS512", "PS256", "PS384", "PS512"])
async def test_an_rsa_key_checks_every_algorithm_of_its_kind(algorithm: str, tmp_path: Path):
    tokens = believed_by_key(tmp_path, public_pem(PRIVATE["RS256"]))
    assert await tokens.verify_token(forged(claims(), PRIVATE["RS256"], algorithm))


@pytest.mark.parametrize("kind", PRIVATE)
@pytest.mark.parametrize("algorithm", ["HS256", "HS384", "HS512"])
async def test_the_public_key_is_never_taken_as_a_secret(kind: str, algorithm: str, tmp_path: Path):
    pem = public_pem(PRIVATE[kind])
    tokens = believed_by_key(tmp_path, pem)
    for secret in (pem, pem.strip(), public_der(PRIVATE[kind])):
        confused = unchecked(claims(scope="staff"), algorithm=algorithm, secret=secret)
        assert await why_refused(tokens, confused) == FOREIGN


@pytest.mark.parametrize(
    "more", [{"kid": "../../etc/passwd"}, {"jku": "https://evil.example/keys"}, {"x5u": "x"}]
)
async def test_a_header_that_names_a_key_of_its_own_changes_nothing(more: dict[str, str]):
    assert await why_refused(believed(), forged(claims(), "x" * 40, headers=more)) == FOREIGN
    assert await believed().verify_token(forged(claims(), headers=more))


@pytest.mark.parametrize(
    "header", [{"crit": ["exp"], "exp": 1}, {"crit": []}, {"b64": False, "crit": ["b64"]}, {"kid": 5}]
)
async def test_a_header_that_asks_for_what_is_not_known_is_refused(header: dict[str, Any]):
    assert await why_refused(believed(), unchecked(claims(), header)) == FOREIGN


@given(
    st.text() | st.text("ey.-_JhbGciOn", max_size=60) | st.binary().map(lambda raw: f"e30.{_bare(raw)}.e30")
)
async def test_no_text_at_all_is_believed_or_breaks_the_check(shown: str):
    with pytest.raises(BadToken):
        await believed().verify_token(shown)


async def test_a_token_nested_too_deep_or_too_long_is_refused_like_any_other():
    deep = _bare(b"[" * 5000)
    assert await why_refused(believed(), f"{deep}.e30.e30") == FOREIGN
    assert await why_refused(believed(), f"{_part({'alg': 'HS256'})}.{deep}.e30") == FOREIGN
    assert await why_refused(believed(), forged(claims(more="x" * 9000))) == FOREIGN


# ---------------------------------------------------------------- keys


def test_without_a_key_no_tokens_are_checked():
    assert tokens_of(settings(secret="")) is None


@pytest.mark.parametrize("secret", ["short", "x" * 31, "ü" * 15])
def test_a_short_secret_is_refused_and_not_repeated(secret: str):
    with pytest.raises(ValidationError) as refused:
        settings(secret=secret)
    assert "32 bytes" in str(refused.value)
    assert secret not in str(refused.value)


def test_a_public_key_given_as_the_secret_is_refused():
    with pytest.raises(ValidationError, match="SHOPKART_TOKEN_PUBLIC_KEY"):
        settings(secret=public_pem(PRIVATE["ES256"]).decode())


def test_a_secret_and_a_key_together_are_refused():
    with pytest.raises(ValidationError, match="keep one of the two"):
        settings(public_key="key.pem")


@pytest.mark.parametrize("name", ["audience", "issuer", "hosts"])
def test_what_only_tokens_give_a_meaning_is_refused_without_them(name: str):
    with pytest.raises(ValidationError, match="needs SHOPKART_TOKEN_SECRET"):
        settings(secret="", **{name: "shop.example"})


@pytest.mark.parametrize(
    ("pem", "told"),
    [
        (private_pem(PRIVATE["ES256"]), "holds a private key"),
        (b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "openssl x509"),
        (b"", "holds no public key"),
        (b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "holds no public key"),
        (public_pem(rsa.generate_private_key(65537, 1024)), "RSA of 2048 bits"),
        (public_pem(ec.generate_private_key(ec.BrainpoolP256R1())), "elliptic curve of secp256r1"),
    ],
)
def test_a_file_that_is_no_usable_public_key_is_told_with_what_to_do(pem: bytes, told: str, tmp_path: Path):
    with pytest.raises(BadKey, match=told):
        believed_by_key(tmp_path, pem)


def test_a_file_that_is_not_there_is_told_by_name():
    with pytest.raises(BadKey, match=r"names /nowhere/key\.pem, which cannot be read \(No such file"):
        believed(secret="", public_key="/nowhere/key.pem")


# ---------------------------------------------------------------- tokens that no library would sign


def public_der(key: Any) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def unchecked(
    held: dict[str, Any],
    header: dict[str, Any] | None = None,
    *,
    algorithm: str = "HS256",
    secret: bytes = SECRET.encode(),
) -> str:
    """Return a token signed without a library, which would refuse claims, headers or secrets of this kind."""
    signing = f"{_part({'alg': algorithm, 'typ': 'JWT'} | (header or {}))}.{_part(held)}"
    signature = hmac.new(secret, signing.encode(), getattr(hashlib, f"sha{algorithm[2:]}")).digest()
    return f"{signing}.{_bare(signature)}"


def _part(value: Any) -> str:
    return _bare(json.dumps(value).encode())


def _bare(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
