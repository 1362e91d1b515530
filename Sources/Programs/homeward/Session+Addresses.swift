import Bytes
import Care
import Door
import Gazetteer
import JSON

/// Addresses that people type, looked for on the gateway's map.
extension Session {
  static let addressOption = OptionSpecification.option(
    "address", "ADDRESS",
    gettext("Where it is, as people write it; found on the gateway's map unless --at is given"))

  /// Where `--at` or `--address` says that something is, with the address where the map knows it; nil where neither does.
  func givenPlace() throws(CommandFailure) -> (coordinate: Coordinate, address: String)? {
    let address = arguments.option("address")
    if let text = arguments.option("at") {
      let coordinate = try NumberText.coordinate(text, option: "at")
      return (coordinate, address ?? addressOnMap(at: coordinate))
    }
    guard let address else { return nil }
    let found = try place(ofAddress: address)
    return (found.coordinate, found.address.isEmpty ? address : found.address)
  }

  /// The address of a position; empty where the map has none, or there is no map.
  private func addressOnMap(at coordinate: Coordinate) -> String {
    (try? place(at: coordinate))?.place?.address ?? ""
  }

  /// What the gateway finds at a position, with what is to be said of where that is from.
  func place(
    at coordinate: Coordinate
  ) throws(CommandFailure) -> (place: FoundPlace?, attribution: String) {
    let answer = try call(.mapReverse, ["at": coordinate.json])
    do throws(DecodeError) {
      var place: FoundPlace?
      if let json = answer["place"], json != .null { place = try FoundPlace(json: json) }
      return (place, answer["attribution"]?.stringContent ?? "")
    } catch { throw CommandFailure(error) }
  }

  /// Where an address is.
  ///
  /// - Throws: A failure that names what may have been meant, where it is not found or is more than one.
  func place(ofAddress text: String) throws(CommandFailure) -> FoundPlace {
    let places = try find(text, limit: 6).places
    let exact = places.filter { !$0.isSuggestion }
    guard let first = exact.first else {
      let meant = places.map { "  \(Self.line($0))" }
      guard !meant.isEmpty else {
        throw CommandFailure(
          .failed,
          gettext(
            "The map does not have \"{text}\". Try fewer words, or give the place itself: --at LAT,LON",
            ["text": text]))
      }
      throw CommandFailure(
        .failed,
        gettext(
          "The map does not have \"{text}\". Did you mean one of these?\n{places}",
          ["text": text, "places": meant.joined(separator: "\n")]))
    }
    let others = exact.dropFirst().filter {
      $0.title == first.title && $0.address != first.address && $0.kind == first.kind
    }
    guard others.isEmpty else {
      throw CommandFailure(
        .failed,
        gettext(
          "There is more than one \"{text}\". Add the town:\n{places}",
          [
            "text": text,
            "places": ([first] + others).map { "  \(Self.line($0))" }.joined(separator: "\n"),
          ]))
    }
    return first
  }

  /// Places that the gateway finds, with what is to be said of where they are from.
  func find(
    _ text: String, near: Coordinate? = nil, limit: Int
  ) throws(CommandFailure) -> (places: [FoundPlace], attribution: String) {
    let answer = try call(
      .mapFind,
      .object([
        "text": .string(text), "near": near?.json, "limit": .integer(Int64(limit)),
      ]))
    do throws(DecodeError) {
      let places = try (answer["places"]?.arrayContent ?? []).map { json throws(DecodeError) in
        try FoundPlace(json: json)
      }
      return (places, answer["attribution"]?.stringContent ?? "")
    } catch { throw CommandFailure(error) }
  }

  private static func line(_ place: FoundPlace) -> String {
    let words =
      place.address.hasPrefix(place.title) || place.title.isEmpty
      ? place.address : "\(place.title), \(place.address)"
    return TextWidth.printable(words)
  }
}
