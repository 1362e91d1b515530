import CareModel

/// Walks through an event's facts and keeps what reveals no home.
struct EventScrubber {
  let discs: [PrivacyDisc]
  let keepsExplanation: Bool
  private(set) var hasChanged = false

  init(discs: [PrivacyDisc], type: String) {
    self.discs = discs
    keepsExplanation = ["fault.", "clock.", "gateway.", "delivery."].contains { type.hasPrefix($0) }
  }

  /// Words that mean place or measure; a member goes when one of the words of its name is among them.
  private static let tellingWords: Set<String> = [
    "meter", "meters", "metre", "metres", "distance", "distances", "radius", "margin", "center",
    "centre", "centroid", "geometry", "shape", "polygon", "coordinate", "coordinates", "fix",
    "fixes", "path", "track", "route", "bearing", "course", "heading", "direction", "address",
    "street", "explanation", "sentence", "latitude", "longitude", "lat", "lon", "lng", "geohash",
    "altitude", "beyond", "edge", "miles", "feet", "kilometers", "kilometres", "url", "map",
    "place", "position", "positions", "location", "locations", "point", "points", "speed",
  ]

  /// Members that a telling word hits although they say nothing about where a home is.
  private static let harmless: Set<String> = ["minutesAtLocation", "positionPrivacy"]

  /// Measures of a position that are kept while it lies outside every disc.
  private static let keptOutside = ["accuracyMeters", "speedMetersPerSecond"]

  /// The value as it may leave; nil when it may not.
  mutating func scrubbed(_ json: JSONValue, key: String) -> JSONValue? {
    switch json {
    case .null, .bool, .integer, .number, .string: return json
    case .array(let elements): return scrubbedList(elements, key: key)
    case .object(let members): return scrubbedObject(members)
    }
  }

  private mutating func scrubbedList(_ elements: [JSONValue], key: String) -> JSONValue? {
    if elements.count > 1, elements.allSatisfy({ $0.doubleContent != nil }) {
      hasChanged = true
      return nil
    }
    return .array(elements.compactMap { scrubbed($0, key: key) })
  }

  private mutating func scrubbedObject(_ members: [JSONMember]) -> JSONValue {
    let position = Self.position(members)
    let disc = position.flatMap { position in discs.first { $0.contains(position) } }
    var kept: [JSONMember] = []
    for member in members {
      if let content = content(of: member, hasPosition: position != nil, disc: disc) {
        kept.append(JSONMember(key: member.key, value: content))
      } else {
        hasChanged = true
      }
    }
    guard disc != nil else { return .object(kept) }
    hasChanged = true
    return JSONValue.object(kept).setting("positionPrivacy", to: "approximate")
  }

  private mutating func content(
    of member: JSONMember, hasPosition: Bool, disc: PrivacyDisc?
  ) -> JSONValue? {
    if hasPosition, member.key == "latitude" || member.key == "longitude" {
      guard let disc else { return member.value }
      return .number(
        member.key == "latitude" ? disc.center.latitudeDegrees : disc.center.longitudeDegrees)
    }
    if hasPosition, disc == nil, Self.keptOutside.contains(member.key) { return member.value }
    if Self.isNested(member) { return scrubbed(member.value, key: member.key) }
    if keepsExplanation, member.key == "explanation" { return member.value }
    if Self.isTelling(member.key) { return nil }
    return scrubbed(member.value, key: member.key)
  }

  /// Objects that hold a position of their own are judged by it, whatever they are called; geometry is not among them.
  private static func isNested(_ member: JSONMember) -> Bool {
    guard case .object(let members) = member.value else { return false }
    return ["coordinate", "position", "location", "record", "fix"].contains(member.key)
      && position(members) != nil
  }

  private static func position(_ members: [JSONMember]) -> Coordinate? {
    guard let latitude = members.first(where: { $0.key == "latitude" })?.value.doubleContent,
      let longitude = members.first(where: { $0.key == "longitude" })?.value.doubleContent
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private static func isTelling(_ key: String) -> Bool {
    !harmless.contains(key) && words(of: key).contains(where: tellingWords.contains)
  }

  /// The words of a name written in camel case, in lower case.
  private static func words(of name: String) -> [String] {
    var words = [""]
    for character in name {
      if character.isUppercase || !character.isLetter { words.append("") }
      if character.isLetter { words[words.count - 1] += character.lowercased() }
    }
    return words
  }
}
