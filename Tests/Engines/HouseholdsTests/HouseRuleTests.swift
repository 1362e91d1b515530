import Care
import JSON
import Moments
import TestSupport
import Testing
import Texts

@testable import Households

/// What residents, zones, bookmarks and guardians may be, and that a refusal changes nothing.
@Suite("House rules")
struct HouseRuleTests {
  private static let now = Moment(
    tick: .seconds(1), utc: .seconds(1_800_000_000), quality: .synchronised)

  private var world = World(now: now, house: House(), boot: "b")
  private var engine: HouseholdsEngine

  init() throws {
    engine = HouseholdsEngine(stored: StoredState(), seed: 1, in: world)
    for id in ["mary", "ben"] as [ResidentID] {
      let resident = Resident(id: id, name: "\(id)", timeZone: "Etc/UTC")
      try #require(ask(.putResident(resident)) == nil)
    }
  }

  /// Why it is refused; nil when it is not.
  private mutating func ask(_ request: Command.Request) -> CommandReply.Refusal.Code? {
    let command = Command(
      id: "c", principal: Principal(channel: .local, name: "ole"), request: request)
    let before = engine.house
    let asked = Asked(offering: .asked(command, sent: Self.now.tick), to: &engine, in: world)
    if asked?.refusal != nil { #expect(engine.house == before) }
    return asked?.refusal?.code
  }

  private static func place() throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: 10, longitudeDegrees: 20))
  }

  private static func zone(
    _ id: ZoneID = "home", of resident: ResidentID = "mary", name: String = "Home",
    radius: Double = 50, margin: Double = 50
  ) throws -> SafeZone {
    SafeZone(
      id: id, resident: resident, name: name, center: try place(), radiusMeters: radius,
      exitMarginMeters: margin)
  }

  @Test(
    "A resident has an id, a name and a time zone that are some",
    arguments: [
      ("eve", "Eve", "Europe/Oslo", true), ("e-2", "王芳", "UTC", true),
      (String(repeating: "e", count: 64), "Eve", "UTC", true),
      (String(repeating: "e", count: 65), "Eve", "UTC", false), ("", "Eve", "UTC", false),
      ("Eve", "Eve", "UTC", false), ("e_v", "Eve", "UTC", false), ("é", "Eve", "UTC", false),
      ("eve", "", "UTC", false), ("eve", "E\nve", "UTC", false), ("eve", "Eve", "", false),
      ("eve", "Eve", "../../etc/passwd", false), ("eve", "Eve", "/etc/localtime", false),
      ("eve", "Eve", "Europe/Os lo", false),
    ])
  mutating func residents(id: String, name: String, zone: String, isTaken: Bool) {
    let resident = Resident(id: ResidentID(id), name: name, timeZone: zone)
    #expect(ask(.putResident(resident)) == (isTaken ? nil : .invalid))
  }

  @Test(
    "One more than a hundred residents is refused, and none of the hundred is kept from changes")
  mutating func residentsAtMost() {
    for number in 0..<98 {
      let id = ResidentID("r-\(number)")
      #expect(ask(.putResident(Resident(id: id, name: "R", timeZone: "UTC"))) == nil)
    }
    #expect(ask(.putResident(Resident(id: "more", name: "R", timeZone: "UTC"))) == .conflict)
    #expect(ask(.putResident(Resident(id: "r-5", name: "Other", timeZone: "UTC"))) == nil)
    #expect(engine.house.residents.count == 100)
  }

  @Test("A receiver is one that there is, and moves with one resident")
  mutating func receivers() {
    func resident(_ id: ResidentID, _ source: SourceID?) -> Command.Request {
      .putResident(Resident(id: id, name: "R", timeZone: "UTC", gpsSource: source))
    }
    // As long as nobody says which there are, any may come.
    #expect(ask(resident("mary", "old")) == nil)
    var stored = StoredState()
    engine.store(in: &stored)
    world.house.receivers = KnownReceivers(names: ["gps"], plugins: ["tracker"])
    engine = HouseholdsEngine(stored: stored, seed: 1, in: world)
    // Who has one that is gone keeps it; nobody else gets it.
    #expect(ask(resident("mary", "old")) == nil)
    #expect(ask(resident("ben", "old")) == .unknownTarget)
    #expect(ask(resident("ben", "tracker")) == .unknownTarget)
    #expect(ask(resident("ben", "tracker/")) == .invalid)
    #expect(ask(resident("ben", "tracker/1/2")) == .invalid)
    #expect(ask(resident("ben", "tracker/1")) == nil)
    #expect(ask(resident("mary", "gps")) == nil)
    #expect(ask(resident("ben", "gps")) == .conflict)
    #expect(ask(resident("mary", nil)) == nil)
    #expect(ask(resident("ben", "gps")) == nil)
  }

  @Test(
    "A zone has a radius and a margin within their bounds",
    arguments: [
      (0.001, 0, true), (100_000, 1000, true), (0, 50, false), (-1, 50, false),
      (100_000.5, 50, false), (.nan, 50, false), (.infinity, 50, false), (50, -0.001, false),
      (50, 1000.5, false), (50, .nan, false),
    ] as [(Double, Double, Bool)])
  mutating func zones(radius: Double, margin: Double, isTaken: Bool) throws {
    let zone = try Self.zone(radius: radius, margin: margin)
    #expect(ask(.putZone(zone)) == (isTaken ? nil : .invalid))
  }

  @Test("A zone is one resident's, under a name of its own among theirs")
  mutating func zoneOwners() throws {
    #expect(ask(.putZone(try Self.zone())) == nil)
    #expect(ask(.putZone(try Self.zone(of: "ben", name: "Other"))) == .conflict)
    #expect(ask(.putZone(try Self.zone("second"))) == .conflict)
    #expect(ask(.putZone(try Self.zone("second", of: "ben"))) == nil)
    #expect(ask(.putZone(try Self.zone(radius: 60))) == nil)
    #expect(ask(.putZone(try Self.zone("third", of: "eve"))) == .unknownTarget)
    #expect(ask(.putZone(try Self.zone("Third", name: "3"))) == .invalid)
    #expect(ask(.putZone(try Self.zone("third", name: " "))) == .invalid)
    #expect(ask(.removeZone("third")) == .unknownTarget)
    #expect(ask(.removeZone("home")) == nil)
    #expect(ask(.removeZone("home")) == .unknownTarget)
    // What is gone leaves its name to others.
    #expect(ask(.putZone(try Self.zone("fourth"))) == nil)
  }

  @Test("A bookmark is one resident's, with an address of five hundred characters at most")
  mutating func bookmarks() throws {
    let place = try Self.place()
    func bookmark(
      _ id: BookmarkID = "doctor", of resident: ResidentID = "mary", address: String = ""
    ) -> Command.Request {
      .putBookmark(
        Bookmark(id: id, resident: resident, name: "Dr", address: address, coordinate: place))
    }
    #expect(ask(bookmark(address: String(repeating: "é", count: 500))) == nil)
    #expect(ask(bookmark(address: String(repeating: "é", count: 501))) == .invalid)
    #expect(engine.bookmarks(of: "mary").map(\.address.count) == [500])
    #expect(ask(bookmark(of: "ben")) == .conflict)
    #expect(ask(bookmark("a b")) == .invalid)
    #expect(ask(bookmark("other", of: "eve")) == .unknownTarget)
    #expect(ask(.removeBookmark("other")) == .unknownTarget)
    #expect(ask(.removeBookmark("doctor")) == nil)
    #expect(engine.bookmarks(of: nil).isEmpty)
  }

  @Test(
    "Where there are as many zones and bookmarks as may be, one more is refused, a change is not")
  mutating func atMost() throws {
    var stored = StoredState()
    engine.store(in: &stored)
    let place = try Self.place()
    for number in 0..<20_000 {
      stored.zones.append(try Self.zone(ZoneID("z\(number)"), name: "\(number)"))
      stored.bookmarks.append(
        Bookmark(
          id: BookmarkID("b\(number)"), resident: "mary", name: "B", address: "",
          coordinate: place))
    }
    engine = HouseholdsEngine(stored: stored, seed: 1, in: world)
    #expect(ask(.putZone(try Self.zone("more", name: "more"))) == .conflict)
    #expect(ask(.putZone(try Self.zone("z7", name: "more"))) == nil)
    var more = stored.bookmarks[0]
    #expect(ask(.putBookmark(more)) == nil)
    more.id = "more"
    #expect(ask(.putBookmark(more)) == .conflict)
  }

  private static func guardian(
    _ id: GuardianID, of resident: ResidentID = "mary", phone: String? = nil, email: String? = nil
  ) -> Command.Request {
    .putGuardian(Guardian(id: id, resident: resident, name: "G", phone: phone, email: email))
  }

  @Test("A resident has five guardians at most, each of whom may change")
  mutating func guardiansAtMost() {
    for number in 1...5 {
      #expect(ask(Self.guardian(GuardianID("g\(number)"), email: "g@example.org")) == nil)
    }
    #expect(ask(Self.guardian("g6", email: "g@example.org")) == .conflict)
    #expect(ask(Self.guardian("g5", email: "five@example.org")) == nil)
    #expect(ask(Self.guardian("g6", of: "ben", email: "g@example.org")) == nil)
    #expect(ask(.removeGuardian("g1")) == nil)
    #expect(ask(Self.guardian("g7", email: "g@example.org")) == nil)
  }

  @Test(
    "A guardian is one resident's, can be reached, and has a number that nobody else of them has")
  mutating func guardians() {
    let number = "+447700900123"
    #expect(ask(Self.guardian("ada", phone: number)) == nil)
    #expect(ask(Self.guardian("ada", phone: number)) == nil)
    #expect(ask(Self.guardian("ole", phone: "+44 7700 900123")) == .conflict)
    #expect(ask(Self.guardian("ole", of: "ben", phone: number)) == nil)
    #expect(ask(Self.guardian("ole", email: "ole@example.org")) == .conflict)
    #expect(ask(Self.guardian("eve")) == .invalid)
    #expect(ask(Self.guardian("eve", phone: "12")) == .invalid)
    #expect(ask(Self.guardian("eve", email: "nobody")) == .invalid)
    #expect(ask(Self.guardian("Eve", email: "eve@example.org")) == .invalid)
    #expect(ask(Self.guardian("eve", of: "nobody", email: "eve@example.org")) == .unknownTarget)
    #expect(engine.house.guardians.map(\.id) == ["ada", "ole"])
  }

  @Test("A consent is somebody's who is looked after, and says who answered")
  mutating func consents() {
    func consent(_ id: ResidentID, by who: String, _ isGranted: Bool) -> Command.Request {
      .putConsent(resident: id, kind: .camera, isGranted: isGranted, by: who)
    }
    #expect(ask(consent("eve", by: "Eve", false)) == .unknownTarget)
    #expect(ask(consent("mary", by: "", false)) == .invalid)
    #expect(engine.consentSummary(of: "mary")["camera"] == "not-asked")
    #expect(ask(consent("mary", by: "Mary", false)) == nil)
    #expect(
      engine.house.isRefused(.camera, by: "mary") && !engine.house.isRefused(.camera, by: "ben"))
    #expect(engine.consentSummary(of: "mary")["camera"] == "refused")
    #expect(ask(consent("mary", by: "Mary", true)) == nil)
    #expect(engine.consentSummary(of: "mary")["camera"] == "granted")
    #expect(engine.consentSummary(of: "mary")["location"] == "not-asked")
    #expect(!engine.house.isRefused(.camera, by: "mary") && engine.house.consents.count == 1)
  }

  @Test("A setting that becomes null is none any more, and one of nobody is refused")
  mutating func settings() {
    #expect(
      ask(.putSetting(resident: "eve", name: "language", value: "zh")) == .unknownTarget)
    #expect(ask(.putSetting(resident: "mary", name: "language", value: "zh")) == nil)
    #expect(engine.house.language(of: "mary") == .zh && engine.house.language(of: "ben") == .en)
    #expect(ask(.putSetting(resident: "mary", name: "language", value: .null)) == nil)
    #expect(engine.house.language(of: "mary") == .en)
    var stored = StoredState()
    engine.store(in: &stored)
    #expect(stored.settings.isEmpty)
  }

  @Test("What is asked of a thing concerns the resident whose it is, as long as it is there")
  mutating func concerned() throws {
    #expect(ask(.putZone(try Self.zone(of: "ben"))) == nil)
    #expect(ask(Self.guardian("ada", of: "ben", email: "ada@example.org")) == nil)
    let place = try Self.place()
    let bookmark = Bookmark(
      id: "doctor", resident: "ben", name: "Dr", address: "", coordinate: place)
    #expect(ask(.putBookmark(bookmark)) == nil)
    let removals: [Command.Request] = [
      .removeZone("home"), .removeGuardian("ada"), .removeBookmark("doctor"),
    ]
    for request in removals {
      #expect(engine.resident(concernedBy: request) == "ben")
      #expect(ask(request) == nil)
      #expect(engine.resident(concernedBy: request) == nil)
    }
    #expect(engine.resident(concernedBy: .putBookmark(bookmark)) == "ben")
    #expect(engine.resident(concernedBy: .locate(resident: "ben")) == nil)
  }
}
