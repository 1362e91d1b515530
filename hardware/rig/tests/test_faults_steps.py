from homeward_rig.stage import CheckFailed

from .support import STATUS, CheckTest, fails, steps

FAULTS = steps("faults")
LOW = {"faults": [{"component": "store", "state": "degraded", "detail": "One raw trace in ten is kept."}]}
FINE = {"faults": []}


class FaultsStepsTest(CheckTest):
    @fails('within {seconds:g} seconds the hub shows a fault of "{component}": {words}')
    def test_a_fault_that_is_not_shown_or_says_something_else_is_noticed(self):
        FAULTS.shows_fault(self.context({STATUS: LOW}), 0, "store", "One raw trace")
        for status, component, words in ((FINE, "store", "One"), (LOW, "gps/gps", "One"), (LOW, "store", "is full")):
            with self.assertRaisesRegex(CheckFailed, "it shows"):
                FAULTS.shows_fault(self.context({STATUS: status}), 0, component, words)

    @fails('within {seconds:g} seconds the hub shows no fault of "{component}"')
    def test_a_fault_that_stays_is_noticed(self):
        FAULTS.shows_no_fault(self.context({STATUS: FINE}), 0, "store")
        FAULTS.shows_no_fault(self.context({STATUS: LOW}), 0, "gps/gps")
        with self.assertRaises(CheckFailed):
            FAULTS.shows_no_fault(self.context({STATUS: LOW}), 0, "store")
