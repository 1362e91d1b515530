public import Care
import Moments

/// What the notebook is told beside what people ask of it.
public enum NotebookInput: Hashable, Sendable {
  /// A sound began, ended or failed.
  case sound(SoundReport)
  /// The wall clock, a resident or a setting changed: what waits for the end of quiet hours is looked at again.
  case circumstancesChanged
  /// The tick that the engine asked for has come.
  case time
}

extension World {
  /// When the quiet hours that hold for a resident end; nil when it may be spoken now, or nobody knows.
  func waitsUntil(_ resident: ResidentID) -> Timestamp? {
    guard case .minutes(let minutes) = quiet(of: resident) else { return nil }
    let minute: Int64 = 60_000
    let begun = now.utc.milliseconds / minute * minute
    return Timestamp(milliseconds: begun).advanced(byMilliseconds: Int64(minutes) * minute)
  }
}
