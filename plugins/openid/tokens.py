"""What an ID token says of whoever logs in, once everything about it is right.

Sources: OpenID Connect Core 1.0, section 3.1.3.7 (what is checked); RFC 7515 and 7519 (what it is); RFC 8725 (what went
wrong elsewhere).
"""

import base64
import contextlib
import hashlib
import hmac
import json
import time

import jwt
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

# By which a provider may sign, with the keys for it and the digest of at_hash. What proves nothing, or is made with a
# secret that both know, is none of them.
ALGORITHMS = {
    "RS256": ({"kty": "RSA"}, hashlib.sha256),
    "RS384": ({"kty": "RSA"}, hashlib.sha384),
    "RS512": ({"kty": "RSA"}, hashlib.sha512),
    "PS256": ({"kty": "RSA"}, hashlib.sha256),
    "PS384": ({"kty": "RSA"}, hashlib.sha384),
    "PS512": ({"kty": "RSA"}, hashlib.sha512),
    "ES256": ({"kty": "EC", "crv": "P-256"}, hashlib.sha256),
    "ES384": ({"kty": "EC", "crv": "P-384"}, hashlib.sha384),
    "ES512": ({"kty": "EC", "crv": "P-521"}, hashlib.sha512),
    "EdDSA": ({"kty": "OKP", "crv": "Ed25519"}, hashlib.sha512),
}
READERS = {"RSA": RSAAlgorithm, "EC": ECAlgorithm, "OKP": OKPAlgorithm}
LEAST_RSA_BITS = 2048
LEEWAY_SECONDS = 60
# The token is made for whoever asks just now.
OLDEST_SECONDS = 600
TOKEN_CHARACTERS = 16_384


class Untrusted(Exception):
    """A token that nobody is let in by: what is wrong, for the log."""


class OtherTime(Untrusted):
    """One that is of another time, by this machine's clock."""


class UnknownKey(Untrusted):
    """One that none of the known keys has signed; the provider may have new ones."""


def public_keys(key_set, algorithm, key_id):
    """The keys of a JWK set that a signature may be checked with."""
    keys = key_set.get("keys") if isinstance(key_set, dict) else None
    wanted, _ = ALGORITHMS[algorithm]
    for key in keys if isinstance(keys, list) else []:
        if not isinstance(key, dict) or any(key.get(name) != value for name, value in wanted.items()):
            continue
        fits = key.get("use", "sig") == "sig" and key.get("alg", algorithm) == algorithm
        # A key that everybody can sign with proves nothing.
        if not fits or "d" in key or (key_id is not None and key.get("kid") != key_id):
            continue
        with contextlib.suppress(Exception):  # One that cannot be read is none; the others count.
            read = READERS[wanted["kty"]].from_jwk(json.dumps(key))
            if wanted["kty"] != "RSA" or read.key_size >= LEAST_RSA_BITS:
                yield read


def header_of(token):
    """By which algorithm and which key a token says that it is signed."""
    if not isinstance(token, str) or len(token) > TOKEN_CHARACTERS:
        raise Untrusted("there is no ID token, or one that is too long")
    try:
        header = jwt.get_unverified_header(token)
    except jwt.exceptions.PyJWTError as error:
        raise Untrusted(f"the ID token cannot be read ({type(error).__name__})") from None
    algorithm, key_id = header.get("alg"), header.get("kid")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise Untrusted("the ID token is signed by no algorithm that proves something")
    if "crit" in header:
        raise Untrusted("the ID token asks for what is not known here (crit)")
    return algorithm, key_id


def checked_claims(token, keys, algorithm, issuer, client):
    """The claims of a token that one of the keys has signed, for this client, now."""
    required = {"require": ["iss", "sub", "aud", "exp", "iat"]}
    for key in keys:
        try:
            return jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=client,
                issuer=issuer,
                leeway=LEEWAY_SECONDS,
                options=required,
            )
        except jwt.exceptions.InvalidSignatureError:
            continue
        except (jwt.exceptions.ExpiredSignatureError, jwt.exceptions.ImmatureSignatureError) as error:
            raise OtherTime(f"the ID token is of another time ({type(error).__name__})") from None
        except jwt.exceptions.PyJWTError as error:
            raise Untrusted(f"the ID token is not for this gateway ({type(error).__name__})") from None
        except (TypeError, ValueError, OverflowError) as error:
            raise Untrusted(f"the ID token cannot be read ({type(error).__name__})") from None
    raise UnknownKey("the ID token is signed by none of the provider's keys")


def identity(token, key_set, issuer, client, nonce, access_token):
    """Who a token is about: `{issuer, subject, name?}`. Raises `Untrusted`."""
    algorithm, key_id = header_of(token)
    claims = checked_claims(token, public_keys(key_set, algorithm, key_id), algorithm, issuer, client)
    if claims["iat"] < time.time() - OLDEST_SECONDS - LEEWAY_SECONDS:
        raise OtherTime("the ID token was made long ago")
    audience, party = claims["aud"], claims.get("azp")
    if party not in (None, client) or (isinstance(audience, list) and len(audience) > 1 and party is None):
        raise Untrusted("the ID token is for another party (azp)")
    if not isinstance(claims.get("nonce"), str) or not same(claims["nonce"], nonce):
        raise Untrusted("the ID token is for another log-in (nonce)")
    if "at_hash" in claims and not same(str(claims["at_hash"]), half_digest(access_token, algorithm)):
        raise Untrusted("the ID token is for another access token (at_hash)")
    if not is_name(claims["sub"], 255):
        raise Untrusted("the ID token says of nobody who they are (sub)")
    who = {"issuer": issuer, "subject": claims["sub"]}
    names = (claims.get(claim) for claim in ("email", "preferred_username", "name"))
    name = next((name for name in names if is_name(name, 200)), None)
    return {**who, "name": name} if name else who


def half_digest(access_token, algorithm):
    """The left half of an access token's digest, as at_hash has it."""
    digest = ALGORITHMS[algorithm][1](str(access_token).encode()).digest()
    return base64.urlsafe_b64encode(digest[: len(digest) // 2]).decode().rstrip("=")


def same(one, other):
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def is_name(text, longest):
    return isinstance(text, str) and 0 < len(text) <= longest and text.isprintable()
