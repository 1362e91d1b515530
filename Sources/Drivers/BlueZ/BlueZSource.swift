public import Care
import DBus
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
  /// Devices that are looked up again at the same time, after they had made room for others.
  private static let mostLookUps = 4

  private let options: Options
  private var patience: Patience { options.patience }
  private let bus: BlueZBus
  private let news = BlueZNews()
  private let objects = BlueZObjects()
  private let monitors: BlueZMonitors
  private let radios: BlueZAdapters
  private let connections: BlueZConnections
  private let pairing: BlueZPairing
  /// Whether ``objects`` are what bluetoothd has.
  private var isKnown = false
  private var isSilent = false
  private var isAsking = false
  private var lookUps: Set<String> = []
  private var toldAdapters: [BluetoothAdapter] = []
  private var health = BluetoothHealth()

  private lazy var checkTimer = LoopTimer { [weak self] in self?.check() }

  /// A source that does nothing until started.
  public init(options: Options = Options()) {
    self.options = options
    bus = BlueZBus(options)
    monitors = BlueZMonitors(options, bus, objects, news)
    radios = BlueZAdapters(options, bus, objects, monitors)
    connections = BlueZConnections(options.patience, bus, objects)
    pairing = BlueZPairing(options.patience, bus, objects, news)
    bus.onOwner = { [weak self] in self?.ownerChanged(to: $0) }
    bus.onSignal = { [weak self] in self?.heard($0) }
    bus.onCall = { [weak self] in self?.called($0) ?? false }
    bus.onTrouble = { [weak self] in self?.become($0) }
    radios.onChange = { [weak self] in self?.reportAdapters() }
  }

  /// Starts; news go to `observer`, on the loop, until ``stop()``.
  public func start(_ observer: @escaping @LoopActor (BluetoothNews) -> Void) {
    guard !news.isHeard else { return }
    news.begin(observer)
    become(.starting)
    bus.start()
  }

  /// Ends connections and pairings, lets go of the bus, and says nothing any more.
  public func stop() {
    news.end()
    connections.disconnectAll()
    letGo(of: BluetoothFailure(.cancelled, Message("Bluetooth was stopped.")))
    checkTimer.cancel()
    radios.cancelTimer()
    bus.stop()
    health = BluetoothHealth()
  }

  /// What is known, bonded devices included, by address.
  public var devices: [BluetoothDevice] { objects.tree.allDevices }

  /// The adapters in order of their names.
  public var adapters: [BluetoothAdapter] { radios.all }

  private func become(_ condition: BluetoothHealth.Condition) {
    guard news.isHeard, let report = health.become(condition) else { return }
    news.tell(.health(report))
  }

  /// Says how the adapters do, when that changed.
  private func reportAdapters() {
    guard bus.owner != nil, isKnown else { return }
    let now = adapters
    if now != toldAdapters {
      toldAdapters = now
      news.tell(.adapters(now))
    }
    guard !isSilent else { return become(.silentBluetoothd) }
    guard !now.isEmpty else { return become(.noAdapter(wanted: options.adapters)) }
    become(.adapters(now, lasting: radios.lasting))
  }

  // MARK: bluetoothd

  private func ownerChanged(to name: String?) {
    let words =
      name == nil
      ? Message("bluetoothd went away. It is looked for again; try then.")
      : Message("bluetoothd began anew. Try again.")
    letGo(of: BluetoothFailure(.noRadio, words))
    guard bus.isConnected else { return }
    guard name != nil else { return become(.noBluetoothd) }
    readEverything()
    checkTimer.set(afterMilliseconds: patience.checkMilliseconds)
  }

  /// Drops all that belonged to a bluetoothd.
  private func letGo(of failure: BluetoothFailure) {
    (isKnown, isSilent, isAsking) = (false, false, false)
    pairing.forgetAgent()
    bus.forgetWhatWasHeard()
    checkTimer.cancel()
    radios.cancelTimer()
    radios.forget()
    lookUps = []
    connections.end(because: failure)
    pairing.end(.failure(failure))
    objects.tree = ObjectTree()
    if !toldAdapters.isEmpty {
      toldAdapters = []
      news.tell(.adapters([]))
    }
  }

  private func readEverything() {
    guard !isAsking else { return }
    isAsking = true
    bus.call("/", BlueZName.objectManager, "GetManagedObjects") { [weak self] result in
      guard let self, bus.owner != nil else { return }
      isAsking = false
      switch result {
      case .success(let values): begin(values.first ?? .other)
      case .failure(let fault) where fault == .noConnection: return
      case .failure: becomeSilent()
      }
    }
  }

  private func begin(_ everything: BusValue) {
    (isKnown, isSilent) = (true, false)
    take(objects.tree.replace(with: everything, at: EventLoop.now))
    reconcileConnections()
    pairing.registerAgent()
    reportAdapters()
  }

  /// After everything was read anew: ends what ended while bluetoothd said nothing.
  private func reconcileConnections() {
    for path in (connections.all + (pairing.path.map { [$0] } ?? [])).sorted() {
      if objects.tree.devices[path] == nil {
        deviceGone(path)
      } else {
        connections.connectionChanged(path)
      }
    }
    if let path = pairing.path { pairing.mayHaveSucceeded(path) }
  }

  private func becomeSilent() {
    isSilent = true
    become(.silentBluetoothd)
  }

  /// Every minute: whether bluetoothd answers, and whether the adapters do what they should.
  private func check() {
    guard bus.owner != nil else { return }
    checkTimer.set(afterMilliseconds: patience.checkMilliseconds)
    guard isKnown, !isSilent else { return ping() }
    if !bus.hasHeard { ping() }
    bus.forgetWhatWasHeard()
    if !pairing.isAgentReady { pairing.registerAgent() }
    radios.check { isUsed(adapter: $0) }
  }

  private func ping() {
    bus.call("/", "org.freedesktop.DBus.Peer", "Ping") { [weak self] result in
      guard let self, bus.owner != nil else { return }
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
    radios.forget()
    pairing.forgetAgent()
  }

  // MARK: Connections

  /// Connects to a device and finds its services.
  public func connect(
    to address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<any BluetoothLink, BluetoothFailure>) -> Void
  ) {
    let place = radios.place(of: address).flatMap { path in
      let isFree = connections.isFree(path) && pairing.path != path
      return isFree ? Result.success(path) : .failure(.connectionIsBusy)
    }
    switch place {
    case .failure(let failure): EventLoop.current.post { completion(.failure(failure)) }
    case .success(let path): connections.connect(at: path, completion)
    }
  }

  /// Whether a connection is being made or used on an adapter.
  private func isUsed(adapter: String) -> Bool {
    let paths = connections.used + (pairing.path.map { [$0] } ?? [])
    return paths.contains { BlueZName.adapterPath(of: $0) == adapter }
  }

  // MARK: Pairings

  /// Pairs and bonds with a device; questions come as news meanwhile. One at a time.
  public func pair(
    _ request: PairingRequest,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    switch placeToPair(request) {
    case .failure(let failure): EventLoop.current.post { completion(.failure(failure)) }
    case .success(let path): pairing.begin(request, at: path, completion: completion)
    }
  }

  private func placeToPair(_ request: PairingRequest) -> Result<String, BluetoothFailure> {
    pairing.admits(request).flatMap { radios.place(of: request.address) }.flatMap { path in
      guard pairing.isAgentReady else { return .failure(.noRadio) }
      guard !connections.isBeingMade(to: path) else { return .failure(.connectionIsBusy) }
      return .success(path)
    }
  }

  /// Ends a pairing that goes on.
  public func cancelPairing(with address: BluetoothAddress) { pairing.cancel(with: address) }

  /// Answers the question that a pairing waits with; false when none waits for such an answer.
  public func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool {
    pairing.answer(answer, for: address)
  }

  /// Forgets a device and its keys.
  public func forget(
    _ address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    pairing.cancel(with: address)
    forget(objects.tree.paths(of: address)[...], address, completion)
  }

  private func forget(
    _ paths: ArraySlice<String>, _ address: BluetoothAddress,
    _ completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    guard bus.owner != nil else {
      return EventLoop.current.post { completion(.failure(.noRadio)) }
    }
    guard let path = paths.first, let adapter = BlueZName.adapterPath(of: path) else {
      return EventLoop.current.post { completion(.failure(.unknown(address))) }
    }
    bus.call(adapter, BlueZName.adapter, "RemoveDevice", [.path(path)]) { [weak self] result in
      if let fault = result.failureValue, fault.name != "org.bluez.Error.DoesNotExist" {
        return completion(.failure(BlueZWords.failure(fault)))
      }
      guard paths.count > 1 else { return completion(.success(())) }
      self?.forget(paths.dropFirst(), address, completion)
    }
  }

  // MARK: Calls

  /// Answers a call to an object of ours; false when there is no such object.
  private func called(_ call: BusCall) -> Bool {
    let isAgent = call.path == BlueZPairing.agentPath
    guard isAgent || call.path.hasPrefix("\(BlueZMonitors.root)/") else { return false }
    guard let owner = bus.owner, call.sender == owner else {
      pairing.refuseProgram(call)
      return true
    }
    return isAgent ? pairing.called(call) : monitors.called(call)
  }

  // MARK: Signals

  private func heard(_ signal: BusSignal) {
    guard isKnown else { return }
    let arguments = BusValue.list(signal.arguments)
    let now = EventLoop.now
    switch (signal.interface, signal.member) {
    case (BlueZName.properties, "PropertiesChanged"):
      take(
        objects.tree.change(
          signal.path, arguments[0]?.text ?? "", arguments[1] ?? .other,
          invalidated: arguments[2]?.list.compactMap(\.text) ?? [], at: now))
    case (BlueZName.objectManager, "InterfacesAdded"):
      take(objects.tree.add(arguments[0]?.text ?? "", arguments[1] ?? .other, at: now))
      // The manager of monitors may come after its adapter.
      if let path = arguments[0]?.text { radios.registerMonitors(on: path) }
    case (BlueZName.objectManager, "InterfacesRemoved"):
      let interfaces = arguments[1]?.list.compactMap(\.text) ?? []
      if interfaces.contains(BlueZName.monitorManager), let path = arguments[0]?.text {
        monitors.drop(of: path)
      }
      take(objects.tree.remove(arguments[0]?.text ?? "", interfaces))
    default: return
    }
  }

  private func take(_ changes: [ObjectTree.Change]) {
    for change in changes { take(change) }
  }

  private func take(_ change: ObjectTree.Change) {
    let now = EventLoop.now
    switch change {
    case .adapterCame(let path): radios.came(path)
    case .adapterGone(let path): radios.gone(path)
    case .powerChanged(let path): radios.powerChanged(path, at: now)
    case .discoveryChanged(let path): radios.discoveryChanged(path, at: now)
    case .sighting(let sighting):
      radios.heard(by: sighting.adapter, at: now)
      if radios.isWanted(sighting.adapter) { news.tell(.sighting(sighting)) }
    case .deviceChanged(let path):
      pairing.mayHaveSucceeded(path)
      tellDevice(path)
    case .connectionChanged(let path):
      connections.connectionChanged(path)
      tellDevice(path)
    case .deviceGone(let path, _): deviceGone(path)
    case .valueChanged(let characteristic, let octets):
      connections.heard(octets, from: characteristic)
    case .unknownDevice(let path): lookUp(path)
    }
  }

  private func deviceGone(_ path: String) {
    connections.deviceGone(path)
    if pairing.path == path { pairing.end(.failure(.disconnected)) }
  }

  private func tellDevice(_ path: String) {
    guard let address = objects.tree.devices[path]?.address,
      let device = objects.tree.device(address)
    else {
      return
    }
    news.tell(.device(device))
  }

  /// Reads a device that made room for others and is heard again.
  private func lookUp(_ path: String) {
    guard lookUps.count < Self.mostLookUps, lookUps.insert(path).inserted else { return }
    bus.call(path, BlueZName.properties, "GetAll", [.text(BlueZName.device)]) {
      [weak self] result in
      guard let self else { return }
      lookUps.remove(path)
      guard bus.owner != nil, isKnown, let properties = try? result.get().first else { return }
      take(objects.tree.add(path, .map([BlueZName.device: properties]), at: EventLoop.now))
    }
  }
}

extension Result {
  /// Why it failed; nil when it did not.
  var failureValue: Failure? { if case .failure(let fault) = self { fault } else { nil } }
}
