public import Care
public import Loop
public import Moments
public import Ports

/// Fixes and health of the receivers of one gpsd.
///
/// Each epoch is handed in once, epochs without a fix included (mode `none`), unjudged. The health component
/// `gps/<id>` tells apart a gpsd that is gone, a receiver that is missing or unplugged, one that is silent, one that
/// sees no sky, and one whose date is wrong. When gpsd goes it is looked for again, after 0.5 through 30 s.
@LoopActor
public final class GPSDSource: ObservationSource {
  /// Silence after which an epoch counts as complete; slow serial lines spread one over some hundred milliseconds.
  private static let epochQuietMilliseconds: Int64 = 400
  /// Seconds of silence after which the connection itself is doubted and made anew.
  private static let doubtSeconds: Int64 = 60
  /// Receivers kept in mind; gpsd itself handles fewer.
  private static let mostDevices = 16
  /// Messages handled before other work of the loop gets its turn.
  private static let messagesPerTurn = 200

  /// The name from the configuration.
  public nonisolated let id: SourceID
  private let options: Options
  private let clock: any GatewayClock
  private var observer: (@LoopActor (Observation) -> Void)?
  private var connection: GPSDConnection?
  private var attempt = 0
  private var merger: EpochMerger
  private var health: ReceiverHealth
  private var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 30_000)
  private var activeDevices: Set<String> = []
  private var sleepSchedule: SleepSchedule
  private var lastSign = Tick(nanoseconds: 0)
  private var random = SystemRandomNumberGenerator()

  private lazy var retryTimer = LoopTimer { [weak self] in self?.connect() }
  private lazy var epochTimer = LoopTimer { [weak self] in self?.closeEpoch() }
  private lazy var silenceTimer = LoopTimer { [weak self] in self?.checkSilence() }
  private lazy var wakeTimer = LoopTimer { [weak self] in self?.wake() }

  /// A source that does nothing until started; `clock` judges the receiver's date and learns from it.
  public init(options: Options, clock: any GatewayClock) {
    id = options.id
    self.options = options
    self.clock = clock
    merger = EpochMerger(source: options.id)
    health = ReceiverHealth(source: options.id, address: "\(options.host):\(options.port)")
    sleepSchedule = SleepSchedule(sampling: options.sampling)
  }

  /// Starts to connect; observations go to `observer`, on the loop, until ``stop()``.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    guard self.observer == nil else { return }
    self.observer = observer
    become(.starting)
    connect()
  }

  /// Closes the connection and says nothing any more.
  public func stop() {
    observer = nil
    attempt += 1
    dropConnection()
    retryTimer.cancel()
  }

  /// Ends an economy sleep and stays awake until the tick.
  public func sampleBurst(until: Tick) {
    sleepSchedule.burst(until: until)
    if sleepSchedule.isAsleep { wake() }
  }

  // MARK: Connection

  private func connect() {
    guard observer != nil, connection == nil else { return }
    attempt += 1
    let mine = attempt
    GPSDConnection.open(host: options.host, port: options.port) { [weak self] opened in
      guard let self, self.attempt == mine, self.observer != nil else { return }
      if let opened { self.adopt(opened) } else { self.lose() }
    }
  }

  private func adopt(_ opened: GPSDConnection) {
    connection = opened
    merger.reset()
    activeDevices = []
    sleepSchedule.wake()
    noteSign()
    let watched = EventLoop.current.watch(opened.descriptor, for: .reading) {
      [weak self, weak opened] readiness in
      self?.drain(opened, isHungUp: readiness.isHungUp)
    }
    if watched { drain(opened, isHungUp: false) } else { lose() }
  }

  /// Reads until libgps has nothing more: what waits in its buffer does not wake the loop.
  private func drain(_ current: GPSDConnection?, isHungUp: Bool) {
    guard let current, current === connection else { return }
    for _ in 0..<Self.messagesPerTurn {
      switch current.read() {
      case .message(let message):
        take(message)
        guard connection === current else { return }
      case .nothing:
        if isHungUp { lose() }
        return
      case .broken:
        lose()
        return
      }
    }
    EventLoop.current.post { [weak self, weak current] in
      self?.drain(current, isHungUp: isHungUp)
    }
  }

  private func lose() {
    closeEpoch()
    dropConnection()
    guard observer != nil else { return }
    become(.gpsdGone)
    retryTimer.set(afterMilliseconds: backoff.next(using: &random))
  }

  private func dropConnection() {
    for timer in [epochTimer, silenceTimer, wakeTimer] { timer.cancel() }
    if let connection { EventLoop.current.unwatch(connection.descriptor) }
    connection = nil
  }

  // MARK: Messages

  private func take(_ message: GPSDMessage) {
    switch message {
    case .position(let report) where isWanted(report.device): take(report)
    case .satellitesUsed(let used, let device):
      merger.noteSatellites(used: used, device: device)
    case .devices(let devices): take(devices)
    case .device(let device) where isWanted(device.path): take(device)
    case .position, .device, .other: break
    }
  }

  private func isWanted(_ device: String) -> Bool {
    options.device == nil || options.device == device
  }

  private func take(_ report: PositionReport) {
    if activeDevices.count < Self.mostDevices { activeDevices.insert(report.device) }
    if let ended = merger.take(report) { handIn(ended) }
    guard merger.isOpen else { return }
    epochTimer.set(afterMilliseconds: Self.epochQuietMilliseconds)
  }

  private func take(_ devices: [ReceiverDevice]) {
    let wanted = devices.filter { isWanted($0.path) }
    activeDevices = Set(wanted.lazy.filter(\.isActive).map(\.path))
    if wanted.isEmpty {
      become(.noReceiver(wanted: options.device))
    } else {
      expectReports()
    }
  }

  private func take(_ device: ReceiverDevice) {
    if device.isActive {
      activeDevices.insert(device.path)
      expectReports()
    } else {
      activeDevices.remove(device.path)
      guard activeDevices.isEmpty else { return }
      closeEpoch()
      become(.receiverGone(path: device.path))
    }
  }

  private func expectReports() {
    switch health.condition {
    case .gpsdGone, .noReceiver, .receiverGone:
      noteSign()
      become(.starting)
    case .starting, .noReport, .noFix, .clockOff, .working, nil: break
    }
  }

  // MARK: Epochs

  private func closeEpoch() {
    epochTimer.cancel()
    if let ended = merger.close() { handIn(ended) }
  }

  private func handIn(_ fix: FixReport) {
    noteSign()
    backoff.reset()
    let clockIsOff = judgeClock(of: fix)
    become(fix.mode.hasPosition ? clockIsOff ?? .working : .noFix)
    observer?(.fix(fix))
    if sleepSchedule.shouldSleep(after: fix, at: clock.now().tick) { sleep() }
  }

  /// Lets the clock learn from the receiver, unless ours is good and says that the receiver's date cannot be true.
  private func judgeClock(of fix: FixReport) -> ReceiverHealth.Condition? {
    guard let time = fix.receiverTime else { return nil }
    let now = clock.now()
    if now.quality == .synchronised,
      let condition = ReceiverHealth.Condition.clockOff(receiver: time, ours: now.utc)
    {
      return condition
    }
    clock.consider(receiverTime: time, mode: fix.mode)
    return nil
  }

  private func become(_ condition: ReceiverHealth.Condition) {
    if let report = health.become(condition) { observer?(.health(report)) }
  }

  // MARK: Silence

  private func noteSign() {
    lastSign = EventLoop.now
    if silenceTimer.deadline == nil { silenceTimer.set(at: silenceDeadline) }
  }

  private var silenceDeadline: Tick {
    let seconds = isSilent ? Self.doubtSeconds : Int64(options.noReportSeconds)
    return lastSign.advanced(byMilliseconds: seconds * 1000)
  }

  private var isSilent: Bool {
    health.condition == .noReport(seconds: options.noReportSeconds)
  }

  private func checkSilence() {
    guard connection != nil, !sleepSchedule.isAsleep else { return }
    guard EventLoop.now >= silenceDeadline else { return silenceTimer.set(at: silenceDeadline) }
    switch health.condition {
    case .noReceiver, .receiverGone: break
    case .noReport: reconnect()
    case .starting, .gpsdGone, .noFix, .clockOff, .working, nil:
      become(.noReport(seconds: options.noReportSeconds))
      silenceTimer.set(at: silenceDeadline)
    }
  }

  /// A far gpsd may be gone without a word, a near one may hang.
  private func reconnect() {
    dropConnection()
    connect()
  }

  // MARK: Economy

  private func sleep() {
    guard connection?.stream(isOn: false) == true else { return }
    sleepSchedule.sleep()
    silenceTimer.cancel()
    wakeTimer.set(afterMilliseconds: sleepSchedule.intervalMilliseconds)
  }

  private func wake() {
    guard let connection else { return }
    wakeTimer.cancel()
    sleepSchedule.wake()
    guard connection.stream(isOn: true) else { return lose() }
    noteSign()
  }
}
