from homeward_rig.alarms import Alarm
from homeward_rig.gps.walker import Place
from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import CheckTest, fails, steps

GUARDIANS = steps("guardians")
LATITUDE, LONGITUDE = Place().degrees
HELP = f"SOS Ada needs help. https://osm.org/?mlat={LATITUDE:.5f}&mlon={LONGITUDE:.5f} Reply 1 = I am going #A7K2"


def sent(words: str, number: str = "+47", time: float = 0) -> dict:
    return {"number": number, "text": words, "complete": True, "time": time}


class GuardiansStepsTest(CheckTest):
    def told(self, *messages: dict, then: tuple[dict, ...] = ()):
        """A hub whose modem has sent these messages, and `then` more when it is asked again."""
        asked = []

        def so_far():
            asked.append(1)
            return [*messages, *(then if len(asked) > 1 else ())]

        context = with_peers(self.context(), modem={"sent": so_far})
        context.stage.phones = {"Anna": "+47", "Erik": "+48"}
        context.alarm = Alarm("0199", "A7K2")
        return context

    @fails('within {seconds:g} seconds {helper} has a text message of this alarm: "{words}"')
    def test_a_message_that_lacks_or_is_of_another_alarm_or_anothers_is_noticed(self):
        for messages in ((), (sent("SOS help #B2C3"),), (sent("SOS help #A7K2", "+48"),), (sent("SOS #A7K2"),)):
            with self.subTest(messages), self.assertRaises(CheckFailed):
                GUARDIANS.has_text(self.told(*messages), 0, "Anna", "help")
        context = self.told(sent("SOS help #A7K2"))
        GUARDIANS.has_text(context, 0, "Anna", "help")
        self.assertEqual(context.told["number"], "+47")

    @fails('within {seconds:g} seconds {helper} has a text message: "{words}"')
    def test_news_that_lack_or_went_to_another_are_noticed(self):
        for messages in ((), (sent("a PIN", "+48"),), (sent("a zone"),)):
            with self.subTest(messages), self.assertRaises(CheckFailed):
                GUARDIANS.has_news(self.told(*messages), 0, "Anna", "PIN")
        GUARDIANS.has_news(self.told(sent("a zone"), sent("a PIN")), 0, "Anna", "PIN")

    @fails('{helper} has no text message of this alarm: "{words}"')
    def test_a_message_that_should_not_be_there_is_noticed(self):
        with self.assertRaises(CheckFailed):
            GUARDIANS.has_no_text(self.told(sent("OVER #A7K2")), "Anna", "OVER")
        GUARDIANS.has_no_text(self.told(sent("OVER #B2C3"), sent("SOS #A7K2")), "Anna", "OVER")

    @fails("it says in one message that it is {name}, the tag, and how to find her at home on a map")
    def test_a_message_that_nobody_could_go_by_is_noticed(self):
        context = self.told()
        for words in (
            HELP.replace("Ada", "Eve"),
            HELP.replace("https", "at"),
            HELP + " " * 100,
            HELP.replace("-48", "-47"),
        ):
            context.told = sent(words)
            with self.subTest(words), self.assertRaises(CheckFailed):
                GUARDIANS.is_complete(context, "Ada")
        context.told = sent(HELP)
        GUARDIANS.is_complete(context, "Ada")

    @fails("for {seconds:g} seconds no text message leaves the hub", "no text message has left the hub")
    def test_a_message_to_anybody_is_noticed(self):
        with self.assertRaises(CheckFailed):
            GUARDIANS.no_text(self.told(sent("before"), then=(sent("after"),)), 0)
        GUARDIANS.no_text(self.told(sent("before")), 0)
        with self.assertRaises(CheckFailed):
            GUARDIANS.no_text_so_far(self.told(sent("one")))
        GUARDIANS.no_text_so_far(self.told())

    @fails("within {seconds:g} seconds {helper} is told of this alarm once more")
    def test_who_is_not_told_again_is_noticed(self):
        for first, then in (((sent(HELP),), ()), ((), (sent(HELP),)), ((sent(HELP),), (sent(HELP, "+48"),))):
            with self.assertRaises(CheckFailed):
                GUARDIANS.told_again(self.told(*first, then=then), 0, "Anna")
        GUARDIANS.told_again(self.told(sent(HELP), then=(sent(HELP),)), 0, "Anna")

    @fails("for {seconds:g} seconds no guardian is told of this alarm again")
    def test_who_is_told_again_is_noticed(self):
        with self.assertRaises(CheckFailed):
            GUARDIANS.not_told_again(self.told(sent(HELP), then=(sent(HELP),)), 0)
        GUARDIANS.not_told_again(self.told(sent(HELP), then=(sent("SOS #B2C3"),)), 0)

    @fails("{first:w} was told before {second:w}")
    def test_the_wrong_order_is_noticed(self):
        early, late = sent(HELP, "+47", 1), sent(HELP, "+48", 2)
        for messages in ((early,), (late,), (sent(HELP, "+47", 3), late)):
            with self.assertRaises(CheckFailed):
                GUARDIANS.told_before(self.told(*messages), "Anna", "Erik")
        GUARDIANS.told_before(self.told(early, late), "Anna", "Erik")
