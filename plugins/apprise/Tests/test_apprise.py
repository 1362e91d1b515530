"""Drives the plugin over pipes, as the host would, with Debian's Apprise and a real HTTP server on loopback."""

import gettext
import http.server
import json
import os
import pathlib
import queue
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from plugin_host import WAIT_SECONDS, Host
from plugin_texts import Installed, kit_copies, texts

PLUGIN = pathlib.Path(__file__).resolve().parent.parent / "push.py"


class Service:
    """A push service that notes each request and answers as told."""

    def __init__(self):
        self.requests = queue.Queue()
        self.answer = lambda path: 200
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.requests.put((self.path, dict(self.headers), body))
                status = service.answer(self.path)
                if status is not None:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.end_headers()
                    self.wfile.write(b"{}")

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def url(self, scheme="json", path="/guardian?cto=60&rto=60"):
        return f"{scheme}://127.0.0.1:{self.port}{path}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class PluginCase(unittest.TestCase):
    """The plugin beside a push service."""

    def setUp(self):
        self.service = Service()
        self.addCleanup(self.service.close)
        self.run_plugin()

    def run_plugin(self, program=PLUGIN, **options):
        self.host = Host(str(program), **options)
        self.addCleanup(self.host.close)

    def start(self, **settings):
        answer = self.host.start(["network", "observe:delivery"], **settings)
        self.assertIn("result", answer, answer)

    def send(self, address=None, **changes):
        answer = self.host.notify(channel="push", address=address or self.service.url(), **changes)
        self.assertEqual(answer, {"outcome": "taken"})
        return self.host.notified()

    def came(self):
        return self.service.requests.get(timeout=WAIT_SECONDS)


class PushTests(PluginCase):
    """What becomes of messages."""

    def test_an_alarm_reaches_the_service_and_nobody_claims_more(self):
        self.start()
        told = self.send()
        self.assertEqual((told["outcome"], told["event"], told["recipient"]), ("sent", "0199-alarm", "anna"))
        self.assertEqual((told["channel"], told["notice"]), ("push", "alarm"))
        self.assertIn("nobody can prove", told["detail"])
        content = json.loads(self.came()[2])
        self.assertEqual(content["title"], "SOS Mary Smith 14:32 needs help [A7K2]")
        self.assertEqual(content["message"], "SOS Mary Smith 14:32 needs help. #A7K2")
        self.assertEqual(content["type"], "failure")

    def test_a_name_stands_for_an_address_that_is_a_secret(self):
        self.start(targets=[{"name": "anna-phone", "url": self.service.url("ntfy", "/secret-topic")}])
        self.assertEqual(self.send("anna-phone", text="陳小美 needs help。 👵")["outcome"], "sent")
        _, _, body = self.came()
        self.assertEqual(json.loads(body)["topic"], "secret-topic")
        self.assertIn("陳小美", json.loads(body)["message"])

    def test_only_names_may_be_written_to_when_the_owner_says_so(self):
        self.start(targets=[{"name": "anna", "url": self.service.url()}], onlyTargets=True)
        answer = self.host.notify(channel="push", address=self.service.url())
        self.assertEqual(answer["outcome"], "failed")
        self.assertEqual(self.send("anna")["outcome"], "sent")

    def test_notices_can_be_told_apart(self):
        self.start()
        kinds = {}
        for notice in ("alarm", "acknowledged", "cancelled", "duress", "photo", "test", "news"):
            self.send(notice=notice)
            kinds[notice] = json.loads(self.came()[2])["type"]
        self.assertEqual(
            kinds,
            {
                "alarm": "failure",
                "acknowledged": "info",
                "cancelled": "success",
                "duress": "failure",
                "photo": "warning",
                "test": "info",
                "news": "info",
            },
        )

    def test_news_have_no_tag_and_ask_for_nothing(self):
        self.start()
        self.send(notice="news", tag="", text="Mary wrote: 请来. Soon", asksForAcknowledgement=False)
        content = json.loads(self.came()[2])
        self.assertEqual(content["title"], "Mary wrote: 请来")
        self.assertEqual(content["message"], "Mary wrote: 请来. Soon")

    def test_what_the_service_does_not_confirm_has_failed_and_says_that_it_may_have_arrived(self):
        self.start()
        for attempt, status in enumerate((400, 403, 500, None), 1):
            self.service.answer = lambda path, status=status: status
            told = self.send(attempt=attempt)
            self.assertEqual(told["outcome"], "failed", status)
            self.assertIn("may have arrived", told["detail"])
        self.assertEqual(self.host.call("health")["result"]["state"], "degraded")
        self.service.answer = lambda path: 200
        self.assertEqual(self.send(attempt=9)["outcome"], "sent")
        self.assertEqual(self.host.call("health")["result"]["state"], "working")

    def test_a_service_that_hangs_holds_up_neither_the_host_nor_the_others(self):
        over = threading.Event()
        self.addCleanup(over.set)
        self.service.answer = lambda path: over.wait(WAIT_SECONDS) and 200 if "slow" in path else 200
        self.start(timeoutSeconds=5)
        slow = self.service.url(path="/slow?cto=60&rto=60")
        self.assertEqual(self.host.notify(channel="push", address=slow, recipient="joe"), {"outcome": "taken"})
        self.came()
        self.assertEqual(self.host.call("health")["result"]["state"], "working")
        answer = self.host.notify(channel="push", address=self.service.url())
        self.assertEqual(answer, {"outcome": "taken"})
        told = {params["recipient"]: params for params in (self.host.notified(), self.host.notified())}
        self.assertEqual((told["anna"]["outcome"], told["joe"]["outcome"]), ("sent", "failed"))
        self.assertIn("may have arrived", told["joe"]["detail"])
        over.set()
        self.assertEqual(self.send(attempt=2)["recipient"], "anna")

    def test_too_many_at_once_are_told_so_and_the_end_comes_at_once(self):
        over = threading.Event()
        self.addCleanup(over.set)
        self.service.answer = lambda path: over.wait(WAIT_SECONDS) and 200
        self.start()
        slow = self.service.url(path="/slow?cto=60&rto=60")
        for attempt in range(1, 5):
            self.assertEqual(self.host.notify(channel="push", address=slow, attempt=attempt), {"outcome": "taken"})
            self.came()
        for attempt in range(5, 66):
            self.assertEqual(self.host.notify(channel="push", address=slow, attempt=attempt), {"outcome": "taken"})
        self.assertIn("wait already", self.host.notified()["detail"])
        self.host.call("shutdown")
        self.assertEqual(self.host.process.wait(timeout=WAIT_SECONDS), 0)

    def test_the_same_attempt_is_sent_once_and_its_fate_told_again(self):
        self.start()
        first = self.send()
        self.assertEqual(self.send(), first)
        self.send(attempt=2)
        self.assertEqual(self.service.requests.qsize(), 2)

    def test_what_was_sent_is_not_sent_again_by_the_next_run(self):
        self.start()
        first = self.send()
        self.service.answer = lambda path: 500
        self.assertEqual(self.send(attempt=2)["outcome"], "failed")
        self.service.answer = lambda path: 200
        self.host.call("shutdown")
        self.host.process.wait(timeout=WAIT_SECONDS)
        self.run_plugin(state=self.host.state)
        self.start()
        self.assertEqual(self.send(), first)
        self.assertEqual(self.send(attempt=2)["outcome"], "sent")
        self.assertEqual(self.service.requests.qsize(), 3)

    def test_a_damaged_memory_keeps_nothing_from_being_sent(self):
        path = pathlib.Path(self.host.state.name) / "sent.json"
        for attempt, content in enumerate(("", "{", "5", "[5]", '[["x", 5]]', "[[[]]]", "[" * 99_999), 1):
            path.write_text(content)
            host = Host(str(PLUGIN), state=self.host.state)
            host.start(["network", "observe:delivery"])
            host.notify(channel="push", address=self.service.url(), attempt=attempt)
            self.assertEqual(host.notified()["outcome"], "sent", content[:20])
            host.call("shutdown")
            host.process.wait(timeout=WAIT_SECONDS)

    def test_a_photo_goes_along_and_a_bad_one_is_left_out(self):
        photo = pathlib.Path(self.host.state.name) / "photo.jpg"
        photo.write_bytes(b"\xff\xd8\xff" + os.urandom(500))
        pipe = os.path.join(self.host.state.name, "pipe")
        os.mkfifo(pipe)
        self.start()
        self.send(attachment=str(photo))
        self.assertEqual(len(json.loads(self.came()[2])["attachments"]), 1)
        bad = ["/nonexistent.jpg", "relative", "/dev/zero", pipe, "/etc/passwd", "/a\0b", 5, "http://127.0.0.1:1/x"]
        for attempt, path in enumerate(bad, 2):
            self.assertEqual(self.send(attachment=path, attempt=attempt)["outcome"], "sent", path)
            self.assertEqual(json.loads(self.came()[2])["attachments"], [])

    def test_addresses_that_apprise_does_not_know_are_refused(self):
        self.start()
        for address in ("", "anna", "://", "http://", "nonsense://x", "json://", "ntfy", "json://a\r\nb", "x" * 5000):
            answer = self.host.notify(channel="push", address=address)
            self.assertEqual(answer["outcome"], "failed", address)
            self.assertIn("address", answer["detail"])

    def test_settings_that_cannot_work_are_named_without_their_secret(self):
        for targets, word in (
            ([{"name": "anna", "url": "nonsense://hush-4711"}], "anna"),
            ([{"name": "anna", "url": "hush-4711"}], "anna"),
            ([{"name": "a", "url": "json://localhost"}] * 2, "only once"),
            ([{"name": "a"}], "do not fit"),
            ("text", "do not fit"),
            (5, "do not fit"),
            ([{"name": ["x"], "url": "json://localhost"}], "name"),
        ):
            with self.subTest(targets):
                message = self.host.start(targets=targets)["error"]["message"]
                self.assertIn(word, message)
                self.assertNotIn("hush", message)

    def test_secrets_never_reach_the_log(self):
        self.service.answer = lambda path: 500
        self.start(targets=[{"name": "anna", "url": self.service.url(path="/hush-4711?cto=60&rto=60")}])
        self.send("anna")
        self.service.close()
        self.send("anna", attempt=2)
        self.host.close()
        self.assertNotIn("hush", self.host.log)

    def test_lines_and_requests_that_do_not_fit_are_answered_and_survived(self):
        self.start()
        for line in ("no json", "[1]", '{"id":1}', "[" * 100_000):
            self.host.send_line(line)
            self.assertIn(self.host.answer()["error"]["code"], (-32700, -32600))
        for params in ("{}", "[]", "5", '{"event":1}'):
            self.assertEqual(self.host.call("alarm.notify", params)["error"]["code"], -32602)
        self.assertEqual(self.host.notify(channel="sms")["outcome"], "failed")
        self.assertEqual(self.host.call("service.speech")["error"]["code"], -32601)
        self.assertEqual(self.send()["outcome"], "sent")


INSTALLED = Installed()


class LanguageTests(PluginCase):
    """The plugin with the catalogue that is installed."""

    def run_plugin(self, program=PLUGIN, **options):
        super().run_plugin(program, **{"environment": INSTALLED.chinese(), **options})

    def test_every_text_is_translated(self):
        found = list(texts(PLUGIN.parent))
        self.assertGreaterEqual(len(found), 12)
        chinese = gettext.translation("homeward", INSTALLED.locale, ["zh_CN"])
        self.assertEqual([text for text in found if chinese.gettext(text) == text], [])

    def test_what_became_of_a_push_is_told_in_the_language_of_the_gateway(self):
        self.start()
        self.assertEqual(self.send()["detail"], "推送服务已接收；无法证明消息已送达")
        self.service.answer = lambda path: 500
        self.assertEqual(self.send(attempt=2)["detail"], "推送服务没有确认；如果是超时，消息仍可能已送达")
        health = self.host.call("health")["result"]
        self.assertEqual((health["state"], health["code"]), ("degraded", "not-confirmed"))
        self.assertEqual(health["detail"], "上一条推送没有得到确认；请检查监护人的推送地址和网络")
        answer = self.host.notify(channel="push", address="anna", attempt=3)
        self.assertEqual(answer["detail"], "Apprise不认识该推送地址；请在监护人资料中改正")

    def test_braces_in_a_name_stay_braces_in_every_language(self):
        name = "{0.__class__} {name} {"
        for environment, words in (
            (INSTALLED.chinese(), f"targets：Apprise不认识'{name}'的地址；请改正"),
            ({}, f"targets: the address of '{name}' is none that Apprise knows; correct it"),
        ):
            self.run_plugin(environment=environment)
            answer = self.host.start(targets=[{"name": name, "url": "nonsense"}])
            self.assertEqual(answer["error"]["message"], words)

    def test_what_programmers_read_stays_english(self):
        self.start()
        self.assertEqual(self.host.call("unheard.of")["error"]["message"], "there is no method 'unheard.of'")
        self.host.send_line("no json")
        self.assertEqual(self.host.answer()["error"]["message"], "the line is no JSON")

    def test_where_it_is_installed_it_finds_the_catalogue_by_itself(self):
        installed = Installed()
        self.addCleanup(installed.folder.cleanup)
        program = installed.plugin(PLUGIN)
        chinese = {"HOMEWARD_LANGUAGE": "zh", "TEXTDOMAINDIR": ""}
        self.run_plugin(program, environment=chinese)
        self.start()
        self.assertEqual(self.send()["detail"], "推送服务已接收；无法证明消息已送达")
        whole = installed.catalogue.read_bytes()
        for content in (whole[:50_000], whole[:10], b"", b"nonsense" * 100, None):
            with self.subTest(content=content and len(content)):
                if content is None:
                    installed.catalogue.unlink()
                else:
                    installed.catalogue.write_bytes(content)
                self.run_plugin(program, environment=chinese)
                self.start()
                told = self.send(language="zh")
                self.assertEqual(told["detail"], "the push service took it; nobody can prove that it arrived")

    def test_what_plugins_share_is_there_once(self):
        self.assertEqual(list(kit_copies()), [])
        self.assertTrue((PLUGIN.parent / "texts.py").is_symlink())


if __name__ == "__main__":
    unittest.main()
