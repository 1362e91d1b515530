import Care
import Foundation
import Gazetteer
import JSON
import Loop
import PluginTestSupport
import Ports
import TestSupport
import Testing
import Texts

@Suite(
  "Places as services", .timeLimit(.minutes(2)),
  .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
struct PlacesPluginTests {
  private static func imported() async throws -> HostedPlugin {
    let plugin = try await HostedPlugin("places") { try InventedTown.makeImport(in: $0) }
    _ = await plugin.wait(for: .working)
    return plugin
  }

  private func message(_ answer: Result<JSONValue, ServiceFailure>) -> String? {
    guard case .failure(let failure) = answer else { return nil }
    return failure.message.description
  }

  @Test("Confined by the host it finds an address by its words, and by its position")
  func bothWays() async throws {
    let plugin = try await Self.imported()
    let answer = try await plugin.call("geocode", ["text": "lindengasse 9", "limit": 3]).get()
    #expect(answer["attribution"] == "An invented town")
    let found = try #require(answer["places"]?.arrayContent?.first)
    #expect(found["address"] == "Lindengasse 9, 9001 Ahrenstett" && found["suggestion"] == nil)
    let (latitude, longitude) = try (
      #require(found["latitude"]), #require(found["longitude"])
    )
    let back = try await plugin.call(
      "reverse", ["latitude": latitude, "longitude": longitude]
    ).get()
    #expect(back["place"]?["address"] == found["address"])
    await plugin.stop()
  }

  @Test("What cannot be found has suggestions that say so, or nothing")
  func suggestions() async throws {
    let plugin = try await Self.imported()
    let meant = try await plugin.call("geocode", ["text": "Lindengase 9"]).get()
    let places = try #require(meant["places"]?.arrayContent)
    #expect(places.first?["name"] == "Lindengasse 9")
    #expect(places.allSatisfy { $0["suggestion"] == true })
    let nothing = try await plugin.call("geocode", ["text": "Qqqqxxxx"]).get()
    #expect(nothing["places"] == [])
    let sea = try await plugin.call("reverse", ["latitude": 0, "longitude": 0]).get()
    #expect(sea["place"] == .null)
    await plugin.stop()
  }

  @Test("A square of the map comes deflated, with what it is to be credited with")
  func squares() async throws {
    let plugin = try await Self.imported()
    let answer = try await plugin.call("tiles", ["zoom": 15, "column": 12743, "row": 13519]).get()
    #expect(answer["zooms"] == [11, 13, 15] && answer["attribution"] == "An invented town")
    let text = try #require(answer["content"]?.stringContent)
    #expect(try #require(Data(base64Encoded: text)).first == 0x78)
    let none = try await plugin.call("tiles", ["zoom": 15, "column": 1, "row": 1]).get()
    #expect(none["content"] == .null)
    await plugin.stop()
  }

  /// Valhalla itself comes from PyPI, and is played here: that the walls let it run is what is to be shown.
  @Test("Confined by the host it runs the router that the import brought, and hands on its answer")
  func router() async throws {
    let answer =
      #"{"trip":{"legs":[{"maneuvers":[{"type":1,"street_names":["Gartenweg"],"bearing_after":90,"length":0.05,"begin_shape_index":0,"end_shape_index":1},{"type":4,"bearing_before":90,"length":0.0,"begin_shape_index":1,"end_shape_index":1}],"summary":{"time":40.0,"length":0.05},"shape":"_w`fx@~~khkA?g^"}],"status":0}}"#
    let plugin = try await HostedPlugin("places") { state in
      try InventedTown.makeImport(in: state)
      let folder = "\(state)/environment/valhalla/valhalla/bin"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let program = "\(folder)/valhalla_service"
      try Data("#!/bin/sh\necho '\(answer)'\n".utf8).write(
        to: URL(fileURLWithPath: program))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }
    _ = await plugin.wait(for: .working)
    let ends: JSONValue = ["latitude": 30, "longitude": -40]
    let found = try await plugin.call("route", ["from": ends, "to": ends]).get()
    #expect(found["failure"] == nil, "\(found)")
    #expect(found["route"] != nil)
    await plugin.stop()
  }

  @Test("Without a router a way is told to have failed, and addresses are found meanwhile")
  func noRouter() async throws {
    let plugin = try await Self.imported()
    async let way = plugin.call(
      "route",
      [
        "from": ["latitude": 30.001, "longitude": -39.999],
        "to": ["latitude": 30.003, "longitude": -39.996],
      ])
    let answer = try await plugin.call("geocode", ["text": "Gartenweg"]).get()
    #expect(answer["places"]?.arrayContent?.isEmpty == false)
    #expect(try await way.get() == ["failure": "failed"])
    await plugin.stop()
  }

  @Test(
    "What cannot be understood is refused by name",
    arguments: [
      ("geocode", [:], "text"), ("geocode", ["text": 3], "text"),
      ("geocode", ["text": "a", "near": ["latitude": 99, "longitude": 0]], "latitude"),
      ("reverse", ["latitude": 30], "longitude"),
      ("reverse", ["latitude": "30", "longitude": 0], "latitude"),
      ("route", ["from": ["latitude": 30, "longitude": 0]], "to"),
      ("tiles", ["zoom": "x", "column": 0, "row": 0], "zoom"), ("tiles", [], "type"),
    ] as [(String, JSONValue, String)])
  func refused(service: String, params: JSONValue, word: String) async throws {
    let plugin = try await Self.imported()
    let reason = try #require(await message(plugin.call(service, params)))
    #expect(reason.contains(word), "\(reason)")
    await plugin.stop()
  }

  @Test("Nothing imported is said with what to do, and each service answers that it has nothing")
  func nothing() async throws {
    let plugin = try await HostedPlugin("places")
    let report = try #require(await plugin.wait(for: .degraded))
    #expect(report.detail.description.contains("homeward places import"))
    #expect(try await plugin.call("geocode", ["text": "a"]).get()["places"] == [])
    let ends: JSONValue = ["latitude": 30, "longitude": 0]
    let way = try await plugin.call("route", ["from": ends, "to": ends]).get()
    #expect(way == ["failure": "no-service"])
    // What is imported meanwhile is found at the next question.
    try InventedTown.makeImport(in: "\(await plugin.stateRoot)/places")
    let found = try await plugin.call("geocode", ["text": .string(InventedTown.house)]).get()
    #expect(
      found["places"]?.arrayContent?.first?["name"]?.stringContent == InventedTown.house)
    _ = await plugin.wait(for: .working)
    await plugin.stop()
  }

  @Test("A damaged import is said with what to do")
  func damaged() async throws {
    let plugin = try await HostedPlugin("places") { state in
      try InventedTown.makeImport(in: state)
      try Data("no database".utf8).write(
        to: URL(fileURLWithPath: "\(state)/current/places.db"))
    }
    _ = await plugin.wait(for: .working)
    let reason = try #require(await message(plugin.call("geocode", ["text": "a"])))
    #expect(reason.contains("homeward places import"), "\(reason)")
    _ = await plugin.wait(for: .failed)
    await plugin.stop()
  }

  @Test("More questions than it can line up are refused at once, and what was taken is answered")
  func flood() async throws {
    let plugin = try await Self.imported()
    let answers = await withTaskGroup(of: Result<JSONValue, ServiceFailure>.self) { group in
      for number in 0..<200 {
        group.addTask { await plugin.call("geocode", ["text": .string("Gartenweg \(number)")]) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let refusals = answers.compactMap { message($0) }
    #expect(refusals.count < 200)
    #expect(refusals.allSatisfy { $0.contains("try again") }, "\(refusals.first ?? "")")
    let after = try await plugin.call("geocode", ["text": "Gartenweg"]).get()
    #expect(after["places"]?.arrayContent?.isEmpty == false)
    await plugin.stop()
  }
}
