import Care
import ControlSocket
import Door
import Foundation
import GlucoseValues
import JSON
import Loop
import Moments
import TestSupport
import Testing
import Texts

@Suite("The log of glucose readings on the command line") struct GlucoseLogCommandTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")

  private static func reading(
    _ id: GlucoseReadingID, _ level: String, tag: GlucoseTag? = nil,
    at seconds: Int64 = 1_790_000_000, source: GlucoseReading.Source = .hand
  ) throws -> GlucoseReading {
    GlucoseReading(
      id: id, resident: "mary", level: try GlucoseConcentration(withUnit: level), tag: tag,
      time: .seconds(seconds), receivedAt: .seconds(seconds), source: source,
      origin: source == .meter ? "" : "Anna", revision: 4)
  }

  /// A daemon that has these readings and answers queries as the real one does.
  private func daemon(
    _ readings: [GlucoseReading], unit: String = "as-received"
  ) async throws -> FakeDaemon {
    let sorted = readings.sorted { GlucoseReading.isEarlier($1, $0) }
    return try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary.json])
      case .glucoseQuery:
        .success(.part(of: Self.chosen(sorted, by: request.params).map(\.json), request.params))
      case .settingsList where request.params["resident"] == "mary":
        .success(["glucoseUnit": .string(unit)])
      case .glucoseGet: Self.found(sorted.first { .string($0.id.rawValue) == request.params["id"] })
      case .command: .success(["id": "x", "revision": 1])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  private static func found(_ reading: GlucoseReading?) -> Result<RouteAnswer, ControlError> {
    guard let reading else {
      return .failure(ControlError(.refused, Message(verbatim: "There is none.")))
    }
    return .success(reading.json)
  }

  private static func chosen(
    _ readings: [GlucoseReading], by params: JSONValue
  ) -> [GlucoseReading] {
    let time = { (name: String) in
      params[name]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }
    }
    let (since, until) = (time("since"), time("until"))
    return readings.filter { reading in
      since.map { reading.time >= $0 } ?? true && until.map { reading.time < $0 } ?? true
    }
  }

  private func put(_ daemon: FakeDaemon) async throws -> (reading: GlucoseReading, seen: Int64?) {
    let json = try #require(await daemon.commands.last)
    guard case .put(let reading, let seen) = try GlucoseRequest(json: json) else {
      throw ControlError(.failed, Message(verbatim: "no reading was put: \(json.serialized)"))
    }
    return (reading, seen)
  }

  @Test("A reading is written down exactly as it was shown, with tag and time")
  func add() async throws {
    let daemon = try await daemon([])
    let outcome = try daemon.tool.run([
      "glucose", "add", "5.60", "mmol/l", "--tag", "Before Lunch", "--time", "2026-09-21 16:13",
      "--by", "Bert",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let (reading, seen) = try await put(daemon)
    #expect(reading.level.text() == "5.60 mmol/L" && reading.tag == .listed(.beforeLunch))
    #expect(reading.time == .seconds(1_789_999_980) && reading.source == .hand)
    #expect(reading.origin == "Bert" && seen == 0)
    #expect(outcome.output.contains(reading.id.rawValue) && outcome.output.contains("5.60 mmol/L"))
    #expect(try daemon.tool.run(["glucose", "add", "101mg/dL", "--tag", "散步后"]).code == 0)
    #expect(try await put(daemon).reading.tag == .own("散步后"))
    await daemon.stop()
  }

  @Test("A change keeps what is not named, and a time that somebody names is doubtful no more")
  func edit() async throws {
    var doubtful = try Self.reading("k3x9qa", "101 mg/dL", tag: .listed(.night), source: .meter)
    doubtful.timeDoubts = [.meterClock]
    let daemon = try await daemon([doubtful])
    #expect(try daemon.tool.run(["glucose", "edit", "k3x9qa", "--no-tag"]).code == 0)
    #expect(try await put(daemon).reading.timeDoubts == [.meterClock])
    #expect(try await put(daemon).reading.tag == nil)
    let outcome = try daemon.tool.run([
      "glucose", "edit", "k3x9qa", "--time", "2026-09-21 16:13", "--tag", "fasting",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let (reading, seen) = try await put(daemon)
    #expect(reading.timeDoubts.isEmpty && reading.time == .seconds(1_789_999_980) && seen == 4)
    #expect(reading.level == doubtful.level && reading.tag == .listed(.fasting))
    #expect(try daemon.tool.run(["glucose", "remove", "k3x9qa"]).code == 0)
    let last = try #require(await daemon.commands.last)
    #expect(try Command.Request(json: last) == .glucose(.remove("k3x9qa", revision: 4)))
    await daemon.stop()
  }

  @Test("The list is filtered by tag and sorted by time, level or tag, in one unit where wanted")
  func list() async throws {
    let daemon = try await daemon([
      Self.reading("a", "5.6 mmol/L", tag: .listed(.beforeLunch), at: 1_790_000_000),
      Self.reading("b", "180 mg/dL", tag: .listed(.afterLunch), at: 1_790_003_600),
      Self.reading("c", "53 mg/dL", at: 1_790_007_200, source: .meter),
    ])
    func ids(_ arguments: String...) throws -> [String] {
      let outcome = try daemon.tool.run(["glucose", "list", "--json"] + arguments)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let list = try JSONValue(parsing: outcome.output).arrayContent ?? []
      return list.compactMap { $0["id"]?.stringContent }
    }
    #expect(try ids() == ["c", "b", "a"])
    #expect(try ids("--ascending") == ["a", "b", "c"])
    #expect(try ids("--sort", "level") == ["b", "a", "c"])
    #expect(try ids("--sort", "tag", "--ascending") == ["b", "a", "c"])
    #expect(try ids("--tag", "before-lunch") == ["a"])
    #expect(try ids("--limit", "2", "--ascending") == ["b", "c"])
    let text = try daemon.tool.run(["glucose", "list", "--unit", "mmol/L"]).output
    #expect(text.contains("5.6 mmol/L") && text.contains("10.0 mmol/L"))
    #expect(text.contains("very low") && text.contains("before-lunch") && text.contains("meter"))
    await daemon.stop()
  }

  @Test(
    "Readings are shown in the resident's unit, else in their own, and in another one that is asked for",
    arguments: [
      ("mmol/L", nil, ["5.6 mmol/L", "10.0 mmol/L"], "levels in mmol/L"),
      ("mg/dL", nil, ["101 mg/dL", "180 mg/dL"], "levels in mg/dL"),
      ("as-received", nil, ["5.6 mmol/L", "180 mg/dL"], "levels in mg/dL"),
      ("mmol/L", "mg/dL", ["101 mg/dL", "180 mg/dL"], "levels in mg/dL"),
    ] as [(String, String?, [String], String)])
  func shownUnit(kept: String, asked: String?, levels: [String], heading: String) async throws {
    let readings = [
      try Self.reading("a", "5.6 mmol/L"), try Self.reading("b", "180 mg/dL", at: 1_790_003_600),
    ]
    let daemon = try await daemon(readings, unit: kept)
    let option = asked.map { ["--unit", $0] } ?? []
    let list = try daemon.tool.run(["glucose", "list"] + option)
    #expect(list.code == 0, "\(list.errors)")
    for level in levels { #expect(list.output.contains(level), "\(list.output)") }
    let report = try daemon.tool.run(["glucose", "report", "--since", "2026-09-01"] + option)
    #expect(report.code == 0 && report.output.contains(heading), "\(report.output)")
    // What programs read is as it was measured, whoever looks.
    let json = try daemon.tool.run(["glucose", "list", "--json"] + option).output
    #expect(try JSONValue(parsing: json).arrayContent?.last?["level"] == "5.6")
    await daemon.stop()
  }

  @Test("A report is of one calendar month where the resident lives, fetched page by page")
  func report() async throws {
    // Midnight of 1 October in Oslo is 22:00 of 30 September in UTC.
    let october = try Timestamp(iso8601: "2025-09-30T22:00:00Z").milliseconds / 1000
    var readings = [
      try Self.reading("before", "300 mg/dL", at: october - 1),
      try Self.reading("after", "300 mg/dL", at: october + 31 * 86_400 + 3600),
    ]
    for number in 0..<10_001 {
      readings.append(
        try Self.reading(
          GlucoseReadingID("r\(number)"), "100 mg/dL", at: october + Int64(number)))
    }
    let daemon = try await daemon(readings)
    let outcome = try daemon.tool.run(["glucose", "report", "--month", "2025-10", "--json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let json = try JSONValue(parsing: outcome.output)
    let month = try #require(json["fingerSticks"]?["months"]?.arrayContent?.first)
    #expect(month["month"] == "2025-10" && month["isOver"] == true)
    #expect(month["all"]?["count"] == 10_001 && month["all"]?["meanMgPerDl"]?.doubleContent == 100)
    let text = try daemon.tool.run(["glucose", "report", "--month", "2025-10"]).output
    #expect(text.contains("10001 readings") && text.contains("2025-10"))
    let nothing = try daemon.tool.run(["glucose", "report", "--month", "2020-01"])
    #expect(nothing.code == 0 && nothing.output.contains("no readings"))
    await daemon.stop()
  }

  @Test(
    "What cannot be meant is refused before anything is sent",
    arguments: [
      ["glucose", "add", "101"], ["glucose", "add", "HIGHER"], ["glucose", "add"],
      ["glucose", "add", "5.6", "mg/dL"], ["glucose", "add", "101", "mg/dL", "--tag", ""],
      ["glucose", "list", "--sort", "size"], ["glucose", "list", "--unit", "g"],
      ["glucose", "report", "--month", "2026-13"], ["glucose", "report", "--month", "October"],
      ["glucose", "report", "--month", "2026-01", "--since", "7d"],
      ["glucose", "edit", "k", "--tag", "night", "--no-tag"],
      ["glucose", "edit", "k", "--level", "6"],
    ])
  func refused(_ arguments: [String]) async throws {
    let daemon = try await daemon([])
    let outcome = try daemon.tool.run(arguments)
    #expect(outcome.code == 2, "\(outcome.errors)")
    #expect(!outcome.errors.isEmpty && outcome.output.isEmpty)
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }
}
