"""What guardians get beside text messages: mails and pushes, by person and alarm."""

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .alarms import TAG

if TYPE_CHECKING:
    from .stage import Stage

TAG_OF_SUBJECT = re.compile(r"\[([A-Z0-9]{4})\]")
CHANNELS = {"text message": "sms", "mail": "email", "push": "push"}
"""Words of the stories for the ways to a guardian, and the gateway's."""
ADDRESSES = {"sms": "phone", "email": "email", "push": "push"}
"""Member of a guardian's record with the address, by channel."""

Letter = dict[str, Any]
"""{channel, address, text}: what left for somebody, whole, a subject before the text."""


def letters(stage: "Stage") -> list[Letter]:
    """Everything that left for anybody, in each channel in the order of its coming."""
    found = []
    if stage.has_peer("modem"):
        for text in stage.peer("modem").do("sent"):
            found.append({"channel": "sms", "address": text["number"], "text": text["text"]})
    if stage.has_peer("mail-server"):
        for mail in stage.peer("mail-server").do("mails"):
            words = f"{mail['subject']}\n{mail['text']}"
            found.append({"channel": "email", "address": mail["address"], "text": words})
    if stage.has_peer("web-server"):
        found += pushes(stage.peer("web-server").do("requests"))
    return found


def pushes(requests: Iterable[dict[str, Any]]) -> list[Letter]:
    """The pushes among what a web endpoint took: Apprise posts them as JSON; who is meant stands in the path."""
    found = []
    for request in requests:
        if not 200 <= (request["status"] or 0) < 300:
            continue
        try:
            told = json.loads(request["text"])
            words = f"{told['title']}\n{told['message']}"
        except (ValueError, KeyError, TypeError):
            continue
        address = request["path"].partition("?")[0].strip("/")
        found.append({"channel": "push", "address": address, "text": words})
    return found


def tag_of(letter: Letter) -> str | None:
    """The alarm that it is about; None when it names none."""
    found = TAG.findall(letter["text"]) or TAG_OF_SUBJECT.findall(letter["text"].partition("\n")[0])
    return found[-1] if found else None


def about(found: Iterable[Letter], tag: str, channel: str, address: str) -> list[Letter]:
    """Those about an alarm, to one address."""
    return [
        letter
        for letter in found
        if tag_of(letter) == tag and letter["channel"] == channel and letter["address"] == address
    ]
