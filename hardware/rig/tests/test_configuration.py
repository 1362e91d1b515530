import re
import unittest

from homeward_rig import configuration, paths
from homeward_rig.configuration import BUTTONS, CAMERA, LAMP, MODEM, SILENCE, SOUND, SPEECH, Configuration, with_plugin


class ConfigurationTest(unittest.TestCase):
    def test_nothing_added_is_the_rigs_own_file(self):
        configuration = Configuration()
        self.assertFalse(configuration.is_changed)
        self.assertEqual(configuration.text, (paths.RIG / "guest" / "homeward.yaml").read_text())

    def test_plugins_join_the_list_and_sections_follow(self):
        configuration = Configuration([BUTTONS, LAMP, SOUND], [SPEECH, MODEM, CAMERA])
        self.assertTrue(configuration.is_changed)
        lines = configuration.text.splitlines()
        file = (paths.RIG / "guest" / "homeward.yaml").read_text()
        # There is one section about the sound, the scenario's.
        self.assertEqual(file.count(SILENCE), 1)
        own = file.replace(SILENCE, "").splitlines()
        self.assertEqual(lines[: len(own)], own)
        names = [line.split()[-1] for line in lines if line.startswith("    - name: ")]
        self.assertEqual(names, ["mqtt", "speech", "sms-modem", "camera"])
        sections = [line for line in lines[len(own) :] if re.match(r"[a-z]", line)]
        self.assertEqual(sections, ["buttons:", "lamp:", "sound:"])
        # Entries of the list come before any section, or they would be part of it.
        self.assertLess(lines.index("    - name: camera"), lines.index("buttons:"))

    def test_buttons_that_speak_bluetooth_join_the_others_or_have_a_list_of_their_own(self):
        entry = ["  - name: necklace", '    bluetooth: {address: "F0:BE:00:00:00:01/random"}']
        for sections in ([LAMP], [BUTTONS, LAMP]):
            configuration = Configuration(list(sections), bluetooth_buttons={"necklace": "F0:BE:00:00:00:01/random"})
            self.assertTrue(configuration.is_changed)
            lines = configuration.text.splitlines()
            self.assertEqual(lines.count("buttons:"), 1)
            self.assertEqual(lines.count("lamp:"), 1)
            self.assertEqual(lines[-2:], entry)
            own = BUTTONS.strip().splitlines() if BUTTONS in sections else ["buttons:"]
            self.assertEqual(lines[-2 - len(own) : -2], own)

    def test_a_plugin_joins_the_list_of_a_hub_that_is_on_and_nothing_else_that_is_enabled(self):
        file = (paths.RIG / "guest" / "homeward.yaml").read_text()
        self.assertIn("  enabled: false\n", file)
        lines = with_plugin(file, "    - name: webhook").splitlines()
        place = lines.index("    - name: webhook")
        self.assertEqual(lines[place - 2 : place], ["plugins:", "  enabled:"])
        del lines[place]
        self.assertEqual(lines, file.splitlines())
        with self.assertRaisesRegex(ValueError, "does not have one list of plugins"):
            with_plugin("sound:\n  enabled: false\n", "    - name: webhook")

    def test_the_pages_have_their_name_and_certificate(self):
        entry = configuration.pages("homeward.local", 8474, "/etc/homeward/tls")
        lines = [line.strip() for line in Configuration(plugins=[entry]).text.splitlines()]
        for line in (
            "- name: console",
            "names: [homeward.local]",
            "port: 8474",
            "readPaths: [/etc/homeward/tls]",
            "certificateFile: /etc/homeward/tls/certificate.pem",
            "keyFile: /etc/homeward/tls/key.pem",
        ):
            self.assertIn(line, lines)

    def test_people_may_ask_through_the_broker_for_what_they_are_granted(self):
        configuration = Configuration(plugins=[SPEECH], commands={"anna": ["message.send", "locate"]})
        self.assertTrue(configuration.is_changed)
        text = configuration.text
        self.assertIn('content.personal, "command:locate", "command:message.send"]\n', text)
        lines = text.splitlines()
        place = lines.index("        commands:")
        self.assertEqual(
            lines[place : place + 4],
            [
                "        commands:",
                "          - principal: anna",
                "            actions: [message.send, locate]",
                "    - name: speech",
            ],
        )
