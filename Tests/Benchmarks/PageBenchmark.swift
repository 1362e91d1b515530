import Foundation
import JSON
import TestSupport

/// The pages as families see them: how soon something stands there, what they hold in memory, how soon what happens is
/// seen.
enum PageBenchmark {
  static var parts: [BenchmarkPart] {
    [
      BenchmarkPart(name: "pages-first-view", measure: measureFirstView),
      BenchmarkPart(name: "pages-rest", measure: measureRest),
      BenchmarkPart(name: "pages-watching", measure: measureWatching),
      BenchmarkPart(name: "pages-timeline", measure: measureTimeline),
    ]
  }

  /// Log-in, first page and alarm on a telephone that is far from a mast, nothing of them known.
  private static func measureFirstView(_ table: inout Table) throws {
    let figures = try PageFigures("first-view")
    let took = try figures.number("throttle", "downloadMilliseconds")
    let expected = try figures.number("throttle", "downloadExpectedMilliseconds")
    let unthrottled = try figures.number("throttle", "downloadUnthrottledMilliseconds")
    let slowdown = try figures.number("throttle", "slowdown")
    // A throttle that does nothing would make everything look fast.
    table.add(
      "control: a download and some work on the telephone",
      "\(decimal(took, 0)) ms (\(decimal(unthrottled, 0)) ms without), \(decimal(slowdown)) × slower",
      budget: "0.9–1.5 × \(decimal(expected, 0)) ms, ≥ 3 ×",
      isKept: (0.9 * expected...1.5 * expected).contains(took) && slowdown >= 3)
    for page in ["log-in", "home", "alarm"] {
      let (first, largest) = (
        try figures.number(page, "firstMilliseconds"),
        try figures.number(page, "largestMilliseconds")
      )
      table.add(
        "\(page) on a telephone, first and largest words",
        "\(decimal(first, 0)) ms, \(decimal(largest, 0)) ms", budget: "≤ 1,000 ms",
        isKept: max(first, largest) <= 1_000)
      let kilobytes = try figures.number(page, "bytes") / 1e3
      table.add(
        "\(page), all its bytes", "\(decimal(kilobytes)) kB", budget: "≤ 150 kB",
        isKept: kilobytes <= 150)
    }
  }

  /// The console's memory while nobody looks.
  private static func measureRest(_ table: inout Table) throws {
    let figures = try PageFigures("rest")
    for (member, words) in [
      ("startedMegabytes", "before the first visit"),
      ("visitedMegabytes", "after three visits of every page"),
    ] {
      let megabytes = try figures.number(member)
      table.add(
        "console at rest, \(words) (PSS)", "\(decimal(megabytes)) MB", budget: "≤ 16 MB",
        isKept: megabytes <= 16)
    }
  }

  /// Ten years of readings on one graph: how soon it is there, and how smoothly it moves in a browser on this machine.
  private static func measureTimeline(_ table: inout Table) throws {
    let figures = try PageFigures("timeline")
    let count = decimal(try figures.number("readings"), 0)
    for (member, words) in [
      ("pageMilliseconds", "the page with its first drawing, of \(count) readings kept"),
      ("seriesMilliseconds", "all \(count) readings as 2,000 points"),
    ] {
      let milliseconds = try figures.number(member)
      table.add(
        words, "\(decimal(milliseconds, 0)) ms", budget: "≤ 100 ms", isKept: milliseconds <= 100)
    }
    let frames = try figures.number("framesPerSecond")
    let slowest = try figures.number("slowestFrameMilliseconds")
    table.add(
      "moved and looked at closely, all of them in sight",
      "\(decimal(frames, 0)) pictures a second, slowest \(decimal(slowest, 0)) ms",
      budget: "≥ 30 a second", isKept: frames >= 30)
  }

  /// 200 pages that watch, each of which asks for itself anew when something happens, and one in a browser.
  private static func measureWatching(_ table: inout Table) throws {
    let figures = try PageFigures("watching")
    let (pages, events) = (try figures.number("pages"), try figures.number("events"))
    let one = try figures.number("oneMegabytes")
    for (member, words) in [
      ("manyMegabytes", "at rest"), ("afterMegabytes", "after \(decimal(events, 0)) events"),
    ] {
      let more = try figures.number(member) - one
      table.add(
        "console and gateway, \(decimal(pages, 0)) pages more, \(words) (PSS)",
        "\(decimal(one)) MB + \(decimal(more)) MB", budget: "+ ≤ 8 MB", isKept: more <= 8)
    }
    for (member, words, isJudged) in [
      ("arrival", "command → event at each of the pages", true),
      ("screen", "command → seen in a browser among them", true),
      ("page", "command → each of the pages has itself anew", false),
    ] {
      let (p50, p99) = (
        try figures.number("\(member)P50Milliseconds"),
        try figures.number("\(member)P99Milliseconds")
      )
      table.add(
        words, "p50 \(decimal(p50, 0)) ms, p99 \(decimal(p99, 0)) ms",
        budget: isJudged ? "p99 ≤ 300 ms" : "", isKept: isJudged ? p99 <= 300 : nil)
    }
  }
}

/// What `Tests/Browser/figures.py` measured.
struct PageFigures {
  private let figures: JSONValue

  /// Measures a part, with the programs of this build.
  init(_ part: String) throws {
    let folder = try TemporaryDirectory()
    let process = try Self.start([part], log: folder.path(of: "log"))
    guard process.wait() == 0,
      let line = process.log.split(separator: "\n").last(where: { $0.hasPrefix("{") })
    else { throw BenchmarkFailure("the pages were not measured: \(process.log)") }
    figures = try JSONValue(parsing: Array(line.utf8))
  }

  /// One of the figures.
  func number(_ path: String...) throws -> Double {
    let found = path.reduce(figures) { $0[$1] ?? .null }
    guard let number = found.doubleContent else {
      throw BenchmarkFailure("\(path.joined(separator: ".")) was not measured")
    }
    return number
  }

  /// The program that measures, once the rig's Python has its libraries.
  static func prepare() throws -> (program: String, script: String, environment: [String: String]) {
    let folder = try TemporaryDirectory()
    try RigModem.prepareLibraries(log: folder.path(of: "log"))
    let programs = URL(fileURLWithPath: try BuiltProducts.path(of: "homewardd"))
      .deletingLastPathComponent().path
    let environment = ProcessInfo.processInfo.environment.merging([
      "HOMEWARD_PROGRAMS": programs
    ]) { $1 }
    return (
      Checkout.path("hardware/rig/python"), Checkout.path("Tests/Browser/figures.py"), environment
    )
  }

  private static func start(_ arguments: [String], log: String) throws -> ChildProcess {
    let (program, script, environment) = try prepare()
    return try ChildProcess(program, [script] + arguments, log: log, environment: environment)
  }
}
