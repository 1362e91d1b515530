public import Care
public import JSON

/// What the engine is told beside what people ask of it.
public enum AlarmInput: Hashable, Sendable {
  /// Another engine found something in this step.
  case signalled(Signal)
  /// What became of a message.
  case delivery(DeliveryReport)
  /// Plugins began or ceased to offer ways to people.
  case ways(WaysReport)
  /// A photograph came, or could not be taken.
  case photo(PhotoReport)
  /// A sound began, ended or failed.
  case sound(SoundReport)
  /// A button went down, got stuck or came loose; its other gestures come as requests.
  case button(ButtonReport, ResidentID?)
  /// Residents came, went or changed.
  case residentsChanged([Resident])
  /// Guardians came, went or changed.
  case guardiansChanged([Guardian])
  /// Settings of a resident changed; all that differ from the default.
  case settingsChanged(ResidentID, [String: JSONValue])
  /// A resident refused to be located: the last position is not told any more.
  case locationRefused(ResidentID)
  /// The gateway started; what was open goes on.
  case started
  /// The tick that the engine asked for has come.
  case time
}
