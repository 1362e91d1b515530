"""What an attack is, what it can find, and how a run of attacks is told."""

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path


class NotRun(Exception):
    """An attack that could not be made. It counts as a failure, unless what lacks is a feature of this kernel."""

    def __init__(self, reason: str, is_allowed: bool = False) -> None:
        super().__init__(reason)
        self.is_allowed = is_allowed


@dataclass(frozen=True)
class Finding:
    """Something that did not withstand."""

    number: str
    """Of the kind that it belongs to: F1 to F20."""
    sentence: str
    evidence: str = ""
    """What was seen, in the gateway's own words or numbers."""


class Ground:
    """What one attack has: a folder, chance that can be repeated, and a place to note what comes of it."""

    def __init__(self, name: str, folder: Path, seed: int, is_short: bool, tools: Path) -> None:
        self.name = name
        self.folder = folder
        self.is_short = is_short
        self.tools = tools
        """Where what several attacks need is kept, such as the library that is loaded into a gateway."""
        # A text as seed is the same in every run of Python; its hash is not.
        self.chance = random.Random(hashlib.sha256(f"{seed} {name}".encode()).digest())
        self.counts: Counter[str] = Counter()
        self.findings: list[Finding] = []
        self.afterwards = ExitStack()
        """What is to be ended when the attack is over."""

    def size(self, short: int, whole: int) -> int:
        """How many of something are tried."""
        return short if self.is_short else whole

    def count(self, number: int, what: str) -> None:
        """Notes that so many of something were tried; `what` in the plural."""
        self.counts[what] += number

    def found(self, number: str, sentence: str, evidence: object = "") -> None:
        """Notes what did not withstand; the same sentence counts once."""
        if any(finding.number == number and finding.sentence == sentence for finding in self.findings):
            return
        self.findings.append(Finding(number, sentence, " ".join(str(evidence).split())[:300]))


@dataclass(frozen=True)
class Attack:
    """One way to harm a gateway."""

    name: str
    numbers: tuple[str, ...]
    """Kinds of finding that it can bring, for the list."""
    title: str
    perform: Callable[[Ground], None]


@dataclass
class Outcome:
    """What came of an attack."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    not_run: str = ""
    is_allowed: bool = False
    """Whether it is all right that it was not run."""
    seconds: float = 0

    @property
    def failed(self) -> bool:
        return bool(self.findings) or (bool(self.not_run) and not self.is_allowed)

    @property
    def tried(self) -> str:
        """What was tried, in words."""
        return ", ".join(f"{number:,} {what}" for what, number in self.counts.items()) or "nothing"


ATTACKS: dict[str, Attack] = {}
"""All attacks by name, in the order in which their modules were read."""


def attack(name: str, *numbers: str) -> Callable[[Callable[[Ground], None]], Callable[[Ground], None]]:
    """Makes a function an attack; the first line of its docstring is its title."""

    def enrol(perform: Callable[[Ground], None]) -> Callable[[Ground], None]:
        if name in ATTACKS:
            raise ValueError(f"there are two attacks named {name}")
        title = (perform.__doc__ or "").strip().split("\n")[0]
        if not title:
            raise ValueError(f"the attack {name} does not say what it does")
        ATTACKS[name] = Attack(name, numbers, title, perform)
        return perform

    return enrol


def chosen(words: Sequence[str]) -> list[Attack]:
    """Attacks by their names, or by the number of what they can find; all without words. ValueError for others."""
    if not words:
        return list(ATTACKS.values())
    found = []
    for word in words:
        meant = [one for one in ATTACKS.values() if one.name == word or word.upper() in one.numbers]
        if not meant:
            raise ValueError(f"there is no attack {word}; --list names them")
        found += [one for one in meant if one not in found]
    return found


def table(outcomes: Sequence[Outcome]) -> str:
    """What was tried and what came of it, one line for each attack and for each finding."""
    name_width = max([6, *(len(one.name) for one in outcomes)])
    tried_width = min(48, max([5, *(len(one.tried) for one in outcomes)]))
    lines = [f"{'attack':{name_width}}  {'tried':{tried_width}}  result"]
    for one in outcomes:
        results = [f"not run{' (allowed)' if one.is_allowed else ''}: {one.not_run}"] if one.not_run else []
        results += [
            f"{finding.number}: {finding.sentence}" + (f" [{finding.evidence}]" if finding.evidence else "")
            for finding in one.findings
        ]
        first, *more = results or ["withstood"]
        lines.append(f"{one.name:{name_width}}  {one.tried:{tried_width}}  {first}")
        lines += [f"{'':{name_width}}  {'':{tried_width}}  {result}" for result in more]
    return "\n".join(lines)


def closing(outcomes: Sequence[Outcome], seconds: float) -> str:
    """The last line of a run."""
    tried = sum(sum(one.counts.values()) for one in outcomes)
    findings = sum(len(one.findings) for one in outcomes)
    not_run = sum(1 for one in outcomes if one.not_run)
    lacking = f", {not_run} not run" if not_run else ""
    return f"{len(outcomes)} attacks, {findings} findings{lacking}; {tried:,} tries in {seconds:.0f} s."
