"""Simulated people are shown the way home in real towns, and do what they hear.

    python3 Tests/Walkers --towns FOLDER --probe PROGRAM [--count 1000] [--seed 1] EXTRACT…

FOLDER holds an import of each extract under its name (`homeward places import EXTRACT --to FOLDER/NAME`). The engine
runs in the program homeward-walker-probe, the ways come from Valhalla; streets, walkers, receivers and the judge are of
this folder alone. Fails when fewer than 97 in 100 arrive, or a sentence contradicts the way or the one before it.
"""

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys

from judge import Judge
from town import Town
from walker import Walker

HABITS = {"errs": 0.04, "hesitates": 0.1, "pauses": 0.0015, "canyon": 35}


class Probe:
    def __init__(self, program):
        self.child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, line):
        self.child.stdin.write(json.dumps(line) + "\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer


class Router:
    """Valhalla's own program, a process for each way."""

    def __init__(self, folder):
        self.current = os.path.realpath(folder / "current")
        self.program = folder.resolve() / "environment/valhalla/valhalla/bin/valhalla_service"

    def way(self, question):
        done = subprocess.run(
            [self.program, f"{self.current}/valhalla.json", "route", json.dumps(question)],
            capture_output=True, text=True, cwd=self.current, timeout=20,
        )  # fmt: skip
        for line in reversed(done.stdout.splitlines()):
            if line.startswith("{"):
                return json.loads(line)
        return {"error_code": -1}


def degrees(plane, point):
    latitude, longitude = plane.place(point)
    return {"latitude": latitude, "longitude": longitude}


class Walk:
    """One person on the way home."""

    def __init__(self, town, probe, router, seed):
        self.town, self.probe, self.router = town, probe, router
        self.random = random.Random(seed)
        self.start, self.home, self.shortest = self._places()
        self.walker = Walker(town, self.start, self.random, HABITS)
        self.judge = Judge(town.plane)
        self.is_over = self.has_arrived = False
        self.log = []
        self.told, self.reroutes, self.way_meters, self.seconds = [], 0, None, 0

    def _places(self):
        while True:
            start = self.random.choice(self.town.nodes)
            near = self.town.distances(start, 1500)
            far = sorted(node for node, meters in near.items() if meters > 300)
            if not far:
                continue
            home = self.random.choice(far)
            ends = [degrees(self.town.plane, self.town.points[node]) for node in (start, home)]
            places = [{"lat": each["latitude"], "lon": each["longitude"]} for each in ends]
            way = self.router.way({"locations": places, "costing": "pedestrian"})
            if "trip" in way and way["trip"]["summary"]["length"] < 2:
                return start, home, near[home]

    def play(self):
        home = self.town.points[self.home]
        self.probe.ask({"home": degrees(self.town.plane, home)})
        self._show(0)
        self._follow(self.probe.ask({"start": True}))
        limit = 600 + 5 * self.shortest / self.walker.speed
        while not self.is_over and self.seconds < limit:
            self.seconds += 1
            if self.random.random() < HABITS["pauses"]:
                self.walker.pause = self.random.randint(20, 80)
            self.walker.step()
            self._show(1)
        self.missed = math.dist(self.walker.point, home)
        return self

    def _show(self, seconds):
        point, accuracy = self.walker.seen()
        place = degrees(self.town.plane, point)
        self._follow(self.probe.ask({"seconds": seconds, "at": place, "accuracyMeters": accuracy}))

    def _follow(self, answer):
        for text in answer["heard"]:
            self.log.append(f"{self.seconds:5} s {self.walker.walked:6.0f} m  {text}")
            self.judge.hear(text, self.walker.point, self.walker.heading, self.walker.walked, self.walker.erring)
            self.walker.hear(text)
            if text.startswith(("Take your time", "Let us stand still")):
                self._follow(self.probe.ask({"press": True}))
        for event in answer["events"]:
            self._note(event)
        if seek := answer.get("seek"):
            way = self.router.way(seek["question"])
            if "trip" in way:
                self.judge.take_way(way["trip"]["legs"][0]["shape"], self.walker.walked)
                if self.way_meters is None:
                    self.way_meters = 1000 * way["trip"]["summary"]["length"]
            self._follow(self.probe.ask({"query": seek["query"], "answer": way}))

    def _note(self, event):
        kind = event["type"]
        if kind == "guidance.arrived":
            self.is_over = self.has_arrived = True
        elif kind == "guidance.ended":
            self.is_over = True
            self.told.append(event["reason"])
        elif kind == "guidance.told":
            self.told.append(event["trouble"])
        elif kind == "guidance.rerouted":
            self.reroutes += 1

    @property
    def is_home(self):
        return self.has_arrived and self.missed <= 50


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--towns", required=True, type=pathlib.Path)
    parser.add_argument("--probe", required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, help="print all that one walker hears")
    parser.add_argument("extracts", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    probe, walks = Probe(arguments.probe), []
    towns = []
    for extract in arguments.extracts:
        folder = arguments.towns / extract.name.split(".")[0]
        towns.append((folder.name, Town(extract), Router(folder)))
    numbers = range(arguments.count) if arguments.show is None else [arguments.show]
    for number in numbers:
        name, town, router = towns[number % len(towns)]
        walk = Walk(town, probe, router, arguments.seed * 1_000_003 + number).play()
        walk.name, walk.number = name, number
        walks.append(walk)
        if arguments.show is not None:
            print(*walk.log, sep="\n")
        if not walk.is_home or walk.judge.faults:
            told = ", ".join(walk.told) or "-"
            print(
                f"{number} {name}: missed by {walk.missed:.0f} m after {walk.seconds} s, "
                f"{walk.walker.mistakes} mistakes, told: {told}; {walk.judge.faults[:2]}"
            )
    return report(walks)


def report(walks):
    home = [walk for walk in walks if walk.is_home]
    if not home:
        print("nobody arrived")
        return 1
    detours = sorted(walk.walker.walked / max(walk.way_meters or walk.shortest, 1) for walk in home)
    spoken = [60 * len(walk.judge.said) / max(walk.seconds, 1) for walk in walks]
    sentences = sum(len(walk.judge.said) for walk in walks)
    faults = sum(len(walk.judge.faults) for walk in walks)
    print(f"{len(home)} of {len(walks)} arrived ({100 * len(home) / len(walks):.1f} %)")
    print(
        f"walked: {statistics.median(detours):.2f} times the way shown, "
        f"nine in ten at most {detours[9 * len(detours) // 10]:.2f} times"
    )
    print(
        f"sentences: {sentences}, {statistics.median(spoken):.1f} a minute; {faults} against the way or the one before"
    )
    print(
        f"mistakes of walkers: {sum(walk.walker.mistakes for walk in walks)}, "
        f"other ways found: {sum(walk.reroutes for walk in walks)}, "
        f"guardians told of: {sum(bool(walk.told) for walk in walks)}"
    )
    return 0 if len(home) >= 0.97 * len(walks) and faults <= 0.001 * sentences else 1


if __name__ == "__main__":
    sys.exit(main())
