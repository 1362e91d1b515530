from homeward_rig.devices import Lamp
from homeward_rig.guest_agent import Completed
from homeward_rig.stage import CheckFailed

from .support import CheckTest, fails, steps

DEVICES = steps("devices")
LEVEL = ("/bin/cat", str(Lamp.LEVEL))


class DevicesStepsTest(CheckTest):
    def context_with(self, *, found: bool):
        """A hub that finds every device, or none."""
        context = self.context()
        context.stage.machine.run = lambda *arguments, **_: Completed(arguments, 0 if found else 1, "", "")
        return context

    @fails(
        "within {seconds:g} seconds the hub finds its {name:Device}",
        "within {seconds:g} seconds the hub misses its {name:Device}",
    )
    def test_a_device_that_is_not_as_expected_is_noticed(self):
        for name in ("speaker", "microphone", "camera", "big button", "button board"):
            with self.subTest(name), self.assertRaises(CheckFailed):
                DEVICES.finds(self.context_with(found=False), 0, name)
            with self.subTest(name), self.assertRaises(CheckFailed):
                DEVICES.misses(self.context_with(found=True), 0, name)
            DEVICES.finds(self.context_with(found=True), 0, name)
            DEVICES.misses(self.context_with(found=False), 0, name)

    @fails("within {seconds:g} seconds the lamp is {state}")
    def test_a_lamp_that_is_not_as_expected_is_noticed(self):
        for level, state in (("0\n", "lit"), ("1\n", "dark"), ("1\n", "red")):
            with self.subTest(state), self.assertRaises(CheckFailed):
                DEVICES.lamp_is(self.context({LEVEL: level}), 0, state)
        DEVICES.lamp_is(self.context({LEVEL: "1\n"}), 0, "lit")
        DEVICES.lamp_is(self.context({LEVEL: "0\n"}), 0, "dark")
