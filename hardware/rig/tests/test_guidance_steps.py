import base64
import itertools

from homeward_rig.gps.walker import Place
from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import CheckTest, fails, steps
from .test_speech import HOME, TURN, in_room, spoken

GUIDANCE = steps("guidance")
ROUTE = ("/usr/bin/homeward", "--json", "places", "route")
SAID = ("/usr/bin/homeward", "--json", "events", "--lane", "trace", "--type", "guidance.said")
LINE = [Place(100, 50), Place(40, 50), Place(40, 0), Place(0, 0)]


def way(line=LINE, turns=(1, 2, 3)):
    def step(place):
        latitude, longitude = place.degrees
        return {"latitude": latitude, "longitude": longitude, "sentence": ""}

    return {"line": [list(place.degrees) for place in line], "steps": [step(line[0]), *(step(line[i]) for i in turns)]}


class Listened:
    def __init__(self, recording):
        self.heard = lambda: recording


class GuidanceStepsTest(CheckTest):
    def walker(self, answer=None):
        gone = []
        latitude, longitude = LINE[0].degrees
        context = with_peers(
            self.context({ROUTE: answer or way()}),
            receiver={"position": {"latitude": latitude, "longitude": longitude}},
        )
        receiver = context.stage.peer("receiver")
        told = receiver.do

        def do(action, **parameters):
            if action == "follow":
                gone.extend(Place.at(*place) for place in parameters["way"])
            return told(action, **parameters)

        receiver.do = do
        return context, gone

    def check_gone(self, gone, *expected):
        self.assertEqual(len(gone), len(expected), gone)
        for place, (east, north) in zip(gone, expected, strict=True):
            self.assertLess(place.meters_to(Place(east, north)), 0.1)

    def test_she_goes_along_the_way_and_misses_a_turn(self):
        context, gone = self.walker()
        GUIDANCE.goes(context, "Ada", 85)
        self.check_gone(gone, (40, 50), (40, 25))
        context, gone = self.walker()
        GUIDANCE.misses(context, "Ada", 30)
        self.check_gone(gone, (40, 50), (10, 50))
        context, gone = self.walker()
        GUIDANCE.goes_home(context, "Ada")
        self.check_gone(gone, (40, 50), (40, 0), (0, 0))

    def test_where_no_turn_is_none_can_be_missed(self):
        context, _ = self.walker(way([LINE[2], LINE[3]], (1,)))
        with self.assertRaisesRegex(CheckFailed, "no turn"):
            GUIDANCE.misses(context, "Ada", 30)

    def hub(self, texts, heard, made=(HOME, TURN)):
        said = [{"sequence": n, "data": {"text": text}} for n, text in zip(itertools.count(1), texts, strict=False)]
        outputs = {SAID: list(reversed(said))}
        find = ("/usr/bin/find", GUIDANCE.SENTENCES, "-name")
        outputs[find] = ""
        for text in made:
            name = GUIDANCE.speech.file_name("en", text)
            outputs[(*find, f"{name}*")] = f"{name}1.wav\n"
            outputs[("/usr/bin/base64", "--wrap=0", f"{name}1.wav")] = base64.b64encode(spoken(text)).decode()
        context = self.context(outputs)
        context.room = Listened(in_room(spoken(heard), 1))
        GUIDANCE.HEARD_SECONDS = 0
        return context

    @fails('within {seconds:g} seconds the hub says on the way, and it is heard: "{words}"')
    def test_what_is_not_said_or_not_heard_is_noticed(self):
        for context in (self.hub([], HOME), self.hub([HOME], HOME), self.hub([TURN], HOME), self.hub([TURN], TURN, [])):
            with self.assertRaises(CheckFailed):
                GUIDANCE.says(context, 0, "Church Lane")
        context = self.hub([HOME, TURN], TURN)
        GUIDANCE.says(context, 0, "Church Lane")
        with self.assertRaisesRegex(CheckFailed, "nothing"):
            GUIDANCE.says(context, 0, "Church Lane")

    @fails('within {seconds:g} seconds is heard: "{text}"')
    def test_a_sentence_that_is_not_heard_is_noticed(self):
        for context in (self.hub([], TURN), self.hub([], HOME, [TURN])):
            with self.assertRaises(CheckFailed):
                GUIDANCE.is_heard(context, 0, HOME)
        GUIDANCE.is_heard(self.hub([], HOME), 0, HOME)
