import Care
import CivilTime
import JSON
import Moments
import Testing
import Texts

/// What engines may know beside their own.
@Suite("The world of an engine") struct WorldTests {
  private func world(
    at text: String = "2026-11-20T23:30:00Z", _ quality: TimeQuality = .synchronised,
    zone: CivilTimeZone? = .utc, quiet: String? = "22:00-07:00"
  ) throws -> World {
    let moment = Moment(
      tick: .seconds(5), utc: try Timestamp(iso8601: text), quality: quality)
    let mary = World.Person(
      name: "Mary", language: .zh, zone: zone, quietHours: quiet.flatMap(DailyHours.init))
    return World(now: moment, people: ["mary": mary])
  }

  @Test("Whether somebody is to be left in peace is known only with their clock")
  func quiet() throws {
    #expect(try world().quiet(of: "mary") == .minutes(450))
    #expect(try world(at: "2026-11-21T06:59:30Z").quiet(of: "mary") == .minutes(1))
    #expect(try world(at: "2026-11-21T07:00:00Z").quiet(of: "mary") == .over)
    #expect(try world(quiet: nil).quiet(of: "mary") == .over)
    #expect(try world(zone: nil).quiet(of: "mary") == .unknown)
    #expect(try world(zone: nil, quiet: nil).quiet(of: "mary") == .over)
    #expect(try world().quiet(of: "ben") == .unknown)
    for quality in TimeQuality.allCases {
      let isKnown = try world(at: "2026-11-20T12:00:00Z", quality).quiet(of: "mary") == .over
      #expect(isKnown == (quality != .untrusted), "\(quality)")
    }
  }

  @Test("The local time of a resident follows from trust in the clock and the rules of their zone")
  func localTime() throws {
    #expect(
      try world().localTime(of: "mary")
        == CivilDateTime(year: 2026, month: 11, day: 20, hour: 23, minute: 30))
    #expect(try world().knowsLocalTime)
    for world in [try world(zone: nil), try world(at: "2026-11-20T12:00:00Z", .untrusted)] {
      #expect(world.localTime(of: "mary") == nil && !world.knowsLocalTime)
    }
    #expect(try world().localTime(of: "ben") == nil)
  }

  @Test(
    "What is told about somebody is in their language, what is told about nobody in the house's")
  func languages() throws {
    var world = try world()
    #expect(world.language(of: "mary") == .zh && world.language(of: "ben") == .en)
    #expect(world.language == .en)
    world.house.language = .zh
    #expect(world.language == .zh && world.language(of: "ben") == .en)
  }

  @Test("Somebody's need is everybody's as long as nobody knows whose it is")
  func need() {
    var need = World.Need()
    #expect(!need.isNeeded(by: "mary"))
    need.open = ["mary"]
    #expect(need.isNeeded(by: "mary") && !need.isNeeded(by: "ben"))
    need = World.Need()
    need.prealarm = ["ben"]
    #expect(need.isNeeded(by: "ben") && !need.isNeeded(by: "mary"))
    need.isSomebodys = true
    #expect(need.isNeeded(by: "mary"))
    need = World.Need()
    need.isSounding = true
    #expect(!need.isNeeded(by: "mary"))
  }

  @Test("A way to guardians counts as there until somebody has said which there are")
  func reachability() {
    var reach = World.Reachability()
    #expect(Guardian.Channel.allCases.allSatisfy { reach.isOffered($0) })
    reach.offered = [.email]
    #expect(Guardian.Channel.allCases.filter { reach.isOffered($0) } == [.email])
    reach.offered = []
    #expect(!reach.isOffered(.email))
  }

  @Test("What one engine shows is its own copy's alone, and what nobody showed is nothing")
  func views() throws {
    let empty = try world()
    #expect(empty.need == World.Need() && empty.silence == nil && !empty.isCallOn)
    #expect(empty.whereabouts.isEmpty && empty.faults.isEmpty && empty.tracked.isEmpty)
    var shown = empty
    shown.isCallOn = true
    shown.tracked = ["mary"]
    shown.silence = Message(verbatim: "no speaker")
    #expect(shown.isCallOn && shown.tracked == ["mary"] && shown.speechlessness == nil)
    #expect(!empty.isCallOn && empty.tracked.isEmpty && empty != shown)
    let bits = World.View.allCases.map { World.Views($0).rawValue }
    #expect(Set(bits).count == bits.count && bits.allSatisfy { $0.nonzeroBitCount == 1 })
  }

  // MARK: Nights

  private func time(_ text: String) throws -> CivilDateTime {
    CivilDateTime(utc: try Timestamp(iso8601: text + "Z"))
  }

  @Test(
    "A night begins on the day before where it lasts over midnight",
    arguments: [
      ("22:00-07:00", "2027-01-31T23:30:10", "2027-01-31T22:00:00", "2027-02-01T07:00:00"),
      ("22:00-07:00", "2027-02-01T03:00:00", "2027-01-31T22:00:00", "2027-02-01T07:00:00"),
      ("22:00-07:00", "2027-01-31T22:00:00", "2027-01-31T22:00:00", "2027-02-01T07:00:00"),
      ("22:00-07:00", "2027-01-01T06:59:59", "2026-12-31T22:00:00", "2027-01-01T07:00:00"),
      ("08:00-20:00", "2027-01-31T09:15:30", "2027-01-31T08:00:00", "2027-01-31T20:00:00"),
      ("00:00-12:00", "2027-01-31T00:00:00", "2027-01-31T00:00:00", "2027-01-31T12:00:00"),
    ])
  func nights(hours: String, at: String, start: String, end: String) throws {
    let hours = try #require(DailyHours(hours))
    let night = try #require(try hours.night(around: time(at)))
    #expect(try night.start == time(start) && night.end == time(end))
    #expect(hours.night(around: night.end) == nil, "it is over with its last minute")
    let left = try #require(try hours.minutesLeft(at: time(at)))
    var minute = try time(at)
    (minute.second, minute.millisecond) = (0, 0)
    #expect(minute.asUTC.advanced(byMilliseconds: Int64(left) * 60_000) == night.end.asUTC)
  }

  @Test(
    "What an item says nothing of is asked as its kind can bear, and something critical always",
    arguments: [
      (.medicine, false, nil, .ask), (.appointment, false, nil, .before),
      (.routine, false, nil, .nearest), (.routine, false, .silent, .silent),
      (.medicine, false, .after, .after), (.medicine, true, .silent, .ask),
      (.routine, true, nil, .ask),
    ] as [(RoutineItem.Kind, Bool, QuietPolicy?, QuietPolicy)])
  func policies(
    kind: RoutineItem.Kind, isCritical: Bool, own: QuietPolicy?, expected: QuietPolicy
  ) {
    var item = RequestSamples.item()
    (item.kind, item.isCritical, item.timing.inQuietHours) = (kind, isCritical, own)
    #expect(item.quietPolicy == expected)
  }
}

/// How regularly what is due was done.
@Suite("Adherence") struct AdherenceTests {
  private static let now = Timestamp.seconds(1_790_000_000)
  private static let week: Int64 = 7 * 86_400_000

  private static func occurrence(
    _ state: Occurrence.State, ago milliseconds: Int64 = 1000, isLate: Bool = false,
    item: RoutineItemID = "pill"
  ) -> Occurrence {
    Occurrence(
      item: item, resident: "mary", slot: "s", due: now.advanced(byMilliseconds: -milliseconds),
      state: state, changedAt: now, isLate: isLate)
  }

  private func adherence(_ occurrences: [Occurrence]) -> Adherence {
    Adherence(occurrences, days: 7, before: Self.now, asNeeded: ["painkiller"])
  }

  @Test(
    "What was done and what was missed count, what was declined or goes on does not",
    arguments: [
      (.done, [1, 0, 0, 0]), (.missed, [0, 0, 1, 0]), (.notNow, [0, 0, 0, 1]),
      (.skipped, [0, 0, 0, 1]), (.pending, [0, 0, 0, 0]), (.prompted, [0, 0, 0, 0]),
      (.snoozed, [0, 0, 0, 0]), (.cancelled, [0, 0, 0, 0]),
    ] as [(Occurrence.State, [Int])])
  func states(state: Occurrence.State, counts: [Int]) {
    let figures = adherence([Self.occurrence(state)])
    #expect([figures.done, figures.late, figures.missed, figures.declined] == counts)
    #expect((figures.share == nil) == (counts[0] + counts[2] == 0))
    #expect((figures.json["share"] == nil) == (figures.share == nil))
    #expect(state.isFinal == ![.pending, .prompted, .snoozed].contains(state))
  }

  @Test("What is done late is done, and its share is of what was done or missed")
  func share() {
    let figures = adherence([
      Self.occurrence(.done), Self.occurrence(.done, isLate: true), Self.occurrence(.done),
      Self.occurrence(.missed, isLate: true), Self.occurrence(.skipped),
      Self.occurrence(.missed, item: "painkiller"),
    ])
    #expect(figures.share == 0.75)
    #expect(
      figures.json
        == ["done": 3, "late": 1, "missed": 1, "declined": 1, "share": 0.75])
  }

  @Test("The days end now and begin so many days ago, their first moment not included")
  func days() {
    for (ago, isCounted) in [
      (0, true), (-1, false), (1, true), (Self.week - 1, true), (Self.week, false),
      (Self.week + 1, false),
    ] as [(Int64, Bool)] {
      #expect(adherence([Self.occurrence(.done, ago: ago)]).done == (isCounted ? 1 : 0), "\(ago)")
    }
    let forever = Adherence([Self.occurrence(.done)], days: .max, before: Self.now)
    #expect(forever.done == 1)
  }
}

/// Ids that people can read, out of what they call something.
@Suite("Ids out of names") struct SlugTests {
  @Test(
    "Letters of Latin scripts become plain ones, everything between them one hyphen",
    arguments: [
      ("Anna Lee", "anna-lee"), ("  Jörg   Müller ", "jorg-muller"), ("Ærøskøbing", "aeroskobing"),
      ("Straße", "strasse"), ("O'Brien & Søn", "o-brien-son"), ("2nd floor", "2nd-floor"),
      ("--x--", "x"), ("Łódź", "lodz"), ("a_b.c/d", "a-b-c-d"),
      ("Mary 🙂 home", "mary-home"), ("李", "zone"), ("Anna 李", "zone"), ("Ольга", "zone"),
      ("", "zone"), ("🙂", "zone"), ("...", "zone"),
    ])
  func latin(name: String, slug: String) throws {
    let made = Slug.make(from: name, besides: [], otherwise: "zone")
    #expect(made == slug)
    #expect(throws: Never.self) { try Validation.id(made, of: "zone") }
  }

  @Test("An id that is taken gets the next number that is free")
  func taken() {
    #expect(Slug.make(from: "Anna", besides: ["anna"], otherwise: "x") == "anna-2")
    #expect(Slug.make(from: "Anna", besides: ["anna-2", "anna"], otherwise: "x") == "anna-3")
    #expect(Slug.make(from: "Anna", besides: ["anna-2"], otherwise: "x") == "anna")
    #expect(Slug.make(from: "李", besides: ["x"], otherwise: "x") == "x-2")
  }

  @Test("However long a name is, its id is one")
  func long() throws {
    let name = String(repeating: "Ü a", count: 200)
    let made = Slug.make(from: name, besides: [], otherwise: "zone")
    #expect(made.utf8.count == 40)
    let taken = [made] + (2...120).map { "\(made)-\($0)" }
    let next = Slug.make(from: name, besides: taken, otherwise: "zone")
    #expect(next == "\(made)-121")
    #expect(throws: Never.self) { try Validation.id(next, of: "zone") }
  }
}
