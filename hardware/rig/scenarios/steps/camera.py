"""Steps about the hub's camera."""

import base64

from behave import then, when
from homeward_rig.camera import Picture
from homeward_rig.stage import CheckFailed, eventually

CAMERA = "/dev/video0"


@when("the hub takes a picture of {width:d} by {height:d} points")
def take(context, width, height):
    machine, file = context.stage.machine, "/run/rig-picture"
    machine.run(
        "/usr/bin/v4l2-ctl",
        f"--device={CAMERA}",
        f"--set-fmt-video=width={width},height={height},pixelformat=YUYV",
        "--stream-mmap",
        "--stream-count=1",
        f"--stream-to={file}",
    )
    data = base64.b64decode(machine.run("/usr/bin/base64", "--wrap=0", file).output)
    try:
        context.picture = Picture.from_yuyv(data, width, height)
    except ValueError as error:
        raise CheckFailed(str(error)) from None
    number = len(list(context.stage.folder.glob("picture-*.pgm"))) + 1
    context.picture.save(context.stage.folder / f"picture-{number}.pgm")


@when("a hand covers the camera")
def cover(context):
    # The simulated camera has no lens; with no brightness and no contrast its picture is what a covered lens gives.
    set_controls(context, "brightness=0,contrast=0")


@when("the hand is taken away")
def uncover(context):
    set_controls(context, "brightness=128,contrast=128")


def set_controls(context, controls):
    context.stage.machine.run("/usr/bin/v4l2-ctl", f"--device={CAMERA}", f"--set-ctrl={controls}")


@then("there is something to be seen in the picture")
def something_seen(context):
    picture = context.picture
    if picture.is_black or picture.contrast < 10:
        raise CheckFailed(
            f"the picture is one grey: brightness {picture.brightness:.0f} of 255, contrast {picture.contrast:.0f}"
        )


@then("the picture is black")
def black(context):
    if not context.picture.is_black:
        raise CheckFailed(f"the picture is not black: brightness {context.picture.brightness:.0f} of 255")


# Pictures that Homeward took for an alarm


@when("a caregiver asks for a picture of {name}")
def ask_for(context, name):
    context.stage.hub.homeward("photo", "take", "--resident", name)


def reports_of_pictures(context):
    """What the hub says of this alarm's pictures, oldest first."""
    entries = context.stage.hub.homeward("events", "--type", "alarm.photo", "--limit", "100")
    events = entries[::-1]
    return [event for event in events if event["data"].get("alarm") == context.alarm.identity]


@then("within {seconds:g} seconds picture {number:d} of this alarm is there, a JPEG file")
def is_there(context, seconds, number):
    """The file that its event names."""

    def taken():
        found = [event for event in reports_of_pictures(context) if event["data"].get("path")]
        return found[number - 1] if len(found) >= number else None

    try:
        event = eventually(f"picture {number} of alarm {context.alarm.tag}", seconds, taken)
    except CheckFailed as failure:
        said = [event["data"] for event in reports_of_pictures(context)]
        raise CheckFailed(f"{failure}; the hub says {said or 'nothing'}") from None
    encoded = context.stage.machine.run("/usr/bin/base64", "--wrap=0", event["data"]["path"]).output
    data = base64.b64decode(encoded)
    try:
        context.picture = Picture.from_jpeg(data)
    except ValueError as error:
        raise CheckFailed(str(error)) from None
    (context.stage.folder / f"picture-{number}.jpg").write_bytes(data)


@then("within {seconds:g} seconds the hub reports that there is no picture, and why")
def no_picture(context, seconds):
    def told():
        said = [event["data"] for event in reports_of_pictures(context)]
        return said and not said[-1].get("path") and (said[-1].get("detail") or said[-1].get("explanation"))

    try:
        eventually("a report that there is no picture", seconds, told)
    except CheckFailed as failure:
        said = [event["data"] for event in reports_of_pictures(context)]
        raise CheckFailed(f"{failure}; the hub says {said or 'nothing'}") from None
