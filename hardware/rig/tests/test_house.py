import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from homeward_rig import configuration
from homeward_rig.house import clock as house_clock
from homeward_rig.house import rest, room
from homeward_rig.house.button import Button
from homeward_rig.house.cable import Cable
from homeward_rig.house.clock import Clock
from homeward_rig.house.machine import ALSA
from homeward_rig.house.page import NotFollowed, Page
from homeward_rig.house.programs import library
from homeward_rig.house.rest import activity, await_rest, descendants
from homeward_rig.machine import Lacking
from homeward_rig.sound import tone

BEGINS = datetime(2027, 6, 7, 6, 0, tzinfo=UTC)
# Waits for one timer an hour ahead by CLOCK_BOOTTIME, and tells what the clocks have done until it went off.
WAITS_AN_HOUR = """
import ctypes, os, struct, time
libc = ctypes.CDLL(None, use_errno=True)
BOOTTIME, ABSTIME = 7, 1
before = time.clock_gettime(BOOTTIME), time.time()
timer = libc.timerfd_create(BOOTTIME, 0)
due = int(before[0]) + 3600
libc.timerfd_settime(timer, ABSTIME, struct.pack("qqqq", 0, 0, due, 0), None)
print("waits", flush=True)
os.read(timer, 8)
print(round(time.clock_gettime(BOOTTIME) - before[0]), round(time.time() - before[1]), flush=True)
# Whoever skipped the hour hears that its timers followed from a thread of this process.
os.read(0, 1)
"""

# Reads a button as libevdev does: its name, whether it has an Enter key, and what became of that after each line.
READS_A_BUTTON = """
import ctypes, os, struct, sys
evdev = ctypes.CDLL("libevdev.so.2")
evdev.libevdev_get_name.restype = ctypes.c_char_p
device = ctypes.c_void_p()
descriptor = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)
assert evdev.libevdev_new_from_fd(descriptor, ctypes.byref(device)) == 0
assert evdev.libevdev_grab(device, 3) == 0
print(evdev.libevdev_get_name(device).decode(), evdev.libevdev_has_event_code(device, 1, 28), flush=True)
event = ctypes.create_string_buffer(24)
for _ in sys.stdin:
    told = []
    while evdev.libevdev_next_event(device, 2, event) == 0:
        seconds, microseconds, kind, code, value = struct.unpack("qqHHi", event.raw)
        if kind == 1:
            told.append(f"{code}:{value}@{seconds + microseconds / 1e6:.3f}")
    print(*told, flush=True)
"""


class HouseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="house.")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def clock(self):
        clock = Clock(self.folder / "page", BEGINS)
        self.addCleanup(clock.close)
        return clock

    def test_time_goes_on_by_itself_and_in_leaps_and_both_clocks_with_it(self):
        clock = self.clock()
        self.assertAlmostEqual(clock.wall(), BEGINS.timestamp(), delta=5)
        before = clock.steady(), clock.wall(), clock.true()
        clock.pass_by(3 * 86_400)
        for was, now in zip(before, (clock.steady(), clock.wall(), clock.true()), strict=True):
            self.assertAlmostEqual(now - was, 3 * 86_400, delta=5)
        clock.pass_until(datetime(2027, 6, 12, 8, 0, tzinfo=UTC))
        self.assertAlmostEqual(clock.true(), datetime(2027, 6, 12, 8, 0, tzinfo=UTC).timestamp(), delta=5)

    def test_a_wall_clock_that_is_wrong_changes_nothing_about_how_late_it_is(self):
        clock = self.clock()
        clock.set_wall(3600, is_true=False)
        self.assertAlmostEqual(clock.wall(), 3600, delta=5)
        self.assertAlmostEqual(clock.true(), BEGINS.timestamp(), delta=5)
        self.assertEqual(clock.page.get("wall_steps"), 2)

    def test_leaps_are_long_in_quiet_times_short_in_busy_ones_and_end_where_a_timer_is_due(self):
        clock = self.clock()
        leaps = []
        clock.skip = lambda seconds: (leaps.append(round(seconds)), Clock.skip(clock, seconds))
        clock.pass_by(2000)
        self.assertEqual(leaps, [15, 30, 60, 120, 240, 480, 840, 215])
        leaps.clear()
        clock.page.set("due", round((clock.steady() + 500) * 1e9))
        clock.pass_by(700)
        self.assertEqual(leaps, [500, 200])
        leaps.clear()
        clock.page.set("due", round((clock.steady() + 20) * 1e9))
        clock.pass_by(500)
        self.assertEqual(leaps[0], 420)
        leaps.clear()
        clock.is_busy = lambda: True
        clock.pass_by(3)
        self.assertEqual(leaps[:3], [1, 1, 1])

    def test_a_gateway_that_does_not_follow_is_noticed(self):
        page = Page(self.folder / "page")
        self.addCleanup(page.close)
        patience = house_clock.Page.await_followed.__globals__
        kept, patience["_FOLLOW_SECONDS"] = patience["_FOLLOW_SECONDS"], 0.05
        try:
            with self.assertRaises(NotFollowed):
                page.await_followed(page.leap())
        finally:
            patience["_FOLLOW_SECONDS"] = kept

    def program(self, code, page, **variables):
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "LD_PRELOAD": str(library(self.folder)),
                "HOMEWARD_STORY_CLOCK": str(page.file),
                **variables,
            },
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_a_program_whose_timer_is_an_hour_ahead_goes_on_at_once_when_the_hour_is_skipped(self):
        clock = self.clock()
        process = self.program(WAITS_AN_HOUR, clock.page, HOMEWARD_STORY_TIMERS="1")
        self.assertEqual(process.stdout.readline(), "waits\n")
        self.assertTrue(await_rest([process.pid]))
        self.assertGreater(clock.page.get("due"), clock.steady() * 1e9 + 3500e9)
        clock.is_on = lambda: True
        clock.skip(3000)
        self.assertTrue(await_rest([process.pid]), "it is not due yet")
        clock.skip(700)
        steady, wall = map(int, process.stdout.readline().split())
        for passed in (steady, wall):
            self.assertTrue(3700 <= passed < 3720, passed)

    def test_a_program_beside_the_gateway_has_the_storys_time_and_waits_by_the_machines(self):
        clock = self.clock()
        tell = "import time; input(); print(round(time.clock_gettime(7)), round(time.monotonic()), round(time.time()))"
        clock.skip(7200)
        told = subprocess.run(
            [sys.executable, "-c", tell],
            input="\n",
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "LD_PRELOAD": str(library(self.folder)), "HOMEWARD_STORY_CLOCK": str(clock.page.file)},
        )
        since_boot, steady, wall = map(int, told.stdout.split())
        self.assertAlmostEqual(since_boot, time.clock_gettime(time.CLOCK_BOOTTIME) + 7200, delta=10)
        self.assertAlmostEqual(steady, time.monotonic(), delta=10)
        self.assertAlmostEqual(wall, BEGINS.timestamp() + 7200, delta=10)

    def play(self, clock, samples):
        """Plays to the house's card, as the gateway would."""
        configuration = self.folder / "asound.conf"
        configuration.write_text(ALSA.format(library=library(self.folder)))
        subprocess.run(
            ["aplay", "--quiet", "--device=house", "--channels=2", "--format=S16_LE", "--rate=48000"],
            input=np.repeat(np.round(samples * 32767).astype("<i2"), 2).tobytes(),
            check=True,
            env={
                **os.environ,
                "LD_PRELOAD": str(self.folder / "house.so"),
                "HOMEWARD_STORY_CLOCK": str(clock.page.file),
                "HOMEWARD_STORY_TIMERS": "1",
                "HOMEWARD_STORY_ROOM": str(self.folder / "speaker.wav"),
                "ALSA_CONFIG_PATH": str(configuration),
            },
        )

    def room(self, clock):
        room.prepare(self.folder / "speaker.wav")
        house = SimpleNamespace(recording=self.folder / "speaker.wav", silent_for=0.0)
        return house, room.StoryRoom(house)

    def test_a_sound_is_heard_as_long_as_it_is_and_silence_as_long_as_the_story_passes_it_by(self):
        clock = self.clock()
        _, ear = self.room(clock)
        self.play(clock, tone(440, 1.5))
        clock.skip(20)
        self.play(clock, tone(660, 0.5))
        first, second = ear.heard().sounds()
        self.assertAlmostEqual(first.tone().fundamental, 440, delta=3)
        self.assertAlmostEqual(first.seconds, 1.5, delta=0.02)
        self.assertAlmostEqual(second.tone().fundamental, 660, delta=3)
        self.assertTrue(20 <= second.begin - first.end < 40, second.begin - first.end)
        ear.forget()
        clock.skip(3 * 86_400)
        self.play(clock, tone(880, 0.5))
        (third,) = ear.heard().sounds()
        self.assertAlmostEqual(third.begin, room.LONGEST_SILENCE, delta=1)
        self.assertGreater(clock.page.get("silent_since"), 3 * 86_400e9)

    def test_silence_grows_while_nothing_sounds_and_is_spoken_of_once(self):
        house, ear = self.room(self.clock())
        house.silent_for = 8.0
        self.assertAlmostEqual(ear.heard().seconds, 8)
        ear.forget()
        house.silent_for = 10.5
        self.assertAlmostEqual(ear.heard().seconds, 2.5)
        house.silent_for = 400.0
        self.assertAlmostEqual(ear.heard().seconds, room.LONGEST_SILENCE - 8)
        ear.forget()
        self.assertEqual(ear.heard().seconds, 0)

    def test_a_button_is_an_input_device_with_one_key_that_tells_the_storys_time(self):
        clock = self.clock()
        button = Button(self.folder / "wired.button", clock)
        self.addCleanup(button.close)
        process = subprocess.Popen(
            [sys.executable, "-c", READS_A_BUTTON, button.device],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LD_PRELOAD": str(library(self.folder))},
        )
        for each in (process.wait, process.kill, process.stdout.close, process.stdin.close):
            self.addCleanup(each)
        self.assertEqual(process.stdout.readline(), "The house's button 1\n")
        clock.skip(3600)
        held = button.press(3.0, 2, 0.5)
        process.stdin.write("\n")
        process.stdin.flush()
        times = [moment for press in held for moment in press]
        told = [f"28:{value}@{moment:.3f}" for value, moment in zip((1, 0, 1, 0), times, strict=True)]
        # What the kernel's stamp does not say lies below a millisecond.
        said = process.stdout.readline().split()
        self.assertEqual([one[:4] for one in said], [one[:4] for one in told])
        for one, other in zip(said, told, strict=True):
            self.assertAlmostEqual(float(one[5:]), float(other[5:]), delta=0.002)
        self.assertGreater(times[0], time.monotonic() + 3590)
        self.assertAlmostEqual(times[1] - times[0], 3, delta=0.5)

    def test_what_is_sent_over_a_network_leaves_at_once(self):
        told = subprocess.run(
            [
                sys.executable,
                "-c",
                "import socket; door = socket.create_server(('127.0.0.1', 0));"
                "far = socket.create_connection(door.getsockname()); near, _ = door.accept();"
                "print([each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in (near, far)])",
            ],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "LD_PRELOAD": str(library(self.folder))},
        )
        self.assertEqual(told.stdout, "[1, 1]\n")

    def test_rest_is_when_every_thread_sleeps(self):
        sleeper = subprocess.Popen(["sleep", "60"])
        self.addCleanup(sleeper.wait)
        self.addCleanup(sleeper.kill)
        self.assertIn(sleeper.pid, descendants(os.getpid()))
        self.assertTrue(await_rest([sleeper.pid]))
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.addCleanup(busy.wait)
        self.addCleanup(busy.kill)
        kept, rest.PATIENCE_SECONDS = rest.PATIENCE_SECONDS, 0.3
        self.addCleanup(setattr, rest, "PATIENCE_SECONDS", kept)
        self.assertFalse(await_rest([busy.pid]))
        # What sounds is no reason to wait.
        kept, rest.RESTLESS = rest.RESTLESS, (Path(f"/proc/{busy.pid}/comm").read_text().strip(),)
        self.addCleanup(setattr, rest, "RESTLESS", kept)
        self.assertTrue(await_rest([busy.pid]))
        self.assertEqual(activity([2**22 + 1]), (True, 0))

    def test_a_cable_carries_both_ways_and_a_new_device_takes_the_place_of_the_old(self):
        cable = Cable("modem", self.folder)
        self.addCleanup(cable.close)
        port = os.open(cable.port, os.O_RDWR | os.O_NOCTTY)
        self.addCleanup(os.close, port)
        for word in (b"first", b"second"):
            device = socket.socket(socket.AF_UNIX)
            self.addCleanup(device.close)
            device.settimeout(10)
            device.connect(str(self.folder / "modem.sock"))
            device.sendall(word)
            self.assertEqual(os.read(port, 64), word)
            os.write(port, b"AT\r")
            self.assertEqual(device.recv(64), b"AT\r")

    def test_the_rigs_file_has_every_place_that_the_house_puts_its_own_into(self):
        text = configuration.Configuration([configuration.BUTTONS, configuration.SOUND], [configuration.MODEM]).text
        for place in (
            configuration.BUTTONS.strip("\n"),
            "gateway:\n",
            "plugins:\n",
            "noReportSeconds: 10",
            "host: 10.0.2.100",
            "device: plughw:CARD=Audio",
        ):
            self.assertEqual(text.count(place), 1, place)
        self.assertIn("/dev/homeward/modem", text)
        self.assertTrue(issubclass(Lacking, Exception))


if __name__ == "__main__":
    unittest.main()
