import Care
import DBus
import Loop
import Ports

/// A connection to a device through bluetoothd.
@LoopActor
final class BlueZLink: BluetoothLink {
  /// Octets that one attribute can have.
  private static let mostOctets = 512

  let path: String
  let address: BluetoothAddress
  let services: [GATTService]
  var onLost: @LoopActor () -> Void = {}
  private weak var connections: BlueZConnections?
  private let known: Set<GATTCharacteristicID>
  private var listeners: [String: @LoopActor ([UInt8]) -> Void] = [:]
  private var lost: BluetoothFailure?

  init(path: String, _ node: DeviceNode, in connections: BlueZConnections) {
    self.path = path
    address = node.address
    self.connections = connections
    services = node.gattServices
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
    guard lost == nil, let connections else {
      let failure = lost ?? .disconnected
      return EventLoop.current.post { completion(.failure(failure)) }
    }
    guard known.contains(characteristic) else {
      return EventLoop.current.post { completion(.failure(.unsupported)) }
    }
    connections.ask(characteristic.rawValue, member, arguments) { [self] result in
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
    connections?.disconnect(path)
  }
}
