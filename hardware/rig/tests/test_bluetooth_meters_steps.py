from types import SimpleNamespace

from homeward_rig.bluetooth import Bluetooth
from homeward_rig.homeward_bluetooth import HomewardBluetooth, wrong_with
from homeward_rig.stage import CheckFailed

from .support import EVENTS, CheckTest, fails, steps

STEPS = steps("bluetooth_meters")
METER = "F0:C1:00:00:00:03"
BLUETOOTH = ("/usr/bin/homeward", "--json", "bluetooth", "status")
SCAN = ("/usr/bin/homeward", "--json", "bluetooth", "scan")
ANSWER = ("/usr/bin/homeward", "bluetooth", "answer", METER, "123456")
GLUCOSE = ("/usr/bin/homeward", "--json", "glucose", "list")
PAIRING = ("/bin/cat", "/run/rig-homeward-pair.jsonl")
STORED = [
    {"sequence": 1, "mg_dl": 104, "time": "2026-01-02T08:00:00", "meal": None},
    {"sequence": 2, "mg_dl": 187, "time": "2026-01-02T09:00:00", "meal": "after"},
]


def entry(number, level, time, tag=None, doubts=(), **changed):
    kept = {"id": f"r{number}", "level": str(level), "unit": "mg/dL", "time": time, "source": "meter"}
    return kept | {"timeDoubts": list(doubts)} | ({"tag": tag} if tag else {}) | changed


FIRST = entry(1, 104, "2026-01-02T08:00:02.000Z")
SECOND = entry(2, 187, "2026-01-02T09:00:02.000Z", "after-meal")
KEPT = [SECOND, FIRST]
"""The newest comes first."""
WRONG = [
    [],
    [FIRST],
    [SECOND, SECOND, FIRST],
    [SECOND, SECOND | {"id": "r3"}, FIRST],
    [SECOND | {"level": "188"}, FIRST],
    [SECOND | {"tag": "before-meal"}, FIRST],
    [entry(2, 187, "2026-01-02T09:00:02.000Z"), FIRST],
    [SECOND | {"source": "hand"}, FIRST],
    [SECOND | {"time": "2026-01-02T10:00:02.000Z"}, FIRST],
]


def told(*readings, doubt=None):
    return [{"sequence": n, "data": {"reading": r, "timeDoubt": doubt}} for n, r in enumerate(readings)]


class MeterTest(CheckTest):
    """A test of steps with a scripted hub and a scripted meter."""

    def stage(self, outputs=None, **meter):
        """A context with a hub that prints `outputs`, and a radio whose meter answers with `meter`."""
        context = self.context(
            {("/bin/systemctl",): "", ("/bin/rm",): "", ("/usr/bin/systemd-run",): "", **(outputs or {})}
        )
        answer = {"readings": STORED, "bonds": ["hub"], "sent": [1, 2], "breaks": 0, **meter}
        context.stage.machine.sockets = self
        context.stage.peer = lambda *arguments: SimpleNamespace(do=lambda action, **parameters: answer)
        context.bluetooth = Bluetooth(context.stage.machine)
        context.bluetooth.addresses = {"meter": METER}
        context.homeward_bluetooth = HomewardBluetooth(context.stage.hub)
        context.homeward_bluetooth.owners[METER] = "Ada"
        return context

    def __truediv__(self, name):
        return name


class BluetoothMetersStepsTest(MeterTest):
    def meters(self, **changed):
        found = {"address": f"{METER}/random", "resident": "ada", "isBonded": True, **changed}
        return {BLUETOOTH: {"meters": [found], "questions": []}}

    @fails('within {seconds:g} seconds Homeward and "{name}" know each other')
    def test_a_meter_that_only_one_side_knows_or_is_somebody_elses_is_noticed(self):
        for outputs in (
            {BLUETOOTH: {"meters": []}},
            self.meters(isBonded=False),
            self.meters(resident="bo"),
            self.meters(address="F0:C1:00:00:00:04"),
        ):
            with self.assertRaises(CheckFailed):
                STEPS.know_each_other(self.stage(outputs), 0, "meter")
        for bonds in ([], ["hub", "neighbour"]):
            with self.assertRaises(CheckFailed):
                STEPS.know_each_other(self.stage(self.meters(), bonds=bonds), 0, "meter")
        STEPS.know_each_other(self.stage(self.meters()), 0, "meter")

    @fails('within {seconds:g} seconds the link to "{name}" has broken once')
    def test_a_link_that_holds_or_breaks_twice_is_noticed(self):
        for breaks in (0, 2):
            with self.assertRaises(CheckFailed):
                STEPS.has_broken(self.stage(breaks=breaks), 0, "meter")
        STEPS.has_broken(self.stage(breaks=1), 0, "meter")

    @fails(
        'within {seconds:g} seconds Homeward has the {count:d} readings of "{name}", each once and as it was measured'
    )
    def test_readings_that_lack_come_twice_or_are_wrong_are_noticed(self):
        for kept in WRONG:
            with self.assertRaises(CheckFailed):
                STEPS.has_readings(self.stage({GLUCOSE: kept, **self.meters()}), 0, 2, "meter")
        with self.assertRaises(CheckFailed):
            STEPS.has_readings(self.stage({GLUCOSE: KEPT, **self.meters()}), 0, 3, "meter")
        STEPS.has_readings(self.stage({GLUCOSE: KEPT, **self.meters()}), 0, 2, "meter")

    @fails('Homeward has reported each reading of "{name}" once')
    def test_news_that_lacks_or_comes_twice_is_noticed(self):
        for kept, news in ((KEPT, told("r1")), (KEPT, told("r1", "r2", "r2")), (KEPT, told("r1", "r3")), ([], [])):
            with self.assertRaises(CheckFailed):
                STEPS.has_reported(self.stage({GLUCOSE: kept, EVENTS: news}), "meter")
        STEPS.has_reported(self.stage({GLUCOSE: KEPT, EVENTS: told("r2", "r1")}), "meter")

    @fails('"{name}" was asked only once for the first {count:d} of its readings')
    def test_a_hub_that_asks_for_what_it_has_is_noticed(self):
        for sent in ([1, 2, 1, 2], [2], []):
            with self.assertRaises(CheckFailed):
                STEPS.asked_once(self.stage(sent=sent), "meter", 1)
        with self.assertRaises(CheckFailed):
            STEPS.asked_once(self.stage(), "meter", 3)
        STEPS.asked_once(self.stage(sent=[1, 2, 2]), "meter", 1)

    @fails('within {seconds:g} seconds Homeward says that the clock of "{name}" is {minutes:g} minutes ahead')
    def test_a_clock_that_is_not_compared_or_compared_wrongly_is_noticed(self):
        for outputs in (self.meters(), self.meters(clockDifferenceSeconds=2), {BLUETOOTH: {"meters": []}}):
            with self.assertRaises(CheckFailed):
                STEPS.says_clock_ahead(self.stage(outputs), 0, "meter", 30)
        STEPS.says_clock_ahead(self.stage(self.meters(clockDifferenceSeconds=1795)), 0, "meter", 30)

    @fails(
        'each reading of "{name}" carries a doubt about the clock of the meter',
        'no reading of "{name}" carries a doubt about the clock of the meter',
    )
    def test_a_doubt_that_lacks_or_should_not_be_is_noticed(self):
        doubted = [reading | {"timeDoubts": ["meter-clock", "future"]} for reading in KEPT]
        for kept in ([], KEPT, [doubted[0], KEPT[1]]):
            with self.assertRaises(CheckFailed):
                STEPS.clock_doubted(self.stage({GLUCOSE: kept}), "meter")
        for kept in ([], doubted, [doubted[0], KEPT[1]]):
            with self.assertRaises(CheckFailed):
                STEPS.clock_trusted(self.stage({GLUCOSE: kept}), "meter")
        STEPS.clock_doubted(self.stage({GLUCOSE: doubted}), "meter")
        STEPS.clock_trusted(self.stage({GLUCOSE: KEPT}), "meter")

    @fails('Homeward has told in "glucose.recorded" that the times of "{name}" may be wrong')
    def test_a_doubt_that_is_kept_back_is_noticed(self):
        doubt = "the meter's clock was wrong"
        for news in ([], told("r1"), told("r1", doubt=doubt) + told("r2")):
            with self.assertRaises(CheckFailed):
                STEPS.doubt_is_told(self.stage({EVENTS: news}), "meter")
        STEPS.doubt_is_told(self.stage({EVENTS: told("r1", "r2", doubt=doubt)}), "meter")


class ComparisonTest(CheckTest):
    def test_mmol_count_like_mg(self):
        self.assertEqual(wrong_with(STORED[:1], [FIRST | {"level": "5.8", "unit": "mmol/L"}]), "")

    def test_a_time_that_is_in_doubt_may_be_any(self):
        late = FIRST | {"time": "2026-01-02T08:30:00.000Z"}
        self.assertNotEqual(wrong_with(STORED[:1], [late]), "")
        self.assertEqual(wrong_with(STORED[:1], [late | {"timeDoubts": ["meter-clock"]}]), "")


class PairingTest(MeterTest):
    def pair(self, text, questions, display="123456", is_meter=True, answered=""):
        """Pairs with a program that prints `text` before somebody answers, and `answered` afterwards."""
        written = [text]
        outputs = {
            BLUETOOTH: {"meters": [], "questions": questions},
            SCAN: [{"address": f"{METER}/random", "isMeter": is_meter}],
            PAIRING: lambda: written[0],
            ANSWER: lambda: written.__setitem__(0, answered) or "",
        }
        hub = self.stage(outputs).homeward_bluetooth
        hub.find_meter(METER, 0)
        hub.pair("meter", METER, "Ada", lambda: display, 0)

    def test_pairing_that_ends_early_asks_for_nothing_or_fails_is_told(self):
        passkey = [{"address": f"{METER}/random", "kind": "passkey"}]
        good = {"text": "", "questions": passkey, "answered": "It is Ada's.\nended with 0\n"}
        self.pair(**good)
        for wrong in (
            {"text": "There is no such meter.\nended with 1\n"},
            {"questions": []},
            {"questions": [{"address": "F0:C1:00:00:00:04", "kind": "passkey"}]},
            {"questions": [{"address": METER, "kind": "confirmation"}]},
            {"display": ""},
            {"is_meter": False},
            {"answered": "The code was wrong.\nended with 1\n"},
            {"answered": "It is on its way.\n"},
        ):
            with self.assertRaises(CheckFailed, msg=str(wrong)):
                self.pair(**{**good, **wrong})
