import Care
import ControlSocket
import Door
import Foundation
import JSON
import Testing
import Texts

@Suite struct AlarmCommandTests {
  /// Words of the command line and the one request that must follow.
  private static let requests: [([String], Command.Request)] = [
    (
      ["sos", "raise", "--why", "fell in the bath"],
      .alarm(
        .raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "fell in the bath"))
    ),
    (
      ["sos", "cancel", "--message", "only slipped"],
      .alarm(.cancel(resident: "mary", pin: nil, message: "only slipped"))
    ),
    (
      ["sos", "acknowledge", "A7K2", "--by", "ANNA"],
      .alarm(.acknowledge(alarm: "A7K2", by: "anna"))
    ),
    (
      ["sos", "acknowledge", "--by", "+47 998 87 766"], .alarm(.acknowledge(alarm: nil, by: "tom"))
    ),
    (
      ["sos", "resolve", "A7K2", "--by", "anna", "--reason", "with her"],
      .alarm(.resolve(alarm: "A7K2", by: "anna", reason: "with her"))
    ),
    (["alarm", "silence"], .alarm(.silence)),
    (["alarm", "test", "--resident", "mary"], .alarm(.test(resident: "mary"))),
    (["photo", "take"], .alarm(.photograph(resident: "mary"))),
    (["pin", "remove"], .alarm(.setPIN(resident: "mary", kind: .okay, pin: nil))),
    (["pin", "remove", "--duress"], .alarm(.setPIN(resident: "mary", kind: .duress, pin: nil))),
    (
      ["emergency", "confirm", "k7q2zd"],
      .alarm(.confirmEmergency(resident: "mary", code: "K7Q2ZD"))
    ),
    (["emergency", "disable"], .alarm(.disableEmergency(resident: "mary"))),
    (["emergency", "text", "--yes"], .alarm(.contactEmergency(resident: "mary", mode: .text))),
    (["emergency", "call", "--yes"], .alarm(.contactEmergency(resident: "mary", mode: .call))),
    (["fake-call", "start"], .room(.startFakeCall(resident: "mary", afterSeconds: 0))),
    (
      ["fake-call", "start", "--in", "10s"],
      .room(.startFakeCall(resident: "mary", afterSeconds: 10))
    ),
    (
      ["fake-call", "start", "--in=5m"], .room(.startFakeCall(resident: "mary", afterSeconds: 300))
    ),
    (["fake-call", "answer"], .room(.answerFakeCall)), (["fake-call", "end"], .room(.endFakeCall)),
    (["say", "Lunch", "is ready."], .room(.say(text: "Lunch is ready.", language: "en"))),
    (["say", "--language", "zh", "午饭好了。"], .room(.say(text: "午饭好了。", language: "zh"))),
    (["help", "--for", "resident", "--speak"], .room(.speakHelp(language: "en"))),
    (["guardians", "remove", "Tom"], .removeGuardian("tom")),
  ]

  @Test func everyCommandAsksForExactlyOneThing() async throws {
    for (words, request) in Self.requests {
      let daemon = try await FakeDaemon.withAlarms()
      let outcome = try daemon.tool.run(words)
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
      #expect(!outcome.output.isEmpty, "\(words)")
      let asked = try await daemon.commands.map { try Command.Request(json: $0) }
      #expect(asked == [request], "\(words)")
      await daemon.stop()
    }
  }

  @Test func aRefusalOfTheDaemonIsShownAndNothingIsClaimed() async throws {
    let refusal = CommandReply.Refusal(.conflict, Message(verbatim: "Tom took charge already."))
    for (words, _) in Self.requests where words.first != "help" {
      let daemon = try await FakeDaemon.withAlarms(refusal: refusal)
      let outcome = try daemon.tool.run(words)
      #expect(outcome.code == 4 && outcome.output.isEmpty, "\(words): \(outcome.output)")
      #expect(outcome.errors == "homeward: Tom took charge already.\n", "\(words)")
      await daemon.stop()
    }
  }

  @Test func whatIsRaisedCanBeFollowedByItsTag() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.run(["sos", "raise"])
    #expect(outcome.output.contains("Help for Mary O'Neil is being called. Alarm A7K2."))
    #expect(outcome.output.contains("homeward alarm show A7K2"))
    let json = try daemon.tool.run(["sos", "raise", "--json"]).output
    #expect(try JSONValue(parsing: json) == ["alarm": "a1", "tag": "A7K2"])
    await daemon.stop()
  }

  @Test(arguments: [
    (["sos", "acknowledge"], "say who takes charge: --by GUARDIAN."),
    (["sos", "resolve", "--by", "anna"], "needs --by GUARDIAN and --reason TEXT."),
    (["sos", "resolve", "--by", "anna", "--reason", "  "], "needs --by GUARDIAN"),
    (["fake-call", "start", "--in", "2m"], "--in must be now, 10s, 30s, 1m or 5m"),
    (["say", " "], "a text of 1 through 500 letters"),
    (["say", "--language", "nb", "Hei"], "--language must be en or zh"),
    (["help", "--for", "doctor"], "--for must be resident"),
    (["help", "--speak"], "add --for resident"),
    (["help", "--for", "resident", "zones"], "about no command"),
    (["emergency", "text"], "add --yes"), (["emergency", "call"], "add --yes"),
    (["emergency", "prepare", "--country", "GB"], "needs --country CODE and --text TEXT."),
    (
      ["emergency", "prepare", "--country", "GB", "--text", "x", "--registered", "2 May"],
      "a date such as 2026-11-02"
    ),
    (["guardians", "add", "--phone", "1"], "say the name"),
    (["guardians", "add", "--name", "Zoe"], "say how to reach Zoe"),
    (
      ["guardians", "add", "--name", "Zoe", "--push", "x", "--tier", "4"],
      "--tier must be 1, 2 or 3"
    ),
    (["guardians", "edit", "tom"], "say what to change"),
    (["guardians", "edit", "tom", "--without", "pigeon"], "--without must be sms, voice"),
    (["guardians", "edit", "tom", "--language", "fr"], "--language must be en or zh"),
    (["guardians", "edit", "tom", "--caregiver", "--no-caregiver"], "contradict"),
    (["sos", "rase"], "Did you mean \"homeward sos raise\"?"),
    (["pin", "set", "2468"], "\"2468\" is one word too many."),
    (["sos", "cancel", "--pin=2468"], "--pin takes no value."),
  ]) func whatIsNotUnderstoodIsSaidAndNothingIsAsked(words: [String], sentence: String) async throws
  {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.run(words)
    #expect(outcome.code == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.errors.contains("Try: homeward"), "\(outcome.errors)")
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test func aStrangerCannotTakeCharge() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    for stranger in ["bob", "+47 400 00 000", ""] {
      let outcome = try daemon.tool.run(["sos", "acknowledge", "--by", stranger])
      #expect(outcome.code == 4)
      #expect(outcome.errors.contains("There are: anna (Anna), tom (Tom)"), "\(outcome.errors)")
    }
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test func theCodeOfTheEmergencySetUpComesWithItsMeaning() async throws {
    let daemon = try await FakeDaemon.withAlarms(reply: [
      "code": "K7Q2ZD", "explanation": "Texts go to 999.",
    ])
    let words = [
      "emergency", "prepare", "--country", "gb", "--registered", "2026-11-02", "--text", "Mary, 81",
    ]
    let outcome = try daemon.tool.run(words)
    #expect(outcome.output.hasPrefix("Texts go to 999.\n"))
    #expect(outcome.output.contains("homeward emergency confirm K7Q2ZD --resident mary"))
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    #expect(
      request
        == .alarm(
          .prepareEmergency(
            resident: "mary", profile: "GB", registered: "2026-11-02", text: "Mary, 81")))
    await daemon.stop()
  }
}

@Suite struct GuardianCommandTests {
  @Test func guardiansAreShownWithTheWaysThatLeadToThem() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.run(["guardians", "--resident", "mary"])
    #expect(
      outcome.output == """
        ID    NAME  RESIDENT  TIER  CAREGIVER  REACHED BY
        anna  Anna  mary      1     yes        sms +4791234567, voice +4791234567, email anna@example.org
        tom   Tom   mary      2     -          sms +4799887766

        """)
    let listed = await daemon.requests.last { $0.method == .guardiansList }
    #expect(listed?.params == ["resident": "mary"])
    let json = try daemon.tool.run(["guardians", "--json"]).output
    #expect(try JSONValue(parsing: json) == [AlarmPeople.anna.json, AlarmPeople.tom.json])
    await daemon.stop()
  }

  @Test func withoutGuardiansItIsSaidThatNobodyWouldBeTold() async throws {
    let daemon = try await FakeDaemon.withAlarms(guardians: [])
    #expect(try daemon.tool.run(["guardians"]).output.contains("nobody would be told"))
    await daemon.stop()
  }

  @Test func aNumberIsPassedOnAsItIsWrittenForTheDaemonKnowsTheCountry() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let outcome = try daemon.tool.run([
      "guardians", "add", "--name", "Anna", "--phone", "412 34 567", "--tier", "3", "--without",
      "voice", "--without", "sms", "--caregiver",
    ])
    #expect(outcome.output.hasPrefix("Added Anna as anna-2, a guardian of Mary O'Neil."))
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    #expect(
      request
        == .putGuardian(
          Guardian(
            id: "anna-2", resident: "mary", name: "Anna", phone: "412 34 567",
            withoutChannels: [.sms, .voice], tier: 3, isCaregiver: true)))
    await daemon.stop()
  }

  @Test func whatIsNotNamedStaysAndAnEmptyTextTakesAnAddressAway() async throws {
    let daemon = try await FakeDaemon.withAlarms()
    let words = [
      "guardians", "edit", "anna", "--email", "", "--tier", "2", "--no-caregiver", "--language",
      "zh",
    ]
    #expect(try daemon.tool.run(words).output == "Changed Anna.\n")
    #expect(try daemon.tool.run(["guardians", "edit", "tom", "--with-all"]).code == 0)
    var (changedAnna, changedTom) = (AlarmPeople.anna, AlarmPeople.tom)
    (changedAnna.email, changedAnna.tier, changedAnna.isCaregiver) = (nil, 2, false)
    changedAnna.language = "zh"
    changedTom.withoutChannels = []
    let requests = try await daemon.commands.map { try Command.Request(json: $0) }
    #expect(requests == [.putGuardian(changedAnna), .putGuardian(changedTom)])
    await daemon.stop()
  }
}
