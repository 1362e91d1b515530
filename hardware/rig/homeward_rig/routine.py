"""What the hub's journal tells of reminders: one line of life for each due time."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

FINAL = ("done", "not-now", "skipped", "missed", "cancelled")
"""Ends of a due time, as `reminder.done` and so on tell them."""


@dataclass
class DueTime:
    """One due time of one item, and what was told of it in order: "due", "prompted", "done", …"""

    item: str
    slot: str
    told: list[str] = field(default_factory=list)
    by: str = ""
    """Who ended it; empty when nobody did."""

    @property
    def ends(self) -> list[str]:
        return [word for word in self.told if word in FINAL]

    @property
    def wrong(self) -> str:
        """What cannot be in one life, in words; nothing when all is well."""
        # What was missed may be said to be done after all, until it is due again.
        if len(self.ends) > 1 and self.ends not in (["missed", "done"], ["missed", "skipped"]):
            return f"ended {len(self.ends)} times: {', '.join(self.ends)}"
        if self.told.count("due") > 1:
            return f"became due {self.told.count('due')} times"
        if self.ends and (after := self.told[self.told.index(self.ends[-1]) + 1 :]):
            return f"went on after it was {self.ends[-1]}: {', '.join(after)}"
        return ""

    def __str__(self) -> str:
        return f"{self.item} of {self.slot}: {', '.join(self.told)}"


def due_times(events: Iterable[dict[str, Any]]) -> dict[tuple[str, str], DueTime]:
    """The lives in events of the kinds `reminder.…`, given oldest first, by item and slot."""
    found: dict[tuple[str, str], DueTime] = {}
    for event in events:
        kind, _, word = event["type"].partition(".")
        data = event["data"]
        if kind != "reminder" or "slot" not in data:
            continue
        life = found.setdefault((data["item"], data["slot"]), DueTime(data["item"], data["slot"]))
        life.told.append(word)
        if word in FINAL:
            life.by = data.get("by", "")
    return found
