"""Every reader of outside bytes that a running gateway has, fed with damage."""

import base64
import contextlib
import json
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from homeward_rig import paths

from ..gateway import Deaf, Gateway, Refused, holds
from ..judgement import Ground, NotRun, attack
from ..mutation import damaged_bytes, damaged_json, damaged_line
from ..peers import PlayedGPSD, PlayedRadio, report

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
ROUTES = paths.REPOSITORY / "Sources" / "Gateway" / "Door"
SEEDS = paths.REPOSITORY / "Tests" / "Fuzz" / "Seeds"
ALL_GRANTS = [
    *("network", "position.precise", "content.personal"),
    *(f"observe:{kind}" for kind in ("fix", "health", "delivery", "button", "room-report", "room-status")),
    *(
        f"command:{action}"
        for action in ("locate", "zone.put", "sos.raise", "alarm.acknowledge", "message.send", "setting.put")
    ),
]


def _methods() -> list[str]:
    """All that can be asked over the control socket, by the gateway's own declarations."""
    text = "".join(file.read_text() for file in sorted(ROUTES.glob("*.swift")))
    return sorted(re.findall(r'static let \w+ = Route\(\s*"([\w.]+)"', text))


def _samples(name: str) -> list[dict[str, Any]]:
    """Messages as they are usually said, to be damaged."""
    return [json.loads(line) for line in (SAMPLES / f"{name}.jsonl").read_text().splitlines()]


def _requests() -> list[dict[str, Any]]:
    """What is asked over the control socket: every command, every method but those that end or replace something."""
    parameters = {"resident": "mary", "limit": 10, "since": "2026-11-23T08:00:00Z", "types": ["zone"], "id": "x"}
    asked = [{"method": "command", "params": {"command": {"id": "c", "request": one}}} for one in _samples("commands")]
    others = [one for one in _methods() if one not in ("command", "watch", "backup.create")]
    asked += [{"method": one, "params": parameters} for one in others]
    return [{"jsonrpc": "2.0", "id": number, **one} for number, one in enumerate(asked)]


def _say_all(gateway: Gateway, lines: Iterator[bytes], window: int = 8) -> None:
    """Says lines at the control socket, on a new connection whenever the gateway has hung up; Deaf when it is gone."""
    connection: socket.socket | None = None
    rest = 0
    for line in lines:
        if connection is None:
            connection = gateway.connection()
            connection.settimeout(0.05)
        try:
            connection.sendall(line)
            rest += 1
            if rest >= window:
                rest = 0
                with contextlib.suppress(TimeoutError):
                    if not connection.recv(1 << 20):
                        raise ConnectionResetError
        except OSError:
            connection.close()
            connection = None
            if not gateway.is_alive:
                raise Deaf("it ended") from None
    if connection is not None:
        connection.close()


def _judge(ground: Ground, gateway: Gateway, number: str, words: str, evidence: Callable[[], Any] = lambda: "") -> bool:
    """Whether the gateway lives, answers and raises an SOS."""
    if not gateway.is_alive:
        code = gateway.process.poll() if gateway.process else None
        ground.found(number, f"{words} ends the daemon", f"exit {code}; {evidence()} {gateway.said()[-200:]}")
        return False
    try:
        gateway.put_mary()
        gateway.raise_sos()
    except (Deaf, Refused) as error:
        ground.found(number, f"{words} makes the daemon deaf", f"{error} {evidence()}")
        return False
    return True


@attack("control-mutated")
def control_mutated(ground: Ground) -> None:
    """Every request of the control socket with its members and bytes damaged."""
    gateway = Gateway(ground)
    gateway.start()
    gateway.settle()
    known = _requests()
    last = [b""]

    def lines() -> Iterator[bytes]:
        for _ in range(ground.size(6000, 112_000)):
            last[0] = damaged_line(ground.chance, ground.chance.choice(known))
            ground.count(1, "requests")
            yield last[0]

    with contextlib.suppress(Deaf):
        _say_all(gateway, lines())
    _judge(ground, gateway, "F20", "a damaged request", lambda: last[0][:200])


@attack("http-mutated")
def http_mutated(ground: Ground) -> None:
    """Damaged HTTP at /health and /metrics."""
    gateway = Gateway(ground)
    gateway.start()
    gateway.settle()
    known = [
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /metrics HTTP/1.0\r\nAccept: */*\r\n\r\n",
        b"POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
        b"GET /health HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
    ]
    for _ in range(ground.size(100, 1000)):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", gateway.port), timeout=1) as made:
            made.sendall(damaged_bytes(ground.chance, ground.chance.choice(known)))
            made.shutdown(socket.SHUT_WR)
            made.settimeout(0.03)
            made.recv(4096)
        ground.count(1, "requests")
    _judge(ground, gateway, "F20", "damaged HTTP")
    if not holds(20, lambda: gateway.serves("/metrics"), 0.2):
        ground.found("F20", "after damaged HTTP /metrics is not answered")


@attack("gpsd-nonsense")
def gpsd_nonsense(ground: Ground) -> None:
    """A gpsd that talks nonsense: no trap, and a good fix counts again afterwards."""
    gpsd = PlayedGPSD(ground)
    gateway = Gateway(ground, gps=[{"name": "gps", "port": gpsd.port}])
    gateway.start()
    gateway.settle()
    holds(10, lambda: gpsd.came)
    years = [f"{year}-01-01T00:00:00.000Z" for year in ("0000", "0001", "1970", "9999", "99999", "-0001")]
    numbers = [
        "NaN",
        "inf",
        "-inf",
        "1e999",
        "1e308",
        "-1e308",
        "91",
        "null",
        '"x"',
        "true",
        "[]",
        "99999999999999999999",
    ]

    def line(message: dict[str, Any]) -> bytes:
        return json.dumps(message, separators=(",", ":")).encode()

    numeric = rb'"(lat|lon|eph|speed|track)":[-\d.]+'
    lines = [
        *(line(report(0, time=year)) for year in years),
        *(re.sub(numeric, b'"\\1":' + one.encode(), line(report(0))) for one in numbers),
        line({"class": "DEVICES", "devices": [{"class": "DEVICE", "path": f"/dev/{n}"} for n in range(300)]}),
        b'{"class":"TPV","device":"' + b"x" * 40_000 + b'"}',
        b'{"class":"SKY","satellites":[' + b'{"PRN":1},' * 500 + b"{}]}",
    ]  # fmt: skip
    for number in range(ground.size(4000, 84_000)):
        said = lines[number % len(lines)]
        if number >= 3 * len(lines):
            said = damaged_line(ground.chance, report(ground.chance.uniform(-20, 20)))
        if not gpsd.say(said.rstrip(b"\n") + b"\r\n"):
            holds(40, lambda came=gpsd.came: gpsd.came > came or not gateway.is_alive)
        ground.count(1, "lines")
        if not gateway.is_alive:
            break
    if not _judge(ground, gateway, "F20", "nonsense of gpsd"):
        return
    gpsd.hang_up()

    def is_located() -> bool:
        gpsd.tell(0, speed=0)
        person = next(one for one in gateway.status()["residents"] if one["id"] == "mary")
        at = (person.get("tracking") or {}).get("position") or {}
        fresh = at.get("time", "") > began
        return fresh

    began = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    if not holds(50, is_located, 1):
        ground.found("F20", "after nonsense of gpsd good fixes are not taken again", gateway.faults())


@attack("radio-nonsense", "F17")
def radio_nonsense(ground: Ground) -> None:
    """homeward-hci counts what it dropped beyond all bounds, and says damaged lines and advertisements."""
    radio = PlayedRadio(ground)
    gateway = Gateway(ground, bluetooth={"source": "hci", "hciSocket": str(radio.path)})
    gateway.start()
    gateway.settle()
    holds(10, lambda: radio.came)
    radio.say(b'{"dropped":9223372036854775807}\n{"dropped":1}\n{"dropped":9223372036854775807}\n')
    ground.count(3, "lines")
    if not holds(1, lambda: not gateway.is_alive) and gateway.answers():
        pass
    else:
        ground.found(
            "F17",
            "two lines of homeward-hci end the daemon",
            f"exit {gateway.process.poll() if gateway.process else None}",
        )
        gateway.kill()
        gateway.start()
    frames = [file.read_bytes() for file in sorted((SEEDS / "advertisement").iterdir())]
    frames = [frame[14:-1] if frame.startswith(b"\x04\x3e") else frame for frame in frames]
    for number in range(ground.size(4000, 100_000)):
        data = damaged_bytes(ground.chance, ground.chance.choice(frames))
        sighting = {"kind": "random", "address": f"C0:00:00:00:{number >> 8 & 255:02X}:{number & 255:02X}", "rssi": -60}
        message: dict[str, Any] = {**sighting, "data": data.hex(), "tick": time.clock_gettime_ns(time.CLOCK_BOOTTIME)}
        line = damaged_line(ground.chance, message) if number % 3 == 0 else json.dumps(message).encode() + b"\n"
        if not radio.say(line):
            holds(40, lambda came=radio.came: radio.came > came or not gateway.is_alive)
        ground.count(1, "lines")
        if not gateway.is_alive:
            break
    _judge(ground, gateway, "F17", "nonsense of homeward-hci")


@attack("plugin-mutated")
def plugin_mutated(ground: Ground) -> None:
    """A plugin with all grants says every message damaged; it may be stopped, and the daemon goes on."""
    gateway = Gateway(ground)
    puppet = gateway.add_puppet("wild", ALL_GRANTS, ["notify.sms", "speech"], ("alarm", "record", "trace"))
    gateway.start()
    gateway.settle()
    puppet.await_ready()
    known = _samples("plugin")
    batch, batches = 250, ground.size(4, 40)
    for number in range(batches):
        # What stays JSON-RPC is read to its end; one line that is none ends the plugin.
        lines = [
            json.dumps({"jsonrpc": "2.0", **one} if isinstance(one, dict) else one).encode()
            for one in (damaged_json(ground.chance, ground.chance.choice(known)) for _ in range(batch - 1))
        ]
        lines.append(damaged_line(ground.chance, known[number % len(known)]).rstrip(b"\n"))
        path = puppet.write(f"lines-{number}", b"\n".join(lines) + b"\n")
        process = gateway.process_of("wild")
        order = puppet.order("tell_bytes", path=path)
        ground.count(batch, "messages")

        def is_over(order: int = order, process: int | None = process) -> bool:
            return puppet.answer(order) is not None or not gateway.is_alive or gateway.process_of("wild") != process

        with contextlib.suppress(Deaf):
            holds(10, is_over)
        if not gateway.is_alive:
            break
        # It is stopped for its lies, and started anew later and later; here at once.
        puppet.forget()
        with contextlib.suppress(Refused, Deaf):
            gateway.ask("plugins.restart", name="wild")
        holds(15, lambda: puppet.is_ready() or not gateway.is_alive)
    _judge(ground, gateway, "F20", "damaged messages of a plugin")


def _jpeg(segments: bytes = b"") -> bytes:
    """A real picture with segments of ours behind its beginning."""
    pixels = bytes((x * y) % 256 for y in range(32) for x in range(32) for _ in range(3))
    try:
        made = subprocess.run(["cjpeg"], input=b"P6 32 32 255\n" + pixels, capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise NotRun("cjpeg is not there; .ci/packages test installs it") from None
    return made[:2] + segments + made[2:]


def _segment(marker: int, data: bytes) -> bytes:
    return bytes((0xFF, marker)) + (len(data) + 2).to_bytes(2, "big") + data


def _upload(gateway: Gateway, name: str, data: bytes) -> dict[str, Any]:
    parts = [data[at : at + 300_000] for at in range(0, len(data), 300_000)] or [b""]
    answer: dict[str, Any] = {}
    for number, part in enumerate(parts):
        answer = gateway.ask(
            "picture.add", resident="mary", upload=name, offset=number * 300_000,
            data=base64.b64encode(part).decode(), isLast=number == len(parts) - 1,
        )  # fmt: skip
    return answer


def _stored(gateway: Gateway, identity: str) -> bytes:
    """A picture as the gateway gives it back."""
    data, is_last = b"", False
    while not is_last:
        part = gateway.ask("picture.get", id=identity, offset=len(data))
        data, is_last = data + base64.b64decode(part["data"]), part["isLast"]
    return data


@attack("pictures-tell", "F20")
def pictures_tell(ground: Ground) -> None:
    """Words and places in every segment of a JPEG and chunk of a PNG where programs put them: none is kept."""
    gateway = Gateway(ground)
    gateway.start()
    gateway.settle()
    secret = b"GPS 59.9139 14 Secret St <script>"
    segments: dict[str, bytes] = {
        "a comment": _segment(0xFE, secret),
        "JFIF": _segment(0xE0, b"JFXX\0" + secret),
        "Exif": _segment(0xE1, b"Exif\0\0" + secret),
        "XMP": _segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + secret),
        "a colour profile": _segment(0xE2, b"ICC_PROFILE\0\1\1" + secret),
        "Adobe's segment": _segment(0xEE, b"Adobe\0\x64\0\0\0\0\0" + secret),
        "Photoshop's segment": _segment(0xED, b"Photoshop 3.0\0" + secret),
        **{f"APP{number}": _segment(0xE0 + number, secret) for number in (3, 4, 7, 10, 11, 15)},
    }
    for words, segment in segments.items():
        for place, data in (("before the picture", _jpeg(segment)), ("behind its end", _jpeg() + segment)):
            ground.count(1, "pictures")
            with contextlib.suppress(Refused):
                answer = _upload(gateway, f"u{ground.counts['pictures']}", data)
                kept = _stored(gateway, answer["id"])
                if found := [word for word in (b"59.9139", b"Secret", b"<script>") if word in kept]:
                    ground.found("F20", f"{words} of a picture keeps what it tells ({place})", found)


@attack("pictures-mutated")
def pictures_mutated(ground: Ground) -> None:
    """Damaged pictures, and pictures that say that they are as large as a street."""
    gateway = Gateway(ground)
    gateway.start()
    gateway.settle()
    jpeg = _jpeg()
    frame = jpeg.index(b"\xff\xc0") + 5
    png = (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde"
        b"\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"
    )
    bombs = [
        jpeg[:frame] + size + jpeg[frame + 4 :] for size in (b"\x75\x30\x75\x30", b"\xff\xff\xff\xff", b"\0\0\0\0")
    ]
    bombs += [png[:16] + size + png[24:] for size in (b"\x7f\xff\xff\xff" * 2, b"\0\0\x75\x30" * 2)]
    for number in range(ground.size(300, 6000)):
        data = (
            bombs[number]
            if number < len(bombs)
            else damaged_bytes(ground.chance, ground.chance.choice((jpeg, jpeg, png)), 8)
        )
        ground.count(1, "pictures")
        try:
            with contextlib.suppress(Refused):
                _upload(gateway, f"p{number}", data)
        except Deaf:
            break
    _judge(ground, gateway, "F20", "a damaged picture")


@attack("configuration-mutated")
def configuration_mutated(ground: Ground) -> None:
    """Damaged configurations: each is refused with words, or the gateway starts."""
    gateway = Gateway(ground)
    gateway.add_puppet("harmless", ["observe:health"])
    good = gateway.configuration
    for number in range(ground.size(40, 400)):
        damage = damaged_json(ground.chance, good, 1) if number % 2 else good
        text = json.dumps(damage)
        if number % 2 == 0:
            text = damaged_bytes(ground.chance, text.encode(), 2).decode("latin-1")
        # Nothing else of this computer is written to.
        if str(gateway.state) not in text or str(gateway.runtime) not in text:
            continue
        gateway.damaged_configuration = text
        ground.count(1, "configurations")
        before = len(gateway.said())
        gateway.launch()
        assert gateway.process is not None
        # Where it listens is in the configuration, too.
        has_settled = holds(20, lambda before=before: not gateway.is_alive or "Armed" in gateway.said()[before:])
        code, words = gateway.process.poll(), gateway.said()[before:]
        if code is not None and code < 0:
            ground.found("F20", "a damaged configuration ends the daemon by a signal", f"{code}: {words[-200:]}")
        elif code is not None and not words.strip():
            ground.found("F20", "a damaged configuration ends the daemon without a word", text[:300])
        elif not has_settled:
            ground.found("F20", "with a damaged configuration the daemon neither ends nor starts", words[-200:])
        gateway.kill()
