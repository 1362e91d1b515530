import Care
import Door
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Testing
import Texts

@testable import Runtime

@Suite("How the parts do, as the runtime remembers it")
struct HealthBoardTests {
  private static func report(
    _ state: HealthState, _ code: String = "", _ detail: String = "", of part: ComponentID = "gps/a"
  ) -> HealthReport {
    HealthReport(
      component: part, state: state, code: code, detail: Message(verbatim: detail))
  }

  @Test("Another state or code is news; the same again is a sign of life, with its newest words")
  func news() {
    var board = HealthBoard()
    let reports: [(HealthReport, Bool)] = [
      (Self.report(.working), true), (Self.report(.working), false),
      (Self.report(.degraded, "no-fix"), true), (Self.report(.degraded, "no-fix", "again"), false),
      (Self.report(.degraded, "silent"), true), (Self.report(.failed, "silent"), true),
      (Self.report(.working, of: "gps/b"), true), (Self.report(.working), true),
    ]
    for (number, (report, isNews)) in reports.enumerated() {
      #expect(board.take(report, at: .seconds(Int64(number))) == isNews, "\(number)")
      #expect(board.report(of: report.component) == report)
    }
    #expect(board.reports.map(\.component) == ["gps/a", "gps/b"])
  }

  @Test("Only what has failed is not healthy")
  func healthy() {
    var board = HealthBoard()
    #expect(board.isHealthy)
    for (state, isHealthy) in [
      (HealthState.degraded, true), (.failed, false), (.unused, true), (.failed, false),
      (.working, true),
    ] {
      _ = board.take(Self.report(state), at: .seconds(0))
      #expect(board.isHealthy == isHealthy, "\(state)")
    }
  }

  @Test("Since when it is so and when it last lived are told apart; others read no names")
  func told() throws {
    var board = HealthBoard()
    var report = Self.report(.failed, "unreachable", "Nobody can be told when Mary needs help.")
    report.namesPeople = true
    _ = board.take(report, at: .seconds(0))
    _ = board.take(report, at: .seconds(60))
    board.noteSign(of: "gps/unknown", at: .seconds(60))
    var part = try #require(board.json(at: .seconds(90)).arrayContent?.first)
    #expect(part["secondsSinceSign"] == 30 && part["secondsInState"] == 90)
    board.noteSign(of: "gps/a", at: .seconds(80))
    part = try #require(board.json(at: .seconds(90), isPublic: true).arrayContent?.first)
    #expect(part["secondsSinceSign"] == 10 && part["detail"] == "")
    #expect(board.json(at: .seconds(90)).serialized.contains("Mary"))
    #expect(board.json(at: .seconds(90)).arrayContent?.count == 1)
  }
}

@Suite("Alarms that wait for the disk")
struct AlarmGuardTests {
  private static func event(_ id: String, _ lane: Lane) -> EncodedEvent {
    Event(
      id: EventID(id), type: .zoneLeft, lane: lane, resident: "mary",
      moment: Moment(tick: .seconds(1), utc: .seconds(1_700_000_000), quality: .synchronised),
      facts: [:]
    ).cloudEvent(gateway: "hub", boot: "b")
  }

  @Test("What is no alarm, does nothing outside and answers nobody is not watched")
  func unwatched() {
    var alarms = AlarmGuard()
    alarms.watch(step: 1, events: [Self.event("r", .record)], at: .seconds(0))
    #expect(alarms.nextDeadline == nil)
    #expect(alarms.takeOverdue(at: .seconds(9)).events.isEmpty)
  }

  @Test("Overdue steps go out in their order, alarms alone, each once")
  func overdue() {
    var alarms = AlarmGuard()
    alarms.watch(step: 3, events: [], isAwaited: true, at: .milliseconds(100))
    alarms.watch(
      step: 2, events: [Self.event("b", .alarm), Self.event("r", .record)], at: .milliseconds(50))
    alarms.watch(
      step: 1, events: [Self.event("a", .alarm)], actions: [.stopSound("s")], at: .milliseconds(0))
    alarms.watch(step: 4, events: [Self.event("c", .alarm)], at: .milliseconds(400))
    #expect(alarms.nextDeadline == .milliseconds(500))
    #expect(alarms.takeOverdue(at: .milliseconds(499)).events.isEmpty)
    let held = alarms.takeOverdue(at: .milliseconds(600))
    #expect(held.events.map(\.id) == ["a", "b"])
    #expect(held.actions == [.stopSound("s")] && held.answers == [3])
    #expect(alarms.nextDeadline == .milliseconds(900))
    #expect(alarms.settle(step: 1).events.isEmpty, "it went out already")
    #expect(alarms.settle(step: 4).events.map(\.id) == ["c"])
    #expect(alarms.nextDeadline == nil)
  }
}

@Suite("Lists of which somebody sees a part") @LoopActor
struct PartialListTests {
  private struct Row: Placed {
    var number: Int64
    func place(behind: ListPlace?) -> ListPlace { ListPlace([number]) }
  }

  /// What was asked of the store: how many, and behind which place.
  private final class Asked {
    var counts: [Int] = []
    var places: [ListPlace?] = []
  }
  private let asked = Asked()

  /// Gathers from pages of consecutive rows of these lengths, of which those from `first` on may be seen.
  private func found(
    _ wanted: Int, pages: [Int], visibleFrom first: Int64 = 0
  ) async throws -> ListPage<JSONValue> {
    try await withLoopContinuation { continuation in
      gather(
        wanted, from: nil,
        ask: { [asked] count, place, answer in
          let page = asked.counts.count
          asked.counts.append(count)
          asked.places.append(place)
          let before = Int64(pages.prefix(page).reduce(0, +))
          let rows = (0..<Int64(pages[page])).map { Row(number: before + $0) }
          let isLast = page == pages.count - 1
          answer(
            .success(ListPage(rows, next: isLast ? nil : rows.last.map { ListPlace([$0.number]) })))
        }, tell: { $0.number >= first ? .integer($0.number) : nil },
        completion: { continuation.resume(returning: $0) })
    }.get()
  }

  @Test("It ends where the list does, however little of it may be seen")
  func end() async throws {
    let page = try await found(5, pages: [10, 20, 2], visibleFrom: 30)
    #expect(page.elements == [30, 31] && page.next == nil)
    #expect(asked.counts.count == 3 && asked.counts.first == 5)
    #expect(asked.counts.dropFirst().allSatisfy { $0 > 5 }, "more, where some were left out")
    #expect(asked.places == [nil, ListPlace([9]), ListPlace([29])])
  }

  @Test("It goes on behind the last that was told, unless nothing follows")
  func goesOn() async throws {
    let within = try await found(4, pages: [10])
    #expect(within.elements == [0, 1, 2, 3] && within.next == ListPlace([3]))
    asked.counts = []
    let exact = try await found(4, pages: [4])
    #expect(exact.elements == [0, 1, 2, 3] && exact.next == nil)
    asked.counts = []
    let more = try await found(4, pages: [4, 4])
    #expect(more.elements.count == 4 && more.next == ListPlace([3]))
  }

  @Test("Nobody has the store looked through without end: a part may be empty and go on")
  func bounded() async throws {
    let page = try await found(5, pages: Array(repeating: 30_000, count: 9), visibleFrom: .max)
    #expect(page.elements.isEmpty && page.next == ListPlace([89_999]))
    #expect(asked.counts.count == 3)
  }

  @Test("A store that does not answer is said, and nothing of a part is told as the whole")
  func failure() async {
    let answer: Result<ListPage<JSONValue>, StoreError> = await withLoopContinuation {
      continuation in
      gather(
        5, from: nil,
        ask: {
          (_, place, answer: @LoopActor @Sendable (Result<ListPage<Row>, StoreError>) -> Void) in
          guard place == nil else {
            return answer(.failure(StoreError(.inputOutput, Message(verbatim: "The disk fails."))))
          }
          answer(.success(ListPage([Row(number: 1)], next: ListPlace([1]))))
        }, tell: { .integer($0.number) }, completion: { continuation.resume(returning: $0) })
    }
    guard case .failure(let error) = answer else {
      Issue.record("part of a list was told as the whole")
      return
    }
    #expect(error.code == .inputOutput)
  }
}

@Suite("How much of a list is answered") @LoopActor
struct ListLimitTests {
  private static let person = Principal(channel: .local, name: "ole")
  private static let owner = Asking.owner(person)
  private static let plugin = Asking(person, .plugin(grants: ["read:journal"]))

  @Test(
    "As much as is wanted, within bounds, which are narrower for plugins",
    arguments: [
      (false, [:], 100), (false, ["limit": 5], 5), (false, ["limit": 0], 1),
      (false, ["limit": -7], 1), (false, ["limit": 10_000], 10_000),
      (false, ["limit": 10_001], 10_000), (false, ["limit": .integer(.max)], 10_000),
      (true, [:], 100), (true, ["limit": 999], 999), (true, ["limit": 10_000], 1000),
    ] as [(Bool, JSONValue, Int)])
  func limit(isPlugin: Bool, params: JSONValue, limit: Int) throws {
    let asked = Runtime.Asked(
      route: .eventsQuery, params: params, reader: try JSONReader(params),
      asking: isPlugin ? Self.plugin : Self.owner)
    #expect(try asked.limit(usual: 100, from: 1, atMost: 10_000) == limit)
  }

  @Test("What is usual is no more than a plugin may have")
  func usual() throws {
    let params: JSONValue = [:]
    let asked = Runtime.Asked(
      route: .eventsQuery, params: params, reader: try JSONReader(params), asking: Self.plugin)
    #expect(try asked.limit(usual: 5000, atMost: 10_000) == 1000)
  }
}
