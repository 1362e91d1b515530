import CareModel

/// Walks through an event's facts and keeps what a plugin may see: what ``EventMembers`` knows and lets go.
struct EventScrubber {
  let discs: [PrivacyDisc]
  let clearance: Clearance
  /// Whether sentences of the event tell no place.
  private let hasHarmlessSentences: Bool
  private let record: [String: Disclosure]
  private(set) var hasChanged = false

  /// Kinds of alarms whose sentences tell neither a place nor a distance.
  private static let harmlessKinds = Set(
    AlarmKind.allCases.filter { kind in
      switch kind {
      case .zone, .position: false
      case .sos, .glucose, .medicine, .fault, .battery, .test: true
      }
    }.map(\.rawValue))

  init(discs: [PrivacyDisc], clearance: Clearance, facts: JSONValue) {
    self.discs = discs
    self.clearance = clearance
    hasHarmlessSentences = Self.harmlessKinds.contains(facts["kind"]?.stringContent ?? "")
    let noun = facts["action"]?.stringContent?.split(separator: ".").first
    record = noun.flatMap { EventMembers.ofRecord(String($0)) } ?? [:]
  }

  /// The value as it may leave; nil when it may not.
  mutating func scrubbed(_ json: JSONValue, _ known: [String: Disclosure]) -> JSONValue? {
    switch json {
    case .null: return json
    case .object(let members): return .object(scrubbed(members, known))
    case .array(let elements):
      return .array(
        elements.compactMap { element in
          guard case .object = element else {
            hasChanged = true
            return nil
          }
          return scrubbed(element, known)
        })
    // Where an object belongs, a bare value is nothing that is known.
    case .bool, .integer, .number, .string:
      hasChanged = true
      return nil
    }
  }

  private mutating func scrubbed(
    _ members: [JSONMember], _ known: [String: Disclosure]
  ) -> [JSONMember] {
    let position = Self.position(members)
    let disc =
      clearance.seesPlaces
      ? nil : position.flatMap { position in discs.first { $0.contains(position) } }
    var kept: [JSONMember] = []
    for member in members {
      let disclosure = known[member.key]
      if let content = content(member, disclosure, hasPosition: position != nil, disc: disc) {
        kept.append(JSONMember(key: member.key, value: content))
      } else {
        hasChanged = true
      }
    }
    guard disc != nil else { return kept }
    hasChanged = true
    return kept + [JSONMember(key: "positionPrivacy", value: "approximate")]
  }

  private mutating func content(
    _ member: JSONMember, _ disclosure: Disclosure?, hasPosition: Bool, disc: PrivacyDisc?
  ) -> JSONValue? {
    switch disclosure {
    case .plain: return member.value
    case .place: return clearance.seesPlaces ? member.value : nil
    case .words: return clearance.seesWords ? member.value : nil
    case .alarmSentence:
      return clearance.seesPlaces || hasHarmlessSentences ? member.value : nil
    case .coordinate:
      if clearance.seesPlaces { return member.value }
      guard hasPosition else { return nil }
      guard let disc else { return member.value }
      return .number(
        member.key == "latitude" ? disc.center.latitudeDegrees : disc.center.longitudeDegrees)
    case .measure:
      return clearance.seesPlaces || (hasPosition && disc == nil) ? member.value : nil
    case .members(let inner): return scrubbed(member.value, inner)
    case .record: return scrubbed(member.value, record)
    case nil: return clearance.seesPlaces && clearance.seesWords ? member.value : nil
    }
  }

  /// Names of members that are not known, at any depth.
  func unknown(in facts: JSONValue, _ known: [String: Disclosure]) -> [String] {
    if case .array(let elements) = facts { return elements.flatMap { unknown(in: $0, known) } }
    return (facts.objectContent ?? []).flatMap { member -> [String] in
      let inner: [String: Disclosure]
      switch known[member.key] {
      case nil: return [member.key]
      case .members(let members): inner = members
      case .record: inner = record
      case .plain, .place, .words, .alarmSentence, .coordinate, .measure: return []
      }
      return unknown(in: member.value, inner).map { "\(member.key).\($0)" }
    }
  }

  private static func position(_ members: [JSONMember]) -> Coordinate? {
    guard let latitude = members.first(where: { $0.key == "latitude" })?.value.doubleContent,
      let longitude = members.first(where: { $0.key == "longitude" })?.value.doubleContent
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}
