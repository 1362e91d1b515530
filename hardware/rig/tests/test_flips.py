import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

from homeward_rig.flips import FlipError, flip, wrong

ENVIRONMENT = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
FILES = {"care.db": 40_000, "care.db-wal": 9_001, "lock": 0}


class FlipsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.files = self.folder / "files"
        self.files.mkdir()
        dice = random.Random(1)
        for name, size in FILES.items():
            (self.files / name).write_bytes(dice.randbytes(size))
        self.image = self.make("disk.img")

    def make(self, name):
        image = self.folder / name
        with open(image, "wb") as file:
            file.truncate(16 << 20)
        options = ["-q", "-t", "ext4", "-b", "1024", "-J", "size=4", "-d", str(self.files)]
        subprocess.run(["mke2fs", *options, image, "12M"], check=True, env=ENVIRONMENT)
        return image

    def content(self, name):
        target = self.folder / "dumped"
        subprocess.run(["debugfs", "-R", f"dump /{name} {target}", self.image], capture_output=True, check=True)
        return target.read_bytes()

    def test_exactly_the_bytes_that_are_told_change(self):
        flips = flip(self.image, ["care.db", "care.db-wal"], 40, seed=7)
        self.assertEqual(40, len(flips))
        self.assertEqual({"care.db", "care.db-wal"}, {one.file for one in flips})
        for name in FILES:
            expected = bytearray((self.files / name).read_bytes())
            for one in flips:
                if one.file == name:
                    expected[one.place] ^= one.mask
            self.assertEqual(bytes(expected), self.content(name), name)

    def test_the_file_system_stays_whole(self):
        flip(self.image, ["care.db", "care.db-wal"], 100, seed=8)
        done = subprocess.run(["e2fsck", "-fn", self.image], capture_output=True, text=True, env=ENVIRONMENT)
        self.assertEqual(0, done.returncode, done.stdout)

    def test_a_seed_flips_the_same_bytes_again(self):
        self.assertEqual(
            flip(self.image, ["care.db"], 10, seed=9), flip(self.make("other.img"), ["care.db"], 10, seed=9)
        )

    def test_files_that_are_empty_or_not_there_are_left_out(self):
        flips = flip(self.image, ["lock", "none.db", "care.db-wal"], 5, seed=10)
        self.assertEqual({"care.db-wal"}, {one.file for one in flips})
        with self.assertRaises(FlipError):
            flip(self.image, ["lock", "none.db"], 5, seed=10)
        with self.assertRaises(FlipError):
            flip(self.folder / "files/care.db", ["care.db"], 5, seed=10)


class WrongTest(unittest.TestCase):
    anna, bert, other = {"name": "Anna", "phone": "1"}, {"name": "Bert"}, {"name": "Anna", "phone": "3"}

    def test_what_is_the_same_is_right_whether_something_is_told_or_not(self):
        knows = {"guardians": [self.anna, self.bert], "zones": []}
        for is_told in (True, False):
            self.assertEqual([], wrong(knows, knows, is_told))

    def test_nothing_new_is_believed_though_it_is_told(self):
        for is_told in (True, False):
            found = wrong({"guardians": [self.anna]}, {"guardians": [self.other]}, is_told)
            self.assertIn("believed of guardians: {'name': 'Anna', 'phone': '3'}", found)

    def test_a_loss_has_to_be_told(self):
        before, after = {"guardians": [self.anna, self.bert]}, {"guardians": [self.anna]}
        self.assertEqual([], wrong(before, after, True))
        self.assertEqual(["lost of guardians without a word: {'name': 'Bert'}"], wrong(before, after, False))

    def test_what_a_copy_had_may_come_back_when_it_is_told(self):
        before, after, earlier = ({"guardians": [one]} for one in (self.anna, self.other, self.other))
        self.assertEqual([], wrong(before, after, True, earlier))
        self.assertEqual(2, len(wrong(before, after, False, earlier)))
