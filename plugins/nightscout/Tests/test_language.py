"""The plugin in the language of the gateway, with the catalogue and the kit as they are installed."""

import gettext
import sys
import unittest
from pathlib import Path

from test_nightscout import PLUGIN, PluginCase

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from json_server import glucose
from nightscout_peer import READER
from plugin_texts import Installed, texts

INSTALLED = Installed()
UNKNOWN = "站点不认识该访问令牌；请在Nightscout的管理工具中新建一个并填入token"


class LanguageTests(PluginCase):
    """The plugin with the catalogue that is installed."""

    def run_plugin(self, program=PLUGIN, **options):
        super().run_plugin(program, **{"environment": INSTALLED.chinese(), **options})

    def test_every_text_is_translated(self):
        found = set(texts(PLUGIN.parent))
        self.assertGreaterEqual(len(found), 30)
        chinese = gettext.translation("homeward", INSTALLED.locale, ["zh_CN"])
        self.assertEqual([text for text in sorted(found) if chinese.gettext(text) == text], [])

    def test_trouble_is_told_in_chinese_and_logged_in_english(self):
        self.start(token="homeward-wrong")
        self.assertEqual(self.waits(glucose(), "unauthorised")["reason"], UNKNOWN)
        self.assertEqual(self.host.call("health")["result"]["detail"], f"mary：{UNKNOWN}")
        self.assertIn("mary: the site does not know the access token", self.host.logged("warning"))
        self.assertEqual(self.deliver(glucose(value="{0}"))[0]["reason"], "读数无法读取：value不符合要求")

    def test_permissions_are_named_as_nightscout_names_them(self):
        self.start(token=READER)
        reason = self.waits(glucose(), "unauthorised")["reason"]
        self.assertTrue(reason.startswith("访问令牌无权这样做；请为其角色授予api:entries:read,create,"), reason)

    def test_words_for_a_doubtful_time_are_the_gateways_and_braces_stay_braces(self):
        self.start()
        self.accepted(glucose(timeDoubt="{0.__class__} {level}", tag="{tag} {"))
        [note] = self.site.treatments
        self.assertEqual(note["notes"], "血糖5.60 mmol/L，时间不确定：{0.__class__} {level}（{tag} {）")

    def test_where_it_is_installed_it_needs_nothing_but_its_folder(self):
        installed = Installed()
        self.addCleanup(installed.folder.cleanup)
        program = installed.plugin(PLUGIN)
        self.assertEqual([path.name for path in Path(program).parent.iterdir() if path.is_symlink()], [])
        self.run_plugin(program, environment={"HOMEWARD_LANGUAGE": "zh", "TEXTDOMAINDIR": ""})
        self.start(token="homeward-wrong")
        self.assertEqual(self.waits(glucose(), "unauthorised")["reason"], UNKNOWN)


del PluginCase

if __name__ == "__main__":
    unittest.main()
