import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from homeward_rig import power
from homeward_rig.block_log import BLOCK, BlockLog
from homeward_rig.disk_check import check
from homeward_rig.promises import PromisesError, drop_unfinished_line, lines, marks, promises
from homeward_rig.virtual_machine import Disk

from .test_block_log import entry

SIZE = 16 << 20
ENVIRONMENT = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}


def body(number):
    return json.dumps({"id": f"e{number}", "type": "record.changed", "data": {"content": {"name": f"Place {number}"}}})


def promised(numbers, count=0):
    """The promises of these places and their events, as lines."""
    found = []
    for number in numbers:
        digest = hashlib.sha256(body(number).encode()).hexdigest()
        for what in ({"place": number}, {"event": f"e{number}", "lane": "record", "digest": digest}):
            found.append(json.dumps({"number": count + len(found) + 1, **what}))
    return found


class DiskTest(unittest.TestCase):
    """Makes disks with a real file system and a real database."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.files = self.folder / "files"
        self.files.mkdir()
        self.image = self.folder / "disk.img"

    def journal(self, numbers, unique=True):
        """Homeward's journal with these events, a part of them in the write-ahead log."""
        path = self.files / "care.db"
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        identity = "id TEXT UNIQUE" if unique else "id TEXT"
        database.execute(f"CREATE TABLE journal (sequence INTEGER PRIMARY KEY, {identity}, type TEXT, body TEXT)")
        for index, number in enumerate(numbers):
            if index == len(numbers) // 2:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("INSERT INTO journal VALUES (NULL, ?, 'record.changed', ?)", (f"e{number}", body(number)))
        # Files as they are while a program runs.
        for name in ("care.db", "care.db-wal"):
            shutil.copy(self.files / name, self.folder / name)
        database.close()
        for file in self.files.iterdir():
            file.unlink()
        for name in ("care.db", "care.db-wal"):
            shutil.move(self.folder / name, self.files / name)

    def make(self):
        with open(self.image, "wb") as file:
            file.truncate(SIZE)
        subprocess.run(
            ["mke2fs", "-q", "-t", "ext4", "-b", str(BLOCK), "-J", "size=4", "-d", self.files, self.image, "12M"],
            check=True,
            env=ENVIRONMENT,
        )

    def verdict(self, promises_made=()):
        return check(self.image, promises(promises_made), self.folder)

    def run_of(self, is_flushed):
        """A run that writes the second half of 20 places to a database's log, flushes it or not, and promises all."""
        self.journal(range(1, 21))
        self.make()
        base = self.folder / "base.img"
        shutil.copy(self.image, base)
        found = subprocess.run(
            ["debugfs", "-R", "blocks /care.db-wal", base], env=ENVIRONMENT, check=True, capture_output=True, text=True
        )
        places = [int(block) * BLOCK for block in found.stdout.split()]
        after = self.image.read_bytes()
        with open(base, "r+b") as file:
            for place in places:
                file.seek(place)
                file.write(bytes(BLOCK))
        mark = struct.pack("<8sQ", b"PROMISES", 40).ljust(BLOCK, b"\0")
        writes = [entry(place, after[place : place + BLOCK]) for place in places]
        flush = [entry(0, flags=1)] if is_flushed else []
        log = self.folder / "disk-1.log"
        log.write_bytes(bytes(512) + b"".join([*writes, *flush, *[entry(SIZE - BLOCK, mark)] * len(writes)]))
        acknowledged = self.folder / "acknowledged"
        acknowledged.write_text("".join(line + "\n" for line in promised(range(1, 21))))
        return Disk(base, self.image, log), acknowledged


class DiskCheckTest(DiskTest):
    def test_a_disk_that_holds_what_was_promised_is_good(self):
        self.journal(range(1, 40))
        self.make()
        verdict = self.verdict(promised(range(1, 40)))
        self.assertTrue(verdict.is_good, str(verdict))
        self.assertEqual(verdict.events, 39)
        self.assertEqual(str(verdict), "39 events, all well")

    def test_more_than_was_promised_is_good(self):
        self.journal(range(1, 40))
        self.make()
        self.assertTrue(self.verdict(promised(range(1, 20))).is_good)

    def test_a_promised_event_that_is_not_there_is_lost(self):
        self.journal([1, 2, 4])
        self.make()
        verdict = self.verdict(promised(range(1, 5)))
        self.assertEqual(verdict.lost, ["event e3", "Place 3"])
        self.assertFalse(verdict.is_good)
        self.assertIn("2 lost", str(verdict))

    def test_a_write_ahead_log_that_is_gone_is_a_loss(self):
        self.journal(range(1, 40))
        (self.files / "care.db-wal").unlink()
        self.make()
        self.assertGreater(len(self.verdict(promised(range(1, 40))).lost), 20)

    def test_no_database_is_a_loss_only_when_something_was_promised(self):
        self.make()
        self.assertTrue(self.verdict().is_good)
        self.assertEqual(self.verdict(promised([1])).lost, ["event e1", "Place 1"])

    def test_an_empty_database_is_a_loss_only_when_something_was_promised(self):
        (self.files / "care.db").write_bytes(b"")
        self.make()
        self.assertTrue(self.verdict().is_good)
        self.assertFalse(self.verdict(promised([1])).is_good)

    def test_an_event_with_other_bytes_than_were_shown_is_noticed(self):
        self.journal([1, 2])
        self.make()
        altered = [*promised([1]), json.dumps({"number": 3, "event": "e2", "lane": "record", "digest": "0" * 64})]
        self.assertEqual(self.verdict(altered).changed, ["e2"])

    def test_a_body_of_another_event_is_noticed_though_nobody_was_promised_it(self):
        self.journal([1, 2])
        with contextlib.closing(sqlite3.connect(self.files / "care.db", isolation_level=None)) as database:
            database.execute("UPDATE journal SET body = ? WHERE id = 'e2'", (body(1),))
        self.make()
        verdict = self.verdict()
        self.assertEqual((verdict.changed, verdict.twice), (["e2"], ["Place 1"]))

    def test_an_event_that_is_there_twice_is_noticed(self):
        self.journal([1, 2, 2], unique=False)
        self.make()
        self.assertEqual(self.verdict().twice, ["event e2", "Place 2"])

    def test_a_damaged_database_is_noticed(self):
        self.journal(range(1, 200))
        with contextlib.closing(sqlite3.connect(self.files / "care.db")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with open(self.files / "care.db", "r+b") as file:
            file.seek(2 * BLOCK)
            file.write(b"\xff" * 2 * BLOCK)
        self.make()
        verdict = self.verdict()
        self.assertEqual(len(verdict.damaged), 1)
        self.assertIn("care.db", verdict.damaged[0])

    def test_a_damaged_trace_file_is_noticed(self):
        (self.files / "traces-2026-11.db").write_bytes(b"no database".ljust(BLOCK))
        self.make()
        self.assertIn("traces-2026-11.db", self.verdict().damaged[0])

    def test_a_database_that_was_set_aside_is_noticed(self):
        (self.files / "care.db.damaged-1").write_bytes(b"")
        self.make()
        self.assertEqual(self.verdict().set_aside, ["care.db.damaged-1"])

    def test_a_broken_file_system_is_told_apart(self):
        self.journal([1])
        self.make()
        with open(self.image, "r+b") as file:
            file.write(b"\xff" * 3 * BLOCK)
        verdict = self.verdict(promised([1]))
        self.assertIn("e2fsck", verdict.unmountable)
        self.assertEqual(verdict.lost, [])
        self.assertFalse(verdict.is_good)


class PromisesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "acknowledged"

    def test_an_unfinished_line_promises_nothing_and_can_be_taken_away(self):
        self.assertEqual(lines(self.file), [])
        self.file.write_text("\n".join(promised([1]))[:-3])
        self.assertEqual(promises(lines(self.file)).count, 1)
        drop_unfinished_line(self.file)
        self.assertEqual(self.file.read_text(), promised([1])[0] + "\n")

    def test_a_list_with_a_gap_or_nonsense_is_refused(self):
        for wrong in (promised([1], count=1), ["nonsense"], ["7"]):
            with self.assertRaises(PromisesError):
                promises(wrong)


class PlayedCutsTest(DiskTest):
    """A record and a list of promises that fit, and ones that do not: what the check of 2,000 cuts is worth."""

    def test_a_run_that_flushes_before_it_promises_loses_nothing(self):
        disk, acknowledged = self.run_of(is_flushed=True)
        self.assertEqual({count for _, count in marks(BlockLog(disk.log), SIZE)}, {40})
        tally = power.play_cuts([disk], acknowledged, 60, seed=1)
        self.assertEqual((tally.cuts, tally.promised), (60, 40))
        self.assertEqual(tally.losses, [], str(tally))
        self.assertGreater(tally.compared, 0)

    def test_a_run_that_promises_before_it_flushes_is_found_out(self):
        disk, acknowledged = self.run_of(is_flushed=False)
        tally = power.play_cuts([disk], acknowledged, 60, seed=1)
        self.assertGreater(len(tally.losses), 0, str(tally))
        self.assertTrue(all(loss.verdict.lost or loss.verdict.damaged for loss in tally.losses))
        self.assertIn("disk-1.log, after entry", str(tally.losses[0]))

    def test_a_promise_that_the_run_did_not_keep_is_found_out(self):
        disk, acknowledged = self.run_of(is_flushed=True)
        with open(acknowledged, "w") as file:
            file.writelines(line + "\n" for line in promised(range(2, 22)))
        tally = power.play_cuts([disk], acknowledged, 60, seed=1)
        self.assertTrue(any("Place 21" in loss.verdict.lost for loss in tally.losses))

    def test_a_record_of_nothing_is_refused(self):
        disk, acknowledged = self.run_of(is_flushed=True)
        disk.log.write_bytes(b"")
        with self.assertRaises(ValueError):
            power.play_cuts([disk], acknowledged, 10, seed=1)
