public import Moments

/// A one-shot timer on the loop that was the current one when it was made; set again for each use.
@LoopActor
public final class LoopTimer {
  /// When the timer fires; nil while it is not set.
  public private(set) var deadline: Tick?
  /// When it was set, among the timers of its loop.
  var order: UInt64 = 0
  private let loop = EventLoop.current
  private let handler: @LoopActor () -> Void

  /// A timer that is not set yet.
  public init(_ handler: @escaping @LoopActor () -> Void) { self.handler = handler }

  /// Fires at `tick`, or at once when it has passed; replaces an earlier deadline.
  public func set(at tick: Tick) {
    guard deadline != tick else { return }
    deadline = tick
    loop.add(self)
  }

  /// Fires after so many milliseconds; replaces an earlier deadline.
  public func set(afterMilliseconds milliseconds: Int64) {
    set(at: loop.now.advanced(byMilliseconds: milliseconds))
  }

  /// Does not fire any more until set again. An owner cancels its timers before it goes away.
  public func cancel() {
    let before = deadline
    deadline = nil
    loop.remove(self, setFor: before)
  }

  /// Whether it fires before another that is set as well.
  func isBefore(_ other: LoopTimer) -> Bool {
    guard let deadline, let otherDeadline = other.deadline, deadline != otherDeadline else {
      return order < other.order
    }
    return deadline < otherDeadline
  }

  func fire(at now: Tick) {
    guard let deadline, deadline <= now else { return }
    cancel()
    handler()
  }
}
