"""Drives the plugin over pipes, as the host would, against a real mail server on loopback (aiosmtpd)."""

import asyncio
import base64
import email
import email.header
import email.policy
import email.utils
import functools
import json
import os
import pathlib
import socket
import ssl
import sys
import tempfile
import threading
import time
import unittest

from aiosmtpd.smtp import SMTP, AuthResult

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Support" / "PluginPeers"))
from plugin_host import WAIT_SECONDS, Host, certificate, notice, program

PLUGIN = program("homeward-plugin-email")
PDF = b"%PDF-1.5\n" + os.urandom(3000)
PDF64 = base64.b64encode(PDF).decode()
PHOTO = b"\xff\xd8\xff\xe0" + os.urandom(1000)


class Mailbox:
    """Keeps what arrived, and refuses as told."""

    def __init__(self):
        self.envelopes = []
        self.answers = {}
        self.arrived = threading.Condition()

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        return [self.answers["EHLO"]] if "EHLO" in self.answers else responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        if "MAIL" in self.answers:
            return self.answers["MAIL"]
        envelope.mail_from = address
        return "250 fine"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if "RCPT" in self.answers:
            return self.answers["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 fine"

    async def handle_DATA(self, server, session, envelope):
        with self.arrived:
            self.envelopes.append((session, envelope))
            self.arrived.notify_all()
        return self.answers.get("DATA", "250 taken")

    def wait(self, count=1):
        """The messages, once there are so many."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.envelopes) >= count, WAIT_SECONDS), "no mail came"
            policy = email.policy.default
            return [email.message_from_bytes(e.original_content, policy=policy) for _, e in self.envelopes]


class MailServer:
    """aiosmtpd on a free port of this machine, with an event loop and a thread of its own."""

    def __init__(self, handler, encryption=None, **options):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        factory = functools.partial(SMTP, handler, data_size_limit=40 << 20, loop=self.loop, **options)
        serving = self.loop.create_server(factory, "127.0.0.1", 0, ssl=encryption)
        self.server = asyncio.run_coroutine_threadsafe(serving, self.loop).result(WAIT_SECONDS)
        self.port = self.server.sockets[0].getsockname()[1]

    def close(self):
        self.loop.call_soon_threadsafe(self.server.close)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(timeout=WAIT_SECONDS)
        self.loop.close()


class EmailTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.key, cls.authority = certificate(cls.folder.name, "localhost")
        cls.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        cls.context.load_cert_chain(cls.authority, cls.key)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.mailbox = Mailbox()
        self.host = Host(PLUGIN)
        self.addCleanup(self.host.close)

    def serve(self, **options):
        """The port of a server, which offers STARTTLS unless told otherwise."""
        server = MailServer(self.mailbox, **{"tls_context": self.context, **options})
        self.addCleanup(server.close)
        return server.port

    def start(self, port, **settings):
        complete = {"server": "localhost", "port": port, "from": "hub@example.org", "timeoutSeconds": 120}
        complete["caFile"] = self.authority
        answer = self.host.start(["network", "observe:delivery"], **{**complete, **settings})
        self.assertIn("result", answer, answer)

    def send(self, **changes):
        """Sends, and answers the notice of delivery."""
        self.assertEqual(self.host.notify(**changes), {"outcome": "taken"})
        return self.host.notified()

    def test_an_alarm_arrives_encrypted_with_everything_a_mail_needs(self):
        self.start(self.serve(require_starttls=True))
        told = self.send()
        self.assertEqual((told["outcome"], told["event"], told["recipient"]), ("sent", "0199-alarm", "anna"))
        self.assertEqual((told["channel"], told["notice"]), ("email", "alarm"))
        self.assertIn("nobody can prove", told["detail"])
        (message,) = self.mailbox.wait()
        session, envelope = self.mailbox.envelopes[0]
        self.assertIsNotNone(session.ssl)
        self.assertEqual(session.host_name, "[127.0.0.1]")
        self.assertEqual((envelope.mail_from, envelope.rcpt_tos), ("hub@example.org", ["anna@example.org"]))
        self.assertEqual(message["Subject"], "SOS Mary Smith 14:32 needs help [A7K2]")
        self.assertEqual(message["From"], "Homeward <hub@example.org>")
        self.assertEqual(message["To"], "anna@example.org")
        self.assertEqual(message["Auto-Submitted"], "auto-generated")
        self.assertEqual(message["Message-ID"], "<0199-alarm.alarm.anna.1@hub.homeward.invalid>")
        moment = email.utils.parsedate_to_datetime(message["Date"])
        self.assertLess(abs(moment.timestamp() - time.time()), 60)
        self.assertEqual(message.get_content_type(), "text/plain")
        self.assertTrue(message.get_content().startswith("SOS Mary Smith 14:32 needs help. #A7K2"))
        self.assertEqual(message.defects, [])

    def test_news_are_a_plain_mail_without_a_tag(self):
        self.start(self.serve())
        text = "Mary wrote: 请来. Soon"
        self.assertEqual(self.send(notice="news", tag="", text=text, asksForAcknowledgement=False)["outcome"], "sent")
        (message,) = self.mailbox.wait()
        self.assertEqual(message["Subject"], "Mary wrote: 请来")
        self.assertIsNone(message["Importance"])
        content = message.get_content()
        self.assertTrue(content.startswith(text))
        self.assertNotIn("take charge", content)

    def test_every_script_and_sign_arrives_as_it_was_written(self):
        texts = [
            "SOS 陳小美 14:32 需要帮助。请立即联系。",
            "SOS Zoë Müller-Łukasz 👵🏽 needs help. Größe",
            ".\r\n.\r\n..dots\r\nQUIT\r\n.",
            "=?UTF-8?Q?no?= word",
            "x" * 3000,
            "陳" * 900,
            "\0\x07\u2028bell",
        ]
        self.start(self.serve())
        for attempt, text in enumerate(texts, 1):
            name = 'Ann "the\\boss" 陳' if attempt == 1 else "hub"
            self.assertEqual(self.send(text=text, attempt=attempt, language="zh")["outcome"], "sent", name)
        for text, message in zip(texts, self.mailbox.wait(len(texts)), strict=True):
            self.assertTrue(message.get_content().replace("\r\n", "\n").startswith(text.replace("\r\n", "\n")), text)
            self.assertEqual(message.defects, [])
            self.assertEqual(message["Subject"].defects, ())
        subjects = [message["Subject"] for message in self.mailbox.wait()]
        self.assertEqual(subjects[0], "SOS 陳小美 14:32 需要帮助 [A7K2]")
        self.assertEqual(subjects[3], "=?UTF-8?Q?no?= word [A7K2]")
        self.assertEqual(subjects[5], "陳" * 120 + " [A7K2]")
        for _, envelope in self.mailbox.envelopes:
            self.assertLessEqual(max(len(line) for line in envelope.original_content.split(b"\r\n")), 998)

    def test_a_name_beside_the_sender_may_be_anything(self):
        for number, name in enumerate(['Ann "the\\boss", Inc.', "陳小美 👵", "a\r\nBcc: x@example.org", "n" * 200]):
            host = Host(PLUGIN)
            self.addCleanup(host.close)
            port = self.serve()
            host.start(
                server="localhost", port=port, **{"from": "hub@example.org"}, caFile=self.authority, fromName=name
            )
            host.notify()
            host.notified()
            self.assertNotIn("Bcc", self.mailbox.wait(number + 1)[-1])
            # The older parser: the newer one puts spaces between the words of a long name.
            raw = email.message_from_bytes(self.mailbox.envelopes[-1][1].original_content)["From"]
            written, address = email.utils.parseaddr(raw.replace("\r\n", ""))
            self.assertEqual(address, "hub@example.org")
            self.assertEqual(
                str(email.header.make_header(email.header.decode_header(written))), name.replace("\r\n", "  ")
            )

    def test_an_address_that_could_say_more_than_an_address_is_refused(self):
        self.start(self.serve())
        for address in (
            "",
            "anna",
            "@example.org",
            "anna@",
            "anna@example.org\r\nBcc: x@example.org",
            "anna@example.org, joe@example.org",
            "anna@example.org> SIZE=1",
            "<anna@example.org>",
            "Anna <anna@example.org>",
            '"a b"@example.org',
            "anna@@example.org",
            "an na@example.org",
            "anna@exam\0ple.org",
            "änna@example.org",
            ".anna@example.org",
            "anna@example..org",
            "anna@-example.org",
            "a" * 65 + "@example.org",
            "anna@" + "e" * 250,
        ):
            answer = self.host.notify(address=address)
            self.assertEqual(answer["outcome"], "failed", address)
            self.assertIn("address", answer["detail"])
        self.assertEqual(self.mailbox.envelopes, [])

    def test_names_in_the_alarm_never_become_headers(self):
        self.start(self.serve())
        evil = "x\r\nBcc: mallory@example.org\r\n\r\nhello"
        self.assertEqual(self.send(event=evil, recipient=evil, tag=evil, text=evil)["outcome"], "sent")
        (message,) = self.mailbox.wait()
        self.assertNotIn("Bcc", message)
        self.assertEqual(self.mailbox.envelopes[0][1].rcpt_tos, ["anna@example.org"])

    def photo(self, content):
        path = pathlib.Path(self.host.state.name) / "photo.jpg"
        path.write_bytes(content)
        return str(path)

    def test_a_photo_travels_with_the_words(self):
        self.start(self.serve())
        self.assertEqual(self.send(notice="photo", attachment=self.photo(PHOTO))["outcome"], "sent")
        (message,) = self.mailbox.wait()
        self.assertEqual(message.get_content_type(), "multipart/mixed")
        text, picture = message.iter_parts()
        self.assertIn("needs help", text.get_content())
        self.assertEqual((picture.get_content_type(), picture.get_filename()), ("image/jpeg", "photo.jpg"))
        self.assertEqual(picture.get_content(), PHOTO)

    def test_a_photo_of_ten_megabytes_arrives_whole(self):
        content = b"\xff\xd8\xff" + os.urandom((10 << 20) - 3)
        self.start(self.serve())
        self.assertEqual(self.send(attachment=self.photo(content))["outcome"], "sent")
        (message,) = self.mailbox.wait()
        self.assertTrue(list(message.iter_parts())[1].get_content() == content)

    def mail(self, **changes):
        """Has a report sent; the host's answer."""
        told = {"id": "report.k3x9qa.1", "to": "practice@example.org", "subject": "Report for the doctor: 美"}
        told |= {"text": "Here is the report.\r\nBcc: x@example.org", "language": "en", "name": "report.pdf"}
        return self.host.call("service.mail.send", json.dumps({**told, "file": PDF64, **changes}))

    def test_a_report_travels_as_a_file_and_is_told_when_the_server_has_it(self):
        self.start(self.serve(require_starttls=True))
        self.assertEqual(self.mail().get("result"), {})
        (message,) = self.mailbox.wait()
        self.assertEqual(self.mailbox.envelopes[0][1].rcpt_tos, ["practice@example.org"])
        self.assertEqual(message["Subject"], "Report for the doctor: 美")
        self.assertEqual(message["Message-ID"], "<report-k3x9qa-1@hub.homeward.invalid>")
        self.assertNotIn("Bcc", message)
        words, file = message.iter_parts()
        self.assertIn("Nobody reads answers", words.get_content())
        self.assertEqual((file.get_content_type(), file.get_filename()), ("application/pdf", "report.pdf"))
        self.assertEqual(file.get_content(), PDF)
        self.assertEqual(message.defects, [])

    def test_a_report_that_cannot_be_sent_is_told_with_the_reason(self):
        self.start(1)
        self.assertIn("message", self.mail()["error"])
        self.mailbox.answers["RCPT"] = "550 no such practice"
        self.host.close()
        self.host = Host(PLUGIN)
        self.addCleanup(self.host.close)
        self.start(self.serve())
        self.assertIn("refused it (550)", self.mail()["error"]["message"])
        bad = [{"to": "a@b\r\nBcc: c@d.org"}, {"to": "nobody"}, {"name": "../x.pdf"}, {"name": 'a".pdf'}]
        bad += [{"file": "AAAA"}, {"file": "?"}, {"subject": 3}]
        for change in bad:
            self.assertIn("error", self.mail(**change), change)
        # An alarm goes out all the same.
        self.mailbox.answers.clear()
        self.assertEqual(self.send()["outcome"], "sent")

    def test_an_alarm_never_waits_for_a_photo_that_cannot_be_had(self):
        self.start(self.serve())
        large = b"\xff\xd8\xff" + bytes(10 << 20)
        pipe = os.path.join(self.host.state.name, "pipe")
        os.mkfifo(pipe)
        cases = ["/nonexistent.jpg", "relative.jpg", "/dev/zero", pipe, self.host.state.name, "/a\0b"]
        for attempt, path in enumerate(cases, 1):
            self.assertEqual(self.send(attachment=path, attempt=attempt)["outcome"], "sent", path)
        for attempt, content in enumerate([b"", b"GIF89a" * 100, large], 20):
            self.assertEqual(self.send(attachment=self.photo(content), attempt=attempt)["outcome"], "sent")
        for message in self.mailbox.wait(9):
            self.assertIn("could not be attached", message.get_content())

    def test_the_same_attempt_is_sent_once_and_its_fate_told_again(self):
        self.start(self.serve())
        first = self.send()
        self.assertEqual(self.send(), first)
        self.assertEqual(self.send(attempt=2)["outcome"], "sent")
        ids = [message["Message-ID"] for message in self.mailbox.wait(2)]
        self.assertEqual(len(set(ids)), 2)
        self.assertEqual(len(self.mailbox.envelopes), 2)

    def test_what_was_sent_is_not_sent_again_by_the_next_run(self):
        port = self.serve()
        self.start(port)
        first = self.send()
        self.host.call("shutdown")
        self.host.process.wait(timeout=WAIT_SECONDS)
        state = self.host.state
        self.host = Host(PLUGIN, state=state)
        self.addCleanup(self.host.close)
        self.start(port)
        self.assertEqual(self.send(), first)
        self.assertEqual(len(self.mailbox.envelopes), 1)

    def test_what_the_server_refuses_has_failed_and_the_next_goes_on(self):
        self.start(self.serve())
        for attempt, (step, status) in enumerate(
            [("MAIL", "550 no"), ("RCPT", "550 no such user"), ("RCPT", "450 later"), ("DATA", "554 spam")], 1
        ):
            self.mailbox.answers = {step: status}
            told = self.send(attempt=attempt)
            self.assertEqual(told["outcome"], "failed", step)
            self.assertIn(status[:3], told["detail"])
        self.mailbox.answers = {}
        self.assertEqual(self.send(attempt=9)["outcome"], "sent")
        self.assertEqual(self.host.call("health")["result"]["state"], "working")

    def test_a_login_is_used_only_over_tls_and_a_wrong_one_is_said_so(self):
        seen = []

        def authenticate(server, session, envelope, mechanism, data):
            seen.append((mechanism, data, session.ssl is not None))
            return AuthResult(success=data.password == b"right", handled=False)

        port = self.serve(authenticator=authenticate, auth_required=True, auth_require_tls=True)
        self.start(port, username="hub", password="wrong-word")
        told = self.send()
        self.assertEqual(told["outcome"], "failed")
        self.assertIn("login", told["detail"])
        self.assertEqual(self.host.call("health")["result"]["code"], "login")
        other = Host(PLUGIN)
        self.addCleanup(other.close)
        settings = {"server": "localhost", "port": port, "from": "hub@example.org", "caFile": self.authority}
        other.start(**settings, username="hub", password="right")
        other.notify()
        self.assertEqual(other.notified()["outcome"], "sent")
        self.assertTrue(seen and all(is_encrypted for _, _, is_encrypted in seen))
        self.host.close()
        self.assertNotIn("wrong-word", self.host.log)

    def test_a_server_without_starttls_gets_nothing(self):
        self.start(self.serve(tls_context=None), username="hub", password="secret")
        told = self.send()
        self.assertEqual(told["outcome"], "failed")
        self.assertIn("no encryption", told["detail"])
        self.assertEqual(self.mailbox.envelopes, [])

    def test_a_certificate_that_is_not_trusted_stops_everything(self):
        self.start(self.serve(), caFile="/etc/ssl/certs/ca-certificates.crt")
        told = self.send()
        self.assertIn("not trusted", told["detail"])
        self.assertEqual(self.mailbox.envelopes, [])
        self.assertEqual(self.host.call("health")["result"]["code"], "certificate")

    def test_encryption_from_the_first_byte(self):
        self.start(self.serve(tls_context=None, encryption=self.context), security="tls")
        self.assertEqual(self.send()["outcome"], "sent")
        self.mailbox.wait()

    def test_a_relay_on_this_machine_may_go_without(self):
        self.start(self.serve(tls_context=None), security="none", server="127.0.0.1")
        self.assertEqual(self.send()["outcome"], "sent")

    def test_a_server_that_goes_away_at_any_step_loses_the_mail_and_not_the_plugin(self):
        script = [
            b"220 hi\r\n",
            b"250 hi\r\n",
            b"250 ok\r\n",
            b"250 ok\r\n",
            b"354 go\r\n",
            b"250 ok\r\n",
            b"221 bye\r\n",
        ]
        with socket.create_server(("127.0.0.1", 0)) as server:

            def play():
                for steps in range(len(script) + 1):
                    connection, _ = server.accept()
                    with connection, connection.makefile("rb") as lines:
                        for step in range(steps):
                            connection.sendall(script[step])
                            if step == 4:
                                while lines.readline() not in (b".\r\n", b""):
                                    pass
                            elif step < 6:
                                lines.readline()

            thread = threading.Thread(target=play, daemon=True)
            thread.start()
            self.start(server.getsockname()[1], security="none", server="127.0.0.1")
            outcomes = [self.send(attempt=attempt)["outcome"] for attempt in range(1, len(script) + 2)]
            thread.join(timeout=WAIT_SECONDS)
        # From the sixth answer on the server has taken the mail, however it parts.
        self.assertEqual(outcomes, ["failed"] * 6 + ["sent"] * 2)

    def test_a_server_that_babbles_or_says_nothing_is_given_up(self):
        with socket.create_server(("127.0.0.1", 0)) as server:

            def play():
                held = []
                for words in (b"HTTP/1.1 200 OK\r\n\r\n", b"\0" * 200_000, b"220 " + b"x" * 200_000, b""):
                    connection, _ = server.accept()
                    held.append(connection)
                    try:
                        connection.sendall(words)
                        if words:
                            connection.close()
                    except OSError:
                        connection.close()
                over.wait(WAIT_SECONDS)
                for connection in held:
                    connection.close()

            over = threading.Event()
            thread = threading.Thread(target=play, daemon=True)
            thread.start()
            self.start(server.getsockname()[1], security="none", server="127.0.0.1", timeoutSeconds=5)
            for attempt in range(4):
                told = self.send(attempt=attempt + 1)
                self.assertEqual(told["outcome"], "failed")
                if attempt == 3:
                    self.assertIn("in time", told["detail"])
                    self.assertIn("sent all the same", told["detail"])
            over.set()
            thread.join(timeout=WAIT_SECONDS)

    def test_health_is_answered_while_mails_hang_and_too_many_are_refused(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.start(server.getsockname()[1], security="none", server="127.0.0.1")
            answers = [self.host.notify(attempt=attempt)["outcome"] for attempt in range(1, 70)]
            self.assertEqual(answers, ["taken"] * 64 + ["failed"] * 5)
            self.assertEqual(self.host.call("health")["result"]["state"], "working")
            self.host.call("shutdown")
            self.assertEqual(self.host.process.wait(timeout=WAIT_SECONDS), 0)

    def test_nothing_listening_and_no_such_host_are_said_so(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.start(port, server="127.0.0.1", security="none")
        told = self.send()
        self.assertIn("nothing listens", told["detail"])
        self.assertEqual(self.host.call("health")["result"]["code"], "refused")

    def test_settings_that_cannot_work_are_named(self):
        good = {"server": "mail.example.org", "from": "hub@example.org"}
        for changes, word in (
            ({"from": "hub@example.org\r\nX: y"}, "from"),
            ({"server": "mail/evil"}, "server"),
            ({"server": "ann@mail.example.org"}, "server"),
            ({"server": "mail.example.org:25"}, "server"),
            ({"server": "mail example"}, "server"),
            ({"server": "mail.example.org\r\nx"}, "server"),
            ({"security": "none"}, "this machine only"),
            ({"security": "ssl"}, "security"),
            ({"username": "x"}, "password"),
            ({"username": "x", "password": "a\r\nb"}, "line breaks"),
            ({"caFile": "/nonexistent.pem"}, "caFile"),
        ):
            with self.subTest(changes):
                answer = self.host.start(**{**good, **changes})
                self.assertIn(word, answer["error"]["message"])

    def test_a_request_that_does_not_fit_is_refused_and_survived(self):
        self.start(self.serve())
        for params in ("{}", "[]", '{"event":1}'):
            self.assertEqual(self.host.call("alarm.notify", params)["error"]["code"], -32602)
        self.assertEqual(self.host.notify(channel="sms")["outcome"], "failed")
        self.assertEqual(self.host.call("service.speech")["error"]["code"], -32601)
        self.assertEqual(notice()["channel"], "email")


if __name__ == "__main__":
    unittest.main()
