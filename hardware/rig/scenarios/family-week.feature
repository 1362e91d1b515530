@DC-3 @DC-4 @DC-5 @DC-6 @DC-11 @EG-11 @PR-2 @PR-3 @PR-4 @SB-6 @SB-9 @NEW-1 @stories
Feature: A family's week: two people at home, four who help in four ways, medicine, walks, alarms, and things that break
  Ada and Bert live together. Anna has a telephone, Erik cares for Ada in the house, Frida reads mail and stands in reserve,
  Bo looks after Bert and gets pushes. After every sentence all who tell of the household have to tell the same: status,
  broker, Home Assistant, events, text messages, mails, pushes.

  Scenario: family-week
    Given a broker
    And a modem on USB
    And the hub is one for alarms
    And the hub has a mail server for alarms
    And the hub has a push service for alarms, which knows Bo
    And the hub is on
    And somebody listens in the room
    And Ada lives at home, a safe zone of 25 m with 50 m beyond its edge
    And "Sister" is another safe zone of Ada, of 40 m, 300 m from home
    And "Day centre" is another safe zone of Ada, of 40 m, 800 m from home
    And Bert lives by the clock of Etc/UTC
    And Ada stands at home
    And the GPS receiver is plugged in
    And Anna, at +4791234567, is a guardian of Ada
    And Erik, at +4798765432, is a caregiver of Ada
    And Frida, reached by mail alone, is a guardian in reserve of Ada
    And Bo, reached by push alone, is a caregiver of Bert
    And the hub tells after 900 seconds that Ada's receiver is silent
    And for Ada the setting resendSeconds is 60
    And for Ada the setting tierSeconds is 120
    And for Ada the setting reminderQuietHours is 22:00-07:00
    And for Bert the setting reminderQuietHours is none
    And Ada's PIN is 2468
    And the routine of Ada has the critical medicine "Heart tablet", every day at 08:00
    And the routine of Ada has the item "Water the flowers", every day at 10:00
    And the routine of Ada has the item "Ring Grete", every day at 23:00
    And the routine of Bert has the medicine "Evening tablet", every day at 20:00
    Then within 120 seconds "plugin/sms-modem" is working
    And within 60 seconds "plugin/email" is working
    And within 60 seconds "plugin/apprise" is working
    And within 180 seconds "speech" is working
    And within 60 seconds "sound" is working
    And within 60 seconds "button/wired" is working
    And within 120 seconds the hub knows that Ada is at home

    # Monday: a day as it should be. What is due in the quiet hours is not said in them.
    When the room is listened to from now on
    And it becomes Monday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    And within 60 seconds a chime is heard, then a voice
    When a caregiver says that "Heart tablet" is done
    Then within 20 seconds "Heart tablet" counts as done, by local
    When it becomes Monday 10:00
    Then within 60 seconds the hub reminds Ada of "Water the flowers"
    When the wired button is clicked once
    Then within 20 seconds "Water the flowers" counts as done, by button
    When it becomes Monday 20:00
    Then within 60 seconds the hub reminds Bert of "Evening tablet"
    When a caregiver says that "Evening tablet" is done
    Then no alarm is open
    When it becomes Monday 21:45
    Then within 60 seconds the hub reminds Ada of "Ring Grete"
    When a caregiver says that "Ring Grete" is done
    And it becomes Monday 22:00
    Then for 5400 seconds the hub does not remind Ada of "Ring Grete"

    # Tuesday: from home to the sister and back is no danger; then Ada goes further, and somebody hears of it.
    When it becomes Tuesday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    And it becomes Tuesday 11:00
    And Ada walks to 300 m from home at 2.5 m/s
    And 120 seconds pass
    Then no alarm is open
    When Ada walks home at 2.5 m/s
    And 120 seconds pass
    Then no alarm is open
    When it becomes Tuesday 14:00
    And Ada walks to 170 m from home at 2.5 m/s
    Then within 300 seconds Anna has a text message about "left"
    And the hub shows since when Ada has been away
    When Ada walks home at 2.5 m/s
    Then within 120 seconds the hub knows that Ada is at home
    And the hub shows no time away for Ada
    And within 120 seconds no alarm about a person is open

    # Wednesday: two SOS that were none. The first ends before anybody hears of it, the second with Ada's PIN.
    When it becomes Wednesday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    And it becomes Wednesday 11:00
    And an SOS is raised for Ada
    And Ada cancels the SOS
    Then within 30 seconds the hub reports "alarm.cancelled" of this alarm
    And no alarm is open
    When the room is listened to from now on
    And somebody holds the wired button for 3.5 seconds
    Then within 30 seconds an SOS of Ada is open
    And within 60 seconds the SOS ringtone is heard, for 5 seconds or longer
    And within 60 seconds Anna has a text message of this alarm: "needs help"
    When Ada cancels the SOS with the PIN 2468: "I only slipped, all is well"
    Then that looks to her as if it were over
    And within 60 seconds Anna has a text message of this alarm: "I only slipped, all is well"
    And Frida has no mail of this alarm
    And no alarm is open
    And within 60 seconds no alarm sounds any more

    # Thursday: an SOS that nobody answers at first. More are called, each by the way that they have.
    When it becomes Thursday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    And it becomes Thursday 15:00
    And an SOS is raised for Ada
    Then within 60 seconds Anna has a text message of this alarm: "needs help"
    And within 60 seconds Erik has a text message of this alarm: "needs help"
    And Frida has no mail of this alarm
    And within 120 seconds Anna is told of this alarm once more
    And within 180 seconds Frida has a mail of this alarm: "needs help"
    When +4791234567 answers "1"
    Then within 60 seconds the hub reports "alarm.acknowledged" of this alarm
    And it was Anna who did that
    And within 60 seconds Frida has a mail of this alarm: "Anna"
    And within 60 seconds no alarm sounds any more
    When Erik resolves the alarm: "She had only slipped, I am with her"
    Then within 60 seconds Anna has a text message of this alarm: "OVER"
    And within 60 seconds Frida has a mail of this alarm: "OVER"
    And no alarm is open

    # Friday: the broker is away, the heart tablet is not taken; Bert takes his early, and is not asked again.
    When it becomes Friday 07:30
    And the broker vanishes
    And it becomes Friday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    And within 7200 seconds the hub reports "medicine.missed"
    And within 300 seconds Anna has a text message about "MEDICINE"
    When the broker comes back
    And a caregiver says that "Heart tablet" is done
    Then within 60 seconds no alarm about a person is open
    And within 600 seconds "plugin/mqtt" is working
    When it becomes Friday 19:50
    And a caregiver says that "Evening tablet" is done
    And it becomes Friday 20:00
    Then for 1800 seconds the hub does not remind Bert of "Evening tablet"

    # Saturday: the pushes are away when Bert calls, and the disk is full.
    When it becomes Saturday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    And the plugin "apprise" is taken away
    Then within 60 seconds the hub does without "plugin/apprise"
    When the data disk fills up to the last byte
    And an SOS is raised for Bert
    And 60 seconds pass
    Then Bo has no push of this alarm
    When the plugin "apprise" is given back
    Then within 300 seconds Bo has a push of this alarm: "needs help"
    When the data disk has room again
    And Bo resolves the alarm: "He is in bed, and well"
    Then within 60 seconds Bo has a push of this alarm: "OVER"
    And within 120 seconds "store" is working
    And no alarm is open

    # Sunday: the modem is pulled out. Frida hears by mail; Anna does as soon as the modem is back.
    When it becomes Sunday 08:00
    Then within 60 seconds the hub reminds Ada of "Heart tablet"
    When a caregiver says that "Heart tablet" is done
    And it becomes Sunday 13:00
    And the modem is unplugged
    And an SOS is raised for Ada
    Then within 300 seconds Frida has a mail of this alarm: "needs help"
    When the modem is plugged in again
    Then within 600 seconds Anna has a text message of this alarm: "needs help"
    When +4791234567 answers "1"
    Then within 60 seconds the hub reports "alarm.acknowledged" of this alarm
    When Erik resolves the alarm: "She is with me"
    Then within 60 seconds Anna has a text message of this alarm: "OVER"
    And within 60 seconds Frida has a mail of this alarm: "OVER"

    # Monday morning: looking back.
    When it becomes Monday 07:00
    Then "Heart tablet" was taken 7 times and missed 0 times
    And "Evening tablet" was taken 2 times and missed 5 times
    # To the sister and back, and once further.
    And Ada was outside of every safe zone 3 times in all
    And no due time was told twice, nor went on after its end
