"""The plugin in the language of the gateway, with the catalogue and the kit as they are installed."""

import gettext
import sys
import unittest
from pathlib import Path

from test_fhir import PLUGIN, PluginCase

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from json_server import glucose
from plugin_texts import Installed, texts

INSTALLED = Installed()
REFUSED = "服务器拒绝该令牌；请索取新的令牌并填入token"


class LanguageTests(PluginCase):
    """The plugin with the catalogue that is installed."""

    def run_plugin(self, program=PLUGIN, **options):
        super().run_plugin(program, **{"environment": INSTALLED.chinese(), **options})

    def test_every_text_is_translated(self):
        found = set(texts(PLUGIN.parent))
        self.assertGreaterEqual(len(found), 27)
        chinese = gettext.translation("homeward", INSTALLED.locale, ["zh_CN"])
        self.assertEqual([text for text in sorted(found) if chinese.gettext(text) == text], [])

    def test_trouble_is_told_in_chinese_and_logged_in_english(self):
        self.start(token="hush-wrong")
        self.assertEqual(self.waits(glucose(), "unauthorised")["reason"], REFUSED)
        self.assertEqual(self.host.call("health")["result"]["detail"], REFUSED)
        self.assertIn("the server refuses the token", self.host.logged("warning"))
        self.server.token = "hush-wrong"
        self.server.script = [(422, {}, {"issue": [{"diagnostics": "{status} no"}]})]
        self.assertEqual(self.deliver(glucose())[0]["reason"], "服务器的回应是422：{status} no")

    def test_words_for_a_doubtful_time_are_the_gateways(self):
        self.start()
        self.accepted(glucose(timeDoubt="{time}"))
        self.assertEqual(self.only()["note"], [{"text": "时间不确定：2026-11-22T07:41:00+01:00，{time}"}])

    def test_where_it_is_installed_it_needs_nothing_but_its_folder(self):
        installed = Installed()
        self.addCleanup(installed.folder.cleanup)
        program = installed.plugin(PLUGIN)
        self.assertEqual([path.name for path in Path(program).parent.iterdir() if path.is_symlink()], [])
        self.run_plugin(program, environment={"HOMEWARD_LANGUAGE": "zh", "TEXTDOMAINDIR": ""})
        self.start(token="hush-wrong")
        self.assertEqual(self.waits(glucose(), "unauthorised")["reason"], REFUSED)


del PluginCase

if __name__ == "__main__":
    unittest.main()
