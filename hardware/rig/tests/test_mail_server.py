"""The mail server with a real client."""

import smtplib
import tempfile
import unittest
from email.message import EmailMessage
from pathlib import Path

from homeward_rig.peer import Peer


class MailServerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.server = Peer("mail-server", Path(folder.name), Path(folder.name))
        self.addCleanup(self.server.end)
        self.port = self.server.do("port")

    def send(self, subject="SOS Åda [A7K2]"):
        message = EmailMessage()
        message["Subject"], message["From"], message["To"] = subject, "hub@example.org", "anna@example.org"
        message.set_content("Sie braucht Hilfe: 她需要帮助")
        with smtplib.SMTP("127.0.0.1", self.port, timeout=10) as client:
            client.send_message(message, to_addrs=["anna@example.org", "bo@example.org"])

    def test_a_mail_is_told_once_for_each_who_gets_it_as_it_was_written(self):
        self.send()
        mails = self.server.do("mails")
        self.assertEqual([mail["address"] for mail in mails], ["anna@example.org", "bo@example.org"])
        self.assertEqual(mails[0]["subject"], "SOS Åda [A7K2]")
        self.assertEqual(mails[0]["text"].strip(), "Sie braucht Hilfe: 她需要帮助")
        self.send("another")
        self.assertEqual([mail["subject"] for mail in self.server.do("mails", since=2)], ["another"] * 2)

    def test_what_is_refused_has_not_come(self):
        self.server.do("refuse", text="552 too much")
        with self.assertRaisesRegex(smtplib.SMTPDataError, "too much"):
            self.send()
        self.assertEqual(self.server.do("mails"), [])
        self.server.do("take")
        self.send()
        self.assertEqual(len(self.server.do("mails")), 2)

    def test_one_that_vanished_comes_back_at_the_same_port(self):
        self.server.do("vanish")
        with self.assertRaises(OSError):
            self.send()
        self.server.do("come-back")
        self.send()
        self.assertEqual(len(self.server.do("mails")), 2)


if __name__ == "__main__":
    unittest.main()
