public import Moments

/// A one-shot timer on the event loop; set again for each use.
@LoopActor
public final class LoopTimer {
  /// When the timer fires; nil while it is not set.
  public private(set) var deadline: Tick?
  private let handler: @LoopActor () -> Void

  /// A timer that is not set yet.
  public init(_ handler: @escaping @LoopActor () -> Void) { self.handler = handler }

  /// Fires at `tick`, or at once when it has passed; replaces an earlier deadline.
  public func set(at tick: Tick) {
    guard deadline != tick else { return }
    deadline = tick
    EventLoop.shared.add(self)
  }

  /// Fires after so many milliseconds; replaces an earlier deadline.
  public func set(afterMilliseconds milliseconds: Int64) {
    set(at: EventLoop.now.advanced(byMilliseconds: milliseconds))
  }

  /// Does not fire any more until set again. An owner cancels its timers before it goes away.
  public func cancel() {
    deadline = nil
    EventLoop.shared.remove(self)
  }

  func fire(at now: Tick) {
    guard let deadline, deadline <= now else { return }
    cancel()
    handler()
  }
}
