public import Care
import JSON

/// Takes out of events what a plugin was not granted to know, by kinds: see ``DataKind``.
///
/// Without exact positions a position inside a disc becomes the disc's centre, and whatever could be measured back to the
/// home (distances, zone geometry, the fixes used, courses, addresses, sentences with distances) is left out everywhere,
/// because distances from known positions find a home as surely as a position does. What is not known to be harmless goes:
/// see ``EventMembers``, and the declarations of engines. All of it is decided by the event itself and by the homes that are and were, so that it does not
/// matter when a plugin takes it.
public struct PrivacyFilter: Hashable, Sendable {
  /// The discs, none of which shares its home with another.
  public let discs: [PrivacyDisc]
  /// The members of the types that engines declare.
  private let declared: [EventType: [String: Disclosure]]

  /// A filter with discs made before, and the types of events that engines declare.
  public init(discs: [PrivacyDisc], events: [EventDeclaration] = []) {
    self.init(discs: discs, declared: Self.members(of: events))
  }

  /// A filter with the discs of all home zones, and of homes that were; see ``PrivacyDisc/discs(of:past:gatewaySeed:)``.
  public init(
    zones: [SafeZone], past: [PastHome] = [], gatewaySeed: UInt64, events: [EventDeclaration] = []
  ) {
    self.init(
      discs: PrivacyDisc.discs(of: zones, past: past, gatewaySeed: gatewaySeed), events: events)
  }

  init(discs: [PrivacyDisc], declared: [EventType: [String: Disclosure]]) {
    self.discs = discs
    self.declared = declared
  }

  static func members(of events: [EventDeclaration]) -> [EventType: [String: Disclosure]] {
    Dictionary(events.map { ($0.type, $0.members) }) { first, _ in first }
  }

  private func members(of type: EventType) -> [String: Disclosure]? {
    EventMembers.of(type) ?? declared[type]
  }

  /// Whether events of a type pass unread and unchanged, so that no filter is needed.
  public static func passesWhole(_ type: EventType, _ clearance: Clearance) -> Bool {
    EventMembers.passesWhole(type, clearance)
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
    var scrubber = EventScrubber(
      discs: discs, clearance: clearance, facts: facts,
      liftsPositions: Self.callsForHelp(type, facts)
    )
    let scrubbed = scrubber.scrubbed(facts, members(of: type) ?? [:])
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
    guard let known = members(of: event.type) else { return [type] }
    let scrubber = EventScrubber(discs: [], clearance: Clearance(), facts: event.facts)
    return scrubber.unknown(in: event.facts, known).map { "\(type): \($0)" }
  }
}
