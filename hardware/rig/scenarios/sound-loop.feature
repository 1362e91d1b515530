@CARD-10 @NEW-5 @full
Feature: What the hub plays is heard, and what is said near it reaches its microphone
  Tones are played on a real sound driver and measured where they are heard: pitch, length, pauses, purity. Silence is
  silence. The speaker's plug is pulled and put back. The microphone hears what sounds near it.

  Scenario: sound-loop
    Given the hub is on
    And somebody listens in the room
    Then within 120 seconds the hub finds its speaker
    And for 1 seconds nothing is heard

    When the hub plays 3 tones of 523.25 Hz, 0.3 seconds each with pauses of 0.2 seconds
    Then 3 tones of 523.25 Hz are heard, 0.3 seconds each with pauses of 0.2 seconds
    When the hub plays a tone of 1000 Hz for 3 seconds
    Then a tone of 1000 Hz is heard for 3 seconds
    And for 1 seconds nothing is heard

    When the speaker is unplugged
    Then within 60 seconds the hub misses its speaker
    When the speaker is plugged in again
    Then within 60 seconds the hub finds its speaker
    When the hub plays a tone of 700 Hz for 1 seconds
    Then a tone of 700 Hz is heard for 1 seconds

    Given a microphone is plugged in
    Then within 60 seconds the hub finds its microphone
    When the hub records for 1 seconds
    Then its recording is silent
    When a tone of 880 Hz sounds near the microphone for 1 seconds, while the hub records
    Then its recording has a tone of 880 Hz for 1 seconds
