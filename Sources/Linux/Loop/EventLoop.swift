import CGatewayShims
import Glibc
public import Moments
import Synchronization

/// One epoll loop on a thread of its own: file descriptors, timers and posted work.
///
/// The thread starts with the first use of ``shared`` and lives as long as the process. Nothing on it may block.
public final class EventLoop: SerialExecutor, Sendable {
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

  /// The loop of this process.
  public static let shared = EventLoop()

  private enum Work {
    case job(UnownedJob)
    case closure(@LoopActor @Sendable () -> Void)
  }

  private struct Inbox: ~Copyable {
    var work: [Work] = []
    var isSignalled = false
  }

  private let epoll: Int32
  private let wake: Int32
  private let timer: Int32
  private let inbox = Mutex(Inbox())
  private let thread = Atomic<UInt>(0)

  @LoopActor private static var handlers: [Int32: @LoopActor (Readiness) -> Void] = [:]
  @LoopActor private static var timers: [ObjectIdentifier: LoopTimer] = [:]
  @LoopActor private static var armed: Tick?

  private init() {
    epoll = homeward_epoll_create()
    wake = homeward_eventfd_create()
    timer = homeward_timer_create()
    precondition(
      epoll >= 0 && wake >= 0 && timer >= 0, "the kernel refuses epoll, eventfd or timerfd")
    _ = homeward_epoll_set(epoll, wake, true, false)
    _ = homeward_epoll_set(epoll, timer, true, false)
    let isStarted = SystemThread.start(name: "homeward-loop") { self.runForEver() }
    precondition(isStarted, "the kernel refuses a thread for the event loop")
  }

  // MARK: Posting from any thread

  /// Runs `work` on the loop, after what was posted before; may be called on any thread.
  public func post(_ work: @escaping @LoopActor @Sendable () -> Void) { add(.closure(work)) }

  /// Takes a job of the loop's actor; called by the Swift runtime.
  public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  /// Stops the process unless called on the loop's thread.
  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "this must run on the event loop")
  }

  /// Whether the caller runs on the loop's thread.
  public func isIsolatingCurrentContext() -> Bool? {
    thread.load(ordering: .relaxed) == UInt(pthread_self())
  }

  private func add(_ work: Work) {
    let mustSignal = inbox.withLock { inbox in
      inbox.work.append(work)
      defer { inbox.isSignalled = true }
      return !inbox.isSignalled
    }
    if mustSignal { homeward_eventfd_signal(wake) }
  }

  // MARK: Descriptors and timers, on the loop

  /// Calls `handler` whenever `descriptor` is ready in a watched direction, or hung up; replaces an earlier watch.
  ///
  /// - Returns: false when the kernel refuses the descriptor (a regular file, a closed one).
  @LoopActor
  @discardableResult
  public func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping @LoopActor (Readiness) -> Void
  ) -> Bool {
    guard
      homeward_epoll_set(
        epoll, descriptor, interest.contains(.reading), interest.contains(.writing)) == 0
    else { return false }
    Self.handlers[descriptor] = handler
    return true
  }

  /// Changes the directions of a watched descriptor and keeps its handler.
  ///
  /// Without any direction the handler rests completely: epoll would go on reporting a hang-up, and a paused reader whose
  /// far end has closed would keep the loop spinning.
  @LoopActor
  public func setInterest(_ interest: Interest, of descriptor: Int32) {
    guard Self.handlers[descriptor] != nil else { return }
    if interest.isEmpty {
      _ = homeward_epoll_remove(epoll, descriptor)
    } else {
      _ = homeward_epoll_set(
        epoll, descriptor, interest.contains(.reading), interest.contains(.writing))
    }
  }

  /// Stops watching; call it before closing the descriptor.
  @LoopActor
  public func unwatch(_ descriptor: Int32) {
    guard Self.handlers.removeValue(forKey: descriptor) != nil else { return }
    _ = homeward_epoll_remove(epoll, descriptor)
  }

  /// The monotonic time now; may be called on any thread.
  public static var now: Tick { Tick(nanoseconds: homeward_boottime_nanoseconds()) }

  @LoopActor
  func add(_ added: LoopTimer) {
    Self.timers[ObjectIdentifier(added)] = added
    rearm()
  }

  @LoopActor
  func remove(_ removed: LoopTimer) {
    Self.timers[ObjectIdentifier(removed)] = nil
  }

  @LoopActor
  private func rearm() {
    let next = Self.timers.values.lazy.compactMap(\.deadline).min()
    guard next != Self.armed else { return }
    Self.armed = next
    _ = homeward_timer_set(timer, next.map { max(1, $0.nanoseconds) } ?? 0)
  }

  // MARK: The thread

  private func runForEver() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var ready = [homeward_ready](repeating: homeward_ready(), count: 64)
    while true {
      let count = homeward_epoll_wait(epoll, &ready, 64)
      guard count >= 0 else { continue }
      for entry in ready.prefix(Int(count)) { dispatch(entry) }
    }
  }

  private func dispatch(_ entry: homeward_ready) {
    if entry.fd == wake {
      homeward_eventfd_drain(wake)
      runPostedWork()
    } else if entry.fd == timer {
      homeward_timer_drain(timer)
      LoopActor.assumeIsolated { fireTimers() }
    } else {
      let readiness = Readiness(
        isReadable: entry.readable, isWritable: entry.writable, isHungUp: entry.hung_up)
      LoopActor.assumeIsolated { Self.handlers[entry.fd]?(readiness) }
    }
  }

  private func runPostedWork() {
    let work = inbox.withLock { inbox in
      inbox.isSignalled = false
      return exchange(&inbox.work, with: [])
    }
    for item in work {
      switch item {
      case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .closure(let closure): LoopActor.assumeIsolated { closure() }
      }
    }
  }

  @LoopActor
  private func fireTimers() {
    Self.armed = nil
    let now = Self.now
    let due = Self.timers.values.filter { $0.deadline.map { $0 <= now } ?? false }
    for timer in due.sorted(by: { ($0.deadline ?? now) < ($1.deadline ?? now) }) {
      timer.fire(at: now)
    }
    rearm()
  }
}

private func exchange<Content>(_ place: inout Content, with content: Content) -> Content {
  let old = place
  place = content
  return old
}
