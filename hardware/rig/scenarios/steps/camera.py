"""Steps about the hub's camera."""

import base64

from behave import then, when
from homeward_rig.camera import Picture
from homeward_rig.stage import CheckFailed

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
