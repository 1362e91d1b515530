from types import SimpleNamespace

from homeward_rig.camera import Picture
from homeward_rig.stage import CheckFailed

from .support import CheckTest, fails, steps

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
