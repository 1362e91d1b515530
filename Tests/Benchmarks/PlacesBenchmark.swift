import Care
import Foundation
import Gazetteer
import Glibc
import JSON
import TestSupport
import WalkSimulator
import WalkingRoutes

/// Places without the internet: what an import takes, what a look-up and a way on foot take, and what guidance keeps in memory.
///
/// The import's tools come from PyPI once and stay in `.build/places`. Extracts of real towns are measured where the shared data
/// folder has them; the invented town everywhere.
enum PlacesBenchmark {
  private static let lookUps = 400

  static var parts: [BenchmarkPart] {
    (["invented"] + realTowns).map { town in
      BenchmarkPart(name: "places-import-\(town)") { try measureImport(of: town, &$0) }
    } + [
      BenchmarkPart(name: "places-look-ups", measure: measureLookUps),
      BenchmarkPart(name: "places-route", measure: measureRoute),
      BenchmarkPart(name: "places-memory", measure: measureMemory),
    ]
  }

  /// Towns of the shared data folder.
  private static var realTowns: [String] {
    guard let folder = SharedData.path("osm") else { return [] }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".osm.gz") }.map { String($0.dropLast(7)) }.sorted()
  }

  // MARK: Imports

  /// Seconds and memory of an import, beside what it said that it would need.
  private static func measureImport(of town: String, _ table: inout Table) throws {
    let tools = try tools()
    let folder = try TemporaryDirectory()
    let target = folder.path(of: "import")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(target)/environment", withDestinationPath: "\(tools)/environment")
    let extract = try extract(of: town, in: folder)
    let plan = try BuiltHomeward.run([
      "--json", "places", "import", extract, "--to", target, "--plan",
    ])
    let before = peakBytesOfChildren
    let took = try seconds {
      try BuiltHomeward.run(["places", "import", extract, "--to", target])
    }
    // The tools were there, so that what is largest of all children is the import.
    let peak = max(before, peakBytesOfChildren)
    let promised = plan["memoryBytes"]?.integerContent ?? 0
    let size = (try PlaceFolder(in: target))?.about.bytes ?? 0
    table.add(
      "import of \(town)",
      "\(decimal(took)) s, \(megabytes(peak)) at the peak, \(megabytes(size)) on disk",
      budget: "memory ≤ \(megabytes(promised)), as said before", isKept: peak <= promised)
  }

  private static func extract(of town: String, in folder: TemporaryDirectory) throws -> String {
    if let real = SharedData.path("osm/\(town).osm.gz"), realTowns.contains(town) { return real }
    let path = folder.path(of: "\(town).osm")
    try InventedTown.write(to: path, around: Outing.nowhere)
    return path
  }

  /// A folder with the import's tools, which the first import fetches.
  private static func tools() throws -> String {
    let folder = Checkout.path(".build/places")
    if FileManager.default.fileExists(atPath: "\(folder)/environment/complete"),
      FileManager.default.fileExists(atPath: "\(folder)/current")
    {
      return folder
    }
    let scratch = try TemporaryDirectory()
    let path = scratch.path(of: "invented.osm")
    try InventedTown.write(to: path, around: Outing.nowhere)
    try BuiltHomeward.run(["places", "import", path, "--to", folder])
    return folder
  }

  /// The most memory that a child of this process, or one of its own, has had so far.
  private static var peakBytesOfChildren: Int64 {
    var usage = rusage()
    return getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0
      ? Int64(usage.ru_maxrss) * 1024 : 0
  }

  private static func megabytes(_ bytes: Int64) -> String {
    "\(decimal(Double(bytes) / 1e6, 1)) MB"
  }

  // MARK: Look-ups

  private static func measureLookUps(_ table: inout Table) throws {
    let tools = try tools()
    guard let places = try PlaceFolder(in: tools), let middle = Outing.nowhere else {
      throw BenchmarkFailure("nothing was imported to \(tools)")
    }
    let gazetteer = try places.index()
    let asked = [
      ("address found", "Lindengasse 9"), ("address with a mistake found", "Lindemgasse 9"),
      ("address between two others found", "Lindengasse 8"), ("nothing found", "Qwrtzpl 4711"),
    ]
    for (subject, words) in asked {
      let each = try median(milliseconds { _ = try gazetteer.search(words, near: middle) })
      table.add(
        subject, "\(decimal(each, 2)) ms (median of \(lookUps))", budget: "≤ 10 ms",
        isKept: each <= 10)
    }
    var bearing = 0.0
    let each = try median(
      milliseconds {
        bearing += 37
        _ = try gazetteer.reverse(middle.moved(meters: 120, bearingDegrees: bearing))
      })
    table.add(
      "address of a position", "\(decimal(each, 3)) ms (median of \(lookUps))", budget: "≤ 2 ms",
      isKept: each <= 2)
  }

  private static func milliseconds(_ work: () throws -> Void) rethrows -> [Double] {
    try (0..<lookUps).map { _ in try seconds(work) * 1000 }
  }

  // MARK: A way

  private static func measureRoute(_ table: inout Table) throws {
    let tools = try tools()
    guard let places = try PlaceFolder(in: tools), let home = Outing.nowhere else {
      throw BenchmarkFailure("nothing was imported to \(tools)")
    }
    let router = WalkingRouter(places, tools: tools)
    let before = peakBytesOfChildren
    var ways: [Double] = []
    for turn in 0..<11 {
      let start = home.moved(meters: 150, bearingDegrees: Double(turn * 33))
      ways.append(try seconds { _ = try router.route(from: start, to: home) } * 1000)
    }
    let peak = max(before, peakBytesOfChildren)
    table.add(
      "way on foot found", "\(decimal(median(ways), 0)) ms (median of \(ways.count))",
      budget: "≤ 500 ms", isKept: median(ways) <= 500)
    table.add(
      "memory of the router, while it looks", megabytes(peak), budget: "≤ 100 MB",
      isKept: peak <= 100_000_000)
  }

  // MARK: Memory

  /// The daemon and the plugin before somebody is shown a way, and while they are.
  private static func measureMemory(_ table: inout Table) throws {
    guard let home = Outing.nowhere else { return }
    let tools = try tools()
    let logs = try TemporaryDirectory()
    let receiver = try SimulatedReceiver(
      outing: Outing(seed: 1, home: home), log: logs.path(of: "gpsd.log"))
    let gateway = try GatewayUnderTest(gpsPort: receiver.gpsdPort, brokerPort: nil, hasPlaces: true)
    let own = "\(gateway.statePath)/plugins"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    let copy = try ChildProcess(
      "/bin/cp", ["-a", tools, "\(own)/places"], log: logs.path(of: "copy.log"))
    guard copy.wait() == 0 else { throw BenchmarkFailure(copy.log) }
    try gateway.forgetPrograms()
    try gateway.start()
    defer { gateway.stop() }
    guard let pid = gateway.process?.pid else { return }
    let goal = home.moved(meters: 200, bearingDegrees: 60)
    try gateway.addResident()
    try gateway.homeward([
      "bookmarks", "add", "--resident", "mary", "--name", "Market",
      "--at=\(goal.latitudeDegrees),\(goal.longitudeDegrees)",
    ])
    try gateway.homeward([
      "settings", "set", "guidanceInTheDark", "true", "--resident", "mary",
    ])
    let figures = ProcessFigures(pid: pid)
    let hasPlugin = Eventually.holds(withinSeconds: 20) { figures.descendants.count == 2 }
    guard hasPlugin else { throw BenchmarkFailure("the plugin did not start: \(gateway.log)") }
    usleep(5_000_000)
    let before = (figures.residentMegabytes, share(figures))
    try gateway.homeward(["guide", "to", "Market", "--resident", "mary"])
    let isShown = Eventually.holds(withinSeconds: 30) {
      let journeys = (try? gateway.homeward(["--json", "guide"]))?.arrayContent ?? []
      return journeys.first?["stage"]?.stringContent == "leading"
    }
    guard isShown else { throw BenchmarkFailure("no way was shown: \(gateway.log)") }
    usleep(5_000_000)
    let after = (figures.residentMegabytes, share(figures))
    table.add(
      "homewardd with somebody on the way",
      "\(decimal(before.0)) → \(decimal(after.0)) MB", budget: "≤ 1 MB more",
      isKept: after.0 - before.0 <= 1)
    table.add(
      "plugin places, before and after a way (PSS)",
      "\(decimal(before.1)) → \(decimal(after.1)) MB", budget: "≤ 8 MB", isKept: after.1 <= 8)
  }

  private static func share(_ figures: ProcessFigures) -> Double {
    figures.descendants.map(\.proportionalMegabytes).reduce(0, +)
  }
}
