import struct
import unittest

from homeward_rig.air import frames
from homeward_rig.air.frames import Press


class PublishedAdvertisementsTest(unittest.TestCase):
    """Each builder makes the bytes that were published for, or captured from, a real tag."""

    def test_ibeacon(self):
        # Captured; ble_monitor, test_ibeacon_parser.
        self.assertEqual(
            frames.ibeacon(bytes.fromhex("e2c56db5dffb48d2b060d0f5a71096e0"), 100, 0, -59).hex(),
            "0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5",
        )

    def test_eddystone(self):
        # Captured from a BlueCharm beacon; Android's scan record tests.
        service = "03" + "03aafe"
        self.assertEqual(
            frames.eddystone_uid(bytes.fromhex("626c7565636861726d31"), bytes.fromhex("000000000001"), -18).hex(),
            "020106" + service + "1516aafe00ee626c7565636861726d31000000000001",
        )
        self.assertEqual(
            frames.eddystone_url("https://www.bluecharmbeacons.com/", -18).hex(),
            "020106" + service + "1716aafe10ee01626c7565636861726d626561636f6e7300",
        )
        self.assertEqual(
            frames.eddystone_tlm(3056, 23, 558920, 6681890.0).hex(),
            "020106" + service + "1116aafe20000bf017000008874803fb9354",
        )

    def test_eddystone_without_a_thermometer(self):
        # ble_monitor, eddystone-tlm-unsupported: no battery, no temperature.
        self.assertEqual(frames.eddystone_tlm(0, None, 131181, 110491103.0).hex()[-28:], "2000000080000002006d41db9ab6")

    def test_bthome(self):
        # ble_monitor, bthome_v2_packet_and_battery.
        self.assertEqual(frames.bthome(frames.bthome_battery(9, 97)).hex(), "0201060816d2fc4000090161")
        self.assertEqual(
            frames.bthome(frames.bthome_button(9, 97, Press.DOUBLE_PRESS)).hex(), "0201060a16d2fc40000901613a02"
        )

    def test_encrypted_bthome(self):
        # The worked example of bthome.io/encryption.
        sealed = frames.bthome_encrypted(
            bytes.fromhex("02ca0903bf13"),
            bytes.fromhex("231d39c1d7cc1ab1aee224cd096db932"),
            bytes.fromhex("5448e68f80a5"),
            struct.unpack("<I", bytes.fromhex("00112233"))[0],
        )
        self.assertEqual(sealed[-17:].hex(), "d2fc41a47266c95f730011223378237214")

    def test_what_does_not_fit_is_refused(self):
        with self.assertRaises(ValueError):
            frames.eddystone_url("https://www.a-very-long-name-of-a-shop.com/", -18)
        with self.assertRaises(ValueError):
            frames.eddystone_url("ftp://example.org", -18)
