"""Messages in the storage of a SIM card."""

from dataclasses import dataclass
from datetime import datetime

PLACES = 20


@dataclass
class Stored:
    """A frame in the SIM's storage, and what text mode tells of it; `status` for reports only."""

    frame: bytes
    number: str
    times: list[datetime]
    text: str = ""
    reference: int = 0
    status: int | None = None
    is_read: bool = False


class SIMStorage:
    """Frames by their place, 1 through 20."""

    def __init__(self) -> None:
        self._stored: dict[int, Stored] = {}

    def __len__(self) -> int:
        return len(self._stored)

    @property
    def used(self) -> str:
        """Used and all places of the three storages, which are one, as +CPMS tells them."""
        return f"{len(self)},{PLACES}"

    def put(self, message: Stored) -> int | None:
        """The place of a new frame, or None when the storage is full."""
        place = next((place for place in range(1, PLACES + 1) if place not in self._stored), None)
        if place:
            self._stored[place] = message
        return place

    def get(self, place: int) -> Stored | None:
        return self._stored.get(place)

    def by_place(self) -> list[tuple[int, Stored]]:
        return sorted(self._stored.items())

    def delete(self, place: int, scope: int) -> None:
        """Deletes by the scope of +CMGD: 0 that place, 1 through 3 what was read, 4 everything."""
        if scope == 0:
            self._stored.pop(place, None)
        elif scope == 4:
            self._stored.clear()
        else:
            self._stored = {key: stored for key, stored in self._stored.items() if not stored.is_read}
