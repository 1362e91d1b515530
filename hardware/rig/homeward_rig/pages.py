"""The hub's pages as browsers on this computer reach them, and whether a browser rang."""

import base64
import hashlib
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

NAME = "homeward.local"
"""By which browsers ask for them."""
FOLDER = "/etc/homeward/tls"
"""Where the hub has its certificate."""

TONES = (523, 659, 784)
"""Hz of the three tones that an alarm has in a browser."""
TOLERANCE = 15
"""Hz by which one may be off: the browser's spectrum has steps of 12."""
LOUD = 0.02
"""Root mean square from which on something sounds; full scale is 1."""
LONGEST_PAUSE = 1.5
"""Seconds after which a row of tones has ended; within it the longest pause is 0.55."""


@dataclass(frozen=True)
class Identity:
    """A certificate that the hub made for itself, and its key: PEM."""

    certificate: str
    key: str

    @property
    def key_hash(self) -> str:
        """By which a browser knows the key: the SHA-256 of its SubjectPublicKeyInfo, in Base64 (RFC 7469)."""
        key = x509.load_pem_x509_certificate(self.certificate.encode()).public_key()
        return base64.b64encode(
            hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
        ).decode()


def make_identity(folder: Path) -> Identity:
    """Makes a certificate for the hub's name, in a folder."""
    key, certificate = folder / "pages.key", folder / "pages.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", key, "-out", certificate, "-days", "2", "-subj", f"/CN={NAME}"),
            *("-addext", f"subjectAltName=DNS:{NAME}"),
        ],
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    return Identity(certificate.read_text(), key.read_text())


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass(frozen=True)
class Ringing:
    """What a page let sound: for how long, and which of the alarm's tones, in Hz."""

    seconds: float
    tones: frozenset[int]

    def __str__(self) -> str:
        tones = ", ".join(map(str, sorted(self.tones))) or "none"
        return f"{self.seconds:.1f} s with the tones {tones} Hz"


def ringing(samples: Sequence[dict[str, Any]]) -> Ringing:
    """The longest row of the alarm's tones in what was measured at a page's audio output.

    `samples`: [{time, level, hertz, state}] in order; `time` in seconds by the output's own clock, which stands still
    while nothing can be heard.
    """
    rows: list[list[tuple[float, int]]] = [[]]
    for sample in samples:
        tone = next((tone for tone in TONES if abs(sample["hertz"] - tone) <= TOLERANCE), None)
        if tone is None or sample["level"] < LOUD or sample["state"] != "running":
            continue
        if rows[-1] and not 0 <= sample["time"] - rows[-1][-1][0] <= LONGEST_PAUSE:
            rows.append([])
        rows[-1].append((sample["time"], tone))
    longest = max(rows, key=lambda row: row[-1][0] - row[0][0] if row else -1)
    if not longest:
        return Ringing(0, frozenset())
    return Ringing(longest[-1][0] - longest[0][0], frozenset(tone for _, tone in longest))
