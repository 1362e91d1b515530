import Bytes
import Care
import Door
import JSON
import Loop
import Ports
import Texts

/// What people ask of the map: places by their words or their position, and what is drawn.
@LoopActor
struct MapQuestions {
  let outward: OutwardCalls

  var handlings: [Handling] {
    [
      Handling(.mapFind, findPlaces), Handling(.mapReverse, findAddress),
      Handling(.mapSquare, drawSquare),
    ]
  }

  /// A question that waits in the plugin behind others may take so long.
  private static let mapMilliseconds: Int64 = 8000
  private static let outsideMilliseconds: Int64 = 15_000

  private func findPlaces(_ asked: Asked, _ answer: @escaping Answer) throws {
    let near = try asked.reader.optional("near").map { try Coordinate(json: $0) }
    let params = JSONValue.object([
      "text": .string(try asked.reader.string("text")), "near": near?.json,
      "limit": .integer(Int64(try asked.limit(usual: 10, from: 1, atMost: 50))),
    ])
    askPlaces("geocode", params, answer) { found in
      found["places"]?.arrayContent?.contains { $0["suggestion"] == nil } ?? false
    }
  }

  private func findAddress(_ asked: Asked, _ answer: @escaping Answer) throws {
    let place = try Coordinate(json: asked.reader.required("at"))
    askPlaces("reverse", place.json, answer) { found in found["place"]?.objectContent != nil }
  }

  private func drawSquare(_ asked: Asked, _ answer: @escaping Answer) throws {
    let reader = asked.reader
    let params: JSONValue = [
      "zoom": .integer(try reader.count("zoom")), "column": .integer(try reader.count("column")),
      "row": .integer(try reader.count("row")),
    ]
    outward.ask("tiles", params, milliseconds: Self.mapMilliseconds) {
      answer($0.map { RouteAnswer($0) }.mapError { Self.refusal($0) })
    }
  }

  /// Asks the gateway's own map, and a server outside where that has nothing that `fits`.
  private func askPlaces(
    _ service: String, _ params: JSONValue, _ answer: @escaping Answer,
    fits: @escaping (JSONValue) -> Bool
  ) {
    outward.ask(service, params, milliseconds: Self.mapMilliseconds) { [outward] own in
      let told = own.map { RouteAnswer($0.setting("isFromOutside", to: false)) }
        .mapError { Self.refusal($0) }
      if case .success(let found) = own, fits(found) { return answer(told) }
      outward.ask("\(service).outside", params, milliseconds: Self.outsideMilliseconds) { outside in
        guard case .success(let found) = outside, fits(found) else { return answer(told) }
        answer(.success(found.setting("isFromOutside", to: true)))
      }
    }
  }

  private static func refusal(_ failure: ServiceFailure) -> CommandReply.Refusal {
    guard failure.isMissing else { return CommandReply.Refusal(.conflict, failure.message) }
    return CommandReply.Refusal(
      .conflict,
      Message(
        "This gateway has no map. Import one (homeward places import --help), and add the plugin places to the configuration."
      ))
  }
}
