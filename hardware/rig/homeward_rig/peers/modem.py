"""A mobile phone modem on a serial line: AT commands as in 3GPP TS 27.005 (messages) and 27.007, and its network.

What was said on the line is in modem-conversation.log in the run's folder.

Actions:
    plug PATH               connects to the emulator's socket, or opens a serial port; unplug ends that
    sent                    → messages taken by the network: [{number, text, time, reference, wants_report, complete}];
                            the parts of a long one are one message, `complete` once all came
    receive NUMBER TEXT     somebody sends a message to the hub
    reports OUTCOME [SECONDS]   what becomes of messages from now on: "delivered" (at the start), "failed" or "nothing",
                            told so many seconds after sending (0.5)
    fail [CODE] [TIMES]     the network refuses messages with this +CMS ERROR (38, network out of order); the next
                            TIMES, or all until `recover`
    hang                    takes what is sent to it and answers nothing, until `recover`
    slow SECONDS            answers that much later
    recover                 neither fails nor hangs nor is slow
    network STATE           "home", "roaming", "searching", "denied" or "off"; messages need one of the first two
    signal RSSI             0 through 31, as +CSQ says it
    lock PIN                the SIM asks for this PIN, as after power on
    ring NUMBER [TIMES]     somebody calls; it rings every 3 s, TIMES at most (10)
    voice KIND [TEXTS]      what calls the modem can make: "simcom" (at the start) and "quectel" tell keys their way,
                            "deaf" tells none, "none" makes no calls; TEXTS false: it sends no messages meanwhile
    answer [SECONDS] [KEYS] [KEY_SECONDS] [ENDS_AFTER]
                            calls from now on are answered after so many seconds (1), keys are pressed so many seconds
                            later (1), and the far end hangs up so many seconds after that (never)
    mailbox [SECONDS]       calls from now on are answered by one that never presses a key
    no-answer OUTCOME [SECONDS]     calls from now on are "unanswered" (at the start), "busy" or "declined"
    press KEYS              the far end presses keys; hang-up-there: it hangs up
    calls                   → calls that the modem made: [{number, time, answered, ended, keys}]
    state                   → {plugged, registered, locked, stored, storage_free, calling, refused_incoming}
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from .. import short_message
from ..at_commands import Failed, clock, number_in, parameters, split_line
from ..control import action
from ..mobile_network import OUTCOMES, REGISTRATION, MobileNetwork
from ..modem_facts import IDENTITY, KEPT, NEEDS_NO_PIN, RANGES
from ..phone_calls import KEY_DETECTORS, KINDS, Fate, PhoneCalls
from ..serial_line import SerialLine
from ..short_message import GSM, Part
from ..sim_storage import PLACES, SIMStorage, Stored
from .program import argument_parser, run

PROMPT = b"\r\n> "
CONTROL_Z, ESCAPE = 0x1A, 0x1B

log = logging.getLogger("modem")


class Modem:
    """Reads commands byte by byte and writes through `write`; the network behind it is made of actions."""

    def __init__(self, folder: Path) -> None:
        self._log = open(folder / "modem-conversation.log", "a", buffering=1)  # noqa: SIM115 - as long as the program
        self._line: SerialLine | None = None
        self._stored = SIMStorage()
        self._network = MobileNetwork()
        self._pin: str | None = None
        self._is_hanging = False
        self._delay = 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self._calls = PhoneCalls(self._indicate, self._begin)
        self._reset()

    def _reset(self) -> None:
        """Everything as after power on: a modem that was unplugged has forgotten its settings."""
        self._buffer = b""
        self._prompt: Callable[[bytes], str] | None = None
        self._echoes = True
        self._errors_in = 0
        self._is_text_mode = False
        self._character_set = "IRA"
        self._text_flags, self._text_coding = 17, 0
        self._indications = [0, 0, 0, 0, 0]
        self._phase_2_plus = False
        self._registration_reports: dict[str, int] = {"+CREG": 0, "+CGREG": 0, "+CEREG": 0}
        self._kept = dict(KEPT)
        self._waiting: list[str] = []
        self._calls.detects_keys = False

    # The line

    async def converse(self, line: SerialLine) -> None:
        """Speaks on a line until it ends."""
        self._reset()
        self._line = line
        try:
            while data := await line.read():
                for octet in data:
                    await self._take(octet)
        except OSError:
            pass
        finally:
            if self._line is line:
                self._line = None
            line.close()

    async def _take(self, octet: int) -> None:
        if self._is_hanging:
            self._buffer, self._prompt = b"", None
            return
        if self._prompt is not None:
            await self._take_of_message(octet)
            return
        if self._echoes:
            self._send(bytes([octet]))
        if octet == 0x08:
            self._buffer = self._buffer[:-1]
        elif octet == 0x0D:
            command, self._buffer = self._buffer.decode("latin-1").strip(), b""
            if command:
                await self._obey(command)
        elif octet not in (0x0A, 0x00):
            self._buffer += bytes([octet])

    async def _take_of_message(self, octet: int) -> None:
        if octet not in (CONTROL_Z, ESCAPE):
            self._buffer += bytes([octet])
            return
        text, finish = self._buffer, self._prompt
        self._buffer, self._prompt = b"", None
        assert finish is not None
        self._note("←", repr(text))
        await self._answer(lambda: "" if octet == ESCAPE else finish(text))

    async def _obey(self, line: str) -> None:
        self._note("←", line)
        if not line.upper().startswith("AT"):
            return
        commands = split_line(line[2:])
        lines: list[str] = []

        def all_of_them() -> str:
            for command in commands:
                if told := self._do(command):
                    lines.append(told)
            return "\r\n".join(lines)

        await self._answer(all_of_them)

    async def _answer(self, work: Callable[[], str]) -> None:
        if self._delay:
            await asyncio.sleep(self._delay)
        try:
            told = work()
        except Failed as failure:
            self._tell(failure.told(self._errors_in))
        else:
            if self._prompt is not None:
                self._note("→", "> ")
                self._send(PROMPT)
                return
            if told:
                self._tell(told)
            self._tell("OK")
        for waiting in self._waiting:
            self._tell(waiting)
        self._waiting = []

    def _indicate(self, words: str) -> None:
        """Tells something unasked: at once, or after the command that is being answered."""
        if self._prompt is not None:
            self._waiting.append(words)
        elif not self._is_hanging:
            self._tell(words)

    def _tell(self, words: str) -> None:
        self._note("→", words)
        self._send(f"\r\n{words}\r\n".encode("latin-1"))

    def _send(self, data: bytes) -> None:
        if self._line is not None:
            with contextlib.suppress(OSError):
                self._line.write(data)

    def _note(self, direction: str, words: str) -> None:
        moment = datetime.now(UTC).strftime("%H:%M:%S.%f")[:-3]
        self._log.write(f"{moment} {direction} {words}\n")

    # Commands

    def _do(self, command: str) -> str:
        """Carries one command out and gives what it tells; Failed."""
        upper = command.upper()
        if upper in IDENTITY:
            return IDENTITY[upper]
        if self._pin and not NEEDS_NO_PIN.match(upper):
            raise Failed(
                "CMS" if upper.startswith(("+CM", "+CN", "+CSCA", "+CSMP")) else "CME",
                311 if upper.startswith(("+CM", "+CN", "+CSCA", "+CSMP")) else 11,
            )
        if upper.startswith("+"):
            match = re.fullmatch(r"(\+\w+)(=\?|\?|=(.*)|)", command, re.DOTALL)
            if not match:
                raise Failed("CME", 50)
            name, kind, value = match[1].upper(), match[2], match[3]
            if kind == "=?":
                return f"{name}: {RANGES[name]}" if name in RANGES else self._not_understood(name)
            if kind == "?":
                return self._read(name)
            return self._set(name, parameters(value or ""))
        return self._basic(upper)

    def _basic(self, command: str) -> str:
        if match := re.fullmatch(r"D(\+?[0-9*#]{1,20});", command):
            # Short numbers are emergencies, which any network takes.
            if not self._is_registered and len(match[1]) > 4:
                raise Failed("CME", 30)
            self._calls.dial(match[1])
            return ""
        if command in ("", "Z", "&F", "V1", "Q0", "X4", "E0", "E1", "E", "H", "S0=0", "S7=60") or re.fullmatch(
            r"[&\\%]\w\d*|S\d+=\d+|X\d|L\d|M\d", command
        ):
            if command.startswith("E"):
                self._echoes = command == "E1"
            elif command in ("Z", "&F"):
                self._reset()
            elif command == "H":
                self._calls.hang_up()
            return ""
        raise Failed("CME", 3)

    def _not_understood(self, name: str) -> str:
        if name in self._COMMANDS or name in ("+CSQ", "+CMGS", "+CMGR", "+CMSS", "+CSMP", "+CSCA", "+CPIN", "+CNMA"):
            return ""
        raise Failed("CME", 4)

    def _read(self, name: str) -> str:
        if name in self._registration_reports:
            # Where the cell is follows when asked for (n = 2) and there is one.
            cell = ',"0A1B","01C2D3E4",7' if self._registration_reports[name] == 2 and self._is_registered else ""
            return f"{name}: {self._registration_reports[name]},{REGISTRATION[self._network.state]}{cell}"
        answers = {
            "+CPIN": "SIM PIN" if self._pin else "READY",
            "+CMGF": int(self._is_text_mode),
            "+CSCS": f'"{self._character_set}"',
            "+CSCA": f'"{short_message.CENTRE}",145',
            "+CSMS": f"{int(self._phase_2_plus)},1,1,1",
            "+CSMP": f"{self._text_flags},167,0,{self._text_coding}",
            "+CNMI": ",".join(map(str, self._indications)),
            "+CPMS": ",".join([f'"SM",{self._stored.used}'] * 3),
            "+CMEE": self._errors_in,
            "+COPS": '0,2,"20404"' if self._is_registered else "0",
            "+CGATT": int(self._is_registered),
            **self._kept,
        }
        if name not in answers:
            raise Failed("CME", 4)
        return f"{name}: {answers[name]}"

    def _set(self, name: str, values: list[str]) -> str:
        if name in self._registration_reports:
            self._registration_reports[name] = number_in(values, 0)
            return ""
        if name == "+CFUN" and values[1:] == ["1"]:
            self._reset()
            return ""
        if name in KEPT:
            self._kept[name] = ",".join(values)
            return ""
        if (method := self._COMMANDS.get(name)) is None:
            raise Failed("CME", 4)
        return method(self, values) or ""

    def _set_pin(self, values: list[str]) -> None:
        if self._pin is None:
            raise Failed("CME", 3)
        if values[:1] != [self._pin]:
            raise Failed("CME", 16)
        self._pin = None
        self._tell_registration()

    def _set_errors(self, values: list[str]) -> None:
        self._errors_in = number_in(values, 0, 0, 2)

    def _set_format(self, values: list[str]) -> None:
        self._is_text_mode = bool(number_in(values, 0, 0, 1))

    def _set_character_set(self, values: list[str]) -> None:
        if values[:1] not in (["GSM"], ["IRA"], ["UCS2"]):
            raise Failed("CME", 50)
        self._character_set = values[0]

    def _set_text_parameters(self, values: list[str]) -> None:
        if values and values[0]:
            self._text_flags = number_in(values, 0, 0, 255)
        if len(values) > 3 and values[3]:
            self._text_coding = number_in(values, 3, 0, 255)

    def _set_service(self, values: list[str]) -> str:
        self._phase_2_plus = bool(number_in(values, 0, 0, 1))
        return "+CSMS: 1,1,1"

    def _set_indications(self, values: list[str]) -> None:
        asked = [
            number_in(values, place, 0, 2) if place < len(values) and values[place] else kept
            for place, kept in enumerate(self._indications)
        ]
        self._indications = asked

    def _set_storage(self, values: list[str]) -> str:
        if any(value != "SM" for value in values):
            raise Failed("CMS", 302)
        return "+CPMS: " + ",".join([self._stored.used] * 3)

    def _signal_quality(self, values: list[str]) -> str:
        return f"+CSQ: {self._network.signal if self._network.state != 'off' else 99},99"

    # Messages out

    def _send_message(self, values: list[str]) -> None:
        if self._is_text_mode:
            number = self._from_character_set(values[0]) if values else ""
            if not re.fullmatch(r"\+?[0-9*#]{1,20}", number):
                raise Failed("CMS", 305)
            self._prompt = lambda text: self._take_text(number, text)
        else:
            length = number_in(values, 0, 1, 200, Failed("CMS", 304))
            self._prompt = lambda text: self._take_frame(length, text)

    def _take_frame(self, length: int, text: bytes) -> str:
        try:
            frame = bytes.fromhex(text.decode("ascii"))
            message = short_message.read_submit(frame)
        except (ValueError, IndexError):
            raise Failed("CMS", 304) from None
        if short_message.length_of(frame) != length:
            raise Failed("CMS", 304)
        return self._hand_over(message.number, message.text, message.wants_report, message.part)

    def _take_text(self, number: str, data: bytes) -> str:
        alphabet = short_message.alphabet_of(self._text_coding)
        line = data.decode("latin-1")
        try:
            if alphabet == "8-bit":
                text = bytes.fromhex(line).hex()
            elif "UCS2" in (alphabet, self._character_set):
                text = bytes.fromhex(line).decode("utf-16-be")
            elif self._character_set == "GSM":
                text = GSM.decode(data)[0]
            else:
                text = data.decode("ascii")
        except ValueError:
            raise Failed("CMS", 305) from None
        return self._hand_over(number, text.replace("\r", "\n"), bool(self._text_flags & 0x20), None)

    def _hand_over(self, number: str, text: str, wants_report: bool, part: Part | None) -> str:
        """The network takes a message, or does not."""
        if self._calls.is_busy and not self._calls.texts_meanwhile:
            raise Failed("CMS", 500)
        reference = self._network.take(number, text, wants_report, part)
        if wants_report and self._network.outcome != "nothing":
            self._begin(self._report(reference, number, datetime.now(UTC), self._network.outcome))
        return f"+CMGS: {reference}"

    async def _report(self, reference: int, number: str, sent: datetime, outcome: str) -> None:
        await asyncio.sleep(self._network.outcome_seconds)
        status = short_message.DELIVERED if outcome == "delivered" else short_message.EXPIRED
        done = datetime.now(UTC)
        frame = short_message.make_status_report(reference, number, sent, done, status)
        report = Stored(frame, number, [sent, done], reference=reference, status=status)
        if self._indications[0] and self._indications[3] == 1:
            if self._is_text_mode:
                self._indicate(f"+CDS: {self._described_report(report)}")
            else:
                self._indicate(f"+CDS: {short_message.length_of(frame)}\r\n{frame.hex().upper()}")
        elif (place := self._stored.put(report)) and self._indications[0] and self._indications[3] == 2:
            self._indicate(f'+CDSI: "SM",{place}')

    # Messages in

    def _list_messages(self, values: list[str]) -> str:
        states = ["REC UNREAD", "REC READ", "STO UNSENT", "STO SENT", "ALL"]
        wanted = (values or [""])[0] or ("REC UNREAD" if self._is_text_mode else "0")
        state = wanted if self._is_text_mode else states[number_in([wanted], 0, 0, 4, Failed("CMS", 305))]
        if state not in states:
            raise Failed("CMS", 305)
        lines = []
        for place, stored in self._stored.by_place():
            if state in ("ALL", "REC READ" if stored.is_read else "REC UNREAD"):
                lines.append(f"+CMGL: {place},{self._described(stored, has_place=True)}")
                stored.is_read = True
        return "\r\n".join(lines)

    def _read_message(self, values: list[str]) -> str:
        stored = self._stored.get(number_in(values, 0, 1, PLACES, Failed("CMS", 321)))
        if stored is None:
            raise Failed("CMS", 321)
        told = f"+CMGR: {self._described(stored, has_place=False)}"
        stored.is_read = True
        return told

    def _delete_message(self, values: list[str]) -> None:
        place = number_in(values, 0, 1, PLACES, Failed("CMS", 321))
        scope = number_in(values, 1, 0, 4) if len(values) > 1 else 0
        self._stored.delete(place, scope)

    def _described(self, stored: Stored, has_place: bool) -> str:
        frame = stored.frame
        if not self._is_text_mode:
            return f"{int(stored.is_read)},,{short_message.length_of(frame)}\r\n{frame.hex().upper()}"
        state = '"REC READ"' if stored.is_read else '"REC UNREAD"'
        if stored.status is not None:
            return f"{state},{self._described_report(stored)}"
        return (
            f'{state},"{self._to_character_set(stored.number)}",,"{clock(stored.times[0])}"\r\n'
            f"{self._to_character_set(stored.text)}"
        )

    def _described_report(self, report: Stored) -> str:
        times = ",".join(f'"{clock(moment)}"' for moment in report.times)
        return f'6,{report.reference},"{self._to_character_set(report.number)}",145,{times},{report.status}'

    def _to_character_set(self, text: str) -> str:
        if self._character_set == "UCS2":
            return text.encode("utf-16-be").hex().upper()
        if self._character_set == "GSM":
            return GSM.encode(text, "replace")[0].decode("latin-1")
        return text.encode("ascii", "replace").decode()

    def _from_character_set(self, text: str) -> str:
        if self._character_set != "UCS2":
            return text
        try:
            return bytes.fromhex(text).decode("utf-16-be")
        except ValueError:
            raise Failed("CMS", 305) from None

    # Network and calls

    @property
    def _is_registered(self) -> bool:
        return self._network.serves and self._pin is None

    def _tell_registration(self) -> None:
        for name, reports in self._registration_reports.items():
            if reports:
                self._indicate(f"{name}: {REGISTRATION[self._network.state]}")

    def _begin(self, work: Any) -> "asyncio.Task[None]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("the modem broke off", exc_info=error)

    _COMMANDS: ClassVar[dict[str, Callable[["Modem", list[str]], str | None]]] = {
        "+CPIN": _set_pin,
        "+CMEE": _set_errors,
        "+CMGF": _set_format,
        "+CSCS": _set_character_set,
        "+CSMP": _set_text_parameters,
        "+CSMS": _set_service,
        "+CNMI": _set_indications,
        "+CPMS": _set_storage,
        "+CMGS": _send_message,
        "+CMGL": _list_messages,
        "+CMGR": _read_message,
        "+CMGD": _delete_message,
        "+CSQ": _signal_quality,
        "+CHUP": lambda modem, values: modem._calls.hang_up(),
        "+CLCC": lambda modem, values: modem._calls.listed(),
        **{
            name: lambda modem, values, name=name: modem._calls.detect_keys(name, number_in(values, 0, 0, 1) == 1)
            for name in KEY_DETECTORS.values()
        },
        "+COPS": lambda modem, values: None,
        "+CGATT": lambda modem, values: None,
        "+CSCA": lambda modem, values: None,
        "+CNMA": lambda modem, values: None,
        "+CMMS": lambda modem, values: None,
        "+GCAP": lambda modem, values: "+GCAP: +CGSM",
        "+CPAS": lambda modem, values: f"+CPAS: {3 if modem._calls.is_busy else 0}",
        "+CNUM": lambda modem, values: "",
        "+CBC": lambda modem, values: "+CBC: 0,100",
    }

    # Actions

    @action
    async def plug(self, path: str) -> None:
        self.unplug()
        line = await SerialLine.open(path)
        self._begin(self.converse(line))

    @action
    def unplug(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
        self._calls.drop()

    @action
    def sent(self) -> list[dict[str, Any]]:
        return [sent.as_json() for sent in self._network.sent]

    @action
    def receive(self, number: str, text: str) -> None:
        now = datetime.now(UTC)
        for message in short_message.make_delivers(number, text, now, self._network.next_reference()):
            stored = Stored(message.frame, number, [now], message.text)
            if self._indications[0] and self._indications[1] == 2:
                self._indicate(
                    "+CMT: "
                    + (
                        f'"{self._to_character_set(number)}",,"{clock(now)}"\r\n{self._to_character_set(message.text)}'
                        if self._is_text_mode
                        else f",{short_message.length_of(message.frame)}\r\n{message.frame.hex().upper()}"
                    )
                )
            elif not (place := self._stored.put(stored)):
                raise RuntimeError("the SIM's storage is full")
            elif self._indications[0] and self._indications[1] == 1:
                self._indicate(f'+CMTI: "SM",{place}')

    @action
    def reports(self, outcome: str, seconds: float = 0.5) -> None:
        if outcome not in OUTCOMES:
            raise ValueError(f'no outcome "{outcome}"')
        self._network.outcome, self._network.outcome_seconds = outcome, seconds

    @action
    def fail(self, code: int = 38, times: int | None = None) -> None:
        self._network.fail(code, times)

    @action
    def hang(self) -> None:
        self._is_hanging = True

    @action
    def slow(self, seconds: float) -> None:
        self._delay = seconds

    @action
    def recover(self) -> None:
        self._network.fail(None)
        self._is_hanging, self._delay = False, 0.0

    @action
    def network(self, state: str) -> None:
        if state not in REGISTRATION:
            raise ValueError(f'no state "{state}"; there are: {", ".join(REGISTRATION)}')
        self._network.state = state
        self._tell_registration()

    @action
    def signal(self, rssi: int) -> None:
        self._network.signal = rssi

    @action
    def lock(self, pin: str) -> None:
        self._pin = pin

    @action
    async def ring(self, number: str, times: int = 10) -> None:
        self._calls.ring(number, times, tells_number=self._kept["+CLIP"] == "1")

    @action
    def voice(self, kind: str, texts: bool = True) -> None:
        if kind not in KINDS:
            raise ValueError(f'no kind "{kind}"; there are: {", ".join(KINDS)}')
        self._calls.kind, self._calls.texts_meanwhile = kind, texts

    @action
    def answer(
        self, seconds: float = 1, keys: str = "", key_seconds: float = 1, ends_after: float | None = None
    ) -> None:
        self._calls.fate = Fate("answer", seconds, keys, key_seconds, ends_after)

    @action
    def mailbox(self, seconds: float = 1) -> None:
        self._calls.fate = Fate("mailbox", seconds)

    @action
    def no_answer(self, outcome: str, seconds: float = 1) -> None:
        if outcome not in ("unanswered", "busy", "declined"):
            raise ValueError(f'no outcome "{outcome}"')
        self._calls.fate = Fate(outcome, seconds)

    @action
    async def press(self, keys: str) -> None:
        self._calls.press(keys)

    @action
    async def hang_up_there(self) -> None:
        self._calls.hang_up_there()

    @action
    def calls(self) -> list[dict[str, Any]]:
        return [call.as_json() for call in self._calls.made]

    @action
    def state(self) -> dict[str, Any]:
        return {
            "plugged": self._line is not None,
            "registered": self._is_registered,
            "locked": self._pin is not None,
            "stored": len(self._stored),
            "storage_free": PLACES - len(self._stored),
            "calling": self._calls.is_busy,
            "refused_incoming": self._calls.refused_incoming,
        }


def main() -> None:
    arguments = argument_parser("A modem that can fail, hang, report delivery and receive.").parse_args()
    run(Modem(arguments.folder), arguments.control)


if __name__ == "__main__":
    main()
