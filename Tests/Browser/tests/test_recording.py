"""Messages by voice: said before a page, heard on another, as a person does it; and what comes that is none."""

import base64
import contextlib
import http.client
import io
import itertools
import json
import math
import re
import struct
import tempfile
import unittest
import wave

import residents
from house import TELEPHONE, Browsers, House
from looks import violations

HERTZ = 440


def tone(seconds, rate=48_000, channels=1, hertz=HERTZ):
    """A file of a tone, as a microphone would hear it."""
    samples = [round(9_000 * math.sin(2 * math.pi * hertz * at / rate)) for at in range(round(seconds * rate))]
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"".join(struct.pack("<h", one) * channels for one in samples))
    return data.getvalue()


class RecordingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        heard = cls.enterClassContext(tempfile.NamedTemporaryFile(suffix=".wav"))
        heard.write(tone(2))
        heard.flush()
        cls.house = House(has_telephones=True)
        cls.addClassCleanup(cls.house.close)
        cls.browsers = Browsers(
            cls.house, "--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={heard.name}"
        )
        cls.addClassCleanup(cls.browsers.close)

    def tearDown(self):
        faults, self.browsers.faults = self.browsers.faults, []
        self.browsers.close()
        self.assertEqual(faults, [])

    def visit(self, name, path, permissions=("microphone",), **more):
        page = self.browsers.visitor(f"{name}@example.org", permissions=list(permissions), **more)
        page.goto(self.house.base + path)
        return page

    @staticmethod
    def press(page, words):
        page.get_by_role("button", name=words, exact=True).locator("visible=true").first.click()

    @staticmethod
    def say(page, text):
        page.get_by_text(text).locator("visible=true").first.wait_for()

    def record(self, page, judge=lambda: None):
        """Records a second and a half, and stops."""
        self.press(page, "Speak")
        self.say(page, "Recording…")
        page.wait_for_function("() => document.querySelector('[data-time]').textContent === '0:01'")
        page.wait_for_function(
            "() => parseFloat(document.querySelector('.loudness > *').style.transform.slice(7)) > 0.1"
        )
        judge()
        self.press(page, "Stop")
        self.say(page, "Recorded:")

    def last(self):
        return self.house.call("messages.query", {"resident": "mary", "limit": 1})[0]

    def part(self, path, token, asked):
        """What a player gets that asks for a part: status, and which one it is."""
        headers = {"Authorization": f"Bearer {token}", "Range": asked}
        link = http.client.HTTPConnection("localhost", self.house.port, timeout=30)
        with contextlib.closing(link):
            link.request("GET", path, headers=headers)
            answer = link.getresponse()
            answer.read()
            return answer.status, answer.headers["Content-Range"]

    def heard(self, page, path):
        """What a page gets at an address: seconds, samples a second, and the pitch."""
        content = page.evaluate(
            """async (path) => {
              const bytes = new Uint8Array(await (await fetch(path)).arrayBuffer());
              return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
            }""",
            path,
        )
        with wave.open(io.BytesIO(base64.b64decode(content))) as file:
            self.assertEqual((file.getnchannels(), file.getsampwidth()), (1, 2))
            count, rate = file.getnframes(), file.getframerate()
            samples = struct.unpack(f"<{count}h", file.readframes(count))
        # Of a tone, every wave crosses the middle twice; a fade at the ends changes nothing of it.
        middle = samples[count // 4 : count * 3 // 4]
        crossed = sum((one < 0) != (other < 0) for one, other in itertools.pairwise(middle))
        return count / rate, rate, crossed / 2 / (len(middle) / rate)

    def test_a_resident_says_it_and_a_caregiver_hears_it(self):
        page = self.visit("mary", "/me/messages")
        page.click("text=Say something")
        page.click("text=Answer by voice")
        self.say(page, "Your own voice")
        judged = []

        def judge():
            judged.append((residents.faults(page), violations(page)))

        judge()
        self.record(page, judge)
        judge()
        self.assertEqual(judged, [([], [])] * 3)
        # At the gateway's own screen the room's loudspeaker is heard, and no other.
        with page.expect_response(re.compile("/recording/play$")) as played:
            self.press(page, "Listen again")
        self.assertEqual(played.value.status, 200)
        self.press(page, "Send")
        page.wait_for_url(re.compile("/me/messages$"))
        self.say(page, re.compile("Recorded message, [0-9]+ second"))
        self.assertEqual(residents.faults(page), [])
        message = self.last()
        self.assertEqual((message["direction"], message["text"], message["sender"]), ("to-caregivers", "", "Mary"))
        other = self.visit("anna", "/messages?resident=mary", permissions=(), size=Browsers.DESK)
        self.say(other, re.compile("Recorded message, [0-9]+ second"))
        player = other.locator(f'audio[src="/recording/{message["recording"]}"]')
        length = player.evaluate(
            """(one) => new Promise((done) => {
              one.addEventListener("loadedmetadata", () => done(one.duration)); one.preload = "metadata"; one.load();
            })"""
        )
        seconds, rate, hertz = self.heard(other, f"/recording/{message['recording']}")
        self.assertAlmostEqual(length, seconds, delta=0.1)
        self.assertEqual(rate, 16_000)
        # Whatever was judged meanwhile is in it.
        self.assertTrue(1 <= seconds <= 60, seconds)
        self.assertEqual(message["recordingSeconds"], max(1, round(seconds)))
        self.assertAlmostEqual(hertz, HERTZ, delta=25)
        # Who is not linked to Mary hears nothing.
        self.house.account("Cem", "cem@example.org", "ben")
        token = self.house.token("cem@example.org")
        self.assertEqual(self.house.get(f"/recording/{message['recording']}", token)[0], 404)
        self.assertEqual(self.house.get(f"/recording/{message['recording']}")[0], 401)

    def test_a_caregiver_says_it_and_the_resident_hears_it(self):
        other = self.visit("anna", "/messages?resident=mary", size=(320, 640))
        self.record(other)
        self.assertEqual(violations(other), [])
        self.assertEqual(other.evaluate("() => document.documentElement.scrollWidth - innerWidth"), 0)
        self.press(other, "Listen again")
        other.wait_for_selector("[data-record=listen][data-sounds]")
        other.wait_for_selector("[data-record=listen]:not([data-sounds])")
        self.press(other, "Throw away")
        self.record(other)
        # What happens meanwhile takes nothing away.
        self.house.do("note.put", note={"id": "n", "resident": "mary", "kind": "memo", "title": "Tea",
                      "time": "2026-11-22T10:00:00Z", "changedAt": "2026-11-22T10:00:00Z"})  # fmt: skip
        other.get_by_role("button", name="Send").last.click()
        self.say(other, re.compile("Recorded message, [1-9] second"))
        message = self.last()
        self.assertEqual((message["direction"], message["sender"]), ("to-resident", "Anna"))
        # Elsewhere than at the gateway, the device that shows it plays it.
        page = self.visit("mary", "/me", size=Browsers.HUB, extra_http_headers=TELEPHONE)
        page.click("text=1 message")
        self.say(page, "A message for you")
        self.say(page, re.compile("Recorded message, [1-9] second"))
        self.assertEqual(residents.faults(page), [])
        with page.expect_response(re.compile("/recording/")) as got:
            self.press(page, "Listen")
        self.assertIn(got.value.status, (200, 206))
        page.wait_for_selector("[data-plays][data-sounds]")
        self.press(page, "I heard it")
        self.say(page, "Say something")
        self.assertIn("readAt", self.last())

    def test_where_nothing_can_be_recorded_a_sentence_says_so_and_the_answers_stay(self):
        hindered = {
            "There is no microphone here.": "Object.defineProperty(navigator, 'mediaDevices', { value: undefined });",
            "begins with https": "Object.defineProperty(window, 'isSecureContext', { value: false });",
        }
        page = self.visit("mary", "/me/messages?say=voice", permissions=())
        self.press(page, "Speak")
        self.say(page, "This browser does not let me hear you.")
        self.assertEqual(residents.faults(page), [])
        page.click("text=Other answers")
        self.press(page, "Please call me.")
        page.wait_for_url(re.compile("/me/messages$"))
        for words, script in hindered.items():
            page = self.visit("mary", "/me")
            page.add_init_script(script)
            page.goto(self.house.base + "/me/messages?say=voice")
            self.say(page, words)
            self.assertFalse(page.get_by_role("button", name="Speak").is_visible())
        page = self.visit("mary", "/me/messages?say=voice", java_script_enabled=False)
        self.say(page, "Your voice cannot be recorded here.")
        self.assertTrue(page.get_by_text("Other answers").is_visible())

    def test_what_is_no_recording_is_refused_in_plain_words(self):
        token = self.house.token("anna@example.org")

        def bring(content, resident="mary", token=token):
            piece = {"resident": resident, "upload": "test", "offset": 0, "isLast": True,
                     "data": base64.b64encode(content).decode()}  # fmt: skip
            status, _, text = self.house.post("/api/v1/recording/add", piece, token)
            return status, json.loads(text)

        status, brought = bring(tone(0.5))
        self.assertEqual((status, brought["milliseconds"]), (200, 500))
        wrong = {
            "no WAV": b"ID3" + bytes(400), "empty": b"", "as it says": tone(0.5)[:-1], "mono": tone(0.5, channels=2),
            "samples a second": tone(0.5, rate=96_000), "too short": tone(0.1),
        }  # fmt: skip
        for words, content in wrong.items():
            status, answer = bring(content)
            self.assertGreaterEqual(status, 400, words)
            self.assertIn(words, answer["title"])
        self.assertEqual(bring(tone(0.5), "nobody")[0], 403)
        self.assertEqual(bring(tone(0.5), token=None)[0], 401)
        members = {"target": "w1", "resident": "mary", "sender": "Anna", "recording": "0" * 64}
        self.assertEqual(self.house.post("/api/v1/message/send", members, token)[0], 404)
        address = f"/recording/{brought['id']}"
        whole = 44 + 2 * 24_000
        for asked, status, told in (
            ("bytes=0-1", 206, f"bytes 0-1/{whole}"), ("bytes=-4", 206, f"bytes {whole - 4}-{whole - 1}/{whole}"),
            (f"bytes={whole}-", 416, f"bytes */{whole}"), ("bytes=1-0,5-6", 200, None), ("lines=1", 200, None),
        ):  # fmt: skip
            self.assertEqual(self.part(address, token, asked), (status, told), asked)
        for name, status in (("none", 404), ("..%2f..%2fcare.db", 400), ("0" * 64, 404)):
            self.assertEqual(self.house.get(f"/recording/{name}", token)[0], status, name)
