import Care
import Glibc
import Loop
import PluginKit
import PluginProtocol

/// The modem by the way that the owner wants: through ModemManager, or on its port.
///
/// It never changes the way while a message is being sent, so that none goes out twice.
@LoopActor
final class ModemSwitch: MessageModem {
  /// After so long it is looked again for a bus that was not there at the start.
  private static let busMilliseconds: Int64 = 60_000

  private let settings: SMSModemSettings
  private let handlers: ModemHandlers
  /// The modem on its own port, which calls are made by.
  let port: ATModem
  private var manager: ManagerModem?
  private var active: (any MessageModem)?
  private var fault: PluginHealth?
  private var isSending = false
  private var restartReason: String?
  private var timer: LoopTimer?

  init(settings: SMSModemSettings, handlers: ModemHandlers) {
    self.settings = settings
    self.handlers = handlers
    port = ATModem(settings: settings, handlers: handlers)
    timer = LoopTimer {
      handlers.onNeedsRestart(gettext("the plugin starts again to look for the system bus"))
    }
  }

  var isReady: Bool { active?.isReady ?? false }
  var isReadyForEmergency: Bool { active?.isReadyForEmergency ?? false }
  var health: PluginHealth {
    active?.health ?? fault ?? PluginHealth(state: .degraded, code: "starting")
  }

  /// Whether calls can be made, by the way that is in use.
  var voice: VoiceAbility {
    guard let active else { return .unknown }
    return active === port
      ? port.voice.ability
      : .unable(
        gettext(
          "calls are made over the modem's own port, and ModemManager has the modem; see the plugin's README"
        )
      )
  }

  func start() {
    guard settings.backend != .port else { return use(port) }
    var patient = handlers
    patient.onNeedsRestart = { [weak self] in self?.restart(because: $0) }
    let manager = ManagerModem(settings: settings, handlers: patient)
    guard let bus = Self.bus, manager.connect(bus) else { return withoutBus() }
    self.manager = manager
    manager.onOwnership = { [weak self] in self?.decide() }
    manager.start()
  }

  func stop() {
    manager?.stop()
    port.stop()
    timer?.cancel()
  }

  func send(
    _ entry: Outbox.Entry, onPart: @escaping @LoopActor (_ reference: UInt8, _ total: Int) -> Void,
    completion: @escaping @LoopActor (SendResult) -> Void
  ) {
    guard let active else { return completion(.modemFailed(gettext("there is no modem yet"))) }
    isSending = true
    active.send(entry, onPart: onPart) { [weak self] result in
      self?.isSending = false
      self?.decide()
      completion(result)
      if let reason = self?.restartReason { self?.restart(because: reason) }
    }
  }

  /// Starts the plugin again, once no message is on its way.
  private func restart(because reason: String) {
    // A bus that turns the plugin away would do so again: not worth the port.
    guard manager?.hasReachedBus == true || !mayUsePort else { return }
    restartReason = reason
    if !isSending { handlers.onNeedsRestart(reason) }
  }

  /// The bus that the host has connected; nil without the grant, or when there is none.
  private static var bus: Int32? {
    guard let variable = getenv("HOMEWARD_PLUGIN_BUS") else { return nil }
    guard let descriptor = Int32(String(cString: variable)) else { return nil }
    // Where there was no bus, the number belongs to something of our own by now.
    var status = stat()
    let isSocket = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    return isSocket ? descriptor : nil
  }

  private var mayUsePort: Bool { settings.backend != .modemmanager && settings.port != nil }

  private func withoutBus() {
    if mayUsePort {
      PluginLog.write(.info, "without the system bus only the port is used")
      return use(port)
    }
    fault = PluginHealth(
      state: .failed, code: "no-bus",
      detail: gettext(
        "ModemManager is out of reach: the plugin needs the grant bus.system, and the machine"
          + " a system bus; or set \"port\""))
    PluginLog.write(.warning, fault?.detail ?? "")
    handlers.onChange()
    timer?.set(afterMilliseconds: Self.busMilliseconds)
  }

  /// Chooses the way again, unless a message is on its way.
  private func decide() {
    guard let manager, manager.hasJudged, !isSending else { return }
    use(manager.ownsModem || !mayUsePort ? manager : port)
  }

  private func use(_ modem: any MessageModem) {
    guard active !== modem else { return }
    let before = active
    active = modem
    // ModemManager is watched all the time; the port is let go, or opened.
    if modem === port {
      if before != nil { PluginLog.write(.info, "ModemManager has no modem; the port is used") }
      port.start()
    } else if before === port {
      PluginLog.write(.info, "ModemManager has the modem; the port is let go")
      port.stop()
    }
    handlers.onChange()
  }
}
