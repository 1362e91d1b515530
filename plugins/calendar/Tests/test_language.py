"""The plugin in the language of the gateway, with the catalogue that is installed."""

import gettext
import json
import tempfile
import unittest

from calendar_peers import CERTIFICATE, PLUGIN, SOON, PluginCase, calendar, event
from plugin_host import WAIT_SECONDS
from plugin_texts import Installed, texts

INSTALLED = Installed()


class LanguageTests(PluginCase):
    """The plugin with the catalogue that is installed."""

    def run_plugin(self, program=PLUGIN, **options):
        super().run_plugin(program, **{"environment": INSTALLED.chinese(), **options})

    def test_every_text_is_translated(self):
        found = set(texts(PLUGIN.parent))
        self.assertGreaterEqual(len(found), 58)
        chinese = gettext.translation("homeward", INSTALLED.locale, ["zh_CN"])
        self.assertEqual([text for text in sorted(found) if chinese.gettext(text) == text], [])

    def test_what_went_wrong_is_told_in_chinese_and_logged_in_english(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        self.start()
        self.assertEqual(self.health("starting")["detail"], "family：尚未获取")
        self.replaced()
        self.health("")
        self.stop()
        for code, answer, shown, logged in (
            (
                "unauthorised",
                (403, {}, b""),
                "服务器拒绝访问；请检查用户名和密码，以及日历是否仍在共享",
                "the server refuses us; check user name and password, or whether the calendar is still shared",
            ),
            ("answer", (503, {}, b""), "服务器的回应是503", "the server answers 503"),
            (
                "too-large",
                (200, {}, b"BEGIN:VCALENDAR\r\n" + b"X" * (9 << 20)),
                "日历超过8 MiB；请共享小一些的日历",
                "the calendar is larger than 8 MiB; share a smaller one",
            ),
        ):
            with self.subTest(code):
                self.server.answers = [answer]
                self.run_plugin()
                self.start()
                self.assertEqual(self.health(code)["detail"], f"family：{shown}；仍用上次完好的日历")
                self.assertEqual(self.host.logged("warning: family:"), f"warning: family: {logged}\n")
                self.stop()

    def test_what_the_gateway_refuses_stands_in_its_words(self):
        self.server.answers = [(200, {}, calendar(event("1", "A")))]
        for error, shown, logged in (
            ({"code": 1001, "message": "没有{name}。"}, "没有{name}。", "没有{name}。"),
            ({"code": 1001}, "它没有说明原因", "it did not say why"),
        ):
            with self.subTest(error):
                self.run_plugin()
                self.start()
                request = self.host.requests.get(timeout=WAIT_SECONDS)
                self.host.send_line(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}))
                self.assertEqual(self.health("refused")["detail"], f"family：网关没有接受：{shown}（会再次提交）")
                self.assertEqual(
                    self.host.logged("does not take"), f"warning: family: the gateway does not take it: {logged}\n"
                )
                self.stop()

    def test_what_is_left_out_is_named_and_braces_stay_braces(self):
        strange = [
            event("1", "{0.__class__} {name} {", SOON, "RRULE:FREQ=DAILY;BYWEEKNO=3"),
            event("2", "{title}", SOON, "RRULE:FREQ=DAILY;COUNT=0"),
            event("3", "Lunch", SOON, "RRULE:FREQ=DAILY;BYMONTH=13"),
            event("4", "Walk", SOON, "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"),
            "BEGIN:VEVENT\r\nUID:5\r\nSUMMARY:Dance\r\nDTSTART;TZID={zone}:20270101T100000\r\nEND:VEVENT",
            event("6", "Sixth", "never"),
            event("7", "Seventh", "never"),
        ]
        parts = "FREQ、INTERVAL、COUNT、UNTIL、BYMONTH、BYMONTHDAY、BYDAY、BYHOUR、BYMINUTE、BYSETPOS和WKST"
        self.server.answers = [(200, {}, calendar(event("0", ""), *strange))]
        self.start()
        self.assertEqual([item["title"] for item in self.replaced()], ["预约"])
        self.assertEqual(
            self.health("left-out")["detail"],
            "family：未采用："
            f"{{0.__class__}} {{name}} {{（这里不能用BYWEEKNO。请用{parts}表达。）"
            "；{title}（COUNT须为1到100000之间的整数。）"
            "；Lunch（BYMONTH中有一个数字不在1到12之间。）"
            "；Walk（按它的规则永远不会发生。请在日历中改正规则。）"
            "；Dance（它的时区“{zone}”未知。请在日历中选择Europe/Madrid这样的时区。）"
            "；还有2项",
        )
        self.stop()
        self.state = tempfile.TemporaryDirectory(prefix="homeward-calendar-")
        self.run_plugin(environment=INSTALLED.chinese() | {"HOMEWARD_LANGUAGE": "en"})
        self.start()
        self.assertEqual([item["title"] for item in self.replaced()], ["Appointment"])
        parts = "FREQ, INTERVAL, COUNT, UNTIL, BYMONTH, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE, BYSETPOS and WKST"
        self.assertEqual(
            self.health("left-out")["detail"],
            "family: left out: "
            f"{{0.__class__}} {{name}} {{ (BYWEEKNO is not possible here. Say it with {parts}.)"
            "; {title} (COUNT must be a whole number from 1 to 100000.)"
            "; Lunch (BYMONTH has a number outside of 1 to 12.)"
            "; Walk (By its rule it never happens. Correct the rule in the calendar.)"
            '; Dance (Its time zone "{zone}" is unknown. Choose one such as Europe/Madrid in the calendar.)'
            "; and 2 more",
        )

    def test_settings_that_cannot_work_are_refused_in_chinese_and_requests_in_english(self):
        one = {"name": "family", "resident": "ada", "timeZone": "Europe/Madrid", "url": "https://localhost/"}
        for changes, words in (
            ({"url": "http://localhost/a.ics"}, "calendars：family的地址须以https://或webcal://开头"),
            ({"allDayTime": "25:00"}, "calendars：family的allDayTime须为09:00这样的时间"),
            ({"name": "{name}"}, "calendars：名称须为1到40个字母、数字或连字符"),
        ):
            self.run_plugin()
            self.assertEqual(self.host.start(calendars=[one | changes])["error"]["message"], words)
        self.assertEqual(self.host.call("unheard.of")["error"]["message"], "there is no method 'unheard.of'")

    def test_several_calendars_are_told_of_one_after_the_other(self):
        self.server.answers = [(404, {}, b"")]
        shown = "这个地址已经没有日历了；请向共享者要新的地址"
        logged = "there is no calendar at this address any more; ask who shares it for the new one"
        for language, wanted in (
            ("zh", f"family：{shown}。friends：{shown}"),
            ("en", f"family: {logged}. friends: {logged}"),
        ):
            with self.subTest(language):
                self.run_plugin(environment=INSTALLED.chinese() | {"HOMEWARD_LANGUAGE": language})
                calendars = [
                    {"name": name, "resident": "ada", "timeZone": "Europe/Madrid", "url": self.server.url()}
                    for name in ("family", "friends")
                ]
                self.host.start(calendars=calendars, caFile=CERTIFICATE.file)
                health = self.host.notified("health", lambda params, wanted=wanted: params["detail"] == wanted)
                self.assertEqual(health["code"], "missing")
                self.stop()

    def test_where_it_is_installed_it_finds_the_catalogue_by_itself_and_speaks_english_without(self):
        installed = Installed()
        self.addCleanup(installed.folder.cleanup)
        program = installed.plugin(PLUGIN)
        self.server.answers = [(404, {}, b"")]
        english = "family: there is no calendar at this address any more; ask who shares it for the new one"
        for language, wanted in (
            ("zh", "family：这个地址已经没有日历了；请向共享者要新的地址"),
            ("en", english),
            ("", english),
            ("../zh", english),
            (None, english),
        ):
            with self.subTest(language):
                if language is None:
                    installed.catalogue.unlink()
                environment = {"HOMEWARD_LANGUAGE": "zh" if language is None else language, "TEXTDOMAINDIR": ""}
                self.run_plugin(program, environment=environment)
                self.start()
                self.assertEqual(self.health("missing")["detail"], wanted)
                self.stop()


if __name__ == "__main__":
    unittest.main()
