public import Care
import DBus
import Loop
public import Ports
import Texts

/// A connection that is being made.
struct ConnectionWork {
  let completion: @LoopActor (Result<any BluetoothLink, BluetoothFailure>) -> Void
  let timer: LoopTimer
  /// Whether bluetoothd said that the device is connected.
  var isConnected = false
}

extension BlueZSource {
  /// Whether a connection is being made or used on an adapter.
  func isUsed(adapter: String) -> Bool {
    let paths = Array(links.keys) + Array(connecting.keys) + (pairing.map { [$0.path] } ?? [])
    return paths.contains { BlueZName.adapterPath(of: $0) == adapter }
  }

  /// Connects to a device and finds its services.
  public func connect(
    to address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<any BluetoothLink, BluetoothFailure>) -> Void
  ) {
    let place = radios.place(of: address).flatMap { path in
      let isFree =
        links[path] == nil && connecting[path] == nil && pairing?.path != path
        && !leaving.contains(path)
      return isFree ? Result.success(path) : .failure(.connectionIsBusy)
    }
    switch place {
    case .failure(let failure): EventLoop.current.post { completion(.failure(failure)) }
    case .success(let path): connect(at: path, completion)
    }
  }

  private func connect(
    at path: String,
    _ completion: @escaping @LoopActor (Result<any BluetoothLink, BluetoothFailure>) -> Void
  ) {
    let timer = LoopTimer { [weak self] in self?.giveUp(path, .timedOut) }
    connecting[path] = ConnectionWork(completion: completion, timer: timer)
    objects.tree.pinned.insert(path)
    timer.set(afterMilliseconds: patience.connectMilliseconds)
    let limit = patience.connectMilliseconds + 1000
    bus.call(path, BlueZName.device, "Connect", timeoutMilliseconds: limit) { [weak self] result in
      guard let self, connecting[path] != nil else { return }
      if let fault = result.failureValue, fault.name != "org.bluez.Error.AlreadyConnected" {
        return giveUp(path, BlueZWords.failure(fault))
      }
      connecting[path]?.isConnected = true
      finishWhenResolved(path)
    }
  }

  private func finishWhenResolved(_ path: String) {
    guard let work = connecting[path], work.isConnected, let node = objects.tree.devices[path],
      node.isConnected, node.isResolved
    else { return }
    connecting[path] = nil
    work.timer.cancel()
    let link = BlueZLink(path: path, address: node.address, source: self)
    links[path] = link
    work.completion(.success(link))
  }

  private func giveUp(_ path: String, _ failure: BluetoothFailure) {
    guard let work = connecting.removeValue(forKey: path) else { return }
    work.timer.cancel()
    objects.tree.pinned.remove(path)
    leave(path)
    EventLoop.current.post { work.completion(.failure(failure)) }
  }

  /// A connection that is made while another ends would end with it.
  private func leave(_ path: String) {
    if objects.tree.devices[path]?.isConnected == true { leaving.insert(path) }
    bus.call(path, BlueZName.device, "Disconnect") { [weak self] result in
      if result.failureValue != nil { self?.leaving.remove(path) }
    }
  }

  func connectionChanged(_ path: String) {
    guard let node = objects.tree.devices[path] else { return }
    if !node.isConnected { leaving.remove(path) }
    if connecting[path]?.isConnected == true, !node.isConnected {
      return giveUp(path, .disconnected)
    }
    finishWhenResolved(path)
    if !node.isConnected { end(path, .disconnected) }
  }

  /// After everything was read anew: ends what ended while bluetoothd said nothing.
  func reconcileConnections() {
    let used = Array(links.keys) + Array(connecting.keys) + Array(leaving)
    for path in (used + (pairing.map { [$0.path] } ?? [])).sorted() {
      if objects.tree.devices[path] == nil { deviceGone(path) } else { connectionChanged(path) }
    }
    if let path = pairing?.path { pairingMayHaveSucceeded(path) }
  }

  func deviceGone(_ path: String) {
    leaving.remove(path)
    giveUp(path, .disconnected)
    end(path, .disconnected)
    if pairing?.path == path { endPairing(.failure(.disconnected)) }
  }

  private func end(_ path: String, _ failure: BluetoothFailure) {
    guard let link = links.removeValue(forKey: path) else { return }
    objects.tree.pinned.remove(path)
    link.end(failure)
  }

  /// Ends a link that somebody does not want any more.
  func disconnect(_ path: String) {
    leave(path)
    end(path, BluetoothFailure(.cancelled, Message("The connection was ended.")))
  }

  func endConnections(because failure: BluetoothFailure) {
    for path in connecting.keys.sorted() { giveUp(path, failure) }
    for path in links.keys.sorted() { end(path, failure) }
  }
}

/// A connection to a device through bluetoothd.
@LoopActor
final class BlueZLink: BluetoothLink {
  /// Octets that one attribute can have.
  private static let mostOctets = 512

  let path: String
  let address: BluetoothAddress
  let services: [GATTService]
  var onLost: @LoopActor () -> Void = {}
  private weak var source: BlueZSource?
  private let known: Set<GATTCharacteristicID>
  private var listeners: [String: @LoopActor ([UInt8]) -> Void] = [:]
  private var lost: BluetoothFailure?

  init(path: String, address: BluetoothAddress, source: BlueZSource) {
    self.path = path
    self.address = address
    self.source = source
    services = source.objects.tree.devices[path]?.gattServices ?? []
    known = Set(services.flatMap(\.characteristics).map(\.id))
  }

  func heard(_ octets: [UInt8], from characteristic: String) { listeners[characteristic]?(octets) }

  func end(_ failure: BluetoothFailure) {
    lost = failure
    listeners = [:]
    let told = onLost
    onLost = {}
    EventLoop.current.post { told() }
  }

  private func call(
    _ characteristic: GATTCharacteristicID, _ member: String, _ arguments: [BusArgument],
    completion: @escaping @LoopActor (Result<[BusValue], BluetoothFailure>) -> Void
  ) {
    guard lost == nil, let source else {
      let failure = lost ?? .disconnected
      return EventLoop.current.post { completion(.failure(failure)) }
    }
    guard known.contains(characteristic) else {
      return EventLoop.current.post { completion(.failure(.unsupported)) }
    }
    source.bus.call(
      characteristic.rawValue, BlueZName.characteristic, member, arguments,
      timeoutMilliseconds: source.patience.deviceMilliseconds
    ) { [self] result in
      completion(result.mapError { lost ?? BlueZWords.failure($0) })
    }
  }

  func read(
    _ characteristic: GATTCharacteristicID,
    completion: @escaping @LoopActor (Result<[UInt8], BluetoothFailure>) -> Void
  ) {
    call(characteristic, "ReadValue", [.options([])]) { result in
      completion(result.map { $0.first?.bytes ?? [] })
    }
  }

  func write(
    _ octets: [UInt8], to characteristic: GATTCharacteristicID, withResponse: Bool,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    guard octets.count <= Self.mostOctets else {
      return EventLoop.current.post { completion(.failure(.unsupported)) }
    }
    let type = withResponse ? "request" : "command"
    call(characteristic, "WriteValue", [.bytes(octets), .options([("type", .text(type))])]) {
      completion($0.map { _ in })
    }
  }

  func subscribe(
    to characteristic: GATTCharacteristicID, heard: @escaping @LoopActor ([UInt8]) -> Void,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    guard lost == nil, known.contains(characteristic) else {
      return call(characteristic, "StartNotify", []) { completion($0.map { _ in }) }
    }
    listeners[characteristic.rawValue] = heard
    call(characteristic, "StartNotify", []) { [self] result in
      if result.failureValue != nil { listeners[characteristic.rawValue] = nil }
      completion(result.map { _ in })
    }
  }

  func disconnect() {
    guard lost == nil else { return }
    source?.disconnect(path)
  }
}
