import Care
import JSON

/// Walks through an event's facts and keeps what a plugin may see: what ``EventDisclosures`` knows and lets go.
struct EventScrubber {
  let discs: [PrivacyDisc]
  let clearance: Clearance
  /// Whether positions are exact in this event, whoever sees it: whoever comes to help must know where.
  let liftsPositions: Bool
  /// What sentences of an alarm of this kind tell.
  private let sentenceKinds: Set<DataKind>
  private let record: [String: Disclosure]
  private let faultNamesPeople: Bool
  private(set) var hasChanged = false

  init(discs: [PrivacyDisc], clearance: Clearance, facts: JSONValue, liftsPositions: Bool = false) {
    self.discs = discs
    self.clearance = clearance
    self.liftsPositions = liftsPositions
    sentenceKinds = Self.kinds(ofSentencesOf: facts["kind"]?.stringContent)
    faultNamesPeople = facts["namesPeople"]?.boolContent ?? false
    let noun = facts["action"]?.stringContent?.split(separator: ".").first
    record = noun.flatMap { RecordMembers.of(String($0)) } ?? [:]
  }

  /// What a sentence about an alarm tells: those of zones and positions hold distances and names of places.
  private static func kinds(ofSentencesOf kind: String?) -> Set<DataKind> {
    guard let kind = kind.flatMap(AlarmKind.init) else { return Set(DataKind.allCases) }
    return switch kind {
    case .zone, .position, .lost: [.position]
    case .glucose, .medicine: [.health]
    case .sos, .fault, .battery, .test: []
    }
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
      clearance.kinds.contains(.position) || liftsPositions
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
    let seesPositions = clearance.kinds.contains(.position) || liftsPositions
    switch disclosure {
    case .plain: return member.value
    case .kinds(let needed): return clearance.allows(needed) ? member.value : nil
    case .alarmSentence(let namesGuardians):
      let needed = namesGuardians ? sentenceKinds.union([.contacts]) : sentenceKinds
      return clearance.allows(needed) ? member.value : nil
    case .faultSentence:
      return !faultNamesPeople || clearance.allows([.contacts]) ? member.value : nil
    case .settingValue:
      guard case .string = member.value else { return member.value }
      return clearance.allows([.messages]) ? member.value : nil
    case .coordinate:
      if seesPositions { return member.value }
      guard hasPosition else { return nil }
      guard let disc else { return member.value }
      return .number(
        member.key == "latitude" ? disc.center.latitudeDegrees : disc.center.longitudeDegrees)
    case .measure:
      return seesPositions || (hasPosition && disc == nil) ? member.value : nil
    case .members(let inner): return scrubbed(member.value, inner)
    case .record: return scrubbed(member.value, record)
    case .never, nil: return nil
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
      case .plain, .kinds, .alarmSentence, .faultSentence, .settingValue, .coordinate, .measure,
        .never:
        return []
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
