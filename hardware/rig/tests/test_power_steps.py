import contextlib
import io
from types import SimpleNamespace
from unittest import mock

from homeward_rig import load
from homeward_rig.alarms import Alarm
from homeward_rig.disk_check import Verdict
from homeward_rig.hub import Hub
from homeward_rig.promises import Promises
from homeward_rig.stage import CheckFailed

from . import test_disk_check
from .scripted_peer import with_peers
from .support import EVENTS, ScriptedMachine, fails, steps

POWER = steps("power")


def failures(**verdict):
    """Two power cuts, the second with this verdict."""
    return SimpleNamespace(
        failures=[
            SimpleNamespace(number=1, verdict=Verdict(events=7), forgotten=[]),
            SimpleNamespace(number=2, verdict=Verdict(**verdict), forgotten=[]),
        ]
    )


def interrupted(**second):
    """Two SOS with two cuts each, the second as told."""
    whole = {"open": [["a2"], ["a2"]], "untold": []}
    return SimpleNamespace(
        alarms=[
            SimpleNamespace(number=1, alarm=Alarm("a1", "A7K2"), open=[["a1"], ["a1"]], untold=[]),
            SimpleNamespace(number=2, alarm=Alarm("a2", "B2C3"), **{**whole, **second}),
        ]
    )


class PowerStepsTest(test_disk_check.DiskTest):
    @fails("each time the disk's file system was whole")
    def test_a_broken_file_system_is_noticed(self):
        with self.assertRaisesRegex(CheckFailed, "cut 2.*no journal"):
            POWER.file_system_was_whole(failures(unmountable="no journal"))
        POWER.file_system_was_whole(failures(lost=["Place 3"]))

    @fails("each time nothing promised was lost, damaged or there twice")
    def test_a_loss_is_noticed_and_a_broken_file_system_is_not_called_one(self):
        for bad in (
            {"lost": ["Place 3"]},
            {"damaged": ["care.db"]},
            {"twice": ["Place 4"]},
            {"changed": ["e1"]},
            {"set_aside": ["care.db.damaged-1"]},
        ):
            with self.assertRaisesRegex(CheckFailed, "1 of 2 cuts; cut 2"):
                POWER.nothing_was_lost(failures(**bad))
        POWER.nothing_was_lost(failures(unmountable="no journal"))
        with self.assertRaises(CheckFailed):
            POWER.nothing_was_lost(SimpleNamespace(failures=[]))

    def test_a_hub_that_does_not_come_back_is_told_with_what_it_had_lost(self):
        for verdict, words in (
            ({"lost": ["Place 3"]}, "stays away; before, 1 of 2 cuts; cut 2.*lost"),
            ({}, "stays away$"),
        ):
            cuts = [*failures(**verdict).failures, CheckFailed("stays away")]
            context = SimpleNamespace(stage=SimpleNamespace(hub=None))
            with (
                mock.patch.object(POWER, "failure", side_effect=cuts),
                mock.patch.object(POWER, "away_since", return_value={}),
                self.assertRaisesRegex(CheckFailed, words),
            ):
                POWER.power_fails(context, 10)

    @fails("each time the hub knew every place again")
    def test_a_forgotten_place_is_noticed(self):
        context = failures()
        POWER.hub_knew(context)
        context.failures[0].forgotten = ["place-3 should be at least Place 503 and is Place 3"]
        with self.assertRaisesRegex(CheckFailed, "cut 1.*Place 503"):
            POWER.hub_knew(context)

    @fails("each time the hub knew since when {name} has been away")
    def test_an_outing_that_is_forgotten_or_begins_anew_is_noticed(self):
        since = "2026-11-20T12:00:00Z"
        context = failures()
        context.away_since = {"Ada": since}
        for failure in context.failures:
            failure.away_since = {"Ada": since}
        POWER.hub_knew_since_when(context, "Ada")
        for wrong in ({}, {"Ada": None}, {"Ada": "2026-11-20T12:05:00Z"}):
            context.failures[1].away_since = wrong
            with self.assertRaisesRegex(CheckFailed, "after cut 2"):
                POWER.hub_knew_since_when(context, "Ada")
        context.away_since = {"Ada": None}
        with self.assertRaisesRegex(CheckFailed, "proves nothing"):
            POWER.hub_knew_since_when(context, "Ada")

    def test_what_the_hub_forgot_is_told(self):
        promised = Promises(places={3, 503, 10, 20})
        zones = [{"id": "market", "name": "Place 20"}]
        self.assertEqual(load.forgotten(promised, [{"id": "place-3", "name": "Place 503"}], zones), [])
        self.assertEqual(load.forgotten(promised, [{"id": "place-3", "name": "Place 1003"}], zones), [])
        self.assertEqual(len(load.forgotten(promised, [{"id": "place-3", "name": "Place 3"}], zones)), 1)
        self.assertEqual(len(load.forgotten(promised, [], [{"id": "market", "name": "Place 10"}])), 2)

    @fails("{number:d} power cuts played from the disk's record have lost nothing that was promised by then")
    def test_a_loss_in_played_cuts_is_noticed(self):
        for is_flushed, expectation in (
            (True, contextlib.nullcontext()),
            (False, self.assertRaisesRegex(CheckFailed, "cuts with a loss")),
        ):
            disk, acknowledged = self.run_of(is_flushed)
            context = SimpleNamespace(
                stage=SimpleNamespace(machine=SimpleNamespace(recorded=[disk], acknowledged=acknowledged))
            )
            with expectation, mock.patch("sys.stdout", io.StringIO()) as story:
                POWER.played_cuts(context, 40)
            self.assertIn("40 power cuts at", story.getvalue())
            (self.files / "care.db").unlink()
            (self.files / "care.db-wal").unlink()

    def test_cuts_before_any_promise_prove_nothing(self):
        disk, acknowledged = self.run_of(is_flushed=True)
        disk.log.write_bytes(disk.log.read_bytes().replace(b"PROMISES", b"SOMEDATA"))
        context = SimpleNamespace(
            stage=SimpleNamespace(machine=SimpleNamespace(recorded=[disk], acknowledged=acknowledged))
        )
        with self.assertRaisesRegex(CheckFailed, "promised nothing"), mock.patch("sys.stdout", io.StringIO()):
            POWER.played_cuts(context, 10)

    @fails("each time the same alarm went on, and no other", "each time everybody was told")
    def test_an_alarm_that_a_power_cut_ends_is_noticed(self):
        POWER.alarm_went_on(interrupted())
        for found in ([["a2"], []], [["a2"], ["a3"]], [["a2"], ["a2", "a3"]]):
            with self.assertRaisesRegex(CheckFailed, "SOS 2, B2C3: after cut 2"):
                POWER.alarm_went_on(interrupted(open=found))
        with self.assertRaises(CheckFailed):
            POWER.alarm_went_on(SimpleNamespace(alarms=[]))
        POWER.everybody_was_told(interrupted())
        with self.assertRaisesRegex(CheckFailed, r"SOS 2.*\+48 was never told"):
            POWER.everybody_was_told(interrupted(untold=["+48"]))

    @fails("nobody was told under another name")
    def test_an_alarm_that_got_another_name_is_noticed(self):
        def story(texts, raised):
            entries = [{"data": {"kind": "sos", "tag": tag}} for tag in raised]
            hub = Hub(ScriptedMachine({EVENTS: entries}))
            context = interrupted()
            context.stage = SimpleNamespace(hub=hub)
            return with_peers(context, modem={"sent": [{"number": "+47", "text": text} for text in texts]})

        told = ["SOS #A7K2", "SOS #B2C3", "SOS #A7K2"]
        POWER.one_name(story(told, ["A7K2", "B2C3"]))
        for texts, raised in (
            ([*told, "SOS #C3D4"], ["A7K2", "B2C3"]),
            ([*told, "SOS"], ["A7K2", "B2C3"]),
            (told, ["A7K2"]),
            (told, ["A7K2", "B2C3", "C3D4"]),
            (told, ["A7K2", "A7K2"]),
        ):
            with self.subTest(texts=texts, raised=raised), self.assertRaises(CheckFailed):
                POWER.one_name(story(texts, raised))
