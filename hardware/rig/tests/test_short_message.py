import unittest
from datetime import datetime, timedelta, timezone
from typing import Any

import gammu
from homeward_rig import short_message
from homeward_rig.short_message import MalformedMessage, Part, make_delivers, make_status_report, read_submit

NOON = datetime(2026, 11, 20, 12, 0, 5, tzinfo=timezone(timedelta(hours=1)))
EVERYTHING = "".join(chr(code) for code in range(32, 127) if chr(code) != "`") + (
    "£¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà€"
)


def submit(**changes: object) -> bytes:
    """An SMS-SUBMIT as libgammu makes it."""
    message = {
        "SMSC": {
            "Location": 0,
            "Name": "",
            "Format": "Text",
            "Validity": "Max",
            "Number": "+31624000000",
            "DefaultNumber": "",
        },
        "UDH": {"Type": "NoUDH", "Text": b"", "ID8bit": 0, "ID16bit": 0, "PartNumber": -1, "AllParts": 0},
        "Folder": 2,
        "InboxFolder": 0,
        "Memory": "SM",
        "Location": 0,
        "Name": "",
        "Number": "+31612345678",
        "Text": "",
        "Type": "Submit",
        "Coding": "Default_No_Compression",
        "DateTime": datetime(2026, 11, 20),
        "SMSCDateTime": datetime(2026, 11, 20),
        "DeliveryStatus": 0,
        "ReplyViaSameSMSC": 0,
        "State": "UnSent",
        "Class": -1,
        "MessageReference": 0,
        "ReplaceMessage": 0,
        "RejectDuplicates": 0,
        "Length": 0,
        **changes,
    }
    return bytes(gammu.EncodePDU(message, "Submit"))


def text_of(message: dict[str, Any]) -> str:
    """Text of a message that libgammu has read: 1.45 counts an escaped character twice, and ends in stray memory."""
    return message["Text"].split("\0")[0]


class SubmitTest(unittest.TestCase):
    def test_the_example_everybody_quotes(self):
        # Nokia's and everybody's since: "hellohello" to +46708251358, without centre.
        message = read_submit(bytes.fromhex("0011000B916407281553F80000AA0AE8329BFD4697D9EC37"))
        self.assertEqual((message.number, message.text, message.wants_report), ("+46708251358", "hellohello", False))

    def test_texts_that_libgammu_encodes(self):
        for text in ("", "a", "abcde€", "abcdef€", "a" * 7, "@" * 7, "a" * 8, "x" * 160, EVERYTHING[:140]):
            with self.subTest(text):
                self.assertEqual(read_submit(submit(Text=text)).text, text)
        for text in ("Ada är borta: 老王的家 😀", "你" * 70):
            with self.subTest(text):
                message = read_submit(submit(Text=text, Coding="Unicode_No_Compression"))
                self.assertEqual((message.text, message.alphabet), (text, "UCS2"))

    def test_long_texts_that_libgammu_cuts(self):
        for text, is_unicode in (("x€" * 200, False), ("Grüße [€] " * 40, False), ("老王的家" * 60, True)):
            parts = gammu.EncodeSMS(
                {"Unicode": is_unicode, "Class": -1, "Entries": [{"ID": "ConcatenatedTextLong", "Buffer": text}]}
            )
            read = [read_submit(submit(**{key: part[key] for key in ("Text", "UDH", "Coding")})) for part in parts]
            self.assertEqual("".join(message.text for message in read), text)
            self.assertEqual([message.part.number for message in read], list(range(1, len(parts) + 1)))
            self.assertEqual(
                {(message.part.reference, message.part.total) for message in read},
                {(read[0].part.reference, len(parts))},
            )

    def test_a_frame_that_is_cut_short_anywhere_is_refused(self):
        whole = submit(Text="Ada has left home")
        for length in range(len(whole)):
            with self.subTest(length), self.assertRaises(MalformedMessage):
                read_submit(whole[:length])
        with self.assertRaises(MalformedMessage):
            read_submit(whole + b"\0")
        with self.assertRaises(MalformedMessage):
            read_submit(make_delivers("+31612345678", "no submit", NOON)[0].frame)

    def test_local_numbers_and_16_bit_references(self):
        frame = bytes.fromhex("0041000381 21F3 0000 0B 060804ABCD0201".replace(" ", ""))
        # Eleven septets: seven octets of header are eight of them, then three letters.
        frame += short_message.packed(b"abc", 0)
        message = read_submit(frame)
        self.assertEqual((message.number, message.text, message.part), ("123", "abc", Part(0xABCD, 2, 1)))


class DeliverTest(unittest.TestCase):
    def test_libgammu_reads_what_is_made(self):
        for text in ("I am on my way", EVERYTHING[:140], "Ich komme 😀 老王", "x" * 160):
            made = make_delivers("+31687654321", text, NOON)
            read = gammu.DecodePDU(made[0].frame, True)
            self.assertEqual((len(made), read["Number"], text_of(read)), (1, "+31687654321", text))
            self.assertEqual(read["DateTime"], NOON)

    def test_long_texts_are_cut_between_characters(self):
        for text in ("x" * 161, "€" * 200, "a" * 152 + "€" * 10, "😀" * 50, "a" + "😀" * 80):
            made = make_delivers("0612", text, NOON, reference=7)
            read = [gammu.DecodePDU(message.frame, True) for message in made]
            self.assertEqual([message["UDH"]["PartNumber"] for message in read], list(range(1, len(made) + 1)))
            self.assertEqual("".join(text_of(message) for message in read), text)


class StatusReportTest(unittest.TestCase):
    def test_libgammu_reads_what_is_made(self):
        frame = make_status_report(42, "+31612345678", NOON, NOON + timedelta(seconds=9), short_message.DELIVERED)
        read = gammu.DecodePDU(frame, True)
        self.assertEqual(
            (read["Type"], read["Number"], read["MessageReference"], read["DeliveryStatus"]),
            ("Status_Report", "+31612345678", 42, 0),
        )
        self.assertEqual((read["DateTime"], read["SMSCDateTime"]), (NOON, NOON + timedelta(seconds=9)))

    def test_zones_west_of_greenwich(self):
        west = NOON.astimezone(timezone(timedelta(hours=-3, minutes=-30)))
        self.assertEqual(gammu.DecodePDU(make_delivers("+1", "x", west)[0].frame, True)["DateTime"], west)


if __name__ == "__main__":
    unittest.main()
