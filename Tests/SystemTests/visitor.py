#!/usr/bin/python3 -I
"""Somebody with a browser: logs in at a dashboard, reads the page, watches, and writes down what comes.

visitor.py PORT EMAIL PASSWORD FILE [log-out]

Each line of the file begins with a word: `page`, `news` (a type of event), `ended`. With `log-out` it is not watched.
"""

import http.cookiejar
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

port, email, password, path, *more = sys.argv[1:]
base = f"http://127.0.0.1:{port}"
jar = http.cookiejar.CookieJar()
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar), urllib.request.ProxyHandler({}))


def write(line):
    with open(path, "a", encoding="utf-8") as file:
        file.write(line + "\n")


def visit(place, form=None):
    data = urllib.parse.urlencode(form).encode() if form is not None else None
    try:
        with opener.open(f"{base}/{place}", data, timeout=30) as answer:
            page = answer.read().decode()
    except urllib.error.HTTPError as error:
        page = error.read().decode()
    write("page " + re.sub(r"<[^>]*>", " ", page).replace("\n", " "))


visit("log-in", {"email": email, "password": password})
if more:
    visit("log-out", {})
    visit("")
    sys.exit()
with opener.open(f"{base}/events", timeout=100) as stream:
    write("watching")
    kind = ""
    for line in stream:
        name, _, value = line.decode().strip().partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            write(f"ended {value}" if kind else "news " + json.loads(value)["type"])
