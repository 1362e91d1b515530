#!/usr/bin/env python3
"""Measures how well the built plugin hears its phrase, what it hears by mistake, and what that costs.

    plugins/keyword/Tests/measure.py PROGRAM [EXPONENT [PHRASE]]

Speech comes from espeak-ng, with noise over it, through ALSA's own file device into the real plugin: nothing is
recorded and nothing sounds. Synthetic voices only: the table says nothing about a frightened person across a room.
"""

import array
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import wave

RATE = 16_000
PHRASE = sys.argv[3] if len(sys.argv) > 3 else "help me please"
EXPONENT = int(sys.argv[2]) if len(sys.argv) > 2 else -40
VOICES = ["en-gb", "en-us", "en-gb+f3", "en-us+f2", "en-gb-scotland", "en-us+m3"]
RATES = [120, 150, 180]
OTHER = [
    "I was helping my neighbour with the washing up and we talked about the weather for a long time.",
    "Would you like another cup of tea? Please help yourself to the biscuits, they are on the table.",
    "The news at nine. Ministers met again today, and no agreement was reached on the budget.",
    "Please call me now and then when you have the time, it is always good to hear from you.",
    "She said that the doctor would see her on Thursday, so we need to leave the house at ten.",
    "Turn the radio down a little, I cannot hear what you are saying in the kitchen.",
    "He bought potatoes, onions, a loaf of bread, two pounds of apples and the evening paper.",
    "Remember when we all went to the seaside and it rained for the whole of the week?",
]
NEAR = [
    "help me peel",
    "tell me please",
    "help the police",
    "held my keys",
    "helping peas",
    "please help me",
    "kept me pleased",
]


def speak(folder, text, voice, rate):
    """Answers the samples of a text, 16,000 a second."""
    path = folder / "spoken.wav"
    subprocess.run(["espeak-ng", "-v", voice, "-s", str(rate), "-w", path, text], check=True)
    with wave.open(str(path)) as spoken:
        source = array.array("h", spoken.readframes(spoken.getnframes()))
        step = spoken.getframerate() / RATE
    return array.array("h", (resampled(source, index * step) for index in range(int(len(source) / step))))


def resampled(source, place):
    """Answers the sound at a place between samples, without what lies above 7.6 kHz."""
    cut, reach = 0.69, 16
    total = 0.0
    for index in range(max(0, int(place) - reach + 1), min(len(source), int(place) + reach + 1)):
        distance = place - index
        window = 0.5 + 0.5 * math.cos(math.pi * distance / reach)
        turn = math.pi * cut * distance
        total += source[index] * cut * window * (math.sin(turn) / turn if turn else 1)
    return max(-32768, min(32767, int(total)))


def silence(seconds):
    """Answers digital silence."""
    return array.array("h", bytes(int(RATE * seconds) * 2))


def noisy(samples, decibels, generator):
    """Puts white noise over samples, so many dB below their loudness while they speak."""
    loud = [s for s in samples if abs(s) > 300]
    level = math.sqrt(sum(s * s for s in loud) / max(1, len(loud))) / 10 ** (decibels / 20)
    return array.array("h", (max(-32768, min(32767, int(s + generator.gauss(0, level)))) for s in samples))


def listen(program, samples):
    """Runs the plugin over samples; answers how often it heard the phrase, raised an SOS, and its CPU seconds."""
    with tempfile.TemporaryDirectory() as state:
        sound = pathlib.Path(state, "sound.raw")
        sound.write_bytes(samples.tobytes())
        device = f'pcm.heard {{ type file slave.pcm "null" file "/dev/null" infile "{sound}" format "raw" }}\n'
        pathlib.Path(state, ".asoundrc").write_text(device)
        log = pathlib.Path(state, "log")
        with log.open("w") as errors:
            plugin = subprocess.Popen(
                [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env={"HOME": state}
            )
        settings = {"enabled": True, "target": "mary", "phrase": PHRASE, "device": "heard"}
        settings["thresholdExponent"] = EXPONENT
        request = {"protocol": 1, "host": {"name": "measure", "version": "1"}, "gateway": "measure"}
        request |= {"settings": settings, "grants": ["command:sos.raise"], "stateDirectory": state}
        send(plugin, {"id": 1, "method": "initialize", "params": request})
        raised = 0
        for line in plugin.stdout:
            message = json.loads(line)
            if message.get("method") == "command":
                raised += 1
                send(plugin, {"id": message["id"], "result": {}})
            # After its file the device gives digital silence, and the plugin says so.
            if message.get("params", {}).get("code") == "silent" or "error" in message:
                break
        plugin.kill()
        _, _, usage = os.wait4(plugin.pid, 0)
        plugin.returncode = 0
        hits = log.read_text().count("heard once") + raised
        return hits, raised, usage.ru_utime + usage.ru_stime


def send(plugin, message):
    """Sends a message as the gateway does."""
    plugin.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
    plugin.stdin.flush()


def main():
    """Prints the table."""
    program = sys.argv[1]
    generator = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        spoken = [speak(folder, PHRASE, voice, rate) for voice in VOICES for rate in RATES]
        print("| what | SOS raised | of | minutes | % of a core |\n| --- | --- | --- | --- | --- |")
        for decibels in [30, 15, 10, 5]:
            parts = silence(2)
            for phrase in spoken:
                parts += noisy(phrase + silence(1.2) + phrase + silence(1), decibels, generator) + silence(10)
            report(f"phrase twice, {decibels} dB over noise", program, parts, len(spoken))
        once = silence(2)
        for phrase in spoken:
            once += phrase + silence(10)
        report("phrase once", program, once, len(spoken))
        near = silence(2)
        for index, text in enumerate(NEAR * 4):
            said = speak(folder, text, VOICES[index % len(VOICES)], RATES[index % len(RATES)])
            near += said + silence(1.2) + said + silence(10)
        report("near miss twice", program, near, len(NEAR) * 4)
        other = silence(2)
        for index in range(len(OTHER) * len(VOICES) * 2):
            text = OTHER[index % len(OTHER)]
            other += speak(folder, text, VOICES[index // len(OTHER) % len(VOICES)], RATES[index % len(RATES)])
        report("other speech", program, noisy(other, 25, generator), 0)


def report(what, program, samples, chances):
    """Measures and prints one row."""
    hits, raised, seconds = listen(program, samples)
    lasts = len(samples) / RATE
    # The silence after the file, which ends the run, is decoded too.
    share = 100 * seconds / (lasts + 30)
    print(f"| {what} ({hits} hits) | {raised} | {chances or '-'} | {lasts / 60:.1f} | {share:.1f} |", flush=True)


if __name__ == "__main__":
    main()
