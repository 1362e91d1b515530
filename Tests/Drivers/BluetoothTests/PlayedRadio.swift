import Advertisements
import BluetoothKeys
import Care
import GATTProfiles
import GlucoseValues
import JSON
import Loop
import Moments
import Ports
import Texts

@testable import Bluetooth

/// A radio whose air the test plays; real ones are heard in the rig.
@LoopActor
final class PlayedRadio: BluetoothSource {
  var adapters: [BluetoothAdapter] = []
  var devices: [BluetoothDevice] = []
  private(set) var isStarted = false
  private var observer: (@LoopActor (BluetoothNews) -> Void)?
  /// What answers later.
  private var later: [@LoopActor () -> Void] = []
  var meters: [BluetoothAddress: PlayedMeter] = [:]
  private(set) var connections = 0
  var pairing: (@LoopActor (Result<Void, BluetoothFailure>) -> Void)?
  private(set) var answers: [PairingAnswer] = []

  func start(_ observer: @escaping @LoopActor (BluetoothNews) -> Void) {
    self.observer = observer
    isStarted = true
  }

  func stop() { isStarted = false }

  func tell(_ news: BluetoothNews) {
    observer?(news)
    drain()
  }

  func answer(later work: @escaping @LoopActor () -> Void) { later.append(work) }

  func drain() {
    while !later.isEmpty { later.removeFirst()() }
  }

  func pair(
    _ request: PairingRequest,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    pairing = completion
    tell(.question(PairingQuestion(address: request.address, kind: .passkey)))
  }

  func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool {
    guard pairing != nil else { return false }
    answers.append(answer)
    return true
  }

  func cancelPairing(with address: BluetoothAddress) {}

  func forget(
    _ address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    answer(later: { completion(.success(())) })
  }

  func connect(
    to address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<any BluetoothLink, BluetoothFailure>) -> Void
  ) {
    connections += 1
    let meter = meters[address]
    answer(later: {
      guard let meter else {
        return completion(
          .failure(BluetoothFailure(.timedOut, Message("The device did not answer."))))
      }
      meter.connect(self)
      completion(.success(meter))
    })
  }
}

/// A meter that keeps to the Glucose Service, with what the test stored in it.
@LoopActor
final class PlayedMeter: BluetoothLink {
  let address: BluetoothAddress
  var records: [GlucoseMeasurement] = []
  var contexts: [UInt16: GlucoseContext] = [:]
  /// What the meter's clock shows.
  var clock: DateTime?
  /// The link breaks after so many records.
  var breaksAfter: Int?
  /// What every write is refused with.
  var refusal: UInt8?
  private(set) var requests: [[UInt8]] = []
  private(set) var isConnected = false
  var onLost: @LoopActor () -> Void = {}
  private var heard: [GATTCharacteristicID: @LoopActor ([UInt8]) -> Void] = [:]
  private weak var radio: PlayedRadio?

  init(_ address: BluetoothAddress) { self.address = address }

  func connect(_ radio: PlayedRadio) {
    self.radio = radio
    isConnected = true
    heard = [:]
  }

  var services: [Ports.GATTService] {
    func characteristic(_ number: UInt16) -> Ports.GATTCharacteristic {
      Ports.GATTCharacteristic(
        id: GATTCharacteristicID("\(number)"), uuid: BluetoothUUID(number), properties: .read)
    }
    return [
      Ports.GATTService(
        uuid: BluetoothUUID(0x1808), isPrimary: true,
        characteristics: [0x2A18, 0x2A34, 0x2A51, 0x2A52].map(characteristic)),
      Ports.GATTService(
        uuid: BluetoothUUID(0x1805), isPrimary: true, characteristics: [characteristic(0x2A2B)]),
    ]
  }

  func read(
    _ characteristic: GATTCharacteristicID,
    completion: @escaping @LoopActor (Result<[UInt8], BluetoothFailure>) -> Void
  ) {
    let octets = clock.map { CurrentTime(dateTime: $0).octets }
    radio?.answer(later: {
      completion(
        octets.map { .success($0) }
          ?? .failure(BluetoothFailure(.unsupported, Message("It cannot do that."))))
    })
  }

  func subscribe(
    to characteristic: GATTCharacteristicID, heard: @escaping @LoopActor ([UInt8]) -> Void,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    self.heard[characteristic] = heard
    radio?.answer(later: { completion(.success(())) })
  }

  func write(
    _ octets: [UInt8], to characteristic: GATTCharacteristicID, withResponse: Bool,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    requests.append(octets)
    if let refusal {
      return radio?.answer(later: {
        completion(
          .failure(BluetoothFailure(.refused, Message("It refused."), attributeError: refusal)))
      }) ?? ()
    }
    radio?.answer(later: {
      completion(.success(()))
      self.report(octets)
    })
  }

  /// All records that a request asks for, then the answer.
  private func report(_ request: [UInt8]) {
    guard request.first == 1 else { return }
    let wanted = records.filter { Self.fits($0.sequence, request) }
    for (count, record) in wanted.enumerated() {
      if breaksAfter == count {
        breaksAfter = nil
        isConnected = false
        return radio?.answer(later: { self.onLost() }) ?? ()
      }
      send(0x2A18, record.octets)
      if let context = contexts[record.sequence] { send(0x2A34, context.octets) }
    }
    send(0x2A52, [6, 0, 1, wanted.isEmpty ? 6 : 1])
  }

  private static func fits(_ sequence: UInt16, _ request: [UInt8]) -> Bool {
    func number(_ at: Int) -> UInt16 { UInt16(request[at]) | UInt16(request[at + 1]) << 8 }
    return switch request[1] {
    case 1: true
    case 3: sequence >= number(3)
    case 4: (number(3)...number(5)).contains(sequence)
    default: false
    }
  }

  private func send(_ number: UInt16, _ octets: [UInt8]) {
    let heard = heard[GATTCharacteristicID("\(number)")]
    radio?.answer(later: { heard?(octets) })
  }

  func disconnect() { isConnected = false }
}

/// A clock that the test moves.
@LoopActor
final class PlayedClock: GatewayClock {
  var moment = Moment(
    tick: .seconds(1000), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .synchronised)

  func now() -> Moment { moment }
  func start(_ observer: @escaping @LoopActor (ClockReport) -> Void) {}
  func stop() {}
  func consider(receiverTime: Timestamp, mode: FixMode) {}

  func pass(milliseconds: Int64) { moment = moment.advanced(byMilliseconds: milliseconds) }
}

/// A central, its radio, and what it told.
@LoopActor
final class Listening {
  let radio = PlayedRadio()
  let clock = PlayedClock()
  let central: BluetoothCentral
  private(set) var told: [Observation] = []

  /// What is to outlive a restart.
  final class Kept: Sendable {
    @LoopActor var counters: JSONValue?
  }
  let kept = Kept()

  init(buttons: [WirelessButton] = [], counters: JSONValue? = nil) {
    var options = BluetoothCentral.Options(
      sourceName: "played", hearer: TagHearer(id: "bluetooth", place: .withResident),
      buttons: buttons)
    options.counters = counters
    options.keepCounters = { [kept] in kept.counters = $0 }
    central = BluetoothCentral(
      source: radio, clock: clock, cipher: MbedCipher(), options: options)
    central.start { [unowned self] in told.append($0) }
  }

  func forget() { told = [] }

  func hear(
    _ address: BluetoothAddress, rssi: Int = -50,
    _ data: [UInt8] = [], afterMilliseconds: Int64 = 0
  ) {
    clock.pass(milliseconds: afterMilliseconds)
    let found = AdvertisingData(data)
    var advertisement = BluetoothAdvertisement(name: found.name, services: found.services)
    for block in found.serviceData { advertisement.serviceData[block.service] = block.bytes }
    for block in found.manufacturerData {
      advertisement.manufacturerData[block.company] = block.bytes
    }
    radio.tell(
      .sighting(
        BluetoothSighting(
          address: address, adapter: "hci0", rssi: rssi, advertisement: advertisement,
          came: [.serviceData, .manufacturerData, .others], tick: clock.moment.tick)))
  }

  var sightings: [TagSighting] {
    told.compactMap { if case .sighting(let sighting) = $0 { sighting } else { nil } }
  }

  var gestures: [ButtonGesture] {
    told.compactMap { if case .button(let report) = $0 { report.gesture } else { nil } }
  }

  var reports: [MeterReport] {
    told.compactMap { if case .meter(let report) = $0 { try? report.value() } else { nil } }
  }

  func health(of component: ComponentID) -> HealthReport? {
    told.reversed().lazy.compactMap { observation -> HealthReport? in
      guard case .health(let report) = observation, report.component == component else {
        return nil
      }
      return report
    }.first
  }
}
