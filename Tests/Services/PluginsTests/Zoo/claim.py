#!/usr/bin/env python3
"""Hands in whatever its settings say, one after the other, and tells what it was answered."""
import zoo

observations = []
answers = []


def ask(number):
    zoo.send({"id": number, "method": "observe", "params": {"observation": observations[number]}})


def ready():
    observations.extend(zoo.settings["observations"])
    ask(0)


def other(message):
    if "method" in message:
        return False
    answers.append("refused" if "error" in message else "taken")
    if len(answers) < len(observations):
        ask(len(answers))
    else:
        zoo.log("info: answers " + " ".join(answers))
    return True


zoo.run(ready=ready, other=other)
