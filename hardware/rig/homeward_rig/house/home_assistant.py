"""A real Home Assistant on the story's broker: what it shows after each sentence, as its API answers.

It is large, so a story has it only when somebody asks for it (`--home-assistant`). It lives in the machine's own time.
"""

import sys
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from .. import paths
from ..agreement import View

PYTHON = "HOMEWARD_HOME_ASSISTANT"
"""The variable with the Python of a virtual environment that has Home Assistant."""
START_SECONDS = 300


class Onlooker:
    """Home Assistant, and what it showed last."""

    def __init__(self, folder: Path, broker: int, python: str) -> None:
        sys.path.insert(0, str(paths.REPOSITORY / "plugins" / "mqtt" / "Tests" / "home_assistant"))
        from household import HomeAssistant

        self._household = HomeAssistant(folder / "home-assistant", broker, python)
        self._report = folder / "home-assistant.txt"
        self._shown: dict[str, str] = {}
        self._report.write_text(f"Home Assistant {self._household.version(START_SECONDS)}\n")

    def states(self) -> dict[str, str]:
        """State of each entity by its id, as the API answers."""
        return {entity: told["state"] for entity, told in self._household.states().items()}

    def note(self, sentence: str) -> None:
        """Writes down what has changed since the sentence before."""
        shown = {entity: state for entity, state in self.states().items() if is_ours(entity)}
        changes = [
            f"    {entity} = {state}" for entity, state in sorted(shown.items()) if self._shown.get(entity) != state
        ]
        changes += [f"    {entity} is gone" for entity in sorted(self._shown.keys() - shown.keys())]
        self._shown = shown
        with open(self._report, "a") as report:
            report.write("\n".join([sentence, *changes, ""]))

    def close(self) -> None:
        """Ends it."""
        self._household.close()


def is_ours(entity: str) -> bool:
    """Whether an entity comes from the gateway, and not from Home Assistant itself."""
    return not entity.startswith(("sun.", "zone.", "person.", "event.", "sensor.sun_", "todo.", "update.", "tts."))


def slug(text: str) -> str:
    """A text as Home Assistant makes it a part of an entity's id."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "_".join("".join(letter if letter.isalnum() else " " for letter in plain).split())


def differences(view: View, states: dict[str, str]) -> Iterable[str]:
    """Where the entities of residents, alarms, the siren and the routine differ from what the broker keeps."""

    def shown(*endings: str) -> list[str]:
        return [state for entity, state in states.items() if entity.endswith(endings)]

    for person in view.status["residents"]:
        identity = person["id"]
        kept = view.object(f"resident/{identity}/alarm-state").get("state")
        told = shown(f"_{identity}_alarm_state")
        if kept and told != [kept]:
            yield f"Home Assistant shows the alarm of {person['name']} as {told}, not {kept}"
        zone = view.state(f"resident/{identity}/zone")
        if zone and shown(f"_{identity}_zone") != [zone]:
            yield f"Home Assistant shows {person['name']} in {shown(f'_{identity}_zone')}, not {zone}"
    # One that may not be switched off from there is only shown.
    siren, sounding = view.state("siren"), shown("_siren", "_alarm_sounds")
    if siren and sounding != [siren.lower()]:
        yield f"Home Assistant shows the siren as {sounding}, not {siren}"
    for item in view.routine:
        ending = f"_routine_{slug(item['title'])}"
        kept = view.object(f"resident/{item['resident']}/routine/{item['id']}").get("nextDue")
        found = [entity for entity in states if entity.startswith("sensor.") and entity.endswith(ending)]
        if kept and [moment(states[entity]) for entity in found] != [moment(kept)]:
            yield f"Home Assistant shows {item['title']} as due {[states[entity] for entity in found]}, not {kept}"


def moment(text: str) -> Any:
    """A time as both write it, without parts of seconds; the text itself when it is none."""
    try:
        return datetime.fromisoformat(text).replace(microsecond=0)
    except ValueError:
        return text
