"""kill -9 under load: what was acknowledged is there afterwards, and reached the subscriber."""

import itertools
import time

from ..gateway import HOME, Deaf, Refused
from ..judgement import Ground, attack
from ..peers import Broker, gateway_with_broker


def reaches(broker: Broker, event: str) -> bool:
    """Whether what is on the disk reaches the subscriber, sooner or later: a minute in which nothing comes is the end.

    The broker writes all that it holds with each message, so how long it takes is a matter of the disk.
    """
    came, since = 0, time.monotonic()
    while time.monotonic() < since + 60:
        arrived = broker.events()
        if any(one["id"] == event for one in arrived):
            return True
        if len(arrived) > came:
            came, since = len(arrived), time.monotonic()
        time.sleep(1)
    return False


@attack("kills-under-load")
def kills_under_load(ground: Ground) -> None:
    """The gateway is killed again and again while commands come in and alarms go out; a subscriber counts."""
    broker, gateway = gateway_with_broker(ground)
    gateway.start()
    gateway.settle()
    broker.await_gateway()
    promised: list[str] = []
    numbers = itertools.count()
    alarms = 0
    for _ in range(ground.size(10, 130)):
        end = time.monotonic() + ground.chance.uniform(0.1, 0.6)
        try:
            while time.monotonic() < end:
                name = f"Place {next(numbers)}"
                mark = {"id": f"place-{len(promised) % 200}", "resident": "mary", "name": name, "coordinate": HOME}
                gateway.command("bookmark.put", bookmark=mark)
                promised.append(name)
            gateway.raise_sos()
            alarms += 1
            gateway.command("alarm.resolve", by="anna", reason=name)
        except (Deaf, Refused) as error:
            ground.found("F7", "a command is not taken between two kills", error)
        gateway.kill()
        ground.count(1, "kills")
        gateway.start()
    ground.count(len(promised) + 2 * alarms, "acknowledged commands")
    if not reaches(broker, gateway.events(limit=1)[-1]["id"]):
        ground.found("F7", "after kills the newest event does not reach the subscriber", gateway.said()[-200:])
    gateway.stop()
    rows = gateway.journal()
    stored = {identity for identity, _ in rows}
    arrived = broker.events()
    ground.count(len(arrived), "arrivals")
    text = "\n".join(body if isinstance(body, str) else body.decode() for _, body in rows)
    if lost := [name for name in promised if f'"{name}"' not in text]:
        ground.found("F7", "acknowledged commands are lost by a kill", lost[:5])
    if len(stored) != len(rows):
        ground.found("F7", "an id stands twice in the journal", len(rows) - len(stored))
    if (raised := text.count('"type":"alarm.dispatched"')) < alarms:
        ground.found("F7", "an acknowledged SOS is lost by a kill", f"{raised} of {alarms}")
    if strangers := {one["id"] for one in arrived} - stored:
        ground.found("F7", "an event was published that the journal does not have", sorted(strangers)[:3])
    missing = stored - {one["id"] for one in arrived}
    lanes = {identity: body for identity, body in rows if identity in missing and '"lane":"alarm"' in str(body)}
    if lanes:
        ground.found("F7", "an alarm in the journal never reached the subscriber", sorted(lanes)[:3])
