import CGatewayShims
import Glibc
public import Moments
import Synchronization

/// A loop: file descriptors, timers and posted work, in real or in virtual time.
///
/// All loops of a process share one thread and one epoll descriptor, and whatever they run is isolated to ``LoopActor``.
/// A program has one, ``shared``; tests make others, in virtual time. What runs on a loop sees it as ``current``, and what
/// it posts, watches or starts belongs to the same loop. Nothing on a loop may block.
///
/// Virtual time stands still while there is work, a descriptor is ready, or something real is awaited (``hold()``, or a
/// thread of ``SystemThread``); then it jumps to the next timer.
public final class EventLoop: Sendable {
  /// What a watched descriptor became.
  public struct Readiness: Hashable, Sendable {
    /// There is something to read.
    public var isReadable: Bool
    /// There is room to write.
    public var isWritable: Bool
    /// The far end closed, or the descriptor is in error; read until the end first.
    public var isHungUp: Bool
  }

  /// Which directions of a descriptor are watched.
  public struct Interest: OptionSet, Sendable {
    /// The raw bits.
    public let rawValue: Int
    /// A set from raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Something to read.
    public static let reading = Interest(rawValue: 1)
    /// Room to write.
    public static let writing = Interest(rawValue: 2)
  }

  /// How a loop's time passes.
  public enum Time: Hashable, Sendable {
    /// As the machine's monotonic clock says, which counts while the machine sleeps.
    case real
    /// By jumps from timer to timer, from this tick on.
    case virtual(from: Tick)
  }

  /// The loop of this process, in real time.
  public static let shared = EventLoop(time: .real, isShared: true)

  /// The loop that the caller runs on or for; ``shared`` outside of any other. May be asked on any thread.
  public static var current: EventLoop { place?.loop ?? shared }

  /// Where code runs that belongs to a loop other than the process's own.
  struct Place: Sendable {
    let loop: EventLoop
    /// Whether it is a thread that keeps time still as it works.
    let isThread: Bool
  }

  // Without the macro, whose property could not be asked about in one place.
  static let places = TaskLocal<Place?>(wrappedValue: nil)
  private static let hasOthers = Atomic<Bool>(false)

  /// Whether another loop than ``shared`` was ever made. Programs that ship make none, and pay one look at a flag.
  static var isOneOfMany: Bool { hasOthers.load(ordering: .relaxed) }

  /// Nil on the process's own loop.
  static var place: Place? { isOneOfMany ? places.get() : nil }

  let virtualTime: VirtualTime?
  private let isShared: Bool
  /// The timerfd of a loop in real time; -1 of others.
  private let timer: Int32

  @LoopActor private var timers: [ObjectIdentifier: LoopTimer] = [:]
  @LoopActor private var timersSet: UInt64 = 0
  @LoopActor private var armed: Tick?

  /// A loop with nothing to do.
  public convenience init(time: Time) {
    self.init(time: time, isShared: false)
    Self.hasOthers.store(true, ordering: .relaxed)
  }

  private init(time: Time, isShared: Bool) {
    self.isShared = isShared
    switch time {
    case .real:
      virtualTime = nil
      timer = homeward_timer_create()
      precondition(timer >= 0, "the kernel refuses timerfd")
      watchTimer()
    case .virtual(let start):
      virtualTime = VirtualTime(from: start)
      timer = -1
    }
  }

  deinit {
    guard timer >= 0 else { return }
    let timer = timer
    LoopThread.shared.post {
      LoopThread.shared.unwatch(timer)
      close(timer)
    }
  }

  private func watchTimer() {
    LoopThread.shared.post { [weak self, timer] in
      _ = LoopThread.shared.watch(timer, for: .reading) { _ in
        homeward_timer_drain(timer)
        self?.timerIsDue()
      }
    }
  }

  // MARK: Any thread

  /// Runs `work` on the loop, after what was posted before; may be called on any thread.
  public func post(_ work: @escaping @LoopActor @Sendable () -> Void) {
    if isShared { return LoopThread.shared.post(work) }
    LoopThread.shared.post { self.enter(work) }
  }

  /// Runs `work` in turn with everything else: of all that is posted so, one piece is done, in its order, before whatever
  /// became ready meanwhile, and the next after it. What is long is cut in pieces, none of which is waited for by an alarm
  /// longer than by itself.
  @LoopActor
  public func postInTurn(_ work: @escaping @LoopActor () -> Void) {
    if isShared { return LoopThread.shared.postInTurn(work) }
    LoopThread.shared.postInTurn { self.enter(work) }
  }

  /// Stops the process unless called on the thread of the loops.
  public func checkIsolated() { LoopThread.shared.checkIsolated() }

  /// The monotonic time of this loop; may be asked on any thread.
  public var now: Tick { virtualTime?.now ?? Self.machineNow }

  /// The monotonic time of the current loop; may be asked on any thread.
  public static var now: Tick { place?.loop.now ?? machineNow }

  private static var machineNow: Tick { Tick(nanoseconds: homeward_boottime_nanoseconds()) }

  /// Runs `work` with this as the current loop.
  @LoopActor
  private func enter(_ work: @LoopActor () -> Void) {
    Self.places.withValue(Place(loop: self, isThread: false)) { work() }
  }

  // MARK: Descriptors, on the loop

  /// Calls `handler` whenever `descriptor` is ready in a watched direction, or hung up; replaces an earlier watch.
  ///
  /// - Returns: false when the kernel refuses the descriptor (a regular file, a closed one).
  @LoopActor
  @discardableResult
  public func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping @LoopActor (Readiness) -> Void
  ) -> Bool {
    if isShared { return LoopThread.shared.watch(descriptor, for: interest, handler) }
    return LoopThread.shared.watch(descriptor, for: interest) { readiness in
      self.enter { handler(readiness) }
    }
  }

  /// Changes the directions of a watched descriptor and keeps its handler.
  ///
  /// Without any direction the handler rests completely: epoll would go on reporting a hang-up, and a paused reader whose
  /// far end has closed would keep the loop spinning.
  @LoopActor
  public func setInterest(_ interest: Interest, of descriptor: Int32) {
    LoopThread.shared.setInterest(interest, of: descriptor)
  }

  /// Stops watching; call it before closing the descriptor.
  @LoopActor
  public func unwatch(_ descriptor: Int32) { LoopThread.shared.unwatch(descriptor) }

  // MARK: Timers, on the loop

  /// Takes a timer; of those that are due together, the one that was set first fires first.
  @LoopActor
  func add(_ added: LoopTimer) {
    timersSet += 1
    added.order = timersSet
    timers[ObjectIdentifier(added)] = added
    if virtualTime == nil { arm(for: added.deadline) } else { LoopThread.shared.keep(self) }
  }

  /// Forgets a timer. The deadline that the kernel knows is left as it is where the next one is near: most timers are put
  /// off or cancelled again, and to wake once for nothing costs less than to tell the kernel of each. A wake-up that nothing
  /// else would need is spared: through the night they add up.
  @LoopActor
  func remove(_ removed: LoopTimer, setFor deadline: Tick?) {
    timers[ObjectIdentifier(removed)] = nil
    guard virtualTime == nil, let deadline, deadline == armed, deadline > now else { return }
    guard let next = nextDeadline, next.milliseconds(since: deadline) >= 1_000 else { return }
    armed = nil
    arm(for: next)
  }

  @LoopActor
  private var nextDeadline: Tick? { timers.values.lazy.compactMap(\.deadline).min() }

  /// Has the kernel wake the loop at a deadline, unless it does so before.
  @LoopActor
  private func arm(for deadline: Tick?) {
    guard let deadline, armed.map({ deadline < $0 }) ?? true else { return }
    armed = deadline
    _ = homeward_timer_set(timer, max(1, deadline.nanoseconds))
  }

  @LoopActor
  private func timerIsDue() {
    armed = nil
    if isShared { fireTimers() } else { enter { fireTimers() } }
    arm(for: nextDeadline)
  }

  @LoopActor
  private func fireTimers() {
    let now = now
    let due = timers.values.filter { $0.deadline.map { $0 <= now } ?? false }
    for timer in due.sorted(by: { $0.isBefore($1) }) { timer.fire(at: now) }
  }

  // MARK: Virtual time

  @LoopActor
  var hasTimers: Bool { !timers.isEmpty }

  var isHeld: Bool { virtualTime?.isHeld ?? true }

  /// Time is that of the next timer, which fires, and so do those that are due with it.
  @LoopActor
  func jump() {
    guard let virtualTime, let next = nextDeadline else { return }
    virtualTime.advance(to: next)
    enter { fireTimers() }
  }

  func end() {
    guard let virtualTime else { return }
    virtualTime.end()
    LoopThread.shared.post { self.timers = [:] }
  }
}
