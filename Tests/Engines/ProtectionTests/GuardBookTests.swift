import Care
import JSON
import Moments
import Testing
import Texts

@testable import Protection

/// What was taken away is gathered for a moment and told once.
@Suite("What is about to be told of protections")
struct GuardBookTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC")
  private static let ada = Guardian(
    id: "ada", resident: "mary", name: "Ada", email: "a@example.org")
  private static let ole = Guardian(
    id: "ole", resident: "mary", name: "Ole", email: "o@example.org")

  private static func moment(_ seconds: Int64) -> Moment {
    Moment(
      tick: .seconds(seconds), utc: .seconds(1_800_000_000 + seconds), quality: .synchronised)
  }

  private static func off(_ protection: Safeguard, by who: String = "Ole") -> ProtectionChange {
    ProtectionChange(protection: protection, isOn: false, who: who)
  }

  private static func on(_ protection: Safeguard) -> ProtectionChange {
    ProtectionChange(protection: protection, isOn: true, who: "Ole")
  }

  private var book = GuardBook(rows: [], boot: "b", at: moment(0))

  @discardableResult
  private mutating func take(
    _ changes: [ProtectionChange], guardians: [Guardian] = [ada], at seconds: Int64
  ) -> [StateChange] {
    book.take(
      changes, of: Self.mary, guardians: guardians, event: EventID("e-\(seconds)"),
      at: Self.moment(seconds))
  }

  private mutating func told(at seconds: Int64) -> [[ProtectionChange]] {
    book.takeDue(at: Self.moment(seconds)).gatherings.map(\.changes)
  }

  private static let removal = StateChange.removeEngineRow(
    engine: "guards", subject: "gateway", name: "gathering:mary")

  @Test("Changes within three seconds of the first are one message, under the event of the first")
  mutating func together() throws {
    take([Self.off(.tracking)], at: 0)
    take([Self.off(.sound)], guardians: [Self.ole], at: 2)
    #expect(book.nextWake == .seconds(3))
    #expect(told(at: 2).isEmpty)
    let gathering = try #require(book.takeDue(at: Self.moment(3)).gatherings.first)
    #expect(gathering.changes == [Self.off(.tracking), Self.off(.sound)])
    #expect(gathering.event == "e-0" && gathering.guardians == [Self.ada, Self.ole])
    #expect(book.nextWake == nil)
  }

  @Test("What is put right in time leaves nothing, and its row goes")
  mutating func putRight() {
    take([Self.off(.tracking)], at: 0)
    #expect(take([Self.on(.tracking)], at: 1) == [Self.removal])
    #expect(book.nextWake == nil && book.rows.isEmpty && told(at: 9).isEmpty)
    // What nobody believed to be off is no news when it is on.
    #expect(take([Self.on(.sound)], at: 10).isEmpty && book.nextWake == nil)
    #expect(!book.knowsOff(.sound, of: "mary"))
  }

  @Test("That it is on again is told to those who were told that it is off")
  mutating func onAgain() {
    take([Self.off(.tracking)], at: 0)
    #expect(book.knowsOff(.tracking, of: "mary") && !book.knowsOff(.tracking, of: "ben"))
    #expect(told(at: 3) == [[Self.off(.tracking)]])
    #expect(book.knowsOff(.tracking, of: "mary"))
    take([Self.on(.tracking)], at: 100)
    #expect(told(at: 103) == [[Self.on(.tracking)]])
    #expect(!book.knowsOff(.tracking, of: "mary") && book.rows.isEmpty)
    // Off, on and off again within the moment: they believe so already.
    take([Self.off(.tracking)], at: 200)
    _ = told(at: 203)
    take([Self.on(.tracking)], at: 300)
    take([Self.off(.tracking)], at: 301)
    #expect(told(at: 400).isEmpty)
  }

  @Test("Two messages about one resident are a minute apart at least")
  mutating func pause() {
    take([Self.off(.tracking)], at: 0)
    _ = told(at: 3)
    take([Self.off(.sound)], at: 10)
    #expect(book.nextWake == .seconds(63))
    #expect(told(at: 62).isEmpty && told(at: 63).count == 1)
    take([Self.off(.zones)], at: 200)
    #expect(book.nextWake == .seconds(203))
  }

  @Test("Of what is changed and not switched the last is told, and nothing gives it back")
  mutating func changed() {
    take([Self.off(.pin, by: "Ada")], at: 0)
    take([Self.off(.pin, by: "Eve"), Self.off(.way("ada"))], at: 1)
    #expect(told(at: 3) == [[Self.off(.pin, by: "Eve"), Self.off(.way("ada"))]])
    #expect(!book.knowsOff(.pin, of: "mary") && book.rows.isEmpty)
  }

  @Test("Of somebody who was erased nothing stays, not even what was believed to be off")
  mutating func erased() {
    take([Self.off(.tracking)], at: 0)
    _ = told(at: 3)
    take([Self.off(.resident)], at: 100)
    let (gatherings, changes) = book.takeDue(at: Self.moment(103))
    #expect(gatherings.map(\.changes) == [[Self.off(.resident)]] && changes == [Self.removal])
    #expect(book.rows.isEmpty && !book.knowsOff(.tracking, of: "mary"))
  }

  @Test("After a restart it is told when it was due, in another boot at once")
  mutating func restart() {
    take([Self.off(.zone("home")), Self.off(.alarm(.glucose))], at: 0)
    let same = GuardBook(rows: book.rows, boot: "b", at: Self.moment(1))
    #expect(same == book)
    let other = GuardBook(rows: book.rows, boot: "c", at: Self.moment(50))
    #expect(other.nextWake == .seconds(50))
    _ = told(at: 3)
    let believing = GuardBook(rows: book.rows, boot: "c", at: Self.moment(50))
    #expect(believing.nextWake == nil)
    #expect(believing.knowsOff(.zone("home"), of: "mary"))
    #expect(believing.knowsOff(.alarm(.glucose), of: "mary"))
    let damaged = EngineRow(
      engine: "guards", subject: "gateway", name: "gathering:mary", content: ["due": 1])
    #expect(GuardBook(rows: [damaged], boot: "b", at: Self.moment(0)).rows.isEmpty)
  }
}

/// What can be taken away, in words of events and rows, and what undoes it.
@Suite("Protections")
struct SafeguardTests {
  private static let all: [Safeguard] =
    [
      .tracking, .receiver, .sound, .guardians, .zones, .pin, .resident, .zone("home"),
      .way("ada"),
    ] + AlarmKind.allCases.map { .alarm($0) }

  @Test("Each has a word of its own, by which it is known again")
  func words() {
    for protection in Self.all { #expect(Safeguard(word: protection.word) == protection) }
    #expect(Set(Self.all.map(\.word)).count == Self.all.count)
    for word in ["", "Tracking", "-alarm", "nothing-alarm", "alarm", "zone", "tracking "] {
      #expect(Safeguard(word: word) == nil, "\(word)")
    }
  }

  @Test("A stored change comes back, and one of an unknown word names it")
  func stored() throws {
    let change = ProtectionChange(
      protection: .zone("home"), isOn: true, label: "Home", who: "Ole at the gateway")
    #expect(try ProtectionChange(json: JSONValue(parsing: change.json.serialized)) == change)
    #expect(throws: (any Error).self) {
      try ProtectionChange(json: change.json.setting("protection", to: "magic"))
    }
  }

  @Test(
    "What is taken away says who did it, of whom, and how it is undone; what comes back does not")
  func sentences() {
    for protection in Self.all {
      var change = ProtectionChange(protection: protection, isOn: false, label: "LABEL", who: "WHO")
      let text = change.sentence(about: "Mary").text(in: .en)
      #expect(text.hasPrefix("WHO ") && text.contains("Mary") && !text.contains("{"), "\(text)")
      let undo = change.undoing(for: "mary")?.text(in: .en) ?? ""
      #expect(undo.contains("homeward "), "\(protection)")
      change.isOn = true
      #expect(change.undoing(for: "mary") == nil)
      let back = change.sentence(about: "Mary").text(in: .en)
      #expect(back.isEmpty == !protection.isSwitch, "\(protection)")
    }
  }

  @Test("The setting that undoes it is one that there is")
  func settings() {
    for kind in AlarmKind.allCases where ![.sos, .test].contains(kind) {
      let undo = Self.undo(.alarm(kind))
      let name = undo.split(separator: " ").drop { $0 != "set" }.dropFirst().first.map(String.init)
      #expect(AlarmSettings.names.contains(name ?? ""), "\(undo)")
    }
    #expect(Self.undo(.sound).contains("isSilent") && AlarmSettings.names.contains("isSilent"))
  }

  private static func undo(_ protection: Safeguard) -> String {
    ProtectionChange(protection: protection, isOn: false, who: "").undoing(for: "mary")?
      .text(in: .en) ?? ""
  }

  private static func guards(
    _ guardians: [Guardian], _ on: Set<Safeguard> = [.guardians], pins: [String: String] = [:]
  ) -> Guards {
    Guards(
      resident: Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC"), guardians: guardians,
      on: on, pins: pins)
  }

  private static let ada = Guardian(
    id: "ada", resident: "mary", name: "Ada", phone: "+4791234567", email: "a@example.org")

  private static func changed(_ change: (inout Guardian) -> Void) -> Guardian {
    var guardian = ada
    change(&guardian)
    return guardian
  }

  @Test("A guardian who is told by one way less is told of it; who is told by one more is not")
  func ways() {
    let cases: [(after: [Guardian], isTold: Bool)] = [
      ([Self.ada], false), ([Self.changed { $0.push = "p" }], false),
      ([Self.changed { $0.name = "Ada B." }], false), ([Self.changed { $0.tier = 3 }], false),
      ([Self.changed { $0.phone = nil }], true),
      ([Self.changed { $0.email = "b@example.org" }], true),
      ([Self.changed { $0.withoutChannels = [.voice] }], true), ([], true),
      ([Self.changed { $0.id = "other" }], true),
    ]
    for (place, one) in cases.enumerated() {
      let changes = Self.guards(one.after).changes(since: Self.guards([Self.ada]), by: "Ole")
      let way = ProtectionChange(protection: .way("ada"), isOn: false, label: "Ada", who: "Ole")
      #expect(changes == (one.isTold ? [way] : []), "\(place)")
    }
  }

  @Test("Where the last guardian goes that is told, and not that ways are gone")
  func lastGuardian() {
    let changes = Self.guards([], []).changes(since: Self.guards([Self.ada]), by: "Ole")
    #expect(changes.map(\.protection) == [.guardians] && changes.map(\.isOn) == [false])
  }

  @Test("What was switched is told in the order of the words, a PIN last")
  func order() {
    let before = Self.guards([Self.ada], [.guardians, .zones, .tracking], pins: ["okay": "x"])
    let after = Self.guards(
      [Self.ada], [.guardians, .tracking, .sound, .alarm(.zone)], pins: ["okay": "y"])
    let changes = after.changes(since: before, by: "Ole")
    #expect(changes.map(\.protection) == [.sound, .alarm(.zone), .zones, .pin])
    #expect(changes.map(\.isOn) == [true, true, false, false])
    #expect(after.changes(since: after, by: "Ole").isEmpty)
  }
}
