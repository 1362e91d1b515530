"""Calls of the modem, by bare commands."""

import os
import unittest

from homeward_rig.control import Refused
from homeward_rig.stage import eventually

from . import test_modem


class CallsTest(test_modem.BareCommands):
    NUMBER = "+31612345678"

    def call(self) -> dict:
        """The newest call that the modem made."""
        return self.modem.do("calls")[-1]

    def test_a_call_rings_is_answered_and_hears_keys(self):
        self.modem.do("answer", seconds=1, keys="5#", key_seconds=0.3)
        self.ask("ATE0;+DDET=1\r")
        self.ask(f"ATD{self.NUMBER};\r")
        eventually("it rings", 5, lambda: f'+CLCC: 1,0,3,0,0,"{self.NUMBER}",145' in self.ask("AT+CLCC\r"), pause=0.1)
        self.hear("VOICE CALL: BEGIN")
        self.hear("+DTMF: #")
        self.assertIn("+CLCC: 1,0,0,0,0", self.ask("AT+CLCC\r"))
        self.assertIn("+CPAS: 3", self.ask("AT+CPAS\r"))
        self.ask("ATH\r")
        self.assertEqual(self.ask("AT+CLCC\r"), "\r\nOK\r\n")
        call = self.call()
        self.assertEqual((call["number"], call["keys"]), (self.NUMBER, "5#"))
        self.assertLess(call["time"], call["answered"])
        self.assertLess(call["answered"], call["ended"])

    def test_busy_declined_and_mailbox(self):
        self.ask("ATE0;+DDET=1\r")
        for outcome, words in (("busy", "BUSY"), ("declined", "NO CARRIER")):
            self.modem.do("no-answer", outcome=outcome, seconds=0.4)
            os.write(self.cable.terminal_of_user, f"ATD{self.NUMBER};\r".encode())
            self.hear(words)
            self.assertIsNone(self.call()["answered"])
        self.modem.do("mailbox", seconds=0.4)
        self.ask(f"ATD{self.NUMBER};\r")
        self.hear("BEGIN")
        self.modem.do("hang-up-there")
        self.hear("NO CARRIER")
        self.assertEqual(self.call()["keys"], "")
        with self.assertRaises(Refused):
            self.modem.do("press", keys="5")

    def test_nobody_answers_until_it_is_hung_up(self):
        self.ask("ATE0\r")
        self.ask(f"ATD{self.NUMBER};\r")
        self.assertIn("ERROR", self.ask(f"ATD{self.NUMBER};\r", "ERROR"))
        self.ask("AT+CHUP\r")
        self.assertIsNone(self.call()["answered"])
        self.assertFalse(self.modem.do("state")["calling"])

    def test_what_kinds_of_modems_can(self):
        self.ask("ATE0\r")
        self.modem.do("voice", kind="quectel")
        self.ask("AT+DDET=1\r", "ERROR")
        self.ask("AT+QTONEDET=1\r")
        self.modem.do("answer", seconds=0.2, keys="5", key_seconds=0.1)
        self.ask(f"ATD{self.NUMBER};\r")
        self.hear("+QTONEDET: 53")
        self.ask("ATH\r")
        self.modem.do("voice", kind="deaf")
        self.ask("AT+QTONEDET=1\r", "ERROR")
        self.ask("AT+CLCC\r")
        self.modem.do("voice", kind="none")
        self.ask("AT+CLCC\r", "ERROR")
        self.ask(f"ATD{self.NUMBER};\r", "ERROR")
        # Without the semicolon it is a call for data.
        self.modem.do("voice", kind="simcom")
        self.ask(f"ATD{self.NUMBER}\r", "ERROR")
        with self.assertRaises(Refused):
            self.modem.do("voice", kind="nonsense")

    def test_without_network_only_short_numbers_are_called(self):
        self.ask("ATE0\r")
        self.modem.do("network", state="searching")
        self.ask(f"ATD{self.NUMBER};\r", "ERROR")
        self.ask("ATD112;\r")
        self.assertEqual(self.call()["number"], "112")

    def test_a_modem_that_sends_no_messages_while_it_calls(self):
        self.modem.do("voice", kind="simcom", texts=False)
        self.ask("ATE0;+CMGF=1\r")
        self.ask(f"ATD{self.NUMBER};\r")
        self.ask('AT+CMGS="+47123"\r', "> ")
        self.ask("x\x1a", "+CMS ERROR: 500")
        self.ask("ATH\r")
        self.ask('AT+CMGS="+47123"\r', "> ")
        self.ask("x\x1a", "+CMGS: ")

    def test_a_call_that_comes_in_is_refused(self):
        self.ask("ATE0\r")
        self.modem.do("ring", number=self.NUMBER)
        self.hear("RING")
        self.assertIn(",1,4,0,0,", self.ask("AT+CLCC\r"))
        self.ask("ATH\r")
        self.assertEqual(self.modem.do("state")["refused_incoming"], 1)

    def test_unplugged_it_calls_no_more(self):
        self.ask(f"ATD{self.NUMBER};\r")
        self.modem.unplug()
        self.assertIsNotNone(self.call()["ended"])


if __name__ == "__main__":
    unittest.main()
