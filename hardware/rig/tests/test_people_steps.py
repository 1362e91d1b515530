from homeward_rig.gps.walker import Place
from homeward_rig.stage import CheckFailed

from .support import EVENTS, STATUS, CheckTest, fails, steps

PEOPLE = steps("people")


def status(presence="inside", **tracking):
    zones = [{"zoneName": "Home", "presence": presence, "isHome": True}]
    return {"residents": [{"name": "Ada", "tracking": {"zones": zones, **tracking}}]}


class PeopleStepsTest(CheckTest):
    @fails(
        "within {seconds:g} seconds the hub knows that {name} is at home",
        "within {seconds:g} seconds the hub knows that {name} is away from home",
    )
    def test_who_is_elsewhere_or_unknown_is_noticed(self):
        for presence in ("outside", "uncertain", "unknown"):
            with self.assertRaisesRegex(CheckFailed, presence):
                PEOPLE.knows_at_home(self.context({STATUS: status(presence)}), 0, "Ada")
        with self.assertRaises(CheckFailed):
            PEOPLE.knows_at_home(self.context({STATUS: {"residents": []}}), 0, "Ada")
        with self.assertRaisesRegex(CheckFailed, "inside"):
            PEOPLE.knows_away(self.context({STATUS: status()}), 0, "Ada")
        PEOPLE.knows_at_home(self.context({STATUS: status()}), 0, "Ada")
        PEOPLE.knows_away(self.context({STATUS: status("outside")}), 0, "Ada")

    @fails("within {seconds:g} seconds the hub records where {name} is, {meters:g} m from home, because somebody asked")
    def test_a_position_that_nobody_gets_or_that_is_elsewhere_is_noticed(self):
        def context(reason, meters):
            latitude, longitude = Place.at(meters, 90).degrees
            data = {"reason": reason, "latitude": latitude, "longitude": longitude}
            return self.context({EVENTS: [{"sequence": 3, "type": "location.recorded", "data": data}]})

        for reason, meters in (("aged", 100), ("refresh", 0), ("refresh", 300)):
            with self.assertRaises(CheckFailed):
                PEOPLE.records_because_asked(context(reason, meters), 0, "Ada", 100)
        PEOPLE.records_because_asked(context("refresh", 104), 0, "Ada", 100)

    @fails("{name} has been away for {least:g} to {most:g} seconds when that is reported")
    def test_a_wrong_time_away_is_noticed(self):
        context = self.context()
        for data in ({}, {"awaySeconds": 4}, {"awaySeconds": 3600}):
            context.event = {"data": data}
            with self.assertRaises(CheckFailed):
                PEOPLE.away_for(context, "Ada", 5, 100)
        context.event = {"data": {"awaySeconds": 40}}
        PEOPLE.away_for(context, "Ada", 5, 100)

    @fails("the hub shows since when {name} has been away", "the hub shows no time away for {name}")
    def test_a_time_away_that_lacks_or_stays_is_noticed(self):
        away = self.context({STATUS: status("outside", leftHomeAt="2026-11-20T12:00:00.000Z")})
        home = self.context({STATUS: status()})
        nobody = self.context({STATUS: {"residents": []}})
        for context in (home, nobody):
            with self.assertRaises(CheckFailed):
                PEOPLE.shows_away(context, "Ada")
        for context in (away, nobody):
            with self.assertRaises(CheckFailed):
                PEOPLE.shows_no_time_away(context, "Ada")
        PEOPLE.shows_away(away, "Ada")
        PEOPLE.shows_no_time_away(home, "Ada")
