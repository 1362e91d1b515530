import Care
import DBus
import Loop
import PluginKit
import PluginProtocol
import ShortMessage

/// A modem that ModemManager drives.
///
/// What ModemManager has is read whole whenever it says that something changed, and every 20 s: so nothing is missed,
/// and one that hangs is noticed.
@LoopActor
final class ManagerModem {
  static let service = "org.freedesktop.ModemManager1"
  static let root = "/org/freedesktop/ModemManager1"

  /// How long what may take.
  struct Patience {
    /// Between two readings of everything.
    var pollMilliseconds: Int64 = 20_000
    /// After something failed because of the modem.
    var restMilliseconds: Int64 = 3000
    /// An answer that needs nobody but ModemManager.
    var answerMilliseconds: UInt64 = 10_000
    /// A send: longer than a network needs for eight parts.
    var sendMilliseconds: UInt64 = 45_000
    /// How long it is asked how a send ended that was not answered, and how often.
    var doubtMilliseconds: Int64 = 30_000
    var askMilliseconds: Int64 = 3000
  }

  let settings: SMSModemSettings
  let handlers: ModemHandlers
  let patience: Patience
  /// Called when it is known for the first time whether there is a modem, and whenever that changes.
  var onOwnership: @LoopActor () -> Void = {}
  private(set) var modem: ManagedModem?
  /// Whether it is known what ModemManager has.
  private(set) var hasJudged = false
  private var toldOwnership: Bool?
  /// Whether the bus ever answered.
  private(set) var hasReachedBus = false
  var fault: PluginHealth?
  /// Messages that are being read or handed on.
  var inHand: Set<String> = []
  /// Messages that are nobody's answer: drafts, and those that go out.
  var leftAlone: Set<String> = []
  var sending: SendOrder?
  /// Reports that came while a message was being sent, whose references are not known yet.
  var heldReports: [ManagedMessage.Content] = []
  /// Sent messages at which a report may be noted: path, number, references of the parts.
  var awaiting: [(path: String, number: PhoneAddress, references: [UInt8])] = []
  /// Counts modems and lives of ModemManager, so that what belongs to an earlier one is dropped.
  private(set) var generation = 0
  /// Whether the modem is not trusted for a moment, because something with it failed.
  private(set) var isResting = false
  private var bus: SystemBus?
  private var owner: String?
  private var isRefreshing = false
  private var mustRefresh = false
  private var isWorkingOnState = false
  /// Whether the PIN was taken: ModemManager needs a moment until the card is no longer locked.
  private var hasUnlocked = false
  private var pollTimer: LoopTimer?
  private var restTimer: LoopTimer?
  var sendTimer: LoopTimer?

  init(settings: SMSModemSettings, handlers: ModemHandlers, patience: Patience = Patience()) {
    self.settings = settings
    self.handlers = handlers
    self.patience = patience
    pollTimer = LoopTimer { [weak self] in self?.refresh() }
    restTimer = LoopTimer { [weak self] in self?.restOver() }
    sendTimer = LoopTimer { [weak self] in self?.askHowSendingEnded() }
  }

  /// Whether ModemManager has a modem that does messages, or may soon.
  var ownsModem: Bool { modem != nil }

  /// Connects on a descriptor; false when that is no connection.
  func connect(_ descriptor: Int32) -> Bool {
    bus = SystemBus(
      descriptor: descriptor, onSignal: { [weak self] in self?.heard($0) },
      onLost: { [weak self] in self?.lostBus() })
    return bus != nil
  }

  func lostBus() {
    forget(gettext("the connection to the system bus is gone"))
    report(.failed, "no-bus", gettext("the connection to the system bus is gone"))
    judged(nil)
    handlers.onNeedsRestart(
      gettext("the system bus went away; the plugin starts again to get a new one"))
  }

  func report(_ state: HealthState, _ code: String, _ detail: String) {
    let health = PluginHealth(state: state, code: code, detail: detail)
    guard fault != health else { return }
    if fault?.code != code { PluginLog.write(.warning, detail) }
    fault = health
    handlers.onChange()
  }

  // MARK: ModemManager itself

  func begin() {
    guard let bus else { return }
    let rules = [
      "type='signal',sender='\(Self.service)'",
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.service)'",
    ]
    for rule in rules {
      bus.match(rule) { [weak self] result in
        guard case .failure(let fault) = result, fault != .noConnection else { return }
        self?.report(
          .failed, "no-bus", gettext("the system bus refuses: {error}", ["error": fault.message]))
      }
    }
    askForOwner()
  }

  private func askForOwner() {
    bus?.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
      [.text(Self.service)], timeoutMilliseconds: patience.answerMilliseconds
    ) { [weak self] result in
      guard let self, bus != nil else { return }
      if case .failure(.noConnection) = result {} else { hasReachedBus = true }
      let name = try? result.get().first?.text
      changeOwner(to: name)
    }
  }

  private func changeOwner(to name: String?) {
    guard name != owner || name == nil else { return }
    forget(gettext("ModemManager went away"))
    owner = name
    guard name != nil else {
      report(
        .failed, "no-modemmanager",
        gettext("ModemManager is not running; start it, or set backend to port"))
      pollTimer?.cancel()
      return judged(nil)
    }
    refresh()
  }

  /// Drops what belonged to a modem or a ModemManager that is gone.
  private func forget(_ reason: String) {
    generation += 1
    modem = nil
    isResting = false
    restTimer?.cancel()
    hasUnlocked = false
    (inHand, leftAlone, awaiting) = ([], [], [])
    isWorkingOnState = false
    isRefreshing = false
    finishSending(.modemFailed(reason))
  }

  private func heard(_ signal: BusSignal) {
    if signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged" {
      guard signal.arguments.first?.text == Self.service else { return }
      let name = signal.arguments.last?.text ?? ""
      return changeOwner(to: name.isEmpty ? nil : name)
    }
    guard let owner, signal.sender == owner else { return }
    switch (signal.interface, signal.member) {
    case ("\(ManagedModem.interface).Messaging", "Added"):
      guard signal.path == modem?.path, let path = signal.arguments.first?.text,
        signal.arguments.last?.flag != false
      else { return }
      read(path)
    case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
      guard signal.arguments.first?.text != ManagedMessage.interface else {
        return changed(signal.path, BusValue.list(signal.arguments)[1] ?? .other)
      }
      if signal.path.hasPrefix("\(Self.root)/Modem/") { refresh() }
    case ("org.freedesktop.DBus.ObjectManager", _): refresh()
    default: return
    }
  }

  /// Calls a method of ModemManager; what belongs to an earlier modem is not answered.
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = [],
    timeoutMilliseconds: UInt64? = nil, completion: @escaping SystemBus.Completion
  ) {
    guard let bus, let owner else { return }
    let generation = generation
    bus.call(
      owner, path, interface, member, arguments,
      timeoutMilliseconds: timeoutMilliseconds ?? patience.answerMilliseconds
    ) { [weak self] result in
      guard let self, generation == self.generation else { return }
      completion(result)
    }
  }

  // MARK: What it has

  func refresh() {
    guard owner != nil else { return }
    guard !isRefreshing else {
      mustRefresh = true
      return
    }
    isRefreshing = true
    mustRefresh = false
    pollTimer?.set(afterMilliseconds: patience.pollMilliseconds)
    call(Self.root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") {
      [weak self] in self?.refreshed($0)
    }
  }

  private func refreshed(_ result: Result<[BusValue], BusFault>) {
    isRefreshing = false
    switch result {
    case .success(let values): judge(values.first ?? .other)
    case .failure(let fault):
      report(.failed, "modemmanager-fails", ModemWords.refusal(fault))
      judged(nil)
    }
    if mustRefresh { refresh() }
  }

  private func judge(_ objects: BusValue) {
    let hopeful = ManagedModem.all(in: objects, named: settings.modem).filter {
      $0.isHopeful(hasPort: settings.backend == .auto && settings.port != nil)
    }
    let found = hopeful.first { $0.path == modem?.path && $0.canDoMessages } ?? hopeful.first
    if found?.path != modem?.path { forget(gettext("the modem went away")) }
    guard let found else {
      let named = settings.modem.map { gettext(" named {name}", ["name": $0]) } ?? ""
      report(
        .failed, "no-modem",
        gettext(
          "ModemManager has no modem{named} that can do messages; is it plugged in?",
          ["named": named]))
      return judged(nil)
    }
    judged(found)
    workOnState(of: found)
  }

  private func judged(_ found: ManagedModem?) {
    (hasJudged, modem) = (true, found)
    guard toldOwnership != ownsModem else { return }
    toldOwnership = ownsModem
    onOwnership()
  }

  // MARK: Making it ready

  private func workOnState(of modem: ManagedModem) {
    switch modem.state {
    case .failed: report(.failed, "sim", modem.failure)
    case .locked: unlock(modem)
    case .unknown, .initializing, .enabling, .disabling:
      if fault == nil || fault?.code == "no-modem" || fault?.code == "no-modemmanager" {
        report(.degraded, "starting", gettext("ModemManager prepares the modem"))
      }
    case .disabled: enable(modem)
    case .enabled, .searching, .registered, .disconnecting, .connecting, .connected: work(modem)
    }
  }

  private func work(_ modem: ManagedModem) {
    if !isResting { fault = nil }
    handlers.onChange()
    for path in modem.messages { read(path) }
  }

  private func enable(_ modem: ManagedModem) {
    guard !isWorkingOnState, !isResting else { return }
    isWorkingOnState = true
    call(
      modem.path, ManagedModem.interface, "Enable", [.flag(true)], timeoutMilliseconds: 60_000
    ) { [weak self] result in
      self?.isWorkingOnState = false
      if case .failure(let fault) = result {
        self?.report(
          .failed, "modem-fails",
          gettext(
            "the modem cannot be switched on: {refusal}", ["refusal": ModemWords.refusal(fault)]))
        self?.rest()
      } else {
        self?.refresh()
      }
    }
  }

  private func unlock(_ modem: ManagedModem) {
    guard !isWorkingOnState, !hasUnlocked else { return }
    guard modem.lock == .pin else {
      return report(
        .failed, "sim", gettext("the SIM card is locked; unlock it with its PUK in a phone"))
    }
    guard let pin = settings.pin else {
      return report(
        .failed, "sim", gettext("the SIM card wants its PIN; put it into the settings as \"pin\""))
    }
    guard !handlers.isPINSpent() else {
      return report(
        .failed, "sim",
        gettext(
          "the PIN in the settings was refused and is not tried again; correct it, or unlock the card"
        )
      )
    }
    isWorkingOnState = true
    let generation = generation
    handlers.onPINTry { [weak self] in
      guard let self, generation == self.generation else { return }
      enter(pin, modem)
    }
  }

  private func enter(_ pin: String, _ modem: ManagedModem) {
    call(
      modem.card, "\(Self.service).Sim", "SendPin", [.text(pin)], timeoutMilliseconds: 30_000
    ) { [weak self] result in
      self?.isWorkingOnState = false
      switch result {
      case .success:
        self?.hasUnlocked = true
        self?.handlers.onPINAccepted()
      case .failure(let fault):
        PluginLog.write(.warning, "the PIN was not taken: \(ModemWords.refusal(fault))")
      }
      self?.refresh()
    }
  }

  // MARK: A rest

  /// Lets the modem alone for a moment, after something that failed because of it.
  func rest() {
    isResting = true
    restTimer?.set(afterMilliseconds: patience.restMilliseconds)
    handlers.onChange()
  }

  private func restOver() {
    isResting = false
    refresh()
  }

  func endTimers() {
    for timer in [pollTimer, restTimer, sendTimer] { timer?.cancel() }
    bus?.close()
    bus = nil
  }
}

extension ManagerModem: MessageModem {
  var isReady: Bool { isReadyForEmergency && modem?.network.registration == .registered }

  var isReadyForEmergency: Bool {
    !isResting && modem?.canDoMessages == true && modem?.isEnabled == true
  }

  var health: PluginHealth {
    guard let modem, fault == nil else {
      return fault ?? PluginHealth(state: .degraded, code: "starting")
    }
    return modem.network.health ?? PluginHealth(state: .working)
  }

  func start() { begin() }

  func stop() { endTimers() }
}
