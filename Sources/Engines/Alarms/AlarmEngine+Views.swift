public import Care
public import JSON
import Moments
public import Texts

/// What others may know of the engine.
extension AlarmEngine {
  /// Open alarms, most urgent first, for people to read.
  ///
  /// One that the resident was forced to end is left out: it looks over to whoever stands beside the gateway.
  ///
  /// - Parameter language: of whoever reads; nil for each resident's own.
  public func summaries(in language: Language? = nil) -> [JSONValue] {
    AlarmSummary.ofOpen(state.alarms, in: house).map { $0.json(in: language) }
  }

  /// Shows who needs help and how guardians can be reached.
  public func show(_ view: World.View, in world: inout World) {
    switch view {
    case .need: world.need = state.need
    case .reachability: world.reachability = reachability
    default: break
    }
  }

  private var reachability: World.Reachability {
    var reachability = World.Reachability()
    reachability.offered = carriers.channels
    reachability.pins = state.pins
    return reachability
  }

  /// The open alarms that a guardian is told of, or would be: those about the one whom they guard, also where duress lets
  /// one look over.
  public func alarms(toldTo guardian: Guardian) -> [AlarmID] {
    state.alarms.filter { Self.concerns($0, guardian) }.map(\.id)
  }

  /// An open alarm as a guardian sees it who is told of it; nil when it is over, or none of theirs.
  ///
  /// - Parameter language: of whoever reads; nil for the resident's.
  public func alarm(
    _ id: AlarmID, toldTo guardian: Guardian, in language: Language?
  ) -> JSONValue? {
    guard let alarm = state.alarms.first(where: { $0.id == id }), Self.concerns(alarm, guardian)
    else { return nil }
    return AlarmSummary(alarm, in: house).json(toldTo: guardian, in: language)
  }

  private static func concerns(_ alarm: LiveAlarm, _ guardian: Guardian) -> Bool {
    alarm.isDispatched && alarm.kind.isAboutAPerson
      && alarm.resident.map { $0 == guardian.resident } ?? true
  }

  /// Whether what is told to guardians alone about an alarm must not be shown to anybody else.
  ///
  /// For duress until it is truly over; for the resident's own word, which it must look like, as long as it is remembered.
  public func isConcealed(_ alarm: AlarmID) -> Bool {
    state.isConcealed(alarm)
  }

  /// The sentences that have to be spoken in an emergency, to be rendered beforehand.
  public var emergencySentences: [Sentence] {
    Sentences.inEmergencies(of: house)
  }

  /// The stored hashes of a resident's PINs.
  public func pinHash(_ kind: PINKind, of resident: ResidentID) -> String? {
    state.care[resident]?.pins[kind.rawValue]
  }
}
