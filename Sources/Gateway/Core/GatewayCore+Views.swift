import Alarms
public import Care
import GlucoseValues
public import Moments
import Reminders

/// What people and the parts outside of the core may know, each view as the core is just now.
extension GatewayCore {
  private var snapshot: EngineSnapshot { EngineSnapshot(engines, in: world) }

  /// The residents and who is there for them.
  public var household: HouseholdView { HouseholdView(snapshot) }
  /// Who speaks, and whom they see.
  public var accounts: AccountView { AccountView(snapshot) }
  /// Alarms and whom they reach.
  public var alarms: AlarmView { AlarmView(snapshot) }
  /// The ways that residents are shown.
  public var guidance: GuidanceView { GuidanceView(snapshot) }
  /// What residents do each day.
  public var routine: RoutineView { RoutineView(snapshot) }
  /// Messages, pictures and recordings.
  public var notebook: NotebookView { NotebookView(snapshot) }
  /// Meters and tags.
  public var nearby: NearbyView { NearbyView(snapshot) }
  /// The parts of the gateway itself.
  public var upkeep: UpkeepView { UpkeepView(snapshot) }
  /// What is set by name.
  public var settings: ResidentSettings {
    ResidentSettings(usual: configuration.trackingDefaults, house: world.house)
  }

  /// The sentences that have to be ready: those of an emergency, and of the routine within 24 hours.
  public func sentencesToKeep(at now: Moment) -> [Sentence] {
    engines[AlarmEngine.self].emergencySentences + engines[ReminderEngine.self].sentences(at: now)
  }

  /// Whom an input is about, so that erasing a resident reaches the recorded inputs too; nil for the gateway.
  public func resident(concernedBy input: CoreInput) -> ResidentID? {
    switch input {
    case .observation(let observation): engines.resident(concernedBy: observation)
    case .wake, .started, .timeZone: nil
    case .command(let command):
      // What the store holds comes with the command, also of what it removes.
      command.storedNote?.resident ?? command.storedMessage?.resident
        ?? command.storedReading?.resident ?? engines.resident(concernedBy: command.request)
    }
  }
}
