public import Care
import JSON

/// Takes out of events what a plugin was not granted to know, by kinds: see ``DataKind``.
///
/// Without exact positions a position inside a disc becomes the disc's centre, and whatever could be measured back to the
/// home (distances, zone geometry, the fixes used, courses, addresses, sentences with distances) is left out everywhere,
/// because distances from known positions find a home as surely as a position does. What nobody declared goes:
/// see ``EventDisclosures``. All of it is decided by the event itself and by the homes that are and were, so that it does not
/// matter when a plugin takes it.
public struct PrivacyFilter: Hashable, Sendable {
  /// The discs, none of which shares its home with another.
  public let discs: [PrivacyDisc]
  /// What the facts of each type tell.
  private let events: EventDisclosures

  /// A filter with discs made before.
  public init(discs: [PrivacyDisc], events: EventDisclosures) {
    self.discs = discs
    self.events = events
  }

  /// A filter with the discs of all home zones, and of homes that were; see ``PrivacyDisc/discs(of:past:gatewaySeed:)``.
  public init(
    zones: [SafeZone], past: [PastHome] = [], gatewaySeed: UInt64, events: EventDisclosures
  ) {
    self.init(
      discs: PrivacyDisc.discs(of: zones, past: past, gatewaySeed: gatewaySeed), events: events)
  }

  /// The stored bytes of an event as one plugin may see them; nil when they cannot be read, and then nothing may leave.
  public func filtered(
    _ body: [UInt8], of type: EventType, _ clearance: Clearance = Clearance()
  ) -> [UInt8]? {
    if clearance.isWhole, events.mayLeaveWhole(type) { return body }
    let limits = JSONValue.Limits(maximumBytes: 4 << 20)
    guard let event = try? JSONValue(parsing: body, limits: limits), case .object = event,
      let facts = event["data"]
    else { return nil }
    var scrubber = EventScrubber(
      discs: discs, clearance: clearance, facts: facts,
      liftsPositions: Self.callsForHelp(type, facts)
    )
    let scrubbed = scrubber.scrubbed(facts, events.members(of: type) ?? [:])
    return scrubber.hasChanged
      ? event.setting("data", to: scrubbed ?? .object([])).serializedBytes : body
  }

  /// Whether an event is of an SOS that guardians were told of, so that whoever comes must know where.
  private static func callsForHelp(_ type: EventType, _ facts: JSONValue) -> Bool {
    guard type.rawValue.hasPrefix("alarm.") || type.rawValue.hasPrefix("emergency."),
      facts["kind"]?.stringContent == AlarmKind.sos.rawValue
    else { return false }
    switch facts["stage"]?.stringContent.flatMap(AlarmStage.init) {
    case .dispatched, .acknowledged: return true
    default: return false
    }
  }

  /// Members of an event that the filter does not know, each with its type; empty for all that the core makes.
  public func unknownMembers(of event: Event) -> [String] {
    let type = event.type.rawValue
    guard let known = events.members(of: event.type) else { return [type] }
    let scrubber = EventScrubber(discs: [], clearance: Clearance(), facts: event.facts)
    return scrubber.unknown(in: event.facts, known).map { "\(type): \($0)" }
  }
}
