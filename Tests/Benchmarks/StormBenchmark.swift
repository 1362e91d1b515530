import Care
import Foundation
import JSON
import Plugins
import TestSupport

/// A hand on the button while strangers, and somebody with an account, ask the pages for things without a pause.
enum StormBenchmark {
  private static let rounds = 8
  private static let presses = 25
  private static let email = "anna@example.org"

  static var parts: [BenchmarkPart] {
    [BenchmarkPart(name: "pages-storm") { table in try measure(on: NullCard(), &table) }]
  }

  /// From the edge of the button, its hold time taken off, to the first frames, in calm and in storm by turns. Only how
  /// the two compare is judged: how soon it sounds at all is for `alarm-sound`.
  private static func measure(on card: NullCard, _ table: inout Table) throws {
    let folder = try TemporaryDirectory()
    let first = FirstFrames()
    let port = try LocalPort.free()
    let gateway = try GatewayInProcess(
      state: folder.path(of: "state"),
      plugins: [try console(below: folder.path(of: "plugins"), port: port)],
      speaker: card.speaker { first.heard($0, at: $1) })
    defer { gateway.stop() }
    try moveIn(gateway)
    let (program, script, _) = try PageFigures.prepare()
    // Those who ask have processors of their own: theirs is what nobody here wants.
    let storm = try LineProcess(
      "/usr/bin/nice", ["-n", "19", program, script, "storm", "\(port)", email])
    var (calm, stormy): ([Double], [Double]) = ([], [])
    var (answered, seconds) = (0.0, 0.0)
    for _ in 0..<rounds {
      calm += try (0..<presses).map { _ in try first.delay(in: gateway) }
      try storm.write(Array("begin\n".utf8))
      _ = try storm.output.take("the storm") { $0 == "begun" }
      stormy += try (0..<presses).map { _ in try first.delay(in: gateway) }
      try storm.write(Array("end\n".utf8))
      let told = try storm.output.take("the end of the storm") { $0.hasPrefix("{") }
      let figures = try JSONValue(parsing: Array(told.utf8))
      answered += figures["answered"]?.doubleContent ?? 0
      seconds += figures["seconds"]?.doubleContent ?? 0
      guard figures["pages"]?.integerContent ?? 0 > 0 else {
        throw BenchmarkFailure("nobody got a page in the storm: \(told)")
      }
    }
    add(calm, stormy, perSecond: answered / seconds, to: &table)
  }

  private static func add(
    _ calm: [Double], _ stormy: [Double], perSecond: Double, to table: inout Table
  ) {
    func late(_ delays: [Double]) -> Double { delays.sorted()[delays.count * 99 / 100] }
    for (delays, words) in [
      (calm, "in calm"), (stormy, "in a storm of \(decimal(perSecond, 0)) requests a second"),
    ] {
      table.add(
        "button edge → first frame, \(words)",
        "p50 \(decimal(median(delays), 2)) ms, p99 \(decimal(late(delays), 2)) ms")
    }
    let ratio = median(stormy) / median(calm)
    table.add(
      "the same, storm against calm (p50)", "\(decimal(ratio, 2)) ×", budget: "≤ 1.5 ×",
      isKept: ratio <= 1.5)
  }

  private static func moveIn(_ gateway: GatewayInProcess) throws {
    func ask(_ request: JSONValue) throws -> JSONValue {
      try gateway.ask(Command.Request(json: request))
    }
    let account = try ask([
      "action": "account.sign-up", "email": .string(email),
      "profile": ["name": "Anna", "language": "en"],
      "questions": [], "answers": [], "password": "paper boat on the river",
    ])["account"]
    guard let account else { throw BenchmarkFailure("the gateway made no account") }
    _ = try ask(["action": "account.choose-role", "target": account, "role": "caregiver"])
    _ = try ask(["action": "account.link", "target": account, "resident": "mary"])
  }

  private static func console(
    below folder: String, port: Int
  ) throws -> PluginHost.PluginConfiguration {
    let place = try InstalledPlugin.install("console", below: folder)
    try FileManager.default.copyItem(
      atPath: Checkout.path("plugins/console/web"), toPath: "\(place)/web")
    return PluginHost.PluginConfiguration(
      name: "console", directory: place,
      grants: [
        "network", "accounts", "position.precise", "content.personal", "places", "read:*",
        "command:*",
      ], settings: ["port": .integer(Int64(port))])
  }
}
