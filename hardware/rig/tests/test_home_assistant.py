import json
import unittest

from homeward_rig.house.home_assistant import differences, is_ours, slug

from .test_agreement import agreeing

STATES = {
    "sensor.homeward_rig_ada_alarm_state": "dispatched",
    "sensor.homeward_rig_ada_zone": "Home",
    "binary_sensor.homeward_rig_alarm_sounds": "on",
    "sensor.ada_routine_pill": "2027-06-07T08:00:00+00:00",
    "zone.home": "0",
}


class HomeAssistantTest(unittest.TestCase):
    def view(self):
        view = agreeing()
        due = {"title": "Pill", "state": "waiting", "isOn": True, "nextDue": "2027-06-07T08:00:00.000Z"}
        view.retained["homeward/rig/resident/ada/routine/pill"] = json.dumps(due)
        return view

    def test_a_household_that_it_shows_as_the_broker_keeps_it(self):
        self.assertEqual(list(differences(self.view(), STATES)), [])

    def test_a_siren_that_it_may_switch_off(self):
        states = {**STATES, "siren.homeward_rig_siren": "on"}
        del states["binary_sensor.homeward_rig_alarm_sounds"]
        self.assertEqual(list(differences(self.view(), states)), [])

    def test_each_difference_is_told(self):
        for entity, words in (
            ("sensor.homeward_rig_ada_alarm_state", "the alarm of Ada as"),
            ("sensor.homeward_rig_ada_zone", "shows Ada in"),
            ("binary_sensor.homeward_rig_alarm_sounds", "the siren as"),
            ("sensor.ada_routine_pill", "Pill as due"),
        ):
            for states in (
                {**STATES, entity: "unknown"},
                {name: state for name, state in STATES.items() if name != entity},
            ):
                found = list(differences(self.view(), states))
                self.assertEqual(len(found), 1, found)
                self.assertIn(words, found[0])

    def test_names_of_entities(self):
        self.assertEqual(slug("Heart tablet"), "heart_tablet")
        self.assertEqual(slug("Où est-elle?"), "ou_est_elle")
        self.assertEqual([is_ours(entity) for entity in STATES], [True, True, True, True, False])


if __name__ == "__main__":
    unittest.main()
