public import Care
public import CivilTime
public import JSON
import Moments

/// What the engine is told beside what people ask of it.
public enum ReminderInput: Hashable, Sendable {
  /// The gateway started; what was open goes on.
  case started
  /// The tick that the engine asked for has come.
  case time
  /// The clock was set, or became trusted, or lost trust.
  case clockChanged
  /// A sound began, ended or failed.
  case sound(SoundReport)
  /// A real alarm began: nothing else is spoken for a while.
  case alarmBegan
  /// A resident left home.
  case leftHome(ResidentID)
  /// Residents came, went or changed.
  case residentsChanged([Resident])
  /// Settings of a resident changed; all that differ from the default.
  case settingsChanged(ResidentID, [String: JSONValue])
  /// The rules of a time zone became known; nil when its file cannot be read.
  case timeZone(name: String, CivilTimeZone?)
}

/// One step of the engine: when it is, and what follows.
struct Step {
  let now: Moment
  var outcome = Outcome()
  /// Items whose row has to be written.
  var touched: Set<RoutineItemID> = []

  init(_ now: Moment) { self.now = now }
}
