"""What programs and strangers get over HTTP: each question for each account, and nothing for anybody else."""

import contextlib
import http.client
import json
import re
import resource
import socket
import unittest

from headers import faults
from house import PASSWORD, ROOT, House

PERMISSIONS = ROOT / "Tests/Gateway/DoorTests/Permissions"
HOSTILE = """/static/x/app.css /static/{v}/plugin.json /static/{v}/..%2Fplugin.json /static/{v}/../../plugin.json
/static/ /.. /%2e%2e/etc/passwd /a%00 //log-in /api/v1 /api/v1/ /map/squares/1/2/x /map/squares/1/2/3/4
/log-in%0d%0aX:1"""


# Of each kind of answer that holds something of somebody, one, for somebody and for nobody.
OWN = """/ /map /nowhere /log-in /forgot /zones%00 /g/0123 /static/none/app.css /map/squares/1/2/x /api/v1/zones/list
/api/v1/nothing /api/v1/openapi.json /api/v1/zones/list?all=1"""


class InterfaceTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.addClassCleanup(cls.house.close)
        cls.house.do("message.send", target="one", resident="ben", sender="Anna", text="For Ben alone.")
        cls.house.do("zone.put", zone={"id": "secret", "resident": "ben", "name": "Secret", "radiusMeters": 50,
                                       "center": {"latitude": 41.0, "longitude": -75.0}})  # fmt: skip
        cls.house.account("Noll", "noll@example.org", role=None)
        cls.tokens = {name: cls.house.token(f"{name}@example.org") for name in ("anna", "bo", "mary", "noll")}

    def ask(self, path, name=None, **headers):
        status, headers, text = self.house.get(path, self.tokens.get(name), **headers)
        return status, headers, json.loads(text) if text else None

    def test_each_question_is_answered_about_those_alone_whom_an_account_sees(self):
        lines = "\n".join(path.read_text() for path in sorted(PERMISSIONS.glob("*.txt")))
        questions = re.findall(r"^question (\S+) (\S+)", lines, re.MULTILINE)
        self.assertGreater(len(questions), 30)
        seen = {"anna": {"mary", "ben"}, "bo": {"mary"}, "mary": {"mary"}, "noll": set(), None: set()}
        # What is brought in pieces is sent, and looked at where pictures and recordings are.
        for question, reach in [one for one in questions if one[0] not in ("picture.add", "recording.add")]:
            path = "/api/v1/" + question.replace(".", "/")
            for name, residents in seen.items():
                for resident in ("mary", "ben", "nobody"):
                    with self.subTest(question=question, account=name, resident=resident):
                        takes = reach in ("resident", "residents", "gateway-or-resident")
                        status, _, content = self.ask(path + (f"?resident={resident}" if takes else ""), name)
                        self.assertIn(status, (200, 400, 401, 403, 404, 409, 422))
                        if name is None:
                            self.assertIn(status, (401, 404, 422))
                        text = json.dumps(content)
                        if "ben" not in residents and resident == "ben" and takes:
                            self.assertTrue(status != 200 or content == [], text)
                        if "ben" not in residents:
                            self.assertNotIn("Secret", text)
                            self.assertNotIn("For Ben alone", text)

    def test_a_token_counts_until_its_session_ends_and_no_other_does(self):
        token = self.house.token("anna@example.org")
        status, _, own = self.house.get("/api/v1/account/show", token)
        own = json.loads(own)
        self.assertEqual(status, 200)
        this = next(one["id"] for one in own["sessions"] if one["isThis"])
        for forged in (token[:-1] + ("a" if token[-1] != "a" else "b"), token.upper(), "a" * 64, this + "aaaa"):
            self.assertEqual(self.house.get("/api/v1/account/show", forged)[0], 401, forged)
        self.house.post("/api/v1/account/end-session", {"target": own["id"], "session": this}, token)
        self.assertEqual(self.house.get("/api/v1/account/show", token)[0], 401)
        self.assertEqual(self.house.post("/api/v1/locate", {"target": "mary"}, token)[0], 401)

    def test_what_is_sent_twice_is_done_once(self):
        message = {"target": "twice", "resident": "mary", "sender": "Anna", "text": "Once."}
        sent = [
            self.house.post("/api/v1/message/send", message, self.tokens["anna"], **{"Idempotency-Key": "k1"})
            for _ in range(2)
        ]
        self.assertEqual([one[0] for one in sent], [200, 200])
        self.assertEqual(sent[0][2], sent[1][2])
        other = self.house.post("/api/v1/message/send", {**message, "text": "Other."}, self.tokens["anna"],
                                **{"Idempotency-Key": "k1"})  # fmt: skip
        self.assertEqual(other[0], 409)
        texts = [one["text"] for one in self.ask("/api/v1/messages/query?resident=mary", "anna")[2]]
        self.assertEqual(texts.count("Once."), 1)
        self.assertNotIn("Other.", texts)

    def test_an_answer_that_is_known_is_not_sent_again(self):
        status, headers, _ = self.ask("/api/v1/zones/list?resident=ben", "anna")
        self.assertEqual(status, 200)
        again = self.house.get("/api/v1/zones/list?resident=ben", self.tokens["anna"], If_None_Match=headers["ETag"])
        self.assertEqual((again[0], again[2]), (304, ""))

    def test_what_is_wrong_is_told_as_problem_details(self):
        for path, status, code in (
            ("/api/v1/zones/list?all=1", 422, "invalid"),
            ("/api/v1/nothing/at/all", 404, "unknown-target"),
            ("/api/v1/watch", 404, "unknown-target"),
            ("/api/v1/accounts/list", 404, "unknown-target"),
            ("/api/v1/note/get?id=none", 404, "unknown-target"),
            ("/api/v1/zones/list?resident=", 403, "forbidden"),
            ("/api/v1/notes/query?resident=ben&cursor=WyJ4Il0", 422, "invalid"),
        ):
            with self.subTest(path=path):
                found, headers, problem = self.ask(path, "anna")
                self.assertEqual((found, problem.get("code")), (status, code))
                self.assertEqual(headers["Content-Type"], "application/problem+json")
                self.assertEqual(problem["status"], status)
                self.assertTrue(problem["title"] and problem["type"].endswith(code))
        for body in (b"", b"[]", b"{", b'"x"', b"\xff"):
            sent = self.house.exchange("POST", "/api/v1/zone/put", body, self.tokens["anna"],
                                       **{"Content-Type": "application/json"})  # fmt: skip
            self.assertEqual(sent[0], 422, body)

    def test_a_browser_never_gets_its_token_in_an_answer(self):
        content = {"email": "anna@example.org", "password": PASSWORD}
        status, headers, text = self.house.post("/api/v1/account/log-in", content, Origin=self.house.base)
        self.assertEqual(status, 200)
        self.assertNotIn("token", json.loads(text))
        cookie = headers["Set-Cookie"]
        for word in ("HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="):
            self.assertIn(word, cookie)
        session = cookie.split(";")[0]
        self.assertEqual(self.house.get("/", Cookie=session)[0], 200)
        # Whoever brings a session that somebody else began is in one of their own, or in none (session fixation).
        begun = self.house.token("mary@example.org")
        status, headers, _ = self.house.post(
            "/api/v1/account/log-in", content, Origin=self.house.base, Cookie=f"homeward={begun}"
        )
        self.assertNotIn(begun, headers.get("Set-Cookie", ""))
        self.assertEqual(json.loads(self.house.get("/api/v1/account/show", begun)[2])["email"], "mary@example.org")
        self.assertEqual(status, 200)
        # Somebody else's page cannot send in its name; a token that somebody put into the browser is no session.
        message = {"target": "csrf", "resident": "mary", "sender": "Anna", "text": "Not mine."}
        for origin in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
            self.assertEqual(self.house.post("/api/v1/message/send", message, Cookie=session, **origin)[0], 403)
        self.assertEqual(self.house.get("/", Cookie="homeward=" + "a" * 64)[0], 303)

    def cookie(self, name):
        """The session of a browser in which somebody has just logged in."""
        content = {"email": f"{name}@example.org", "password": PASSWORD}
        headers = self.house.post("/api/v1/account/log-in", content, Origin=self.house.base)[1]
        return headers["Set-Cookie"].split(";")[0]

    def test_a_code_lets_nobody_into_another_account_than_the_one_they_are_in(self):
        def send(action, content, cookie):
            return self.house.post(f"/api/v1/account/{action}", content, Cookie=cookie, Origin=self.house.base)

        anna, bo = self.cookie("anna"), self.cookie("bo")
        target = json.loads(self.house.get("/api/v1/account/show", Cookie=bo)[2])["id"]
        code = json.loads(send("add-browser", {"target": target}, bo)[2])["code"]
        status, headers, text = send("enter-browser", {"code": code}, anna)
        self.assertEqual((status, json.loads(text)["code"]), (409, "conflict"))
        self.assertNotIn("Set-Cookie", headers)
        # Whoever is in no longer comes in by it, and by their password.
        old = self.cookie("anna")
        session = json.loads(self.house.get("/api/v1/account/show", Cookie=old)[2])
        own = next(one["id"] for one in session["sessions"] if one["isThis"])
        self.assertEqual(send("end-session", {"target": session["id"], "session": own}, old)[0], 200)
        log_in = {"email": "anna@example.org", "password": PASSWORD}
        self.assertEqual(send("log-in", log_in, old)[0], 200)
        self.assertEqual(send("enter-browser", {"code": code}, old)[0], 200)

    def test_every_answer_says_what_a_browser_may_do_with_it(self):
        files = set(re.findall(r'/static/[^"]*', self.house.get("/log-in")[2]))
        self.assertTrue({path.rpartition(".")[2] for path in files} >= {"css", "js", "svg", "png"})
        everybodys = [*files, "/manifest.webmanifest", "/sw.js", "/map/squares/1/2/3"]
        answers = {
            f"{path} as {name}": self.house.get(path, self.tokens.get(name))
            for path in OWN.split()
            for name in ("anna", None)
        }
        answers["/events as None"] = self.house.get("/events")
        link, _ = self.stream("anna")
        answers["/events as anna"] = (200, self.head, "")
        link.close()
        for name in ("anna", "nobody"):
            content = {"email": f"{name}@example.org", "password": PASSWORD}
            answers[f"log-in of {name}"] = self.house.post("/api/v1/account/log-in", content, Origin=self.house.base)
        answers["a name of somebody else"] = self.raw("GET", "/log-in", {"Host": "evil.example"})
        answers["a wrong method"] = self.raw("PUT", "/log-in")
        for what, (status, headers, _) in answers.items():
            with self.subTest(answer=what):
                self.assertEqual(faults(status, headers), [])
        for path in everybodys:
            with self.subTest(path=path):
                status, headers, _ = self.house.get(path, self.tokens["anna"])
                self.assertEqual(faults(status, headers, is_personal=False), [])
        for what, (_, headers, text) in answers.items():
            if (headers["Content-Type"] or "").startswith("text/html"):
                with self.subTest(page=what):
                    self.assertNotRegex(text, r"<[^>]+ (style|on[a-z]+)=")
                    self.assertNotRegex(text, r"<script(?! type=\"(module\" src|application/json))")

    def test_one_session_watches_by_eight_streams_and_not_by_more(self):
        streams = [self.stream("anna") for _ in range(12)]
        for _, lines in streams:
            self.assertIn(b"event: here", next(lines))
        for _, lines in streams[:4]:
            # Something of the house may be told before.
            self.assertTrue(any(b"event: elsewhere" in piece for piece in lines))
        self.house.do("message.send", target="watched", resident="ben", sender="Bo", text="Do you hear me?")
        for _, lines in streams[4:]:
            self.assertTrue(any(b"watched" in piece for piece in lines))
        # Who cares for Mary alone hears nothing of Ben.
        _, bo = self.stream("bo")
        next(bo)
        self.house.do("message.send", target="bens", resident="ben", sender="Bo", text="For Ben.")
        self.house.do("message.send", target="marys", resident="mary", sender="Bo", text="For Mary.")
        heard = next(piece for piece in bo if b"message" in piece)
        self.assertNotIn(b"bens", heard)
        for link, _ in streams:
            link.close()

    def test_a_thousand_who_never_finish_keep_nobody_out(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        _, watching = self.stream("anna")
        self.assertIn(b"event: here", next(watching))
        with contextlib.ExitStack() as stack:
            for _ in range(1000):
                link = stack.enter_context(socket.create_connection(("localhost", self.house.port), timeout=30))
                link.sendall(b"GET /oth")
            for path in ("/log-in", "/"):
                self.assertEqual(self.house.get(path, self.tokens["anna"])[0] // 100, 2 if path == "/" else 3, path)
            self.house.do("message.send", target="crowd", resident="mary", sender="Bo", text="Do you hear me?")
            self.assertTrue(any(b"crowd" in piece for piece in watching))

    def stream(self, name):
        """Server-sent events of somebody: the connection, and what comes, piece by piece."""
        link = http.client.HTTPConnection("localhost", self.house.port, timeout=30)
        self.addCleanup(link.close)
        link.request("GET", "/events", headers={"Authorization": f"Bearer {self.tokens[name]}"})
        answer = link.getresponse()
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/event-stream"))
        self.head = answer.headers

        def pieces():
            piece = b""
            while line := answer.readline():
                piece += line
                if line == b"\n":
                    yield piece
                    piece = b""

        return link, pieces()

    def test_what_is_hostile_is_refused_and_the_next_is_answered(self):
        version = re.search(r"/static/([^/]*)/", self.house.get("/log-in")[2]).group(1)
        for path in HOSTILE.replace("{v}", version).split():
            with self.subTest(path=path):
                status, _, text = self.raw("GET", path)
                self.assertIn(status, (303, 400, 404))
                self.assertNotIn("command:", text)
        self.assertEqual(self.raw("GET", "/log-in", {"Host": "evil.example"})[0], 421)
        for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
            self.assertEqual(self.raw(method, "/log-in")[0], 405, method)
        self.assertEqual(self.raw("POST", "/log-in", {"Content-Type": "application/json"}, b"{}")[0], 405)
        self.assertEqual(
            self.raw("POST", "/api/v1/zone/put", {"Content-Type": "application/json"}, b"x" * 1_100_000)[0], 413
        )
        self.assertEqual(self.house.get("/log-in")[0], 200)

    def raw(self, method, path, headers=None, body=None):
        link = http.client.HTTPConnection("localhost", self.house.port, timeout=30)
        try:
            link.putrequest(method, path, skip_host=True)
            headers = {"Host": f"localhost:{self.house.port}", **(headers or {})}
            if body is not None:
                headers["Content-Length"] = str(len(body))
            for name, value in headers.items():
                link.putheader(name, value)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                link.endheaders(body)
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            link.close()

    def test_whoever_tries_passwords_one_after_the_other_has_to_wait(self):
        house = House()
        self.addCleanup(house.close)
        found = [house.post("/api/v1/account/log-in", {"email": f"{n}@example.org", "password": "guess"})[0]
                 for n in range(25)]  # fmt: skip
        # Who is not known here is offered an account.
        self.assertEqual(found[0], 404)
        self.assertEqual(found[-1], 503)


if __name__ == "__main__":
    unittest.main()
