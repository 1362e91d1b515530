"""The modem against a real phone program, libgammu, over a pseudo-terminal, and against bare commands."""

import json
import os
import pty
import select
import socket
import tempfile
import threading
import time
import tty
import unittest
from pathlib import Path

import gammu
from homeward_rig.peer import Peer
from homeward_rig.stage import eventually


class Cable:
    """What the emulator is to the modem: a Unix socket at one end, a serial device at the other."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "modem.sock"
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        self.terminal, self._other = pty.openpty()
        tty.setraw(self._other)
        self.device = os.ttyname(self._other)
        threading.Thread(target=self._carry, daemon=True).start()

    def _carry(self) -> None:
        while True:
            try:
                modem, _ = self._listener.accept()
            except OSError:
                return
            while True:
                ready, _, _ = select.select([modem, self.terminal], [], [])
                if modem in ready:
                    data = modem.recv(4096)
                    if not data:
                        break
                    os.write(self.terminal, data)
                if self.terminal in ready:
                    try:
                        modem.sendall(os.read(self.terminal, 4096))
                    except OSError:
                        return

    def close(self) -> None:
        self._listener.close()


class ModemTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cable = Cable(self.folder)
        self.addCleanup(self.cable.close)
        self.modem = Peer("modem", self.folder, self.folder)
        self.addCleanup(self.modem.end)
        self.modem.plug_in()


class PhoneProgramTest(ModemTest):
    def phone(self) -> gammu.StateMachine:
        phone = gammu.StateMachine()
        phone.SetConfig(0, {"Device": self.cable.device, "Connection": "at115200", "SyncTime": "no"})
        phone.Init()
        self.addCleanup(phone.Terminate)
        return phone

    def message(self, **changes):
        return {"Number": "+31612345678", "SMSC": {"Location": 1}, "Type": "Status_Report", **changes}

    def test_a_message_is_sent_and_its_delivery_told(self):
        phone = self.phone()
        reference = phone.SendSMS(self.message(Text="Ada has left [home] for 5 €"))
        sent = self.modem.do("sent")
        self.assertEqual(
            [(message["number"], message["text"], message["wants_report"], message["complete"]) for message in sent],
            [("+31612345678", "Ada has left [home] for 5 €", True, True)],
        )
        self.assertEqual(sent[0]["reference"], reference)
        eventually("the report is stored", 20, lambda: self.modem.do("state")["stored"], pause=0.1)
        report = phone.GetNextSMS(0, True)[0]
        self.assertEqual(
            (report["Type"], report["MessageReference"], report["DeliveryStatus"]), ("Status_Report", reference, 0)
        )

    def test_long_messages_arrive_as_one(self):
        phone = self.phone()
        text = "Grüße von Ada, 老王. " * 20
        for part in gammu.EncodeSMS(
            {"Unicode": True, "Class": -1, "Entries": [{"ID": "ConcatenatedTextLong", "Buffer": text}]}
        ):
            phone.SendSMS(self.message(**{key: part[key] for key in ("Text", "UDH", "Coding")}))
        self.assertEqual([(message["text"], message["complete"]) for message in self.modem.do("sent")], [(text, True)])

    def test_a_reply_is_read_and_deleted(self):
        phone = self.phone()
        self.modem.do("receive", number="+31687654321", text="On my way 😀")
        reply = phone.GetNextSMS(0, True)[0]
        self.assertEqual((reply["Number"], reply["Text"], reply["State"]), ("+31687654321", "On my way 😀", "UnRead"))
        phone.DeleteSMS(0, reply["Location"])
        self.assertEqual(self.modem.do("state")["stored"], 0)

    def test_a_network_that_refuses(self):
        phone = self.phone()
        self.modem.do("fail", code=38, times=1)
        with self.assertRaises(gammu.GSMError):
            phone.SendSMS(self.message(Text="lost"))
        phone.SendSMS(self.message(Text="found"))
        self.assertEqual([message["text"] for message in self.modem.do("sent")], ["found"])

    def test_network_and_signal(self):
        phone = self.phone()
        self.assertEqual(phone.GetNetworkInfo()["State"], "HomeNetwork")
        self.modem.do("network", state="searching")
        self.assertEqual(phone.GetNetworkInfo()["State"], "RequestingNetwork")
        self.assertGreater(phone.GetSignalQuality()["SignalPercent"], 30)


class BareCommands(ModemTest):
    """Commands without a phone program; has no tests itself."""

    def ask(self, command: str, until: str = "OK", seconds: float = 10) -> str:
        """Sends a command and gives what comes until a text that ends it."""
        os.write(self.cable.terminal_of_user, command.encode("latin-1"))
        return self.hear(until, seconds)

    def hear(self, until: str, seconds: float = 10) -> str:
        heard, end = "", time.monotonic() + seconds
        while until not in heard:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.cable.terminal_of_user], [], [], left)[0]:
                raise TimeoutError(f"{until!r} did not come, but {heard!r}")
            heard += os.read(self.cable.terminal_of_user, 4096).decode("latin-1")
        return heard

    def setUp(self):
        super().setUp()
        self.cable.terminal_of_user = os.open(self.cable.device, os.O_RDWR | os.O_NOCTTY)
        self.addCleanup(os.close, self.cable.terminal_of_user)


class CommandsTest(BareCommands):
    def test_test_commands_tell_ranges(self):
        self.assertIn("+CMGF: (0,1)", self.ask("AT+CMGF=?\r"))
        self.ask("AT+CMGS=?\r")
        self.assertIn("ERROR", self.ask("AT+NONSENSE=?\r", "ERROR"))

    def test_echo_and_several_commands_in_a_line(self):
        self.assertIn("ATE0", self.ask("ATE0V1+CMEE=2;+CMGF=1\r"))
        self.assertEqual(self.ask("AT+CMGF?;+CMEE?\r"), "\r\n+CMGF: 1\r\n+CMEE: 2\r\n\r\nOK\r\n")

    def test_text_mode_with_reports(self):
        self.ask('ATE0;+CMGF=1;+CSMP=49,167,0,0;+CNMI=2,1,0,1,0;+CSCS="GSM"\r')
        self.ask('AT+CMGS="+4712345678"\r', "> ")
        # In the modem's own alphabet 0x00 is @ and 0x1B 0x65 is the euro sign.
        self.assertIn("+CMGS: ", self.ask("a\x00b\x1be\x1a" if False else "a\x00b\x1a"))
        self.assertIn('+CDS: 6,1,"+4712345678",145,', self.hear(",0\r\n"))
        self.assertEqual(self.modem.do("sent")[0]["text"], "a@b")

    def test_report_of_a_message_that_never_arrived(self):
        self.modem.do("reports", outcome="failed", seconds=0)
        self.ask("ATE0;+CMGF=1;+CSMP=49,167,0,0;+CNMI=2,1,0,2,0\r")
        self.ask('AT+CMGS="+4712345678"\r', "> ")
        self.ask("gone\x1a", '+CDSI: "SM",1\r\n')
        self.assertIn(",70\r\n", self.ask("AT+CMGR=1\r"))

    def test_escape_sends_nothing(self):
        self.ask("ATE0;+CMGF=1\r")
        self.ask('AT+CMGS="+4712345678"\r', "> ")
        self.ask("never mind\x1b")
        self.assertEqual(self.modem.do("sent"), [])

    def test_incoming_messages_are_told_listed_and_deleted(self):
        self.ask("ATE0;+CMGF=1;+CNMI=2,1\r")
        self.modem.do("receive", number="+31687654321", text="x" * 200)
        self.hear('+CMTI: "SM",2')
        self.assertEqual(self.ask('AT+CMGL="REC UNREAD"\r').count("+CMGL: "), 2)
        self.assertEqual(self.ask('AT+CMGL="REC UNREAD"\r').count("+CMGL: "), 0)
        self.ask("AT+CMGD=1,4\r")
        self.assertIn("+CMS ERROR: 321", self.ask("AT+CMGR=1\r", "321"))

    def test_pin(self):
        self.modem.do("lock", pin="1234")
        self.ask("ATE0+CMEE=1\r")
        self.assertIn("SIM PIN", self.ask("AT+CPIN?\r"))
        self.ask('AT+CMGS="+47"\r', "+CMS ERROR: 311")
        self.ask('AT+CPIN="0000"\r', "+CME ERROR: 16")
        self.ask('AT+CPIN="1234"\r')
        self.assertIn("READY", self.ask("AT+CPIN?\r"))

    def test_lost_network_is_told_and_refuses(self):
        self.ask("ATE0;+CREG=1;+CMGF=1\r")
        self.modem.do("network", state="searching")
        self.hear("+CREG: 2")
        self.ask('AT+CMGS="+47123"\r', "> ")
        self.ask("x\x1a", "+CMS ERROR: 331")

    def test_hanging_and_slow(self):
        self.ask("ATE0\r")
        self.modem.do("hang")
        with self.assertRaises(TimeoutError):
            self.ask("AT\r", seconds=1)
        self.modem.do("recover")
        self.modem.do("slow", seconds=1)
        began = time.monotonic()
        self.ask("AT\r")
        self.assertGreaterEqual(time.monotonic() - began, 1)

    def test_unplugged_it_forgets_its_settings_and_keeps_its_messages(self):
        self.ask("ATE0;+CMGF=1\r")
        self.modem.do("receive", number="+31687654321", text="kept")
        self.modem.unplug()
        self.modem.plug_in()
        self.assertIn("+CMGF: 0", self.ask("AT+CMGF?\r"))
        self.assertEqual(self.modem.do("state")["stored"], 1)

    def test_somebody_calls(self):
        self.ask("ATE0+CLIP=1\r")
        self.modem.do("ring", number="+31687654321", times=2)
        self.hear('+CLIP: "+31687654321",145')
        self.ask("ATH\r")

    def test_a_serial_port_is_as_good_as_the_emulator(self):
        here, there = pty.openpty()
        self.addCleanup(os.close, here)
        self.addCleanup(os.close, there)
        self.modem.do("plug", path=os.ttyname(there))
        os.write(here, b"ATE0\r")
        self.cable.terminal_of_user = here
        self.hear("OK")
        self.modem.unplug()
        self.assertFalse(self.modem.do("state")["plugged"])

    def test_nonsense_does_not_end_it(self):
        os.write(self.cable.terminal_of_user, bytes(range(256)) * 20 + b"\x1b\r")
        time.sleep(0.5)
        for _ in range(2):
            try:
                self.ask("AT\r", seconds=2)
                break
            except TimeoutError:
                continue
        self.assertIn("OK", self.ask("AT\r"))
        self.assertTrue(json.dumps(self.modem.do("state")))


if __name__ == "__main__":
    unittest.main()
