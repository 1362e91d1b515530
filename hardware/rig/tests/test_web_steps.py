from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import CheckTest, fails, steps

WEB = steps("web")


class WebStepsTest(CheckTest):
    def endpoint(self, *statuses: int | None):
        context = with_peers(
            self.context(),
            web_server={
                "requests": [{"text": "before", "status": 202}, *({"text": "x", "status": each} for each in statuses)]
            },
        )
        context.requests_before = 1
        return context

    @fails("nothing was sent to the web endpoint since")
    def test_a_request_that_should_not_come_is_noticed(self):
        with self.assertRaises(CheckFailed):
            WEB.nothing_sent(self.endpoint(None))
        WEB.nothing_sent(self.endpoint())

    @fails("the web endpoint was asked in vain since")
    def test_no_request_or_an_accepted_one_is_noticed(self):
        for statuses in ((), (None, 202)):
            with self.assertRaises(CheckFailed):
                WEB.asked_in_vain(self.endpoint(*statuses))
        WEB.asked_in_vain(self.endpoint(None, 503))
