#!/usr/bin/python3 -I
"""A page for whoever has an account: log in, see how those are whom one cares for, and watch what happens.

A toy that shows what plugins/README.md says of accounts. It holds no right of its own: each request carries the token
of the browser's session to the gateway, which decides.
"""

import collections
import html
import http.cookies
import http.server
import json
import os
import queue
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import pluginkit

LOG_IN = """<form method="post" action="log-in"><input name="email" type="email" placeholder="E-mail address">
<input name="password" type="password" placeholder="Password"><button>Log in</button></form>"""


class Dashboard(pluginkit.Plugin):
    name, version = "dashboard", "1.0.0"

    def begin(self, params):
        self.watches = collections.defaultdict(queue.Queue)
        Page.gateway = self
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        pluginkit.write_file(os.path.join(params["stateDirectory"], "port"), str(server.server_port).encode())
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def notified(self, method, params):
        if method == "watched":
            self.watches[params["watch"]].put(params)


class Page(http.server.BaseHTTPRequestHandler):
    def session(self):
        cookie = http.cookies.SimpleCookie(self.headers.get("Cookie", "")).get("session")
        return {"session": cookie.value if cookie else "nobody", "address": self.client_address[0]}

    def send(self, status, body="", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body.encode())

    def show(self, page, status=200):
        self.send(status, f"<!doctype html><title>Dashboard</title>{page}", Content_Type="text/html; charset=utf-8")

    def do_GET(self):
        try:
            if self.path == "/events":
                return self.watch()
            residents = self.gateway.look_up("residents.list", **self.session())
        except pluginkit.Unanswered as refusal:
            return self.show(LOG_IN if "logged-out" in str(refusal) else html.escape(str(refusal)), 403)
        names = "".join(f"<li>{html.escape(resident['name'])}" for resident in residents)
        self.show(f'<ul>{names}</ul><form method="post" action="log-out"><button>Log out</button></form>')

    def do_POST(self):
        length = min(int(self.headers.get("Content-Length", 0)), 10000)
        form = dict(urllib.parse.parse_qsl(self.rfile.read(length).decode()))
        try:
            if self.path == "/log-out":
                own = self.gateway.look_up("account.show", **self.session())
                this = next(session["id"] for session in own["sessions"] if session["isThis"])
                request = {"action": "account.end-session", "target": own["id"], "session": this}
                self.gateway.demand(request, **self.session())
                return self.send(303, Location="/")
            request = {"action": "account.log-in", "email": form.get("email"), "password": form.get("password")}
            answer = self.gateway.demand(request, principal="page", address=self.client_address[0])
        except pluginkit.Unanswered as refusal:
            return self.show(html.escape(str(refusal)) + LOG_IN, 403)
        self.send(303, Location="/", Set_Cookie=f"session={answer['token']}; HttpOnly; SameSite=Strict")

    def watch(self):
        watch = self.gateway.require("watch", self.session())["watch"]
        self.send(200, Content_Type="text/event-stream")
        while "ended" not in (news := self.gateway.watches[watch].get()):
            self.wfile.write(f"data: {json.dumps(news['event'])}\n\n".encode())
        self.wfile.write(f"event: ended\ndata: {news['ended']}\n\n".encode())


pluginkit.run(Dashboard())
