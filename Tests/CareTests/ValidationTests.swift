import Care
import Testing
import Texts

/// What people type is taken, or they are told how to write it.
@Suite("What people type") struct ValidationTests {
  private func message(_ validate: () throws(CommandReply.Refusal) -> Void) -> String? {
    do throws(CommandReply.Refusal) { try validate() } catch {
      #expect([.invalid, .unknownTarget].contains(error.code))
      #expect(error.message.text(in: .zh) != error.message.text(in: .en))
      return error.message.description
    }
    return nil
  }

  @Test(
    "An id is short and plain",
    arguments: [
      ("a", true), ("0", true), ("mary-2", true),
      (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
      ("", false), ("Mary", false), ("a b", false), ("a_b", false), ("a/b", false), ("ä", false),
      ("a\n", false), ("..", false),
    ])
  func ids(text: String, isTaken: Bool) {
    let told = message { () throws(CommandReply.Refusal) in
      try Validation.id(text, of: "zone")
    }
    let advice = "The id of a zone has 1 through 64 lower-case letters, digits and hyphens."
    #expect(told == (isTaken ? nil : advice))
  }

  @Test("A kind of thing has a name in each language, and one that is not known its own")
  func nouns() {
    for kind in ["resident", "zone", "bookmark", "guardian", "note", "message", "tag"] {
      #expect(Validation.noun(kind).text(in: .en) == kind)
      #expect(Validation.noun(kind).text(in: .zh) != kind)
    }
    #expect(Validation.noun("absence").description == "planned absence")
    #expect(Validation.noun("kettle").text(in: .zh) == "kettle")
  }

  @Test(
    "A name is on one line, in any script",
    arguments: [
      ("M", true), ("李 🙂", true), ("Anna  Lee", true),
      (String(repeating: "陳", count: 200), true), (String(repeating: "a", count: 201), false),
      ("e" + String(repeating: "\u{301}", count: 200), false), ("", false), (" ", false),
      ("\u{3000}", false), ("a\nb", false), ("a\r\nb", false), ("a\tb", false),
      ("a\u{0}b", false), ("a\u{85}b", false), ("a\u{2028}b", false), ("a\u{2029}b", false),
      ("a\u{1B}[31m", false),
    ])
  func names(text: String, isTaken: Bool) {
    let told = message { () throws(CommandReply.Refusal) in try Validation.name(text) }
    let advice = "A name has 1 through 200 characters, in any script, on one line."
    #expect(told == (isTaken ? nil : advice))
  }

  @Test(
    "A time zone is a name of the zone database",
    arguments: [
      ("UTC", true), ("Europe/Oslo", true), ("Etc/GMT+5", true), ("Etc/GMT-14", true),
      ("America/Argentina/Buenos_Aires", true), (String(repeating: "a", count: 64), true),
      (String(repeating: "a", count: 65), false), ("", false), ("/etc/passwd", false),
      ("Europe/../../etc/passwd", false), ("Europe Oslo", false), ("Zürich", false),
      ("Europe/Oslo\n", false), ("posix.tar", false),
    ])
  func timeZones(text: String, isTaken: Bool) {
    let told = message { () throws(CommandReply.Refusal) in try Validation.timeZone(text) }
    #expect((told == nil) == isTaken)
    #expect(told?.contains("as in Europe/Oslo") != false)
  }

  // MARK: Guardians

  private static func guardian(_ change: (inout Guardian) -> Void) -> Guardian {
    var guardian = Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")
    change(&guardian)
    return guardian
  }

  private static let tier = "The tier of a guardian is 1, 2 or 3."
  private static let language = "The language of a guardian is one of en, zh."
  private static let reach =
    "Anna cannot be reached: give a phone number, e-mail or push address."
  private static let push = "The push address has 1 through 1,000 characters without spaces."

  @Test(
    "A guardian has to be reachable, by addresses that no transport can misread",
    arguments: [
      (guardian { _ in }, nil), (guardian { $0.tier = 3 }, nil), (guardian { $0.tier = 0 }, tier),
      (guardian { $0.tier = 4 }, tier), (guardian { $0.language = "zh" }, nil),
      (guardian { $0.language = "nb" }, language), (guardian { $0.language = "EN" }, language),
      (guardian { $0.phone = nil }, reach),
      (guardian { $0.withoutChannels = [.sms, .voice] }, reach),
      (guardian { $0.withoutChannels = [.voice] }, nil),
      (guardian { ($0.phone, $0.push) = (nil, "ntfy://x") }, nil),
      (guardian { $0.push = "" }, push), (guardian { $0.push = "a b" }, push),
      (guardian { $0.push = "a\u{7F}" }, push), (guardian { $0.push = "a\nb" }, push),
      (guardian { $0.push = String(repeating: "a", count: 1000) }, nil),
      (guardian { $0.push = String(repeating: "a", count: 1001) }, push),
      (guardian { ($0.phone, $0.email) = (nil, "anna@example.org") }, nil),
      (
        guardian { $0.email = "anna" },
        "anna is no e-mail address; it looks like anna@example.org."
      ),
    ] as [(Guardian, String?)])
  func guardians(guardian: Guardian, expected: String?) {
    let told = message { () throws(CommandReply.Refusal) in
      try Validation.addresses(of: guardian)
    }
    #expect(told == expected)
  }

  @Test("What is no e-mail address is told back on one line, and not without end")
  func emails() throws {
    #expect(try Validation.email("Anna@Example.org").folded == "anna@example.org")
    let long = String(repeating: "a", count: 300)
    #expect(
      message { () throws(CommandReply.Refusal) in _ = try Validation.email(long) }
        == "\(long.prefix(254)) is no e-mail address; it looks like anna@example.org.")
    #expect(
      message { () throws(CommandReply.Refusal) in _ = try Validation.email("a\r\nb\u{2028}c") }
        == "abc is no e-mail address; it looks like anna@example.org.")
  }

  @Test(
    "A guardian is reached by each way that there is an address for and that was not declined",
    arguments: [
      (guardian { _ in }, [.sms, .voice]), (guardian { $0.withoutChannels = [.sms] }, [.voice]),
      (guardian { $0.email = "a@b.cc" }, [.sms, .voice, .email]),
      (guardian { ($0.push, $0.withoutChannels) = ("x", [.push, .voice]) }, [.sms]),
      (guardian { ($0.phone, $0.push) = (nil, "x") }, [.push]), (guardian { $0.phone = nil }, []),
    ] as [(Guardian, [Guardian.Channel])])
  func ways(guardian: Guardian, channels: [Guardian.Channel]) {
    #expect(guardian.addresses.map(\.channel) == channels)
    for (channel, address) in guardian.addresses {
      #expect(guardian.address(by: channel) == address)
    }
    for channel in Set(Guardian.Channel.allCases).subtracting(channels) {
      #expect(guardian.address(by: channel) == nil)
    }
  }

  // MARK: What is not there

  @Test("Who names something that is not there is told how to list what is")
  func unknown() {
    let refusal = Validation.unknown("resident", ResidentID("mary"))
    #expect(refusal.code == .unknownTarget)
    #expect(
      refusal.message.description
        == "There is no resident \"mary\". List them with: homeward residents")
    let picture = Validation.unknownPicture(PictureID(String(repeating: "a", count: 100)))
    #expect(picture.code == .unknownTarget)
    #expect(
      picture.message.description
        == "There is no picture \"\(String(repeating: "a", count: 64))\" here. Add the picture first."
    )
  }
}
