@DC-11 @SB-6 @SB-9 @PR-2 @NEW-1 @stories
Feature: Who is at the day centre until four is not missed before, and is missed after
  Ada is taken to the day centre in the morning and brought home at four. Meanwhile nobody is alarmed; a power cut forgets
  nothing; who comes home early and goes out again goes out alone; and who does not come back is missed.

  Scenario: family-day-centre
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And Ada stands at home
    And the GPS receiver is plugged in
    And Anna, at +4791234567, is a guardian of Ada
    And the hub tells after 900 seconds that Ada's receiver is silent
    And for Ada the setting reminderQuietHours is none
    Then within 120 seconds "plugin/sms-modem" is working
    And within 120 seconds the hub knows that Ada is at home

    # Monday: there and back, with a power cut between.
    When it becomes Monday 08:55
    And Ada is expected at "Day centre" until 16:00
    Then the status says of Ada: "in Home, expected at Day centre until 16:00"
    When Ada walks to 400 m from home at 1.4 m/s
    Then within 120 seconds the hub reports "zone.left"
    And no alarm is open
    And the status says of Ada: "outside, at Day centre until 16:00"
    When it becomes Monday 12:00
    And the power is cut
    And the hub is switched on again
    And 180 seconds pass
    Then no alarm is open
    And the status says of Ada: "outside, at Day centre until 16:00"
    When it becomes Monday 15:50
    And Ada walks home at 1.4 m/s
    Then within 120 seconds the hub reports "absence.ended"
    And no alarm is open

    # She goes out again, alone: that is no part of it.
    When Ada walks to 400 m from home at 1.4 m/s
    Then within 120 seconds Ada is missed: "left"
    And within 60 seconds Anna has a text message of this alarm: "left Home"
    When +4791234567 answers "1"
    Then within 60 seconds the hub reports "alarm.acknowledged" of this alarm
    When Ada walks home at 1.4 m/s
    Then within 120 seconds the hub reports "alarm.resolved" of this alarm

    # Tuesday: nobody brings her home.
    When it becomes Tuesday 09:00
    And Ada is expected at "Day centre" until 16:00
    And Ada walks to 400 m from home at 1.4 m/s
    And it becomes Tuesday 16:20
    Then no alarm is open
    And the status says of Ada: "outside, expected back from Day centre since 16:00"
    When it becomes Tuesday 16:31
    Then within 60 seconds Ada is missed: "Ada was expected back from Day centre at 16:00."
    And within 60 seconds Anna has a text message of this alarm: "was expected back: 16:00 Day centre"
    When Ada walks home at 1.4 m/s
    Then within 120 seconds the hub reports "alarm.resolved" of this alarm

    # Wednesday: it was planned, and somebody takes it back while she is out.
    When it becomes Wednesday 09:00
    And Ada is expected at "Day centre" until 16:00
    And Ada walks to 400 m from home at 1.4 m/s
    Then no alarm is open
    When nobody expects Ada at "Day centre" any more
    Then within 30 seconds Ada is missed: "was removed"
    When Ada is expected at "Day centre" until 16:00
    Then within 30 seconds the hub reports "alarm.resolved" of this alarm
    And no alarm is open
