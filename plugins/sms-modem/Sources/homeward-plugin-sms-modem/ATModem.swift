import Care
import Loop
import Moments
import PluginKit
import PluginProtocol
import ShortMessage

/// A modem on a serial port, in the language of 3GPP TS 27.005 and 27.007.
///
/// One command is on its way at a time; what is urgent goes before what waits, so that a message never waits for the
/// reading of others. A modem that does not answer is led up ``ResetLadder``.
@LoopActor
final class ATModem {
  /// What the modem is in.
  enum Phase: Hashable {
    case closed
    case settingUp
    case ready
    case climbing
    /// Nothing more is tried until a person has acted, or the modem was plugged in again.
    case stuck
  }

  struct Job {
    var command: ATCommand
    var isUrgent: Bool
    var completion: @LoopActor (ATResult) -> Void
  }

  static let watchMilliseconds: Int64 = 60_000
  static let pollMilliseconds: Int64 = 20_000
  static let withoutNetworkMilliseconds: Int64 = 600_000

  let settings: SMSModemSettings
  let handlers: ModemHandlers
  var session = ATSession()
  var port: SerialPort?
  var phase = Phase.closed
  var ladder = ResetLadder()
  var network = NetworkState()
  var fault: PluginHealth?
  var reassembly = Reassembly()
  /// Places in storage whose messages are being handed on.
  var inHand: Set<Int> = []
  var unreadable = 0
  var isReading = false
  var mustReadAgain = false
  var nextReference: UInt8 = 0
  var voice = VoiceAbility.unknown
  /// Counts the lives of the port, so that what belongs to an earlier one is dropped.
  var generation = 0
  private var jobs: [Job] = []
  private var current: Job?
  /// Before the port is opened again.
  private var backoff = Backoff(firstMilliseconds: 2000, longestMilliseconds: 32_000)
  private var withoutNetworkSince: Tick?
  private var sessionTimer: LoopTimer?
  private var stepTimer: LoopTimer?
  private var watchTimer: LoopTimer?
  private var pollTimer: LoopTimer?
  private var step: (@LoopActor () -> Void)?

  init(settings: SMSModemSettings, handlers: ModemHandlers) {
    self.settings = settings
    self.handlers = handlers
    nextReference = .random(in: .min ... .max)
    sessionTimer = LoopTimer { [weak self] in self?.sessionDue() }
    stepTimer = LoopTimer { [weak self] in self?.stepDue() }
    watchTimer = LoopTimer { [weak self] in self?.watch() }
    pollTimer = LoopTimer { [weak self] in self?.readInbox() }
  }

  var isReady: Bool { phase == .ready && network.registration == .registered }
  var isReadyForEmergency: Bool { phase == .ready }

  var health: PluginHealth { fault ?? network.health ?? PluginHealth(state: .working) }

  func start() { openPort() }

  func stop() {
    closePort()
    phase = .stuck
    for timer in [sessionTimer, stepTimer, watchTimer, pollTimer] { timer?.cancel() }
  }

  /// Continues after so many milliseconds, unless something else is scheduled before.
  func after(_ milliseconds: Int64, _ next: @escaping @LoopActor () -> Void) {
    step = next
    stepTimer?.set(afterMilliseconds: milliseconds)
  }

  private func stepDue() {
    let next = step
    step = nil
    next?()
  }

  // MARK: The port

  func openPort() {
    guard let path = settings.port else {
      fault = PluginHealth(
        state: .failed, code: "no-port",
        detail: gettext(
          "no port is set; write the modem's serial port into the settings as \"port\""))
      return handlers.onChange()
    }
    closePort()
    let generation = generation
    do throws(SerialPort.Fault) {
      port = try SerialPort(
        path: path,
        onBytes: { [weak self] in self?.received($0, in: generation) },
        onLost: { [weak self] in self?.lost($0, in: generation) })
    } catch { return couldNotOpen(error) }
    backoff.reset()
    setUp()
  }

  private func couldNotOpen(_ fault: SerialPort.Fault) {
    report(
      .failed, "no-modem",
      gettext("the modem's port cannot be used: {reason}", ["reason": fault.reason]))
    after(backoff.next()) { [weak self] in self?.openPort() }
  }

  private func lost(_ fault: SerialPort.Fault, in generation: Int) {
    guard generation == self.generation else { return }
    report(
      .failed, "no-modem",
      gettext("{reason}; it is looked for again and again", ["reason": fault.reason]))
    closePort()
    after(1000) { [weak self] in self?.openPort() }
  }

  func closePort() {
    port?.close()
    port = nil
    generation += 1
    phase = .closed
    session.reset()
    isReading = false
    inHand = []
    let dropped = (current.map { [$0] } ?? []) + jobs
    (current, jobs) = (nil, [])
    for job in dropped { job.completion(.timedOut) }
  }

  func report(_ state: HealthState, _ code: String, _ detail: String) {
    let resets =
      ladder.resets == 0 ? "" : gettext(" ({resets} resets so far)", ["resets": ladder.resets])
    let health = PluginHealth(state: state, code: code, detail: detail + resets)
    if fault?.code != code { PluginLog.write(.warning, detail) }
    fault = health
    handlers.onChange()
  }

  // MARK: Commands

  /// Sends a command as soon as the line is free.
  func run(
    _ command: ATCommand, isUrgent: Bool = false,
    completion: @escaping @LoopActor (ATResult) -> Void
  ) {
    guard port != nil else { return completion(.timedOut) }
    let job = Job(command: command, isUrgent: isUrgent, completion: completion)
    if isUrgent, let index = jobs.firstIndex(where: { !$0.isUrgent }) {
      jobs.insert(job, at: index)
    } else {
      jobs.append(job)
    }
    pump()
  }

  private func pump() {
    if current == nil, session.isFree, !jobs.isEmpty {
      let job = jobs.removeFirst()
      current = job
      perform(session.send(job.command, at: EventLoop.now))
    }
    armSession()
  }

  private func armSession() {
    if let deadline = session.nextDeadline {
      sessionTimer?.set(at: deadline)
    } else {
      sessionTimer?.cancel()
    }
  }

  private func received(_ bytes: [UInt8], in generation: Int) {
    guard generation == self.generation else { return }
    perform(session.receive(bytes, at: EventLoop.now), in: generation)
  }

  private func sessionDue() { perform(session.tick(at: EventLoop.now)) }

  private func perform(_ actions: [ATSession.Action], in generation: Int? = nil) {
    let generation = generation ?? self.generation
    for action in actions where generation == self.generation {
      switch action {
      case .write(let bytes): port?.write(bytes)
      case .unasked(let words, let frame): heard(words, frame: frame)
      case .finished(let result):
        let job = current
        current = nil
        if result == .timedOut, phase == .ready {
          PluginLog.write(.warning, "no answer to \(job?.command.name ?? "a command")")
          hang(job, result)
        } else {
          job?.completion(result)
        }
      }
    }
    pump()
  }

  /// A modem that worked and stopped to answer.
  private func hang(_ job: Job?, _ result: ATResult) {
    phase = .climbing
    let dropped = (job.map { [$0] } ?? []) + jobs
    jobs = []
    for job in dropped { job.completion(result) }
    isReading = false
    climb()
  }

  // MARK: Watching

  /// The modem is set up and asked about the network: it works from now on.
  func becomeReady() {
    phase = .ready
    ladder.recovered()
    fault = nil
    withoutNetworkSince = nil
    prepareVoice()
    handlers.onChange()
    watch()
    readInbox()
  }

  func schedulePoll() { pollTimer?.set(afterMilliseconds: Self.pollMilliseconds) }

  /// Asks for signal and network, and again in a minute.
  private func watch() {
    guard phase == .ready else { return }
    watchTimer?.set(afterMilliseconds: Self.watchMilliseconds)
    askForNetwork { [weak self] in self?.judgeNetwork() }
  }

  func askForNetwork(completion: @escaping @LoopActor () -> Void) {
    run(ATCommand("AT+CSQ", prefix: "+CSQ:")) { [weak self] result in
      if let content = result.content(after: "+CSQ:") {
        self?.network.signal = NetworkState.signal(content)
      }
      self?.askForRegistration(["+CREG", "+CEREG"], completion)
    }
  }

  private func askForRegistration(
    _ names: [String], _ completion: @escaping @LoopActor () -> Void
  ) {
    guard let name = names.first else { return completion() }
    run(ATCommand("AT\(name)?", prefix: "\(name):")) { [weak self] result in
      let told = result.content(after: "\(name):").map(NetworkState.registration)
      if let told, told != .unknown, name == "+CREG" || told == .registered {
        self?.network.registration = told
      }
      if told == .registered { return completion() }
      self?.askForRegistration(Array(names.dropFirst()), completion)
    }
  }

  private func judgeNetwork() {
    guard phase == .ready else { return }
    handlers.onChange()
    guard network.registration != .registered else {
      withoutNetworkSince = nil
      return
    }
    // Soon again: a message may be waiting for it.
    watchTimer?.set(afterMilliseconds: 5000)
    let since = withoutNetworkSince ?? EventLoop.now
    withoutNetworkSince = since
    guard EventLoop.now.milliseconds(since: since) >= Self.withoutNetworkMilliseconds else {
      return
    }
    withoutNetworkSince = nil
    ladder.begin(at: .radio)
    phase = .climbing
    climb()
  }
}
