from types import SimpleNamespace

from homeward_rig.bluetooth import Bluetooth
from homeward_rig.stage import CheckFailed

from .support import EVENTS, STATUS, CheckTest, fails, steps

STEPS = steps("bluetooth_tags")
BLUETOOTH = ("/usr/bin/homeward", "--json", "bluetooth", "status")
TAGS = ("/usr/bin/homeward", "--json", "tags")
ADD = ("/usr/bin/homeward", "--json", "tags", "add")
EARLY, LATE = "2026-11-20T12:00:00.000Z", "2026-11-20T12:00:09.000Z"


def status(state):
    return {"components": [{"component": "bluetooth", "state": state}], "clock": {"utc": EARLY}}


def adapters(*conditions):
    return {"adapters": [{"name": "hci0", "condition": condition} for condition in conditions], "meters": []}


def tags(presence="near", **facts):
    return [{"tag": "t1", "tagName": "keys", "presence": presence, **facts}]


def events(kind, name, **facts):
    event = {"type": kind, "subject": "resident/ada", "data": {"tagName": name, **facts}}
    return [{"sequence": 4, **event}]


class BluetoothTagsStepsTest(CheckTest):
    @fails("within {seconds:g} seconds Homeward listens for Bluetooth devices")
    def test_a_hub_that_is_deaf_is_noticed(self):
        for state, conditions in (("starting", ["listening"]), ("working", ["off"]), ("working", [])):
            with self.assertRaises(CheckFailed):
                STEPS.is_listening(self.context({STATUS: status(state), BLUETOOTH: adapters(*conditions)}), 0)
        with self.assertRaises(CheckFailed):
            STEPS.is_listening(self.context({STATUS: {"components": []}, BLUETOOTH: adapters()}), 0)
        STEPS.is_listening(self.context({STATUS: status("working"), BLUETOOTH: adapters("off", "listening")}), 0)

    @fails("within {seconds:g} seconds Homeward says that it cannot listen for Bluetooth devices")
    def test_a_hub_that_says_all_is_well_or_nothing_is_noticed(self):
        for told in (status("working"), {"components": []}):
            with self.assertRaises(CheckFailed):
                STEPS.is_not_listening(self.context({STATUS: told}), 0)
        for state in ("failed", "starting"):
            STEPS.is_not_listening(self.context({STATUS: status(state)}), 0)

    @fails(
        'within {seconds:g} seconds the hub knows that "{name}" is {presence:TagPresence}',
        'for {seconds:g} seconds the hub knows that "{name}" is {presence:TagPresence}',
        'the hub knows that "{name}" is not away',
    )
    def test_a_tag_that_is_elsewhere_or_unknown_is_noticed(self):
        for told in (tags("away"), tags("unknown"), []):
            with self.assertRaises(CheckFailed):
                STEPS.is_present(self.context({TAGS: told}), 0, "keys", "near")
            with self.assertRaises(CheckFailed):
                STEPS.stays_present(self.context({TAGS: told}), 1, "keys", "near")
            with self.assertRaises(CheckFailed):
                STEPS.is_not_away(self.context({TAGS: told}), "keys")
        STEPS.is_present(self.context({TAGS: tags()}), 0, "keys", "near")
        STEPS.stays_present(self.context({TAGS: tags()}), 0.1, "keys", "near")
        STEPS.is_not_away(self.context({TAGS: tags("room")}), "keys")

    @fails('within {seconds:g} seconds the hub reports that "{name}" is {presence:TagPresence}')
    def test_a_change_that_is_not_told_or_of_another_tag_is_noticed(self):
        for name, presence in (("wallet", "away"), ("keys", "near")):
            outputs = {EVENTS: events("tag.changed", name, presence=presence), TAGS: tags("away")}
            with self.assertRaises(CheckFailed):
                STEPS.presence_is_reported(self.context(outputs), 0, "keys", "away")
        context = self.context({EVENTS: events("tag.changed", "keys", presence="away"), TAGS: tags("away")})
        STEPS.presence_is_reported(context, 0, "keys", "away")
        with self.assertRaises(CheckFailed):
            STEPS.presence_is_reported(context, 0, "keys", "away")

    @fails('within {seconds:g} seconds Homeward has heard "{name}" since')
    def test_a_tag_that_is_not_heard_any_more_is_noticed(self):
        for told in (tags(), tags(lastHeardAt=EARLY)):
            context = self.context({STATUS: status("working"), TAGS: told})
            STEPS.note_time(context)
            with self.assertRaises(CheckFailed):
                STEPS.heard_since(context, 0, "keys")
        context = self.context({STATUS: status("working"), TAGS: tags(lastHeardAt=LATE)})
        STEPS.note_time(context)
        STEPS.heard_since(context, 0, "keys")

    @fails('within {seconds:g} seconds the hub knows that the battery of "{name}" is at {percent:d} %')
    def test_a_battery_that_is_not_known_or_read_wrongly_is_noticed(self):
        for told in (tags(), tags(batteryPercent=78)):
            with self.assertRaises(CheckFailed):
                STEPS.knows_battery(self.context({TAGS: told}), 0, "keys", 87)
        STEPS.knows_battery(self.context({TAGS: tags(batteryPercent=87)}), 0, "keys", 87)

    @fails('within {seconds:g} seconds the hub reports that {resident} went out without "{name}"')
    def test_what_is_left_behind_and_not_told_is_noticed(self):
        for told in ([], events("left.without", "wallet")):
            with self.assertRaises(CheckFailed):
                STEPS.reports_left(self.context({EVENTS: told}), 0, "Ada", "keys")
        with self.assertRaises(CheckFailed):
            STEPS.reports_left(self.context({EVENTS: events("left.without", "keys")}), 0, "Bo", "keys")
        STEPS.reports_left(self.context({EVENTS: events("left.without", "keys")}), 0, "Ada", "keys")

    @fails('the hub has never reported that {resident} went out without "{name}"')
    def test_what_is_along_and_said_to_be_left_is_noticed(self):
        context = self.context({EVENTS: events("left.without", "keys")})
        context.stage.hub.seen = 9
        with self.assertRaises(CheckFailed):
            STEPS.has_not_reported_left(context, "Ada", "keys")
        STEPS.has_not_reported_left(self.context({EVENTS: events("left.without", "wallet")}), "Ada", "keys")

    def test_a_tag_is_known_by_what_it_says_itself(self):
        asked = []

        def answer(*command):
            asked.append(command[3:])
            return SimpleNamespace(output='{"id": "t1"}')

        context = self.context({})
        context.stage.machine.run = lambda *command, **options: answer(*command)
        context.stage.machine.sockets = SimpleNamespace(__truediv__=None)
        identities = ["ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:7:1", "address:F0:BE:00:00:00:01/random"]
        STEPS.radio = lambda context: SimpleNamespace(do=lambda action, name: identities)
        STEPS.know_tag(context, "keys", "Ada", "keys", 20)
        self.assertEqual(asked[0][:4], ("add", "--resident", "Ada", "--name"))
        self.assertEqual(asked[0][-4:], ("--identity", identities[0], "--away", "20"))
        context.stage.machine.run = lambda *command, **options: SimpleNamespace(output="{}")
        with self.assertRaises(CheckFailed):
            STEPS.know_tag(context, "keys", "Ada", "keys", None)

    def test_a_button_gets_the_name_that_people_have_for_it(self):
        context = self.context()
        context.stage.configuration = SimpleNamespace(bluetooth_buttons={})
        context.bluetooth = Bluetooth(context.stage.machine)
        context.bluetooth.addresses["the red necklace"] = "F0:BE:00:00:00:01"
        STEPS.has_button(context, "the red necklace")
        self.assertEqual(context.stage.configuration.bluetooth_buttons, {"red-necklace": "F0:BE:00:00:00:01/random"})
