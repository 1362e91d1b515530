import shutil
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from homeward_rig.block_log import BLOCK, MAGIC, SECTOR, BlockLog, BlockLogError, Cut, Entry, Flags, Replay, build

SIZE = 1 << 20


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.base = self.folder / "base.img"
        with open(self.base, "wb") as file:
            file.truncate(SIZE)

    def disk(self, log, cut):
        output = self.folder / "out.img"
        build(self.base, log, cut, output)
        self.assertEqual(output.stat().st_size, SIZE)
        return output.read_bytes()


def entry(offset, data=b"", flags=0, length=None):
    """An entry as QEMU writes it; a discard has a length and no data."""
    sectors = (len(data) if length is None else length) // SECTOR
    return struct.pack("<QQQQ", offset // SECTOR, sectors, flags, 0).ljust(SECTOR, b"\0") + data


def block(letter):
    return letter * BLOCK


class HandMadeLogTest(FolderTest):
    """Records with what a real one has only by accident."""

    def log(self, *entries, counted=None, tail=b""):
        count = sum(1 for one in entries if any(one[:32])) if counted is None else counted
        header = struct.pack("<QQQI", MAGIC, 1, count, SECTOR) if count else b""
        path = self.folder / "hand.log"
        path.write_bytes(header.ljust(SECTOR, b"\0") + b"".join(entries) + tail)
        return BlockLog(path)

    def test_an_empty_record_has_no_entries(self):
        path = self.folder / "empty.log"
        path.write_bytes(b"")
        log = BlockLog(path)
        self.assertEqual((log.entries, log.ending), ([], "whole"))
        self.assertEqual(self.disk(log, Cut(0)), bytes(SIZE))

    def test_something_else_is_refused(self):
        path = self.folder / "else.log"
        path.write_bytes(b"something else".ljust(SECTOR))
        with self.assertRaises(BlockLogError):
            BlockLog(path)

    def test_without_a_flush_nothing_is_certain(self):
        log = self.log(entry(0, block(b"a")), counted=0)
        self.assertEqual(len(log.entries), 1)
        self.assertEqual(self.disk(log, Cut(1)), bytes(SIZE))
        self.assertEqual(self.disk(log, Cut(1, seed=1, chance=1))[:BLOCK], block(b"a"))

    def test_what_was_flushed_stays_and_what_was_not_may_go(self):
        log = self.log(entry(0, block(b"a")), entry(0, flags=1), entry(BLOCK, block(b"b")))
        for cut, first, second in (
            (Cut(1), b"\0", b"\0"),
            (Cut(2), b"a", b"\0"),
            (Cut(3), b"a", b"\0"),
            (Cut(3, seed=1, chance=1), b"a", b"b"),
        ):
            with self.subTest(str(cut)):
                disk = self.disk(log, cut)
                self.assertEqual((disk[:BLOCK], disk[BLOCK : 2 * BLOCK]), (block(first), block(second)))

    def test_a_flush_that_writes_does_not_promise_its_own_data(self):
        log = self.log(entry(0, block(b"a")), entry(BLOCK, block(b"b"), flags=1))
        self.assertEqual(self.disk(log, Cut(2))[: 2 * BLOCK], block(b"a") + block(b"\0"))

    def test_a_write_past_the_cache_stays_without_a_flush_and_in_its_order(self):
        log = self.log(entry(0, block(b"a")), entry(0, block(b"b"), flags=2), entry(BLOCK, block(b"c")))
        self.assertEqual(self.disk(log, Cut(3))[: 2 * BLOCK], block(b"b") + block(b"\0"))
        self.assertEqual(self.disk(log, Cut(3, seed=1, chance=1))[: 2 * BLOCK], block(b"b") + block(b"c"))

    def test_discards_and_marks_carry_no_data_and_change_nothing(self):
        mark = struct.pack("<QQQQ", 0, 0, 8, 4).ljust(SECTOR, b"m")
        log = self.log(entry(0, block(b"a")), entry(0, flags=4, length=BLOCK), mark, entry(0, flags=1))
        self.assertEqual([one.flags for one in log.entries], [0, Flags.DISCARD, Flags.MARK, Flags.FLUSH])
        self.assertFalse(any(one.writes for one in log.entries[1:]))
        self.assertEqual(self.disk(log, Cut(4))[:BLOCK], block(b"a"))

    def test_a_hole_at_the_end_is_the_end(self):
        log = self.log(entry(0, flags=1), tail=bytes(4 * SECTOR))
        self.assertEqual((len(log.entries), log.ending), (1, "hole"))

    def test_a_flush_behind_a_request_that_never_finished_counts(self):
        log = self.log(entry(0, block(b"a")), bytes(SECTOR + BLOCK), entry(0, flags=1), counted=3)
        self.assertEqual((len(log.entries), log.ending), (2, "hole"))
        self.assertEqual(self.disk(log, Cut(2))[:BLOCK], block(b"a"))

    def test_behind_a_hole_nothing_is_believed_that_no_flush_counted(self):
        log = self.log(entry(0, flags=1), bytes(SECTOR + BLOCK), entry(0, block(b"a")), counted=1)
        self.assertEqual((len(log.entries), log.ending), (1, "hole"))

    def test_an_entry_that_is_cut_short_did_not_happen(self):
        for tail in (entry(BLOCK, block(b"b"))[:-1], entry(BLOCK, block(b"b"))[:100]):
            log = self.log(entry(0, block(b"a")), entry(0, flags=1), tail=tail)
            self.assertEqual((len(log.entries), log.ending), (2, "short"))

    def test_pieces_are_drawn_one_by_one_and_the_same_seed_draws_the_same(self):
        log = self.log(entry(BLOCK, b"a" * 32 * BLOCK), counted=0)
        for piece in (BLOCK, SECTOR):
            cut = Cut(1, seed=7, piece=piece)
            disk = self.disk(log, cut)
            self.assertEqual(disk, self.disk(log, cut))
            self.assertNotEqual(disk, self.disk(log, Cut(1, seed=8, piece=piece)))
            pieces = [disk[place : place + piece] for place in range(0, SIZE, piece)]
            self.assertEqual(set(pieces), {b"a" * piece, bytes(piece)}, "no piece is torn further")
        self.assertTrue(any(len(set(disk[place : place + BLOCK])) == 2 for place in range(0, SIZE, BLOCK)), "torn")

    def test_the_first_block_of_a_disk_is_never_torn(self):
        log = self.log(entry(0, block(b"a")), counted=0)
        for seed in range(50):
            self.assertEqual(len(set(self.disk(log, Cut(1, seed=seed, piece=SECTOR))[:BLOCK])), 1)

    def test_moving_on_gives_the_same_disks_as_beginning_anew(self):
        log = self.log(
            entry(0, block(b"a")),
            entry(0, flags=1),
            entry(BLOCK, block(b"b")),
            entry(0, block(b"c")),
            entry(0, flags=1),
            entry(2 * BLOCK, block(b"d")),
        )
        replay = Replay(self.base, log, self.folder / "certain.img")
        self.addCleanup(replay.close)
        for entries in range(7):
            cut = Cut(entries, seed=entries, piece=SECTOR)
            replay.make(cut, self.folder / "moved.img")
            self.assertEqual((self.folder / "moved.img").read_bytes(), self.disk(log, cut), str(cut))
        with self.assertRaises(ValueError):
            replay.make(Cut(1), self.folder / "moved.img")
        with self.assertRaises(ValueError):
            replay.make(Cut(8), self.folder / "moved.img")


class RecordedLogTest(FolderTest):
    """Records that QEMU itself made."""

    @staticmethod
    def program(image, log):
        # Flushes are recorded, and the disk of this machine is not waited for.
        node = "driver=blklogwrites," + ",".join(
            f"{name}.driver=file,{name}.filename={path},{name}.cache.no-flush=on"
            for name, path in (("file", image), ("log", log))
        )
        return ["qemu-io", "-t", "writeback", "--image-opts", node]

    def record(self, *commands):
        image, path = self.folder / "image.img", self.folder / "qemu.log"
        shutil.copy(self.base, image)
        path.write_bytes(b"")
        arguments = [part for command in commands for part in ("-c", command)]
        done = subprocess.run(self.program(image, path) + arguments, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return BlockLog(path)

    def test_writes_and_flushes_are_read_as_they_were_made(self):
        log = self.record("write -P 0x61 4k 4k", "flush", "write -P 0x62 8k 8k", "write -f -P 0x63 16k 512")
        self.assertEqual(log.ending, "whole")
        plain = [(one.offset, one.length, one.flags) for one in log.entries if not one.flags & Flags.FLUSH]
        self.assertIn((BLOCK, BLOCK, 0), plain)
        self.assertIn((2 * BLOCK, 2 * BLOCK, 0), plain)
        flushes = [index for index, one in enumerate(log.entries) if one.flags & Flags.FLUSH]
        self.assertTrue(flushes)
        self.assertEqual(list(log.writes_to(BLOCK)), [(0, block(b"a"))])
        after = self.disk(log, Cut(flushes[0] + 1))
        self.assertEqual(after[BLOCK : 2 * BLOCK], block(b"a"))
        self.assertEqual(after[2 * BLOCK : 4 * BLOCK], bytes(2 * BLOCK))
        self.assertEqual(self.disk(log, Cut(flushes[0]))[BLOCK : 2 * BLOCK], bytes(BLOCK))

    def test_the_whole_record_gives_the_disk_as_qemu_left_it(self):
        commands = [f"write -P {number + 1} {number * 37 % 200 * 4}k 12k" for number in range(60)]
        log = self.record(*commands, "flush")
        self.assertEqual(self.disk(log, Cut(len(log.entries))), (self.folder / "image.img").read_bytes())

    def test_a_discard_has_no_data_in_the_record(self):
        log = self.record("write -P 0x61 0 64k", "discard 0 64k", "write -P 0x62 64k 4k", "flush")
        self.assertIn(Entry(0, 65536, Flags.DISCARD, log.entries[1].data), log.entries)
        self.assertEqual(self.disk(log, Cut(len(log.entries)))[65536 : 65536 + BLOCK], block(b"b"))

    def test_a_recorder_that_is_killed_leaves_a_record_that_can_be_read(self):
        image, path = self.folder / "image.img", self.folder / "qemu.log"
        shutil.copy(self.base, image)
        path.write_bytes(b"")
        process = subprocess.Popen(
            self.program(image, path),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.addCleanup(process.stdin.close)
        process.stdin.write("write -P 0x61 0 4k\nflush\n" + "write -P 0x62 4k 64k\n" * 200)
        process.stdin.flush()
        end = time.monotonic() + 60
        while path.stat().st_size < 1 << 20 and time.monotonic() < end:
            time.sleep(0.01)
        process.kill()
        process.wait()
        log = BlockLog(path)
        self.assertGreater(len(log.entries), 2)
        self.assertEqual(self.disk(log, Cut(len(log.entries)))[: 2 * BLOCK], block(b"a") + block(b"\0"))
