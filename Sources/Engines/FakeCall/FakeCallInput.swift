public import Care

/// What a fake call is told.
public enum FakeCallInput: Hashable, Sendable {
  /// Somebody wants a call for a resident, so many seconds from now: 0 through 3,600.
  ///
  /// `recording` is the absolute path of a WAV file with one side of a talk; nil for the spoken script.
  case start(
    resident: ResidentID, afterSeconds: Int64, country: String, language: String,
    recording: String? = nil)
  /// The call that rings is answered.
  case answer
  /// The call is hung up, refused, or a planned one dropped.
  case end
  /// A sound began, ended or failed.
  case sound(SoundReport)
  /// A real alarm began: it always wins.
  case alarmBegan
  /// The tick that the engine asked for has come.
  case time
}
