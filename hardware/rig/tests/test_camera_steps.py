import base64
import io
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from homeward_rig.alarms import Alarm
from homeward_rig.camera import Picture
from homeward_rig.stage import CheckFailed
from PIL import Image

from .support import EVENTS, CheckTest, fails, steps

CAMERA = steps("camera")
BLACK = Picture.from_yuyv(bytes([16, 128]) * 400, 20, 20)
GREY = Picture.from_yuyv(bytes([120, 128]) * 400, 20, 20)
STRIPED = Picture.from_yuyv(bytes([40, 128, 200, 128]) * 200, 20, 20)


class CameraStepsTest(CheckTest):
    @fails("there is something to be seen in the picture")
    def test_a_picture_that_shows_nothing_is_noticed(self):
        for picture in (BLACK, GREY):
            with self.assertRaises(CheckFailed):
                CAMERA.something_seen(SimpleNamespace(picture=picture))
        CAMERA.something_seen(SimpleNamespace(picture=STRIPED))

    @fails("the picture is black")
    def test_a_picture_that_is_not_black_is_noticed(self):
        for picture in (GREY, STRIPED):
            with self.assertRaises(CheckFailed):
                CAMERA.black(SimpleNamespace(picture=picture))
        CAMERA.black(SimpleNamespace(picture=BLACK))

    def photographed(self, *reports: dict, file: bytes = b"") -> SimpleNamespace:
        """A hub that has said this of the alarm's pictures, all of which are this file."""
        entries = [{"sequence": n, "data": data} for n, data in enumerate(reports, 1)][::-1]
        outputs = {EVENTS: entries, ("/usr/bin/base64",): base64.b64encode(file).decode()}
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        context = self.context(outputs, Path(folder.name))
        context.alarm = Alarm("0199", "A7K2")
        return context

    @fails("within {seconds:g} seconds picture {number:d} of this alarm is there, a JPEG file")
    def test_a_picture_that_lacks_or_is_anothers_or_no_jpeg_is_noticed(self):
        jpeg = io.BytesIO()
        Image.fromarray(np.tile(np.arange(0, 240, 6, np.uint8), (30, 1))).save(jpeg, "JPEG")
        whole = jpeg.getvalue()
        own = {"alarm": "0199", "path": "/a.jpg"}
        for what, reports, number, file in (
            ("none", (), 1, whole),
            ("another alarm's", ({**own, "alarm": "0200"},), 1, whole),
            ("only one", (own,), 2, whole),
            ("no path", ({"alarm": "0199", "detail": "no camera"},), 1, whole),
            ("cut short", (own,), 1, whole[:-20]),
            ("nothing in it", (own,), 1, b"\xff\xd8\xff\xd9"),
            ("a text", (own,), 1, b"picture"),
        ):
            with self.subTest(what), self.assertRaises(CheckFailed):
                CAMERA.is_there(self.photographed(*reports, file=file), 0, number)
        context = self.photographed(own, own, file=whole)
        CAMERA.is_there(context, 0, 2)
        self.assertEqual(context.picture.size, (40, 30))
        CAMERA.something_seen(context)

    @fails("within {seconds:g} seconds the hub reports that there is no picture, and why")
    def test_a_hub_that_hides_that_it_has_no_picture_is_noticed(self):
        own = {"alarm": "0199", "path": "/a.jpg"}
        failed = {"alarm": "0199", "detail": "there is no camera"}
        for reports in ((), (own,), (failed, own), ({"alarm": "0199"},), ({**failed, "alarm": "0200"},)):
            with self.subTest(reports), self.assertRaises(CheckFailed):
                CAMERA.no_picture(self.photographed(*reports), 0)
        CAMERA.no_picture(self.photographed(own, failed), 0)
