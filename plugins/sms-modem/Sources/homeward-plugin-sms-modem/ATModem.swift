import Care
import Loop
import Moments
import PluginKit
import PluginProtocol

/// A modem on a serial port, in the language of 3GPP TS 27.005 and 27.007.
///
/// Commands go over its ``ATLine``. Here it is set up, watched and read from; one that does not answer is led up
/// ``ResetLadder``.
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

  static let watchMilliseconds: Int64 = 60_000
  static let pollMilliseconds: Int64 = 20_000
  static let withoutNetworkMilliseconds: Int64 = 600_000

  let settings: SMSModemSettings
  let handlers: ModemHandlers
  let line: ATLine
  let voice: ModemVoice
  var inbox = Inbox()
  var phase = Phase.closed
  var ladder = ResetLadder()
  var network = NetworkState()
  var fault: PluginHealth?
  private let sender: MessageSender
  /// Before the port is opened again.
  private var backoff = Backoff(firstMilliseconds: 2000, longestMilliseconds: 32_000)
  private var withoutNetworkSince: Tick?
  private var stepTimer: LoopTimer?
  private var watchTimer: LoopTimer?
  private var pollTimer: LoopTimer?
  private var step: (@LoopActor () -> Void)?

  init(settings: SMSModemSettings, handlers: ModemHandlers) {
    self.settings = settings
    self.handlers = handlers
    line = ATLine()
    voice = ModemVoice(over: line, onChange: handlers.onChange)
    sender = MessageSender(over: line)
    line.handlers = ATLine.Handlers(
      onUnasked: { [weak self] in self?.heard($0, frame: $1) },
      onLost: { [weak self] in self?.lost($0) },
      isFatal: { [weak self] in self?.isFatal(unanswered: $0) ?? false },
      onSilence: { [weak self] in self?.fellSilent() })
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
    line.stop()
    for timer in [stepTimer, watchTimer, pollTimer] { timer?.cancel() }
  }

  func send(
    _ entry: Outbox.Entry, onPart: @escaping @LoopActor (_ reference: UInt8, _ total: Int) -> Void,
    completion: @escaping @LoopActor (SendResult) -> Void
  ) { sender.send(entry, onPart: onPart, completion: completion) }

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
    do throws(SerialPort.Fault) { try line.open(path) } catch { return couldNotOpen(error) }
    backoff.reset()
    setUp()
  }

  private func couldNotOpen(_ fault: SerialPort.Fault) {
    report(
      .failed, "no-modem",
      gettext("the modem's port cannot be used: {reason}", ["reason": fault.reason]))
    after(backoff.next()) { [weak self] in self?.openPort() }
  }

  private func lost(_ fault: SerialPort.Fault) {
    report(
      .failed, "no-modem",
      gettext("{reason}; it is looked for again and again", ["reason": fault.reason]))
    closePort()
    after(1000) { [weak self] in self?.openPort() }
  }

  func closePort() {
    phase = .closed
    inbox.portClosed()
    line.close()
  }

  func report(_ state: HealthState, _ code: String, _ detail: String) {
    let resets =
      ladder.resets == 0 ? "" : gettext(" ({resets} resets so far)", ["resets": ladder.resets])
    let health = PluginHealth(state: state, code: code, detail: detail + resets)
    if fault?.code != code { PluginLog.write(.warning, detail) }
    fault = health
    handlers.onChange()
  }

  /// A modem that worked and stopped to answer.
  private func isFatal(unanswered command: String) -> Bool {
    guard phase == .ready else { return false }
    PluginLog.write(.warning, "no answer to \(command)")
    phase = .climbing
    return true
  }

  private func fellSilent() {
    inbox.endReading()
    climb()
  }

  // MARK: Watching

  /// The modem is set up and asked about the network: it works from now on.
  func becomeReady() {
    phase = .ready
    ladder.recovered()
    fault = nil
    withoutNetworkSince = nil
    voice.prepare()
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
    line.run(ATCommand("AT+CSQ", prefix: "+CSQ:")) { [weak self] result in
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
    line.run(ATCommand("AT\(name)?", prefix: "\(name):")) { [weak self] result in
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
