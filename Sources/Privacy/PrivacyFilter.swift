public import CareModel

/// Takes out of events what a plugin was not granted to know: where somebody lives, and what people wrote.
///
/// Without the grant `position.precise` a position inside a disc becomes the disc's centre, and whatever could be
/// measured back to the home (distances, zone geometry, the fixes used, courses, addresses, sentences with distances) is
/// left out everywhere, because distances from known positions find a home as surely as a position does. Without the
/// grant `content.personal` the words of memos, diary, messages and conflicts stay in the house, and so does how
/// guardians are reached. What is not known to be harmless goes: see ``EventMembers``.
public struct PrivacyFilter: Hashable, Sendable {
  /// The discs, none of which shares its home with another.
  public let discs: [PrivacyDisc]

  /// Residents with an open alarm, whose alarm-lane events tell their places: whoever comes must know where.
  public let residentsInDanger: Set<ResidentID>

  /// A filter with discs made before.
  public init(discs: [PrivacyDisc], residentsInDanger: Set<ResidentID> = []) {
    self.discs = discs
    self.residentsInDanger = residentsInDanger
  }

  /// A filter with the discs of all home zones; see ``PrivacyDisc/discs(of:gatewaySeed:)``.
  public init(zones: [SafeZone], gatewaySeed: UInt64, residentsInDanger: Set<ResidentID> = []) {
    self.init(
      discs: PrivacyDisc.discs(of: zones, gatewaySeed: gatewaySeed),
      residentsInDanger: residentsInDanger)
  }

  /// Whether events of a type pass unread and unchanged, so that no filter is needed.
  public static func passesWhole(_ type: EventType, _ clearance: Clearance) -> Bool {
    clearance.seesPlaces && (clearance.seesWords || !EventMembers.holdsWords(type))
  }

  /// The stored bytes of an event as one plugin may see them; nil when they cannot be read, and then nothing may leave.
  public func filtered(
    _ body: [UInt8], of type: EventType, _ clearance: Clearance = Clearance()
  ) -> [UInt8]? {
    if Self.passesWhole(type, clearance) { return body }
    let limits = JSONValue.Limits(maximumBytes: 4 << 20)
    guard let event = try? JSONValue(parsing: body, limits: limits), case .object = event,
      let facts = event["data"]
    else { return nil }
    var clearance = clearance
    if isOfDanger(event) {
      clearance.seesPlaces = true
      if Self.passesWhole(type, clearance) { return body }
    }
    var scrubber = EventScrubber(discs: discs, clearance: clearance, facts: facts)
    let scrubbed = scrubber.scrubbed(facts, EventMembers.of(type) ?? [:])
    return scrubber.hasChanged
      ? event.setting("data", to: scrubbed ?? .object([])).serializedBytes : body
  }

  /// Members of an event that the filter does not know, each with its type; empty for all that the core makes.
  public static func unknownMembers(of event: Event) -> [String] {
    let type = event.type.rawValue
    guard let known = EventMembers.of(event.type) else { return [type] }
    let scrubber = EventScrubber(discs: [], clearance: Clearance(), facts: event.facts)
    return scrubber.unknown(in: event.facts, known).map { "\(type): \($0)" }
  }

  private func isOfDanger(_ event: JSONValue) -> Bool {
    guard event["lane"]?.stringContent == Lane.alarm.rawValue,
      let subject = event["subject"]?.stringContent, subject.hasPrefix("resident/")
    else { return false }
    return residentsInDanger.contains(ResidentID(String(subject.dropFirst("resident/".count))))
  }
}
