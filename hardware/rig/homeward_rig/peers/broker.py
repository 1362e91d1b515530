"""The MQTT broker at the other end of the line: a real mosquitto on this machine, and a reader beside it.

The reader (mosquitto_sub, with a session that the broker keeps) writes every message with its arrival time to
broker-messages.jsonl in the run's folder. It is there before anybody else and misses nothing.

Actions:
    port                    → the broker's port on loopback, once it is ready
    vanish                  the broker is killed, as by a power cut; what it had not written to its disk is gone
    come-back               it starts again, with what was on its disk
    hang                    it keeps its connections and answers nobody
    go-on                   it answers again
    publish TOPIC TEXT [RETAIN]   somebody publishes, for commands; quality of service 1
    messages [SINCE]        → [{topic, time, text, stale}], in order of arrival, without the first SINCE; `time` as
                            ISO 8601
    events [SINCE]          → [{lane, time, body}]: messages on the topics of events, `body` as it came; SINCE as above
"""

import asyncio
import json
import signal
import socket
from pathlib import Path
from typing import Any

from ..control import action
from .program import argument_parser, run

READY_TOPIC = "rig/ready"
START_SECONDS = 30
PUBLISH_SECONDS = 10
CLIENT_OF_READER = "rig-reader"


def free_port() -> int:
    """A port on loopback that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def start_child(*command: str, output: Any = None) -> asyncio.subprocess.Process:
    """Starts a program that ends with this one, however this one ends."""
    return await asyncio.create_subprocess_exec(
        "setpriv", "--pdeathsig", "KILL", *command, stdin=asyncio.subprocess.DEVNULL, stdout=output
    )


class Broker:
    """A mosquitto with its reader."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._received = folder / "broker-messages.jsonl"
        self._received.write_bytes(b"")
        self._broker: asyncio.subprocess.Process | None = None
        self._reader: asyncio.subprocess.Process | None = None
        self._readiness = 0
        self._is_ready = asyncio.Event()

    async def work(self) -> None:
        """Starts broker and reader; they end with this program."""
        self._write_configuration()
        await self._start_broker()
        with open(self._received, "ab") as file:
            self._reader = await start_child(
                "mosquitto_sub",
                "-h",
                "127.0.0.1",
                "-p",
                str(self._port),
                "-i",
                CLIENT_OF_READER,
                "--disable-clean-session",
                "-q",
                "1",
                "-t",
                "#",
                "-F",
                "%j",
                output=file,
            )
        await self._await_reader()
        self._is_ready.set()

    def _write_configuration(self) -> None:
        disk = self._folder / "broker"
        disk.mkdir(exist_ok=True)
        (self._folder / "broker.conf").write_text(
            "\n".join(
                [
                    f"listener {self._port} 127.0.0.1",
                    "allow_anonymous true",
                    # Every change goes to the disk at once, so that a broker that is killed still knows its reader.
                    "persistence true",
                    f"persistence_location {disk}/",
                    "autosave_on_changes true",
                    "autosave_interval 1",
                    # Nothing waits inside of the broker for the reader's acknowledgement, where a kill would lose it.
                    "max_inflight_messages 0",
                    "max_queued_messages 0",
                    "log_type all",
                    f"log_dest file {self._folder}/broker-mosquitto.log",
                    # Started as root, mosquitto would become a user that cannot write the run's folder.
                    "user root",
                    "",
                ]
            )
        )

    async def _start_broker(self) -> None:
        self._broker = await start_child("mosquitto", "-c", str(self._folder / "broker.conf"))
        for _ in range(START_SECONDS * 10):
            if self._broker.returncode is not None:
                raise RuntimeError(f"mosquitto ended with {self._broker.returncode}; see broker-mosquitto.log")
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self._port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.1)
                continue
            writer.close()
            return
        raise RuntimeError(f"mosquitto does not listen after {START_SECONDS} s; see broker-mosquitto.log")

    async def _await_reader(self) -> None:
        """Waits until the reader hears what is published."""
        self._readiness += 1
        for _ in range(START_SECONDS):
            await self._publish(READY_TOPIC, str(self._readiness), False)
            for _ in range(10):
                if any(message["text"] == str(self._readiness) for message in self._messages(READY_TOPIC)):
                    return
                await asyncio.sleep(0.1)
        raise RuntimeError(f"the broker's reader hears nothing after {START_SECONDS} s")

    async def _publish(self, topic: str, text: str, retain: bool) -> None:
        process = await start_child(
            "mosquitto_pub",
            "-h",
            "127.0.0.1",
            "-p",
            str(self._port),
            "-q",
            "1",
            "-t",
            topic,
            "-m",
            text,
            *(["-r"] if retain else []),
        )
        try:
            status = await asyncio.wait_for(process.wait(), PUBLISH_SECONDS)
        except TimeoutError:
            process.kill()
            status = None
        if status != 0:
            raise RuntimeError("nothing could be published: the broker does not answer")

    def _messages(self, topic: str | None = None) -> list[dict[str, Any]]:
        # The last line may still be being written.
        lines = self._received.read_bytes().split(b"\n")[:-1]
        found = [json.loads(line) for line in lines]
        return [
            {
                "topic": message["topic"],
                "time": message["tst"],
                "text": message["payload"],
                "stale": bool(message["retain"]),
            }
            for message in found
            if (message["topic"] == topic if topic else message["topic"] != READY_TOPIC)
        ]

    # Actions

    @action
    async def port(self) -> int:
        await self._is_ready.wait()
        return self._port

    @action
    async def vanish(self) -> None:
        assert self._broker is not None
        if self._broker.returncode is None:
            self._broker.kill()
            await self._broker.wait()

    @action
    async def come_back(self) -> None:
        assert self._broker is not None
        if self._broker.returncode is None:
            raise RuntimeError("the broker is there")
        await self._start_broker()
        await self._await_reader()

    @action
    def hang(self) -> None:
        self._signal(signal.SIGSTOP)

    @action
    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._broker is None or self._broker.returncode is not None:
            raise RuntimeError("the broker is not there")
        self._broker.send_signal(number)

    @action
    async def publish(self, topic: str, text: str, retain: bool = False) -> None:
        await self._publish(topic, text, retain)

    @action
    def messages(self, since: int = 0) -> list[dict[str, Any]]:
        return self._messages()[since:]

    @action
    def events(self, since: int = 0) -> list[dict[str, Any]]:
        found = []
        for message in self._messages()[since:]:
            levels = message["topic"].split("/")
            if len(levels) == 4 and levels[2] == "event" and not message["stale"]:
                found.append({"lane": levels[3], "time": message["time"], "body": message["text"]})
        return found


def main() -> None:
    arguments = argument_parser("A broker that can vanish, come back and hang.").parse_args()
    broker = Broker(arguments.folder)
    run(broker, arguments.control, broker.work)


if __name__ == "__main__":
    main()
