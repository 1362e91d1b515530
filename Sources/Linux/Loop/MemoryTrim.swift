import CGatewayShims

/// Gives back to the system what a burst of work took, once nothing was done for a moment: the allocator keeps it otherwise,
/// for the next one.
@LoopActor
public final class MemoryTrim {
  /// So many pieces of work make a burst.
  private static let burst = 100
  private static let quietMilliseconds: Int64 = 2000

  private var done = 0
  private lazy var timer = LoopTimer { [weak self] in
    self?.done = 0
    homeward_trim_memory()
  }

  /// For one kind of work.
  public init() {}

  /// A piece of work was done.
  public func worked() {
    done += 1
    if done >= Self.burst { timer.set(afterMilliseconds: Self.quietMilliseconds) }
  }
}
