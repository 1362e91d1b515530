"""Messages that a push service carries and cannot read.

Sources: RFC 8188 (aes128gcm), RFC 8291 (keys of a message), RFC 8292 (VAPID, by which a service knows the sender).
"""

import base64
import json
import os
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

RECORD_BYTES = 4096
# A record holds a byte that ends it and sixteen that prove it.
PLAIN_BYTES = RECORD_BYTES - 17
# Services refuse more than a day.
TOKEN_SECONDS = 12 * 3600


def encode(data):
    """Bytes in Base64 for addresses, without its `=`."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text):
    """The bytes of `encode`; raises `ValueError`."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def point(key):
    """A public key as 65 bytes."""
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def derive(secret, salt, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def encrypt(text, p256dh, auth, key=None, salt=None):
    """A message for one browser, by its two keys; `key` and `salt` are new for each message, and given in tests only.

    Raises `ValueError` for keys that are none, and for a text that is too long.
    """
    if len(text) > PLAIN_BYTES:
        raise ValueError("the text is too long")
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(p256dh))
    key = key or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    shared = key.exchange(ec.ECDH(), theirs)
    ours = point(key.public_key())
    secret = derive(shared, decode(auth), b"WebPush: info\0" + point(theirs) + ours, 32)
    content_key = derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + len(ours).to_bytes(1, "big") + ours
    return head + AESGCM(content_key).encrypt(nonce, text + b"\2", None)


class Sender:
    """Who sends: a key of its own, which browsers are told, and how to reach whoever keeps it."""

    def __init__(self, key, contact):
        self.key, self.contact = key, contact
        self.tokens = {}

    @property
    def public(self):
        """What a browser is told, in Base64 for addresses."""
        return encode(point(self.key.public_key()))

    def authorization(self, endpoint, now=None):
        """What a push service is shown; the same for half of its time, as it costs the service work."""
        now = time.time() if now is None else now
        parts = urllib.parse.urlsplit(endpoint)
        audience = f"{parts.scheme}://{parts.netloc}"
        token, until = self.tokens.get(audience, (None, 0))
        if not now < until - TOKEN_SECONDS / 2 < now + TOKEN_SECONDS:
            until = now + TOKEN_SECONDS
            token = self.token({"aud": audience, "exp": int(until), "sub": self.contact})
            self.tokens[audience] = (token, until)
        return f"vapid t={token}, k={self.public}"

    def token(self, claims):
        """A JWT, signed by ES256."""
        parts = [json.dumps(part, separators=(",", ":")).encode() for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
        signed = ".".join(map(encode, parts))
        r, s = decode_dss_signature(self.key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{signed}.{encode(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def load_key(path):
    """The sender's key, made where there is none; raises `OSError`, and `ValueError` for a file that is none."""
    try:
        with open(path, "rb") as file:
            key = serialization.load_pem_private_key(file.read(), None)
    except FileNotFoundError:
        return new_key(path)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
        raise ValueError("the key is none of P-256")
    return key


def new_key(path):
    key = ec.generate_private_key(ec.SECP256R1())
    form = serialization.PrivateFormat.PKCS8
    text = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    descriptor = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)
    return key
