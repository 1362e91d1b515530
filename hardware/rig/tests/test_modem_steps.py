from homeward_rig.guest_agent import Completed
from homeward_rig.stage import CheckFailed

from .scripted_peer import with_peers
from .support import CheckTest, fails, steps

MODEM = steps("modem")
READ = (MODEM.PROGRAM, "read")
TEST = ("/usr/bin/test", "-e", MODEM.DEVICE)
SENT = [
    {"number": "+47", "text": "here", "complete": True},
    {"number": "+47", "text": "half", "complete": False},
    {"number": "+48", "text": "elsewhere", "complete": True},
]


class ModemStepsTest(CheckTest):
    def device(self, exists: bool):
        context = self.context()
        context.stage.machine.run = lambda *words, **options: Completed(words, int(not exists), "", "")
        return context

    @fails("within {seconds:g} seconds the hub has the modem", "within {seconds:g} seconds the hub has no modem")
    def test_a_device_that_does_not_come_or_stays_is_noticed(self):
        with self.assertRaises(CheckFailed):
            MODEM.has_modem(self.device(False), 0)
        with self.assertRaises(CheckFailed):
            MODEM.has_no_modem(self.device(True), 0)
        MODEM.has_modem(self.device(True), 0)
        MODEM.has_no_modem(self.device(False), 0)

    @fails('{number} has got "{text}"', "{number} has got {count:d} messages")
    def test_messages_that_did_not_arrive_are_noticed(self):
        context = with_peers(self.context(), modem={"sent": SENT})
        for number, text in (("+47", "half"), ("+47", "elsewhere"), ("+49", "here")):
            with self.assertRaises(CheckFailed):
                MODEM.has_got(context, number, text)
        with self.assertRaises(CheckFailed):
            MODEM.has_got_so_many(context, "+47", 3)
        MODEM.has_got(context, "+47", "here")
        MODEM.has_got_so_many(context, "+47", 2)

    def reported(self, status: int, number: str = "+47", reference: int = 7):
        reports = [{"number": number, "reference": reference, "status": status}]
        context = self.context({READ: {"messages": [], "reports": reports}})
        context.message, context.number = {"references": [7]}, "+47"
        return context

    @fails(
        "within {seconds:g} seconds its delivery is reported",
        "within {seconds:g} seconds it is reported that it could not be delivered",
    )
    def test_a_report_that_lacks_or_says_otherwise_is_noticed(self):
        for context in (self.reported(0x46), self.reported(0, "+48"), self.reported(0, reference=8)):
            with self.assertRaises(CheckFailed):
                MODEM.is_reported(context, 0)
        with self.assertRaises(CheckFailed):
            MODEM.is_reported_lost(self.reported(0), 0)
        MODEM.is_reported(self.reported(0), 0)
        MODEM.is_reported_lost(self.reported(0x46), 0)

    @fails("sending fails: {words}")
    def test_a_message_that_was_sent_after_all_is_noticed(self):
        context = self.context()
        for context.refusal in (None, "another reason"):
            with self.assertRaises(CheckFailed):
                MODEM.failed(context, "No response")
        context.refusal = "No response in time"
        MODEM.failed(context, "No response")

    @fails('the hub reads "{text}" from {number}')
    def test_a_reply_that_was_not_read_is_noticed(self):
        context = self.context({READ: {"messages": [{"number": "+47", "text": "coming"}], "reports": []}})
        for text, number in (("coming", "+48"), ("come", "+47")):
            with self.assertRaises(CheckFailed):
                MODEM.reads(context, text, number)
        MODEM.reads(context, "coming", "+47")

    @fails("the hub is in the mobile network", "the hub is in no mobile network")
    def test_another_state_of_the_network_is_noticed(self):
        at_home = self.context({(MODEM.PROGRAM, "network"): {"state": "HomeNetwork"}})
        searching = self.context({(MODEM.PROGRAM, "network"): {"state": "RequestingNetwork"}})
        with self.assertRaises(CheckFailed):
            MODEM.in_network(searching)
        with self.assertRaises(CheckFailed):
            MODEM.in_no_network(at_home)
        MODEM.in_network(at_home)
        MODEM.in_no_network(searching)
