import Bytes
import CivilTime
import Foundation
import JSON
import Moments
import Recurrence
import TestSupport
import Testing

/// One schedule as dateutil and zoneinfo judge it.
private struct Judgement {
  /// A moment, and the slots around it, in seconds.
  struct Question {
    var moment: Int64
    var latest: Int64?
    var next: Int64?
  }

  var schedule: CalendarSchedule
  /// The first slots: local time and moment in seconds.
  var slots: [(local: String, instant: Int64)]
  /// Whether there are no more.
  var isAll: Bool
  var questions: [Question]

  init(_ line: Substring) throws {
    let json = try JSONReader(try JSONValue(parsing: Array(line.utf8)))
    guard case .calendar(let schedule) = try Schedule(json: try json.required("schedule")) else {
      throw DecodeError(.wrongType, at: 0)
    }
    self.schedule = schedule
    slots = try json.array("slots").map { pair in
      let parts = try #require(pair.arrayContent)
      return (try #require(parts[0].stringContent), try #require(parts[1].integerContent))
    }
    isAll = try json.bool("isAll")
    questions = try json.array("questions").map { triple in
      let parts = try #require(triple.arrayContent)
      return Question(
        moment: try #require(parts[0].integerContent), latest: parts[1].integerContent,
        next: parts[2].integerContent)
    }
  }
}

/// Python with the libraries that the rig's tests use, python-dateutil among them.
private enum RigPython {
  static let program = Checkout.path("hardware/rig/python")

  static func lines(_ script: String, _ arguments: [String]) throws -> [Substring] {
    let answer = try ProgramOutput(program, [script] + arguments)
    #expect(answer.exitCode == 0, "python-dateutil did not do its part")
    return answer.text.split(separator: "\n")
  }
}

@Suite("Agreement with python-dateutil")
struct DifferentialTests {
  private static let count = TestSize.count(whole: 21_000, usual: 6_000)

  @Test(
    "Rules of all kinds in all zones are due at the same moments, 1900 through 2100",
    .enabled(if: PythonPeer.isInstalled, "python3 is absent"))
  func everyKind() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("differential.py").path
    let lines = try RigPython.lines(
      script, [TimeZoneFile.systemDirectory, "20261121", String(Self.count)])
    #expect(lines.count == Self.count)
    var zones: [String: CivilTimeZone] = [:]
    var (slots, empty, repeated) = (0, 0, 0)
    var resolutions: [LocalTimeResolution: Int] = [:]
    var excepted: [String: Int] = [:]
    for line in lines {
      let judgement = try Judgement(line)
      let schedule = judgement.schedule
      let zone = try zones[schedule.timeZone] ?? TimeZoneFile.load(name: schedule.timeZone)
      zones[schedule.timeZone] = zone
      let finder = try OccurrenceFinder(schedule, zone: zone)
      // One more than expected, where there must be no more.
      let count = judgement.slots.count + (judgement.isAll ? 1 : 0)
      let found = Array(finder.slots.prefix(count))
      for slot in found { resolutions[slot.resolution, default: 0] += 1 }
      let difference = Self.difference(judgement, found, finder)
      slots += judgement.slots.count
      empty += judgement.slots.isEmpty ? 1 : 0
      repeated += schedule.times.count > 1 ? 1 : 0
      guard let difference else { continue }
      let exception = Self.exceptions.first { $0.covers(schedule) }
      #expect(exception != nil, "\(difference)\n\(line)")
      excepted[exception?.reason ?? "", default: 0] += 1
    }
    // What is compared is enough, and of all kinds.
    let part = Self.count / 21
    #expect(zones.count > 300 && slots > 80 * part && repeated > part, "\(zones.count) \(slots)")
    #expect((part...7 * part).contains(empty), "\(empty)")
    #expect(resolutions[.gap, default: 0] > part / 4, "\(resolutions)")
    #expect(resolutions[.ambiguous, default: 0] > part / 4, "\(resolutions)")
    // Exceptions are few, and none has lost its reason.
    #expect(excepted.values.reduce(0, +) < Self.count / 50, "\(excepted)")
    #expect(excepted.count == Self.exceptions.count, "\(excepted)")
  }

  /// What differs, in words; nil where nothing does.
  private static func difference(
    _ judgement: Judgement, _ found: [Slot], _ finder: OccurrenceFinder
  ) -> String? {
    let ours = found.map { "\($0.local.localText) \($0.instant.milliseconds / 1000)" }
    let theirs = judgement.slots.map { "\($0.local) \($0.instant)" }
    guard ours == theirs else { return "ours: \(ours)\ntheirs: \(theirs)" }
    for question in judgement.questions {
      let moment = Timestamp.seconds(question.moment)
      let latest = finder.latest(atOrBefore: moment)?.instant
      let next = finder.next(after: moment)?.instant
      if latest != question.latest.map(Timestamp.seconds) {
        return "\(moment.iso8601): ours latest \(latest?.iso8601 ?? "none"), \(question)"
      }
      if next != question.next.map(Timestamp.seconds) {
        return "\(moment.iso8601): ours next \(next?.iso8601 ?? "none"), \(question)"
      }
    }
    return nil
  }
}

extension DifferentialTests {
  /// Where Homeward decides otherwise, and why.
  fileprivate struct Exception {
    var reason: String
    var covers: (CalendarSchedule) -> Bool
  }

  fileprivate static var exceptions: [Exception] {
    [
      Exception(
        reason:
          "dateutil wants a day to be a plain and a counted weekday at once; RFC 5545 lists both"
      ) {
        let days = $0.rule?.byDay ?? []
        return days.contains { $0.ordinal == nil } && days.contains { $0.ordinal != nil }
      },
      Exception(
        reason:
          "dateutil counts positions in the first week from the start; RFC 5545 in the whole week"
      ) {
        guard let rule = $0.rule, rule.frequency == .weekly else { return false }
        return !rule.bySetPosition.isEmpty && $0.start.weekday != rule.weekStart
      },
    ]
  }
}
