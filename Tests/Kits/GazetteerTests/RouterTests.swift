import Care
import Foundation
import JSON
import TestSupport
import Testing

@testable import Gazetteer

/// What becomes of each answer of the program that finds ways; a script stands for it.
@Suite("Asking for a way")
struct RouterTests {
  private let directory: TemporaryDirectory
  private let folder: PlaceFolder
  private let router: WalkingRouter

  init() throws {
    directory = try TemporaryDirectory()
    let about = PlaceFolder.About(
      extract: "x", digest: "d", importedSeconds: 0, bytes: 0, counts: [:], attribution: "",
      bounds: nil)
    try directory.write(about.json.serialized, to: "set-1/about.json")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path(of: "current"), withDestinationPath: "set-1")
    folder = try #require(try PlaceFolder(in: directory.path))
    router = WalkingRouter(folder, tools: directory.path(of: "tools"))
  }

  /// Has a script for the program, which works in the folder of the import.
  private func install(_ script: String) throws {
    let program = try directory.write(
      "#!/bin/sh\n\(script)\n", to: "tools/environment/valhalla/valhalla/bin/valhalla_service")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
  }

  private func failure() throws -> WalkingRouter.Failure? {
    let from = try #require(Coordinate(latitudeDegrees: 30.25, longitudeDegrees: -40.5))
    let to = try #require(Coordinate(latitudeDegrees: 31, longitudeDegrees: -41))
    do throws(WalkingRouter.Failure) {
      _ = try router.route(from: from, to: to)
      return nil
    } catch { return error }
  }

  @Test(
    "A refusal of the program is told as what it means, and what it says without sense as it is",
    arguments: [
      (#"echo '{"error_code":442}'; exit 1"#, .noWay),
      (#"echo '{"error_code":171}'; exit 1"#, .noStreets),
      (#"printf '{"error_code":999}'; exit 1"#, .failed(#"{"error_code":999}"#)),
      ("printf nonsense", .failed("nonsense")), ("printf '{}'", .failed("{}")),
      ("printf '%0400d' 0", .failed(String(repeating: "0", count: 300))),
      ("printf 'no tiles' >&2; exit 1", .failed("no tiles")), ("exit 0", .failed("")),
    ] as [(String, WalkingRouter.Failure)])
  func refusals(script: String, expected: WalkingRouter.Failure) throws {
    try install(script)
    #expect(try failure() == expected)
  }

  @Test("A program that is not there says so")
  func missing() throws {
    guard case .failed(let words)? = try failure() else {
      Issue.record("something answered")
      return
    }
    #expect(!words.isEmpty)
  }

  @Test("It is asked in the import's folder, from the first place to the second, on foot")
  func question() throws {
    try install(#"printf '%s\n' "$@" > asked; echo '{"error_code":442}'"#)
    #expect(try failure() == .noWay)
    let asked = try String(contentsOfFile: "\(folder.path)/asked", encoding: .utf8)
    let lines = asked.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0] == "valhalla.json" && lines[1] == "route")
    let json = try JSONValue(parsing: String(lines[2]))
    #expect(json["costing"] == "pedestrian")
    let places = json["locations"]?.arrayContent ?? []
    #expect(places.map { $0["lat"]?.doubleContent } == [30.25, 31])
    #expect(places.map { $0["lon"]?.doubleContent } == [-40.5, -41])
  }
}
