@CARD-10 @NEW-4 @NEW-5 @full
Feature: The hub's modem sends text messages, hears of their delivery, and says when it cannot
  Guardians need no account and no app: a text message reaches them. The modem is on USB. It sends, long texts and
  foreign letters too, and tells what became of it. A network that refuses, a modem that hangs or is pulled out is
  noticed, and nobody takes a message for sent that was not.

  Scenario: modem-speaks
    Given a modem on USB
    And the hub is on
    Then within 60 seconds the hub has the modem
    And the hub is in the mobile network
    When the message "Ada has left home. 老王 is on his way." is sent to +4791234567
    Then +4791234567 has got "Ada has left home. 老王 is on his way."
    And within 60 seconds its delivery is reported
    When +4791234567 answers "I see her. All is well 😀"
    Then the hub reads "I see her. All is well 😀" from +4791234567
    When messages do not reach their phones
    And the message "Are you there?" is sent to +4791234567
    Then within 60 seconds it is reported that it could not be delivered
    When the mobile network refuses the next message
    And the message "This one is refused" is sent to +4791234567
    Then sending fails: the modem refused it
    And +4791234567 has got 2 messages
    When the mobile network is lost
    Then the hub is in no mobile network
    When the mobile network is found
    And the modem is unplugged
    Then within 60 seconds the hub has no modem
    When the message "Nobody takes this one" is sent to +4791234567
    Then sending fails: there is no modem
    When the modem is plugged in again
    Then within 60 seconds the hub has the modem
    When messages reach their phones again
    And the message "Ada is at home" is sent to +4791234567
    Then +4791234567 has got "Ada is at home"
    And within 60 seconds its delivery is reported
    When the modem hangs
    And the message "No answer to this one" is sent to +4791234567
    Then sending fails: the modem does not answer
    And +4791234567 has got 3 messages
