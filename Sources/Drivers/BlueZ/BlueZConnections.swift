import Care
import DBus
import Loop
import Ports
import Texts

/// A connection that is being made.
struct ConnectionWork {
  let completion: @LoopActor (Result<any BluetoothLink, BluetoothFailure>) -> Void
  let timer: LoopTimer
  /// Whether bluetoothd said that the device is connected.
  var isConnected = false
}

/// Connections: those that are being made, those that are used, and those that end.
@LoopActor
final class BlueZConnections {
  private let patience: BlueZSource.Patience
  private let bus: BlueZBus
  private let objects: BlueZObjects
  private var links: [String: BlueZLink] = [:]
  private var connecting: [String: ConnectionWork] = [:]
  /// Devices that are told to disconnect and have not yet.
  private var leaving: Set<String> = []

  /// No connections.
  init(_ patience: BlueZSource.Patience, _ bus: BlueZBus, _ objects: BlueZObjects) {
    self.patience = patience
    self.bus = bus
    self.objects = objects
  }

  // MARK: Views

  /// The devices to which a connection is being made or used.
  var used: [String] { Array(links.keys) + Array(connecting.keys) }

  /// The devices of which it matters whether they are connected.
  var all: [String] { used + Array(leaving) }

  /// Whether a connection to a device is being made.
  func isBeingMade(to path: String) -> Bool { connecting[path] != nil }

  /// Whether a connection to a device may be made: there is none, and none ends.
  func isFree(_ path: String) -> Bool {
    links[path] == nil && connecting[path] == nil && !leaving.contains(path)
  }

  // MARK: The beginning

  /// Connects to a device and finds its services.
  func connect(
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
    let link = BlueZLink(path: path, node, in: self)
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

  // MARK: The end

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

  func deviceGone(_ path: String) {
    leaving.remove(path)
    giveUp(path, .disconnected)
    end(path, .disconnected)
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

  /// Ends all of a bluetoothd that is gone.
  func end(because failure: BluetoothFailure) {
    leaving = []
    for path in connecting.keys.sorted() { giveUp(path, failure) }
    for path in links.keys.sorted() { end(path, failure) }
  }

  /// Tells every device that is used to disconnect.
  func disconnectAll() {
    for path in links.keys.sorted() { bus.call(path, BlueZName.device, "Disconnect") { _ in } }
  }

  // MARK: Use

  /// Asks something of a characteristic of a device.
  func ask(
    _ characteristic: String, _ member: String, _ arguments: [BusArgument],
    completion: @escaping SystemBus.Completion
  ) {
    bus.call(
      characteristic, BlueZName.characteristic, member, arguments,
      timeoutMilliseconds: patience.deviceMilliseconds, completion: completion)
  }

  /// A characteristic has another value.
  func heard(_ octets: [UInt8], from characteristic: String) {
    guard let device = BlueZName.devicePath(of: characteristic) else { return }
    links[device]?.heard(octets, from: characteristic)
  }
}
