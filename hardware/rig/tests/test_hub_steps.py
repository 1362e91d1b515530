from homeward_rig.stage import CheckFailed

from .support import EVENTS, STATUS, CheckTest, fails, steps

LEFT = [{"sequence": 7, "type": "zone.left", "id": "e7", "data": {}}]
FAULT = [{"sequence": 3, "type": "alarm.raised", "id": "e3", "data": {"kind": "fault"}}]
HUB = steps("hub")


class HubStepsTest(CheckTest):
    @fails('within {seconds:g} seconds the hub reports "{kind}"')
    def test_an_event_that_does_not_come_is_missed(self):
        with self.assertRaises(CheckFailed):
            HUB.reports(self.context({EVENTS: []}), 0, "zone.left")

    def test_an_event_counts_once(self):
        context = self.context({EVENTS: LEFT})
        HUB.reports(context, 0, "zone.left")
        self.assertEqual(context.event["id"], "e7")
        with self.assertRaises(CheckFailed):
            HUB.reports(context, 0, "zone.left")

    @fails('for {seconds:g} seconds the hub does not report "{kind}"', 'the hub has not reported "{kind}"')
    def test_an_event_that_should_not_come_is_noticed(self):
        with self.assertRaises(CheckFailed):
            HUB.does_not_report(self.context({EVENTS: LEFT}), 1, "zone.left")
        with self.assertRaises(CheckFailed):
            HUB.has_not_reported(self.context({EVENTS: LEFT}), "zone.left")
        HUB.has_not_reported(self.context({EVENTS: []}), "zone.left")

    @fails('the hub has never reported "{kind}"')
    def test_an_event_counts_for_ever_where_it_should_never_come(self):
        context = self.context({EVENTS: LEFT})
        context.stage.hub.seen = 9
        with self.assertRaises(CheckFailed):
            HUB.has_never_reported(context, "zone.left")
        HUB.has_never_reported(self.context({EVENTS: []}), "zone.left")

    def test_an_alarm_about_a_part_of_the_hub_is_not_one_about_a_person(self):
        HUB.has_never_reported(self.context({EVENTS: FAULT}), "alarm.raised")

    @fails('within {seconds:g} seconds "{component}" is {state}')
    def test_a_component_in_another_state_is_noticed(self):
        status = {"components": [{"component": "gps/gps", "state": "failed"}]}
        with self.assertRaises(CheckFailed):
            HUB.component_is(self.context({STATUS: status}), 0, "gps/gps", "working")
        with self.assertRaises(CheckFailed):
            HUB.component_is(self.context({STATUS: status}), 0, "gps/other", "failed")
        HUB.component_is(self.context({STATUS: status}), 0, "gps/gps", "failed")
