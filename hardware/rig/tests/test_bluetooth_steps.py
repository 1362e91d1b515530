import json
from types import SimpleNamespace

from homeward_rig.bluetooth import Bluetooth, json_lines
from homeward_rig.stage import CheckFailed

from .support import CheckTest, fails, steps

STEPS = steps("bluetooth")
KEYS, TELEVISION, METER = "F0:BE:00:00:00:01", "F0:BE:00:00:00:02", "F0:C1:00:00:00:03"
SCAN, WATCH = ("/bin/cat", "/run/rig-bluetooth-scan.jsonl"), ("/bin/cat", "/run/rig-bluetooth-watch.jsonl")
UPTIME, HCICONFIG = ("/bin/cat", "/proc/uptime"), ("/usr/bin/hciconfig", "hci0")
ACTIVE = ("/bin/systemctl", "is-active", "rig-bluetooth-scan")
POWERED = ("/usr/bin/busctl", "get-property", "org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1", "Powered")
BONDED = ("/usr/bin/busctl", "get-property", "org.bluez", "/org/bluez/hci0/dev_F0_C1_00_00_00_03")

STORED = [
    {"sequence": 1, "mg_dl": 104, "time": "2026-01-02T08:00:00", "meal": None},
    {"sequence": 2, "mg_dl": 187, "time": "2026-01-02T09:00:00", "meal": "after"},
]
FETCHED = [
    {"sequence": 1, "mg_dl": 104, "time": "2026-01-02T08:00:00", "meal": None},
    {"sequence": 2, "mg_dl": 187, "time": "2026-01-02T09:00:00", "meal": 2},
]


def lines(*entries: dict) -> str:
    return "".join(json.dumps({"seconds": 100.0, **entry}) + "\n" for entry in entries)


def pressed(packet: int) -> dict:
    return {"address": KEYS, "services": {"fcd2": f"4000{packet:02x}01573a01"}}


class BluetoothStepsTest(CheckTest):
    def stage(self, outputs=None, readings=(), **meter):
        """A context with a machine that prints `outputs`, and a radio whose meter answers with `meter`."""
        context = self.context(outputs or {})
        answer = {"readings": STORED, "bonds": [], "pairings": 1, "requests": [], **meter}
        context.stage.machine.sockets = self
        context.stage.peer = lambda *arguments: SimpleNamespace(do=lambda action, **parameters: answer)
        context.bluetooth = Bluetooth(context.stage.machine)
        context.bluetooth.addresses = {"keys": KEYS, "television": TELEVISION, "meter": METER}
        context.bluetooth.readings = {"meter": list(readings)}
        context.fetch_ended = ""
        return context

    def __truediv__(self, name):
        return name

    @fails("within {seconds:g} seconds the hub has a Bluetooth adapter")
    def test_an_adapter_that_is_not_there_or_not_on_is_missed(self):
        for hciconfig, powered in (("", "b true"), ("hci0: DOWN", "b true"), ("hci0: UP RUNNING", "b false")):
            with self.assertRaises(CheckFailed):
                STEPS.has_adapter(self.stage({HCICONFIG: hciconfig, POWERED: powered}), 0)
        STEPS.has_adapter(self.stage({HCICONFIG: "hci0: UP RUNNING", POWERED: "b true"}), 0)

    @fails("within {seconds:g} seconds the hub has no Bluetooth adapter")
    def test_an_adapter_that_is_still_there_is_noticed(self):
        with self.assertRaises(CheckFailed):
            STEPS.has_no_adapter(self.stage({HCICONFIG: "hci0: UP RUNNING"}), 0)
        STEPS.has_no_adapter(self.stage({HCICONFIG: ""}), 0)

    @fails('within {seconds:g} seconds the hub hears "{name}" {place}')
    def test_a_tag_that_is_not_heard_as_strongly_as_it_is_near_is_noticed(self):
        near, far = {"address": KEYS, "rssi": -50}, {"address": KEYS, "rssi": -78}
        for heard in (lines(), lines({"address": TELEVISION, "rssi": -50}), lines(near, far), lines({"address": KEYS})):
            with self.assertRaises(CheckFailed):
                STEPS.hears(self.stage({SCAN: heard}), 0, "keys", "close by")
        STEPS.hears(self.stage({SCAN: lines(far, near)}), 0, "keys", "close by")

    @fails('past BlueZ the hub heard "{name}" {place}')
    def test_the_bare_scan_is_judged_alike(self):
        context = self.stage()
        with self.assertRaises(CheckFailed):
            STEPS.heard_past_bluez(context, "keys", "close by")
        context.bluetooth.bare = [{"address": KEYS, "rssi": -50}]
        STEPS.heard_past_bluez(context, "keys", "close by")
        with self.assertRaises(CheckFailed):
            STEPS.heard_past_bluez(context, "keys", "in the next room")

    @fails('within {seconds:g} seconds the hub hears that "{name}" is a glucose meter')
    def test_a_meter_that_does_not_say_so_is_noticed(self):
        with self.assertRaises(CheckFailed):
            STEPS.hears_meter(self.stage({SCAN: lines({"address": METER, "uuids": ["180f"]})}), 0, "meter")
        STEPS.hears_meter(self.stage({SCAN: lines({"address": METER, "uuids": ["1808"]})}), 0, "meter")

    @fails('within {limit:g} seconds the hub has heard nothing of "{name}" for {seconds:g} seconds')
    def test_a_tag_that_still_speaks_is_noticed_and_a_deaf_hub_too(self):
        both = lines({"address": KEYS}, {"address": TELEVISION, "seconds": 109.0})
        for heard, active in (
            (both.replace("100.0", "108.0"), "active"),
            (both, "inactive"),
            (lines({"address": KEYS}), "active"),
        ):
            with self.assertRaises(CheckFailed):
                STEPS.hears_nothing(self.stage({SCAN: heard, UPTIME: "110.0 5", ACTIVE: active}), 0, "keys", 5)
        STEPS.hears_nothing(self.stage({SCAN: both, UPTIME: "110.0 5", ACTIVE: "active"}), 0, "keys", 5)

    @fails('within {seconds:g} seconds the hub hears one press of "{name}"')
    def test_presses_that_are_lost_or_counted_twice_are_noticed(self):
        for heard in (lines(), lines(pressed(1), pressed(2))):
            with self.assertRaises(CheckFailed):
                STEPS.hears_press(self.stage({SCAN: heard}), 0, "keys")
        STEPS.hears_press(self.stage({SCAN: lines(pressed(1), pressed(1))}), 0, "keys")

    @fails('for {seconds:g} seconds the hub hears no other press of "{name}"')
    def test_another_press_is_noticed(self):
        with self.assertRaises(CheckFailed):
            STEPS.hears_no_other_press(self.stage({SCAN: lines(pressed(1), pressed(2))}), 1, "keys")
        STEPS.hears_no_other_press(self.stage({SCAN: lines(pressed(1), pressed(1))}), 0.1, "keys")

    @fails('within {seconds:g} seconds the hub notices that "{name}" is {state}')
    def test_a_watch_that_tells_nothing_or_the_opposite_is_noticed(self):
        found, lost = {"address": KEYS, "event": "found"}, {"address": KEYS, "event": "lost"}
        for told in (lines(), lines(found), lines(found, lost, found), lines({**lost, "address": TELEVISION})):
            with self.assertRaises(CheckFailed):
                STEPS.notices(self.stage({WATCH: told}), 0, "keys", "gone")
        STEPS.notices(self.stage({WATCH: lines(found, lost)}), 0, "keys", "gone")

    @fails('the hub was refused by "{name}"')
    def test_a_meter_that_tells_strangers_is_noticed(self):
        with self.assertRaises(CheckFailed):
            STEPS.was_refused(self.stage(), "meter")
        for readings, requests in ((FETCHED, []), ([], ["0101"])):
            context = self.stage(readings=readings, requests=requests)
            context.fetch_ended = "the link broke"
            context.bluetooth.has_connected = True
            with self.assertRaises(CheckFailed):
                STEPS.was_refused(context, "meter")
        context = self.stage()
        context.fetch_ended = "the meter is not to be heard"
        with self.assertRaises(CheckFailed):
            STEPS.was_refused(context, "meter")
        context.bluetooth.has_connected = True
        STEPS.was_refused(context, "meter")

    @fails('the hub and "{name}" know each other')
    def test_a_bond_that_only_one_side_has_is_noticed(self):
        for bonds, bonded in (([], "b true"), (["hub", "neighbour"], "b true"), (["hub"], "b false")):
            with self.assertRaises(CheckFailed):
                STEPS.know_each_other(self.stage({BONDED: bonded}, bonds=bonds), "meter")
        STEPS.know_each_other(self.stage({BONDED: "b true"}, bonds=["hub"]), "meter")

    @fails('"{name}" was paired only once')
    def test_a_second_pairing_is_noticed(self):
        with self.assertRaises(CheckFailed):
            STEPS.paired_once(self.stage(pairings=2), "meter")
        STEPS.paired_once(self.stage(), "meter")

    @fails('the hub has {some} of the {count:d} readings of "{name}", each once and as it was measured')
    def test_readings_that_lack_come_twice_or_are_wrong_are_noticed(self):
        for readings in (
            FETCHED[:1],
            FETCHED + FETCHED[:1],
            [FETCHED[0], {**FETCHED[1], "mg_dl": 188}],
            [FETCHED[0], {**FETCHED[1], "meal": None}],
            [FETCHED[0], {**FETCHED[1], "time": "2026-01-02T10:00:00"}],
        ):
            with self.assertRaises(CheckFailed):
                STEPS.has_readings(self.stage(readings=readings), "all", 2, "meter")
        with self.assertRaises(CheckFailed):
            STEPS.has_readings(self.stage(readings=FETCHED), "all", 3, "meter")
        with self.assertRaises(CheckFailed):
            STEPS.has_readings(self.stage(readings=FETCHED), "only a part", 2, "meter")
        STEPS.has_readings(self.stage(readings=FETCHED), "all", 2, "meter")
        STEPS.has_readings(self.stage(readings=FETCHED[:1]), "only a part", 2, "meter")

    @fails('the hub knows that the clock of "{name}" is {minutes:g} minutes ahead')
    def test_a_clock_that_is_not_read_or_read_wrongly_is_noticed(self):
        context = self.stage()
        with self.assertRaises(CheckFailed):
            STEPS.knows_clock(context, "meter", 90)
        context.bluetooth.clock_ahead["meter"] = 2
        with self.assertRaises(CheckFailed):
            STEPS.knows_clock(context, "meter", 90)
        context.bluetooth.clock_ahead["meter"] = 5395
        STEPS.knows_clock(context, "meter", 90)

    @fails('"{name}" was asked only for what the hub lacked')
    def test_a_hub_that_asks_for_everything_again_is_noticed(self):
        for request in ("0101", "0103010100", "0103010300"):
            with self.assertRaises(CheckFailed):
                STEPS.asked_for_rest(self.stage(readings=FETCHED, requests=["0101", request]), "meter")
        STEPS.asked_for_rest(self.stage(readings=FETCHED, requests=["0101", "0103010200"]), "meter")


class OutputTest(CheckTest):
    def test_a_line_that_is_half_written_waits(self):
        self.assertEqual(json_lines('{"a": 1}\n{"a": 2}\n{"a"'), [{"a": 1}, {"a": 2}])
        self.assertEqual(json_lines(""), [])

    def test_a_reading_without_its_context_is_fetched_again(self):
        collected = [
            {"event": "measurement", "has_context": False, **STORED[0]},
            {"event": "measurement", "has_context": True, **STORED[1]},
            {"event": "failed", "why": "the link broke"},
        ]
        fetch = ("/usr/lib/homeward-rig/glucose-collector", "fetch", METER)
        context = self.context({("/bin/systemctl", "stop"): "", fetch: lines(*collected)})
        hub = Bluetooth(context.stage.machine)
        hub.addresses["meter"] = METER
        hub.fetch("meter")
        self.assertEqual([reading["sequence"] for reading in hub.readings["meter"]], [1])
