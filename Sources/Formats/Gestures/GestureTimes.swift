/// How long a hand takes for what.
public struct GestureTimes: Hashable, Sendable {
  /// Milliseconds without a change after which a released contact counts as open.
  public var debounceMilliseconds: Int64
  /// Milliseconds from one release to the next press within which both belong together.
  public var multiPressMilliseconds: Int64
  /// Milliseconds after which a button that is down counts as held.
  public var holdMilliseconds: Int64
  /// Milliseconds after which nobody can mean it any more.
  public var stuckMilliseconds: Int64

  /// Times; by default 20 ms against bounce, 400 ms between presses, held after 3 s, stuck after a minute.
  public init(
    debounceMilliseconds: Int64 = 20, multiPressMilliseconds: Int64 = 400,
    holdMilliseconds: Int64 = 3000, stuckMilliseconds: Int64 = 60_000
  ) {
    self.debounceMilliseconds = debounceMilliseconds
    self.multiPressMilliseconds = multiPressMilliseconds
    self.holdMilliseconds = holdMilliseconds
    self.stuckMilliseconds = stuckMilliseconds
  }
}
