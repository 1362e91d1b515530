"""Switching alarms off: whoever cares has to hear of it."""

from typing import Any

from ..gateway import ANNA, Gateway, holds
from ..judgement import Ground, attack

PATIENCE_SECONDS = 6.0
DEEDS: dict[str, tuple[str, dict[str, Any]]] = {
    "the zone alarm is switched off": ("setting.put", {"target": "mary", "name": "zoneAlarm", "value": False}),
    "the position alarm is switched off": ("setting.put", {"target": "mary", "name": "positionAlarm", "value": False}),
    "the alarm is made silent": ("setting.put", {"target": "mary", "name": "isSilent", "value": True}),
    "tracking is switched off": ("tracking.set", {"target": "mary", "isOn": False}),
    "a PIN is set": ("pin.set", {"target": "mary", "kind": "okay", "pin": "739146"}),
    "the last guardian is removed": ("guardian.remove", {"target": ANNA["id"]}),
    "the resident is erased": ("resident.erase", {"target": "mary"}),
}


@attack("disarmed-silently", "F15")
def disarmed_silently(ground: Ground) -> None:
    """A member of the group switches off what would call for help; those who care are told of it."""
    for number, (words, (action, members)) in enumerate(DEEDS.items()):
        gateway = Gateway(ground, f"gateway-{number}")
        phone = gateway.add_puppet("phone", ["observe:delivery"], ["notify.sms"])
        gateway.start()
        gateway.settle()
        phone.await_ready()
        # The way has to be known before: what is offered reaches the core a moment after the start.
        holds(5, lambda gateway=gateway: "no-way" not in str(gateway.faults()) and not gateway.faults())
        before = len(phone.heard("alarm.notify"))
        gateway.command(action, **members)
        ground.count(1, "deeds")
        if not holds(PATIENCE_SECONDS, lambda phone=phone, before=before: len(phone.heard("alarm.notify")) > before):
            ground.found("F15", f"{words}, and no guardian hears of it")
        gateway.kill()
