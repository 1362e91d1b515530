"""Has wapiti, a scanner of web applications, crawl and attack the pages of a made-up family, as one who is logged in.

    hardware/rig/python Tests/Browser/crawl.py [--seconds 900]

It begins with every page, and with every question of the document for programs, its parameters filled in. What it
finds is told, with the reason where it is meant to be so; anything else fails. `make crawl` runs it, and no CI.
"""

import argparse
import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

from house import House, until
from looks import PAGES

MODULES = """backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,
shellshock,sql,xss,xxe""".replace("\n", "")
# Every page says its charset; wapiti would guess it from the whole page once more for each of a hundred forms.
WAPITI = """import requests
requests.models.Response.apparent_encoding = property(lambda answer: "utf-8")
from wapitiCore.main.wapiti import wapiti_main
wapiti_main()"""
# What it finds that is meant to be so, by the words of its report.
MEANT = {
    "X-XSS-Protection is not set": "browsers have given it up; the policy of the page does more",
    "Strict-Transport-Security is not set": "this is plain HTTP on the loopback; see headers.py",
    "Secure flag is not set in the cookie : homeward": "this is plain HTTP on the loopback; with TLS it is set",
    "Lack of anti CSRF token": "Origin, Sec-Fetch-Site and the type of what is sent are judged instead: RequestTests",
}
EXAMPLES = {"resident": "mary", "zone": "home", "limit": "5"}


def questions(house, token):
    """Every question of the document, its parameters filled in."""
    document = json.loads(house.get("/api/v1/openapi.json", token)[2])
    for path, ways in document["paths"].items():
        if "get" not in ways or path == "/events":
            continue
        fields = {
            one["name"]: EXAMPLES.get(one["name"]) or str((one.get("schema", {}).get("examples") or ["1"])[0])
            for one in ways["get"].get("parameters", [])
            if one.get("in") == "query"
        }
        yield path + ("?" + urllib.parse.urlencode(fields) if fields else "")


def scan(house, token, paths, seconds, folder):
    """What wapiti finds: the kind, and what it says of it."""
    report = folder / "report.json"
    command = [
        "/usr/bin/python3", "-c", WAPITI, "-u", house.base + "/", "--scope", "domain", "-m", MODULES,
        "-H", f"Cookie: homeward={token}", "-S", "normal", "-l", "2", "-d", "4", "-v", "1", "--no-bugreport",
        "--flush-session", "--store-session", str(folder), "--store-config", str(folder),
        "--max-scan-time", str(seconds // 3), "--max-attack-time", str(seconds // 24), "-f", "json", "-o", str(report),
    ]  # fmt: skip
    for path in paths:
        command += ["-s", house.base + path]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    found = json.loads(report.read_text())
    for kind, faults in {**found["vulnerabilities"], **found["anomalies"]}.items():
        for fault in faults:
            yield kind, f"{fault['method']} {fault['path']} {fault.get('parameter') or ''}: {fault['info']}"


def main():
    """Crawls, and tells what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=900, help="how long the crawl takes at most")
    seconds = parser.parse_args().seconds
    with contextlib.closing(House()) as house, tempfile.TemporaryDirectory(prefix="homeward-crawl-") as folder:
        until("Mary's position", lambda: any(one["tracking"].get("position") for one in house.call("residents.list")))
        token = house.token("anna@example.org")
        house.do("message.send", target="one", resident="mary", sender="Bo", text="I come at six.")
        paths = [*PAGES, "/log-in", "/alarm", *questions(house, token)]
        unmeant = 0
        for kind, words in scan(house, token, paths, seconds, pathlib.Path(folder)):
            reason = next((why for what, why in MEANT.items() if what in words), None)
            unmeant += reason is None
            print(f"{'meant' if reason else 'FOUND'}  {kind}: {words}" + (f" ({reason})" if reason else ""))
        status, _, text = house.get("/", token)
        is_alive = status == 200 and "Mary" in text and house.daemon.poll() is None
        log = (house.folder / "homewardd.log").read_text()
        restarts = len(re.findall(r"console.*(?:ended|restart)", log))
        print(f"{len(paths)} places to begin; {unmeant} findings that are not meant; the console was started anew "
              f"{restarts} times; the pages {'answer' if is_alive else 'DO NOT ANSWER'}.")  # fmt: skip
        sys.exit(0 if unmeant == 0 and is_alive and restarts == 0 else 1)


if __name__ == "__main__":
    main()
