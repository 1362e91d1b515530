import CGatewayShims
public import Care
import Glibc
public import Loop
public import Moments
public import Ports

/// The clocks of this machine.
@LoopActor
public final class SystemClock: GatewayClock {
  /// Where trust in the wall clock comes from.
  public enum TrustPolicy: String, Sendable, CaseIterable {
    /// NTP, a plausible hardware clock, or agreeing fixes.
    case automatic
    /// The owner vouches for the system clock.
    case system
  }

  private let policy: TrustPolicy
  private let hasHardwareClock: Bool
  private var trust = ClockTrust()
  private var observer: (@LoopActor (ClockReport) -> Void)?
  private var lastReported: Moment?
  private var changeDescriptor: Int32 = -1
  private lazy var recheck = LoopTimer { [weak self] in self?.check() }

  /// How often an untrusted clock is asked again whether NTP has come, in milliseconds.
  private static let recheckMilliseconds: Int64 = 15_000
  /// How often a trusted clock is compared with the monotonic one, in milliseconds.
  private static let trustedRecheckMilliseconds: Int64 = 600_000
  /// A difference that counts as somebody having set the clock, in milliseconds.
  private static let stepMilliseconds: Int64 = 1_000

  /// The clocks, trusted by a policy.
  public init(policy: TrustPolicy) {
    self.policy = policy
    hasHardwareClock = access("/sys/class/rtc/rtc0", F_OK) == 0
  }

  /// Both clocks now.
  public func now() -> Moment {
    let tick = EventLoop.now
    let system = Timestamp(milliseconds: homeward_realtime_milliseconds())
    if policy == .system { return Moment(tick: tick, utc: system, quality: .synchronised) }
    return trust.moment(
      tick: tick, system: system, isSynchronised: homeward_clock_is_synchronised(),
      hasHardwareClock: hasHardwareClock)
  }

  /// Starts to watch for changes.
  public func start(_ observer: @escaping @LoopActor (ClockReport) -> Void) {
    self.observer = observer
    lastReported = now()
    changeDescriptor = homeward_clock_change_create()
    if changeDescriptor >= 0 {
      let descriptor = changeDescriptor
      EventLoop.current.watch(descriptor, for: .reading) { [weak self] _ in
        homeward_clock_change_rearm(descriptor)
        self?.check()
      }
    }
    setRecheck()
  }

  /// Stops watching.
  public func stop() {
    observer = nil
    recheck.cancel()
    guard changeDescriptor >= 0 else { return }
    EventLoop.current.unwatch(changeDescriptor)
    close(changeDescriptor)
    changeDescriptor = -1
  }

  /// Takes what a receiver says about time.
  public func consider(receiverTime: Timestamp, mode: FixMode) {
    let was = trust.satelliteOffsetMilliseconds
    trust.consider(receiverTime: receiverTime, mode: mode, at: EventLoop.now)
    if was == nil, trust.satelliteOffsetMilliseconds != nil { check() }
  }

  private func check() {
    let current = now()
    if let lastReported {
      let step =
        current.utc.milliseconds(since: lastReported.utc)
        - current.tick.milliseconds(since: lastReported.tick)
      let isStep = abs(step) >= Self.stepMilliseconds
      if isStep || current.quality.isTrusted != lastReported.quality.isTrusted {
        observer?(ClockReport(quality: current.quality, stepMilliseconds: isStep ? step : 0))
      }
    }
    lastReported = current
    setRecheck()
  }

  private func setRecheck() {
    let isTrusted = lastReported?.quality.isTrusted ?? false
    recheck.set(
      afterMilliseconds: isTrusted ? Self.trustedRecheckMilliseconds : Self.recheckMilliseconds)
  }
}
