import CGatewayShims
import DBus
import Glibc
public import Loop
public import Ports
import Texts

/// Bluetooth through bluetoothd, over D-Bus.
///
/// Adapters may come, go, hang and be several; bluetoothd may end, begin anew or fall silent; the bus may go away. Each
/// is said as the health of `bluetooth`, and what can be mended is mended. Pairing is refused to whoever nobody asked
/// for. When nothing happens the source wakes once a minute, to see whether bluetoothd and the controllers still answer.
@LoopActor
public final class BlueZSource: BluetoothSource {
  static let agentPath = "/org/homeward/agent"
  static let monitorRoot = "/org/homeward/monitors"
  /// Devices that are looked up again at the same time, after they had made room for others.
  private static let mostLookUps = 4

  let options: Options
  var patience: Patience { options.patience }
  private var observer: (@LoopActor (BluetoothNews) -> Void)?
  private var bus: SystemBus?
  private var busRefusal: String?
  private(set) var owner: String?
  /// Counts lives of bluetoothd, so that answers of an earlier one are dropped.
  private var generation = 0
  /// Whether ``tree`` is what bluetoothd has.
  private var isKnown = false
  private var isSilent = false
  private var isAsking = false
  /// Whether bluetoothd said anything since the last look.
  private var hasHeard = false
  var tree = ObjectTree()
  var drives: [String: AdapterDrive] = [:]
  /// Counts drives, so that an answer meant for one that is gone reaches no other.
  var driveCount = 0
  var monitored: [String: MonitorState] = [:]
  private var lookUps: Set<String> = []
  private var toldAdapters: [BluetoothAdapter] = []
  private var health = BluetoothHealth()
  private var busBackoff: Backoff

  var isAgentReady = false
  var desk = PairingDesk()
  var pairing: PairingWork?
  var links: [String: BlueZLink] = [:]
  var connecting: [String: ConnectionWork] = [:]
  /// Devices that are told to disconnect and have not yet.
  var leaving: Set<String> = []

  private lazy var busTimer = LoopTimer { [weak self] in self?.connectBus() }
  private lazy var checkTimer = LoopTimer { [weak self] in self?.check() }
  lazy var driveTimer = LoopTimer { [weak self] in self?.driveTimeHasCome() }

  /// A source that does nothing until started.
  public init(options: Options = Options()) {
    self.options = options
    busBackoff = Backoff(
      firstMilliseconds: options.patience.busMilliseconds,
      longestMilliseconds: options.patience.longestBusMilliseconds)
  }

  /// Starts; news go to `observer`, on the loop, until ``stop()``.
  public func start(_ observer: @escaping @LoopActor (BluetoothNews) -> Void) {
    guard self.observer == nil else { return }
    self.observer = observer
    become(.starting)
    connectBus()
  }

  /// Ends connections and pairings, lets go of the bus, and says nothing any more.
  public func stop() {
    observer = nil
    for path in links.keys.sorted() { call(path, BlueZName.device, "Disconnect") { _ in } }
    letGo(of: BluetoothFailure(.cancelled, Message("Bluetooth was stopped.")))
    for timer in [busTimer, checkTimer, driveTimer] { timer.cancel() }
    bus?.close()
    bus = nil
    owner = nil
    health = BluetoothHealth()
  }

  /// What is known, bonded devices included, by address.
  public var devices: [BluetoothDevice] { tree.allDevices }

  /// The adapters in order of their names.
  public var adapters: [BluetoothAdapter] {
    drives.keys.sorted().map { path in
      BluetoothAdapter(
        name: BlueZName.name(of: path), address: tree.adapters[path]?.address,
        condition: drives[path]?.condition ?? .starting)
    }
  }

  func tell(_ news: BluetoothNews) { observer?(news) }

  private func become(_ condition: BluetoothHealth.Condition) {
    guard observer != nil, let report = health.become(condition) else { return }
    tell(.health(report))
  }

  /// Says how the adapters do, when that changed.
  func reportAdapters() {
    guard owner != nil, isKnown else { return }
    let now = adapters
    if now != toldAdapters {
      toldAdapters = now
      tell(.adapters(now))
    }
    guard !isSilent else { return become(.silentBluetoothd) }
    guard !now.isEmpty else { return become(.noAdapter(wanted: options.adapters)) }
    let lasting = drives.filter { $0.value.isLasting }.map { BlueZName.name(of: $0.key) }
    become(.adapters(now, lasting: Set(lasting)))
  }

  // MARK: The bus

  private func connectBus() {
    guard observer != nil, bus == nil else { return }
    let descriptor = homeward_unix_connect(options.busPath, 0)
    guard descriptor >= 0 else { return busFailed() }
    bus = SystemBus(
      descriptor: descriptor, onSignal: { [weak self] in self?.heard($0) },
      onCall: { [weak self] in self?.called($0) ?? false },
      onLost: { [weak self] in self?.busLost() })
    guard bus != nil else {
      close(descriptor)
      return busFailed()
    }
    askForSignals()
  }

  private func busLost() {
    bus = nil
    changeOwner(to: nil)
    busFailed()
  }

  private func busFailed() {
    become(.noBus(path: options.busPath))
    busTimer.set(afterMilliseconds: busBackoff.next())
  }

  private func askForSignals() {
    let rules = [
      "type='signal',sender='\(BlueZName.daemon)'",
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(BlueZName.daemon)'",
    ]
    for rule in rules {
      bus?.match(rule) { [weak self] result in
        guard case .failure(let fault) = result, fault != .noConnection else { return }
        self?.become(.busRefuses(words: fault.message))
      }
    }
    bus?.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
      [.text(BlueZName.daemon)], timeoutMilliseconds: UInt64(patience.answerMilliseconds)
    ) { [weak self] result in
      guard let self, bus != nil, owner == nil else { return }
      if case .failure(let fault) = result, fault.isTimeOut || fault == .noConnection {
        bus?.close()
        return busLost()
      }
      busBackoff.reset()
      changeOwner(to: (try? result.get())?.first?.text)
    }
  }

  /// Calls a method of bluetoothd; what an earlier one answers is dropped, and told as no connection.
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = [],
    timeoutMilliseconds: Int64? = nil, completion: @escaping SystemBus.Completion
  ) {
    guard let bus, let owner else {
      return EventLoop.current.post { completion(.failure(.noConnection)) }
    }
    let generation = generation
    bus.call(
      owner, path, interface, member, arguments,
      timeoutMilliseconds: UInt64(timeoutMilliseconds ?? patience.answerMilliseconds)
    ) { [weak self] result in
      guard let self, generation == self.generation else {
        return completion(.failure(.noConnection))
      }
      if case .failure(let fault) = result, fault.isTimeOut {} else { hasHeard = true }
      completion(result)
    }
  }

  // MARK: bluetoothd

  private func changeOwner(to name: String?) {
    generation += 1
    owner = name
    let words =
      name == nil
      ? Message("bluetoothd went away. It is looked for again; try then.")
      : Message("bluetoothd began anew. Try again.")
    letGo(of: BluetoothFailure(.noRadio, words))
    guard bus != nil else { return }
    guard name != nil else { return become(.noBluetoothd) }
    readEverything()
    checkTimer.set(afterMilliseconds: patience.checkMilliseconds)
  }

  /// Drops all that belonged to a bluetoothd.
  private func letGo(of failure: BluetoothFailure) {
    (isKnown, isSilent, isAsking, isAgentReady, hasHeard) = (false, false, false, false, false)
    checkTimer.cancel()
    driveTimer.cancel()
    for path in drives.keys.sorted() { dropMonitors(of: path) }
    (drives, lookUps, leaving) = ([:], [], [])
    endConnections(because: failure)
    endPairing(.failure(failure))
    tree = ObjectTree()
    if !toldAdapters.isEmpty {
      toldAdapters = []
      tell(.adapters([]))
    }
  }

  private func readEverything() {
    guard !isAsking else { return }
    isAsking = true
    call("/", BlueZName.objectManager, "GetManagedObjects") { [weak self] result in
      guard let self, owner != nil else { return }
      isAsking = false
      switch result {
      case .success(let values): begin(values.first ?? .other)
      case .failure(let fault) where fault == .noConnection: return
      case .failure: becomeSilent()
      }
    }
  }

  private func begin(_ objects: BusValue) {
    (isKnown, isSilent) = (true, false)
    take(tree.replace(with: objects, at: EventLoop.now))
    reconcileConnections()
    registerAgent()
    reportAdapters()
  }

  private func becomeSilent() {
    isSilent = true
    become(.silentBluetoothd)
  }

  /// Every minute: whether bluetoothd answers, and whether the adapters do what they should.
  private func check() {
    guard owner != nil else { return }
    checkTimer.set(afterMilliseconds: patience.checkMilliseconds)
    guard isKnown, !isSilent else { return ping() }
    if !hasHeard { ping() }
    hasHeard = false
    if !isAgentReady { registerAgent() }
    for path in drives.keys.sorted() {
      let isBusy = isUsed(adapter: path)
      step(path) { $0.check(isBusy: isBusy, at: EventLoop.now) }
    }
  }

  private func ping() {
    call("/", "org.freedesktop.DBus.Peer", "Ping") { [weak self] result in
      guard let self, owner != nil else { return }
      if case .failure(let fault) = result {
        if fault.isTimeOut { becomeSilent() }
        return
      }
      // What it said meanwhile may be lost: everything is read again.
      if isSilent || !isKnown {
        forgetAdapters()
        readEverything()
      }
    }
  }

  private func forgetAdapters() {
    for path in drives.keys.sorted() { dropMonitors(of: path) }
    drives = [:]
    isAgentReady = false
  }

  // MARK: Signals

  private func heard(_ signal: BusSignal) {
    if signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged" {
      guard signal.arguments.first?.text == BlueZName.daemon else { return }
      let name = signal.arguments.last?.text ?? ""
      return changeOwner(to: name.isEmpty ? nil : name)
    }
    guard let owner, signal.sender == owner else { return }
    hasHeard = true
    guard isKnown else { return }
    let arguments = BusValue.list(signal.arguments)
    let now = EventLoop.now
    switch (signal.interface, signal.member) {
    case (BlueZName.properties, "PropertiesChanged"):
      take(
        tree.change(
          signal.path, arguments[0]?.text ?? "", arguments[1] ?? .other,
          invalidated: arguments[2]?.list.compactMap(\.text) ?? [], at: now))
    case (BlueZName.objectManager, "InterfacesAdded"):
      take(tree.add(arguments[0]?.text ?? "", arguments[1] ?? .other, at: now))
      // The manager of monitors may come after its adapter.
      if let path = arguments[0]?.text { registerMonitors(on: path) }
    case (BlueZName.objectManager, "InterfacesRemoved"):
      let interfaces = arguments[1]?.list.compactMap(\.text) ?? []
      if interfaces.contains(BlueZName.monitorManager), let path = arguments[0]?.text {
        dropMonitors(of: path)
      }
      take(tree.remove(arguments[0]?.text ?? "", interfaces))
    default: return
    }
  }

  private func take(_ changes: [ObjectTree.Change]) {
    for change in changes { take(change) }
  }

  private func take(_ change: ObjectTree.Change) {
    let now = EventLoop.now
    switch change {
    case .adapterCame(let path): adapterCame(path)
    case .adapterGone(let path): adapterGone(path)
    case .powerChanged(let path):
      let isOn = tree.adapters[path]?.isPowered ?? false
      step(path) { $0.powerChanged(isOn, at: now) }
    case .discoveryChanged(let path):
      drives[path]?.discoveryChanged(tree.adapters[path]?.isDiscovering ?? false, at: now)
    case .sighting(let sighting):
      drives["/org/bluez/\(sighting.adapter)"]?.heard(at: now)
      if isWanted(sighting.adapter) { tell(.sighting(sighting)) }
    case .deviceChanged(let path):
      pairingMayHaveSucceeded(path)
      tellDevice(path)
    case .connectionChanged(let path):
      connectionChanged(path)
      tellDevice(path)
    case .deviceGone(let path, _): deviceGone(path)
    case .valueChanged(let characteristic, let octets):
      guard let device = BlueZName.devicePath(of: characteristic) else { return }
      links[device]?.heard(octets, from: characteristic)
    case .unknownDevice(let path): lookUp(path)
    }
  }

  private func tellDevice(_ path: String) {
    guard let address = tree.devices[path]?.address, let device = tree.device(address) else {
      return
    }
    tell(.device(device))
  }

  /// Reads a device that made room for others and is heard again.
  private func lookUp(_ path: String) {
    guard lookUps.count < Self.mostLookUps, lookUps.insert(path).inserted else { return }
    call(path, BlueZName.properties, "GetAll", [.text(BlueZName.device)]) { [weak self] result in
      guard let self else { return }
      lookUps.remove(path)
      guard owner != nil, isKnown, let properties = try? result.get().first else { return }
      take(tree.add(path, .map([BlueZName.device: properties]), at: EventLoop.now))
    }
  }
}

extension Result {
  /// Why it failed; nil when it did not.
  var failureValue: Failure? { if case .failure(let fault) = self { fault } else { nil } }
}
