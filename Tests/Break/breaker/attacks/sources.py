"""Who speaks for a device: buttons, receivers, reports of delivery."""

import time
from datetime import UTC, datetime

from homeward_rig.house.button import Button
from homeward_rig.house.clock import Clock

from ..gateway import Gateway, holds
from ..judgement import Ground, attack
from ..peers import PlayedGPSD, house_library, place, walk

WALK_METERS, WALK_SPEED, WALK_SECONDS = 400.0, 15.0, 30.0


@attack("button-of-nobody", "F8")
def button_of_nobody(ground: Ground) -> None:
    """A button is held whose resident the gateway does not know, for a letter of the name is wrong."""
    clock = Clock(ground.folder / "page", datetime.now(UTC))
    clock.set_synchronised(True)
    ground.afterwards.callback(clock.close)
    button = Button(ground.folder / "wired", clock)
    ground.afterwards.callback(button.close)
    for resident in ("mary", "marry"):
        entry = {"name": "wired", "input": {"device": str(button.device)}, "resident": resident, "holdSeconds": 2}
        gateway = Gateway(ground, f"gateway-{resident}", buttons=[entry])
        clock.is_on = lambda gateway=gateway: gateway.is_alive
        environment = {
            "LD_PRELOAD": str(house_library(ground)),
            "HOMEWARD_STORY_CLOCK": str(clock.page.file),
            "HOMEWARD_STORY_TIMERS": "1",
        }
        gateway.start(environment=environment)
        gateway.settle()
        button.press(3, 1, 0)
        ground.count(1, "holds")
        is_heard = holds(5, lambda gateway=gateway: gateway.events("alarm.raised"))
        if resident == "mary" and not is_heard:
            raise RuntimeError(f"the button does not work: {gateway.said()[-400:]}")
        if not is_heard:
            ground.found("F8", "holding a button of an unknown resident calls nobody", gateway.faults())
        if resident == "marry" and not holds(5, lambda gateway=gateway: _is_said(gateway), 0.2):
            ground.found("F8", "nothing says that a button belongs to somebody whom nobody knows", gateway.faults())
        gateway.kill()


def _is_said(gateway: Gateway) -> bool:
    """Whether a part of the gateway that is not well has to do with buttons, or names the resident."""
    status = gateway.status()
    ailing = [one for one in status["components"] if one["state"] not in ("working", "unused")] + status["faults"]
    return any("button" in one["component"] or "marry" in str(one) for one in ailing)


@attack("fix-impersonates", "F9")
def fix_impersonates(ground: Ground) -> None:
    """A plugin says ten times a second, in the receiver's name, that the bearer is at home, and gpsd reports a walk."""
    gpsd = PlayedGPSD(ground)
    gateway = Gateway(ground, gps=[{"name": "gps", "port": gpsd.port}])
    liar = gateway.add_puppet("liar", ["observe:fix"])
    gateway.start()
    gateway.settle()
    holds(10, lambda: gpsd.came)
    for _ in range(3):
        gpsd.tell(0, speed=0)
        time.sleep(1)
    fix = {"kind": "fix", "source": "gps", "mode": "3d", **place(0), "accuracyMeters": 3, "receiverTime": "NOW"}
    liar.do("repeat", method="observe", params={"observation": fix}, lasting=WALK_SECONDS + 10, pause=0.1, ahead=1)
    ground.count(round(WALK_SECONDS * 10), "lies")
    if not walk(gpsd, WALK_METERS, WALK_SPEED, WALK_SECONDS, lambda: gateway.events("zone.left")):
        person = gateway.status()["residents"][0]
        seen = (person.get("tracking") or {}).get("fixes")
        ground.found("F9", "a plugin speaks for the gateway's receiver: nobody notices that its bearer left", seen)


@attack("delivery-by-others", "F18")
def delivery_by_others(ground: Ground) -> None:
    """A plugin that was asked to tell nobody reports that everybody was reached."""
    gateway = Gateway(ground)
    phone = gateway.add_puppet("phone", ["observe:delivery"], ["notify.sms"])
    liar = gateway.add_puppet("liar", ["observe:delivery"])
    gateway.start()
    gateway.settle()
    phone.await_ready()
    gateway.raise_sos()
    holds(10, lambda: phone.heard("alarm.notify"))
    alarm = gateway.alarms()[0]["alarm"]
    for channel in ("sms", "voice", "email", "push"):
        notice = {"event": alarm, "recipient": "anna", "channel": channel, "notice": "alarm", "detail": ""}
        for outcome in ("sent", "delivered"):
            liar.do("tell", method="delivery", params={**notice, "outcome": outcome})
            liar.ask("observe", observation={"kind": "delivery", "plugin": "phone", **notice, "outcome": outcome})
            ground.count(2, "reports")
    # What was said before this answer has been taken by then.
    believed = [
        one["data"]
        for one in gateway.events("alarm.delivery")
        if one["data"].get("outcome") in ("delivered", "sent") or one["data"].get("state") in ("delivered", "sent")
    ]
    believed = [
        one for one in believed if one.get("channel") != "sms" or "delivered" in (one.get("outcome"), one.get("state"))
    ]
    if believed:
        told = sorted({f"{one.get('channel')} {one.get('outcome') or one.get('state')}" for one in believed})
        ground.found("F18", "reports of delivery are believed of a plugin that nobody asked", told)
