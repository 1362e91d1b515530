@DC-4 @DC-11 @PR-2 @SB-6 @SB-9 @NEW-1 @stories
Feature: A walk to the sister is no danger, an early dose is one dose, and an answer needs no clock
  Ada has three safe zones. Who walks from one into another has left none of what keeps her safe, once she is there. A
  tablet that is taken a little early is not asked for again. Whoever answers an SOS takes charge, whatever the clock says.

  Scenario: family-sister
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub is on
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And "Sister" is another safe zone of Ada, of 40 m, 400 m from home
    And "Day centre" is another safe zone of Ada, of 40 m, 800 m from home
    And Ada stands at home
    And the GPS receiver is plugged in
    And Anna, at +4791234567, is a guardian of Ada
    And the hub tells after 900 seconds that Ada's receiver is silent
    And for Ada the setting reminderQuietHours is none
    And the routine of Ada has the medicine "Evening tablet", every day at 20:00
    Then within 120 seconds "plugin/sms-modem" is working
    And within 120 seconds the hub knows that Ada is at home

    # She walks to her sister: on the way she is outside of all zones, and in the sister's house she is not.
    When Ada walks to 400 m from home at 1.4 m/s
    And 120 seconds pass
    Then no alarm is open
    When Ada walks home at 1.4 m/s
    And 120 seconds pass
    Then no alarm is open
    And within 60 seconds the hub knows that Ada is at home

    # Ten minutes early is early enough, and once is enough.
    When it becomes Monday 19:50
    And a caregiver says that "Evening tablet" is done
    And it becomes Monday 20:00
    Then for 1800 seconds the hub does not remind Ada of "Evening tablet"
    And no alarm is open

    # Nobody knows the time, and Anna's answer counts.
    When somebody unplugs the GPS receiver
    And the power fails, and the hub wakes in 1970 with nobody to tell it the time
    And an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    When +4791234567 answers "1"
    Then within 60 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Anna who did that
