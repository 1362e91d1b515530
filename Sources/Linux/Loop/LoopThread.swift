import CGatewayShims
import Glibc
import Synchronization

/// The thread of all loops of this process, and the executor of ``LoopActor``: one epoll descriptor, and what was posted.
///
/// It starts with the first loop and lives as long as the process. Nothing on it may block.
final class LoopThread: SerialExecutor, Sendable {
  static let shared = LoopThread()

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
  private let inbox = Mutex(Inbox())
  private let thread = Atomic<UInt>(0)

  @LoopActor private var handlers: [Int32: @LoopActor (EventLoop.Readiness) -> Void] = [:]
  /// What is done piece by piece, the oldest first.
  @LoopActor private var inTurn: ArraySlice<@LoopActor () -> Void> = []
  /// Loops in virtual time that have had a timer; never any in a program that ships.
  @LoopActor private var virtualLoops: [EventLoop] = []

  private init() {
    epoll = homeward_epoll_create()
    wake = homeward_eventfd_create()
    precondition(epoll >= 0 && wake >= 0, "the kernel refuses epoll or eventfd")
    _ = homeward_epoll_set(epoll, wake, true, false)
    let isStarted = SystemThread.startPlain(name: "homeward-loop") { self.runForEver() }
    precondition(isStarted, "the kernel refuses a thread for the event loop")
  }

  // MARK: Any thread

  func post(_ work: @escaping @LoopActor @Sendable () -> Void) { add(.closure(work)) }

  func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "this must run on the event loop")
  }

  func isIsolatingCurrentContext() -> Bool? {
    thread.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// Lets the thread look again whether time may pass.
  func lookAgain() { homeward_eventfd_signal(wake) }

  private func add(_ work: Work) {
    let mustSignal = inbox.withLock { inbox in
      inbox.work.append(work)
      defer { inbox.isSignalled = true }
      return !inbox.isSignalled
    }
    if mustSignal { homeward_eventfd_signal(wake) }
  }

  // MARK: Work in turn, on the thread

  @LoopActor
  func postInTurn(_ work: @escaping @LoopActor () -> Void) { inTurn.append(work) }

  // MARK: Descriptors, on the thread

  @LoopActor
  func watch(
    _ descriptor: Int32, for interest: EventLoop.Interest,
    _ handler: @escaping @LoopActor (EventLoop.Readiness) -> Void
  ) -> Bool {
    guard set(interest, of: descriptor) else { return false }
    handlers[descriptor] = handler
    return true
  }

  @LoopActor
  func setInterest(_ interest: EventLoop.Interest, of descriptor: Int32) {
    guard handlers[descriptor] != nil else { return }
    if interest.isEmpty {
      _ = homeward_epoll_remove(epoll, descriptor)
    } else {
      _ = set(interest, of: descriptor)
    }
  }

  @LoopActor
  func unwatch(_ descriptor: Int32) {
    guard handlers.removeValue(forKey: descriptor) != nil else { return }
    _ = homeward_epoll_remove(epoll, descriptor)
  }

  private func set(_ interest: EventLoop.Interest, of descriptor: Int32) -> Bool {
    homeward_epoll_set(
      epoll, descriptor, interest.contains(.reading), interest.contains(.writing)) == 0
  }

  // MARK: Virtual time, on the thread

  /// Keeps a loop in virtual time as long as it has timers.
  @LoopActor
  func keep(_ loop: EventLoop) {
    if !virtualLoops.contains(where: { $0 === loop }) { virtualLoops.append(loop) }
  }

  /// Lets each loop in virtual time jump to its next timer when there is nothing else to do; answers whether one did.
  ///
  /// Who releases a hold has posted before what came of it, so that the holds are looked at first.
  @LoopActor
  private func passVirtualTime() -> Bool {
    guard !virtualLoops.isEmpty else { return false }
    virtualLoops.removeAll { !$0.hasTimers }
    let passing = virtualLoops.filter { !$0.isHeld }
    guard !passing.isEmpty, isIdle else { return false }
    for loop in passing { loop.jump() }
    return true
  }

  @LoopActor
  private var isIdle: Bool {
    guard inTurn.isEmpty, inbox.withLock({ $0.work.isEmpty }) else { return false }
    var ready = pollfd(fd: epoll, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, 0) == 0
  }

  // MARK: The thread

  private func runForEver() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var ready = [homeward_ready](repeating: homeward_ready(), count: 64)
    while true {
      let hasPiece = LoopActor.assumeIsolated {
        while passVirtualTime() {}
        return !inTurn.isEmpty
      }
      let count = homeward_epoll_wait(epoll, &ready, 64, !hasPiece)
      for entry in ready.prefix(max(0, Int(count))) { dispatch(entry) }
      if hasPiece { LoopActor.assumeIsolated { inTurn.popFirst()?() } }
    }
  }

  private func dispatch(_ entry: homeward_ready) {
    if entry.fd == wake {
      homeward_eventfd_drain(wake)
      runPostedWork()
    } else {
      let readiness = EventLoop.Readiness(
        isReadable: entry.readable, isWritable: entry.writable, isHungUp: entry.hung_up)
      LoopActor.assumeIsolated { handlers[entry.fd]?(readiness) }
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
}

private func exchange<Content>(_ place: inout Content, with content: Content) -> Content {
  let old = place
  place = content
  return old
}
