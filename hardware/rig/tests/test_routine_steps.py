import json
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from homeward_rig.sound import Room, as_wave, silence, tone
from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import EVENTS, CheckTest, fails, steps
from .test_listening import speech

ROUTINE = steps("routine")
LIST = ("/usr/bin/homeward", "--json", "routine", "list")
ALARMS = ("/usr/bin/homeward", "--json", "alarm", "list")
DUE = "2027-03-28T03:30:00+02:00"


def told(*words: str, item: str = "pill", slot: str = "1", **data: str) -> list[dict]:
    """The journal as the hub gives it, newest first."""
    entries = []
    for number, word in enumerate(words, 1):
        whole = {"item": item, "slot": slot, "dueLocal": DUE, **data}
        entries.append({"sequence": number, "type": f"reminder.{word}", "subject": "resident/ada", "data": whole})
    return entries[::-1]


class RoutineStepsTest(CheckTest):
    def hub(self, entries: list[dict], **more: object):
        context = self.context({EVENTS: entries, **more.get("outputs", {})})
        context.items = {"Pill": "pill"}
        context.stage.wait = lambda seconds: None
        return context

    @fails('within {seconds:g} seconds the hub reminds {name} of "{title}"')
    def test_no_reminder_or_another_or_somebody_elses_is_noticed(self):
        for entries in ([], told("prompted", item="walk")):
            with self.assertRaises(CheckFailed):
                ROUTINE.reminds(self.hub(entries), 0, "Ada", "Pill")
        with self.assertRaises(CheckFailed):
            ROUTINE.reminds(self.hub(told("prompted")), 0, "Erik", "Pill")
        context = self.hub(told("prompted"))
        ROUTINE.reminds(context, 0, "Ada", "Pill")
        self.assertEqual(context.event["data"]["slot"], "1")

    @fails('for {seconds:g} seconds the hub does not remind {name} of "{title}"')
    def test_a_reminder_that_should_not_be_is_noticed(self):
        with self.assertRaises(CheckFailed):
            ROUTINE.does_not_remind(self.hub(told("prompted")), 0, "Ada", "Pill")
        ROUTINE.does_not_remind(self.hub(told("prompted", item="walk")), 0, "Ada", "Pill")

    @fails("that was due at {clock} by the clock on the wall")
    def test_another_hour_or_offset_is_noticed(self):
        context = SimpleNamespace(event={"data": {"dueLocal": DUE}})
        for clock in ("02:30 +02:00", "03:30 +01:00"):
            with self.assertRaises(CheckFailed):
                ROUTINE.was_due_at(context, clock)
        ROUTINE.was_due_at(context, "03:30 +02:00")

    @fails('within {seconds:g} seconds "{title}" counts as {end:End}, by {who}')
    def test_another_end_or_by_somebody_else_is_noticed(self):
        for entries, who in (
            ([], "button"),
            (told("due"), "button"),
            (told("due", "missed"), "button"),
            (told("due", "done", by="local:anna"), "button"),
            (told("due", "done", by="button/wired"), "nobody"),
        ):
            with self.subTest(entries), self.assertRaises(CheckFailed):
                ROUTINE.is_ended_by(self.hub(entries), 0, "Pill", "done", who)
        ROUTINE.is_ended_by(self.hub(told("due", "done", by="button/wired")), 0, "Pill", "done", "button")
        ROUTINE.is_ended_by(self.hub(told("due", "missed")), 0, "Pill", "missed", "nobody")

    @fails('within {seconds:g} seconds the broker has heard that "{title}" counts as {end:End}')
    def test_an_end_that_the_broker_has_not_heard_of_is_noticed(self):
        def heard(*entries: dict):
            told = [{"lane": "record", "body": json.dumps(entry)} for entry in entries]
            return with_peers(self.hub([]), broker={"events": told})

        for context in (heard(), heard(*told("due", "missed")), heard(*told("done", item="walk"))):
            with self.assertRaisesRegex(CheckFailed, "at the broker"):
                ROUTINE.broker_heard(context, 0, "Pill", "done")
        ROUTINE.broker_heard(heard(*told("due", "done")), 0, "Pill", "done")

    @fails('the routine shows "{title}" as {state}, and when it is due next')
    def test_another_state_or_no_next_time_is_noticed(self):
        for listed in ([], [{"id": "pill", "state": "waiting", "nextDue": DUE}], [{"id": "pill", "state": "done"}]):
            with self.assertRaises(CheckFailed):
                ROUTINE.shows_state(self.hub([], outputs={LIST: listed}), "Pill", "done")
        good = [{"id": "pill", "state": "done", "nextDue": DUE}]
        ROUTINE.shows_state(self.hub([], outputs={LIST: good}), "Pill", "done")

    @fails('"{title}" has been due {count:d} times in all', '"{title}" has been due {count:d} time in all')
    def test_a_due_time_too_many_is_noticed(self):
        with self.assertRaises(CheckFailed):
            ROUTINE.due_in_all(self.hub(told("due") + told("due", slot="2")), "Pill", 1)
        ROUTINE.due_in_all(self.hub(told("due", "done")), "Pill", 1)

    @fails("no due time was told twice, nor went on after its end")
    def test_a_life_that_cannot_be_is_noticed(self):
        for entries in ([], told("due", "done", "prompted")):
            with self.assertRaises(CheckFailed):
                ROUTINE.lives_are_whole(self.hub(entries))
        ROUTINE.lives_are_whole(self.hub(told("due", "prompted", "done")))

    @fails("within {seconds:g} seconds everything that was due has ended, each once")
    def test_what_never_ends_is_noticed(self):
        for entries in ([], told("due", "prompted"), told("due", "done", "missed")):
            with self.assertRaises(CheckFailed):
                ROUTINE.all_ended(self.hub(entries), 0)
        ROUTINE.all_ended(self.hub(told("due", "done")), 0)

    @fails("the hub has written down at most {most:d} events in the last minute")
    def test_a_storm_is_noticed(self):
        with self.assertRaises(CheckFailed):
            ROUTINE.no_storm(self.hub(told("due", "missed", "due")), 2)
        ROUTINE.no_storm(self.hub(told("due", "missed")), 2)

    @fails("within {seconds:g} seconds no alarm about a person is open")
    def test_an_alarm_that_stays_is_noticed(self):
        with self.assertRaises(CheckFailed):
            ROUTINE.no_alarm_open(self.hub([], outputs={ALARMS: [{"kind": "medicine"}]}), 0)
        ROUTINE.no_alarm_open(self.hub([], outputs={ALARMS: [{"kind": "fault"}]}), 0)

    @fails('within {seconds:g} seconds {helper} has a text message about "{words}"')
    def test_a_message_that_lacks_is_noticed(self):
        def texts(*messages: dict):
            context = with_peers(self.context(), modem={"sent": list(messages)})
            context.stage.phones = {"Anna": "+47"}
            return context

        pill = {"number": "+47", "text": "MEDICINE Heart tablet"}
        for context in (texts(), texts({**pill, "number": "+48"})):
            with self.assertRaises(CheckFailed):
                ROUTINE.has_text_about(context, 0, "Anna", "Heart tablet")
        ROUTINE.has_text_about(texts(pill), 0, "Anna", "Heart tablet")

    @fails(
        'within {seconds:g} seconds "{kind}" with the words "{text}" has come to the broker',
        "within {seconds:g} seconds the broker knows that the message was read, by {who}",
    )
    def test_words_that_lack_or_are_others_at_the_broker_are_noticed(self):
        def events(*bodies: str):
            return with_peers(self.context(), broker={"events": [{"body": body} for body in bodies]})

        sent = '{"type":"message.sent","data":{"text":"谢谢 🎂"}}'
        for context in (events(), events(sent.replace("🎂", "?")), events(sent.replace("sent", "read"))):
            with self.assertRaises(CheckFailed):
                ROUTINE.words_have_come(context, 0, "message.sent", "谢谢 🎂")
        ROUTINE.words_have_come(events(sent), 0, "message.sent", "谢谢 🎂")
        read = '{"type":"message.read","data":{"by":"button/wired"}}'
        for context in (events(), events(sent), events(read.replace("button", "local"))):
            with self.assertRaises(CheckFailed):
                ROUTINE.receipt(context, 0, "button")
        ROUTINE.receipt(events(read), 0, "button")


class HeardTest(CheckTest):
    CHIME = tone(784, 0.4)

    def hearing(self, *parts: np.ndarray) -> SimpleNamespace:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "speaker-1.wav").write_bytes(as_wave(np.concatenate(parts)))
        return SimpleNamespace(room=Room(SimpleNamespace(recording=Path(folder.name) / "speaker-1.wav")))

    @fails("within {seconds:g} seconds a chime is heard, then a voice")
    def test_a_voice_without_a_chime_or_the_other_way_is_noticed(self):
        for parts in ((silence(3),), (silence(1), speech()), (self.CHIME, silence(2)), (speech(), self.CHIME)):
            with self.assertRaises(CheckFailed):
                ROUTINE.chime_then_voice(self.hearing(silence(1), *parts, silence(1)), 0)
        ROUTINE.chime_then_voice(self.hearing(silence(1), self.CHIME, silence(0.8), speech(), silence(1)), 0)

    @fails("within {seconds:g} seconds the voice is heard once more, half a minute later")
    def test_a_voice_that_is_not_repeated_or_too_soon_is_noticed(self):
        for parts in ((speech(),), (speech(), silence(10), speech())):
            with self.assertRaises(CheckFailed):
                ROUTINE.voice_again(self.hearing(*parts, silence(1)), 0)
        ROUTINE.voice_again(self.hearing(speech(), silence(31), speech(), silence(1)), 0)
