#!/usr/bin/env python3
"""Shows what a real Home Assistant makes of a real gateway: broker, gpsd, daemon and plugin on this computer.

Run it with the Python of a virtual environment that has Home Assistant; see the plugin's README. It prints the states
after each change as Home Assistant's API answers, and ends with 1 when one of them is not what it should be.
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from household import HomeAssistant, end, free_port, log, wait

ROOT = pathlib.Path(__file__).resolve().parents[4]
HOME = (59.91390, 10.75220)
MODES = ("device", "components")


class Receiver:
    """A gpsd, fed over UDP with a receiver that stands still."""

    def __init__(self):
        self.port, inlet = free_port(), free_port()
        self.process = subprocess.Popen(
            ["gpsd", "-N", "-n", "-S", str(self.port), f"udp://127.0.0.1:{inlet}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.inlet = ("127.0.0.1", inlet)
        self.isOn = threading.Event()
        self.isOn.set()
        threading.Thread(target=self.feed, daemon=True).start()

    def feed(self):
        door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        while self.isOn.is_set():
            door.sendto(self.sentences().encode(), self.inlet)
            time.sleep(1)

    @staticmethod
    def sentences():
        now = time.gmtime()
        clock, day = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
        latitude, longitude = (f"{int(x)}{(x - int(x)) * 60:07.4f}" for x in HOME)
        place = f"{latitude},N,0{longitude},E"
        bodies = [
            f"GPGGA,{clock},{place},1,09,0.9,10.0,M,40.0,M,,",
            "GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.5,0.9,1.2",
            f"GPRMC,{clock},A,{place},0.0,0.0,{day},,,A",
        ]
        return "".join(f"${body}*{checksum(body):02X}\r\n" for body in bodies)

    def stop(self):
        self.isOn.clear()
        end(self.process)


def checksum(body):
    total = 0
    for byte in body.encode():
        total ^= byte
    return total


class Gateway:
    """The daemon with the plugin as it was built."""

    def __init__(self, folder, broker, gps, built):
        self.folder, self.broker, self.gps, self.built = folder, broker, gps, built
        plugin = folder / "plugins" / "mqtt"
        plugin.mkdir(parents=True)
        shutil.copy(ROOT / "plugins/mqtt/plugin.json", plugin)
        shutil.copy(built / "homeward-plugin-mqtt", plugin)
        for name in ("state", "run"):
            (folder / name).mkdir()
        self.process = None
        self.write("device")

    def write(self, mode):
        actions = "locate, alarm.silence, sos.raise, routine.answer, message.send"
        grants = ", ".join(f'"command:{action}"' for action in [*actions.split(", "), "alarm.acknowledge"])
        swift = os.environ.get("SWIFT_RUNTIME", "/opt/swift/usr/lib/swift/linux")
        (self.folder / "homeward.yaml").write_text(
            f"""
gateway: {{name: hub, state: {self.folder}/state, runtime: {self.folder}/run}}
gps: [{{name: gps, port: {self.gps}}}]
clock: {{trust: system}}
heartbeat: {{everyMinutes: 1}}
store: {{minimumFreeMegabytes: 10}}
sound: {{enabled: false}}
plugins:
  directories: [{self.folder}/plugins]
  enabled:
    - name: mqtt
      grants: [network, contacts, health, position.precise, {grants}]
      readPaths: [{swift}]
      settings:
        host: 127.0.0.1
        port: {self.broker}
        homeAssistant: {{enabled: {str(mode != "off").lower()}, discovery: {mode if mode != "off" else "device"}}}
        guardians: ["*"]
        commands: [{{principal: home-assistant, actions: [{actions}]}}]
"""
        )
        if self.process:
            self.process.send_signal(signal.SIGHUP)

    def start(self):
        self.process = subprocess.Popen(
            [self.built / "homewardd", "--config", self.folder / "homeward.yaml"],
            stdout=log(self.folder / "homewardd.log"),
            stderr=subprocess.STDOUT,
        )
        wait(lambda: (self.folder / "run/control.sock").exists() or self.sockets(), "the daemon")

    def told(self, topic):
        """Waits until the broker keeps something on a topic."""
        listen = ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.broker), "-t", topic, "-C", "1", "-W", "2"]
        wait(lambda: subprocess.run(listen, capture_output=True).stdout, topic)

    def sockets(self):
        return list((self.folder / "run").glob("*.sock"))

    def do(self, *words):
        command = [self.built / "homeward", *words, "--config", self.folder / "homeward.yaml"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        print("  $ homeward", " ".join(words))
        if done.returncode != 0:
            sys.exit(f"homeward {' '.join(words)} failed: {done.stdout}{done.stderr}")
        return done.stdout


class Show:
    def __init__(self, house, gateway):
        self.house, self.gateway, self.faults = house, gateway, 0

    def expect(self, what, expected, seconds=90):
        """Waits until entities whose id has the words are in the states; `None` means that there is no such entity."""
        print(f"\n{what}")
        limit, wrong = time.monotonic() + seconds, dict(expected)
        while wrong and time.monotonic() < limit:
            states = self.house.states()
            wrong = {k: v for k, v in expected.items() if not self.fits(states, k, v)}
            time.sleep(0.3)
        states = self.house.states()
        for words in expected:
            shown = [s for s in states if words in s]
            for entity in shown:
                state = states[entity]
                place = {k: v for k, v in state["attributes"].items() if k in ("latitude", "message")}
                print(f"  {entity} = {state['state']} {place or ''}")
            if not shown:
                print(f"  no entity *{words}*")
        for words, state in wrong.items():
            self.faults += 1
            print(f"  WRONG: *{words}* should be {state}")

    @staticmethod
    def fits(states, words, expected):
        shown = [states[s]["state"] for s in states if words in s]
        if expected is None:
            return not shown
        return bool(shown) and all(expected(s) if callable(expected) else s == expected for s in shown)

    def entity(self, words):
        return wait(lambda: next((s for s in self.house.states() if words in s), None), words)

    def run(self):
        do = self.gateway.do
        do("residents", "add", "--name", "Mary", "--time-zone", "Europe/Oslo", "--gps", "gps")
        do("residents", "add", "--name", "Joe", "--time-zone", "Europe/Oslo")
        do(
            "zones",
            "add",
            "--resident",
            "mary",
            "--name",
            "Home",
            "--at",
            "59.9139,10.7522",
            "--radius",
            "25",
            "--home",
        )
        do("guardians", "add", "--resident", "mary", "--name", "Anna Berg", "--id", "anna", "--push", "ntfy://anna")
        do("routine", "add", "--resident", "mary", "--title", "Walk", "--daily", "--at", "23:59")
        self.expect(
            "Mary is at home, and her routine is known",
            {
                "mary_zone": "Home",
                "device_tracker.homeward_hub_mary": lambda s: s not in ("unknown", "unavailable"),
                "mary_alarm_state": "idle",
                "sensor.mary_routine_walk": lambda s: s.startswith("20"),
                "button.homeward_hub_i_am_going_anna_berg": "unknown",
                "joe_alarm_state": "idle",
            },
        )
        self.house.press(self.entity("button.mary_routine_walk_done"))
        self.expect("A press that is refused", {"sensor.homeward_hub_last_answer": "refused"})
        do("sos", "raise", "--resident", "mary", "--why", "a test")
        self.expect("Help is called for", {"mary_alarm_state": lambda s: s in ("prealarm", "dispatched")})
        self.expect("It goes out", {"mary_alarm_state": "dispatched"})
        self.house.press("button.homeward_hub_i_am_going_anna_berg")
        self.expect("Anna goes", {"mary_alarm_state": "acknowledged", "sensor.homeward_hub_last_answer": "done"})
        do("consent", "refuse", "location", "--resident", "mary")
        self.expect(
            "Mary refuses to be located",
            {"mary_zone": "unknown", "device_tracker.homeward_hub_mary": "unknown"},
        )
        do("consent", "grant", "location", "--resident", "mary")
        do("tracking", "on", "--resident", "mary")
        self.expect(
            "and agrees",
            {"mary_zone": "Home", "device_tracker.homeward_hub_mary": lambda s: s != "unknown"},
        )
        self.gateway.write("components")
        self.gateway.told("homeassistant/sensor/hub/mary_zone/config")
        self.expect(
            "Told entity by entity", {"mary_zone": "Home", "sensor.mary_routine_walk": lambda s: s.startswith("20")}
        )
        self.gateway.write("device")
        self.gateway.told("homeassistant/device/hub/config")
        self.house.reload()
        self.expect("and device by device again", {"mary_zone": "Home"})
        do("residents", "erase", "mary", "--yes")
        self.expect("Mary is erased; Joe stays", {"mary": None, "joe_alarm_state": "idle"})
        self.gateway.write("off")
        self.expect("Home Assistant is told nothing more", {"homeward_hub": None, "joe": None})
        return self.faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=pathlib.Path, default=ROOT / ".build/debug", help="where the programs are")
    parser.add_argument("--keep", action="store_true", help="leave the folder with all logs")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ha-"))
    door = free_port()
    (folder / "mosquitto.conf").write_text(f"listener {door} 127.0.0.1\nallow_anonymous true\n")
    with contextlib.ExitStack() as stack:
        broker = subprocess.Popen(
            ["/usr/sbin/mosquitto", "-c", folder / "mosquitto.conf"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(end, broker)
        receiver = Receiver()
        stack.callback(receiver.stop)
        house = HomeAssistant(folder / "house", door)
        stack.callback(house.close)
        print(f"Home Assistant {house.version()}, Python {sys.version.split()[0]}")
        gateway = Gateway(folder, door, receiver.port, arguments.built)
        gateway.start()
        stack.callback(end, gateway.process)
        faults = Show(house, gateway).run()
    print(f"\n{faults} faults" if faults else "\nAll states are as they should be.")
    if arguments.keep:
        print(folder)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
