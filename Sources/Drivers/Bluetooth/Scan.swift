import Advertisements
public import Care
public import JSON
import Loop
import Moments
public import Ports
import Proximity

/// Devices that are heard while somebody looks for one.
final class Scan {
  private struct Heard {
    var sighting: BluetoothSighting
    /// All that came so far, since one advertisement rarely says everything.
    var strongest: Int?
  }

  static let atMost = 500
  private var heard: [BluetoothAddress: Heard] = [:]
  let timer: LoopTimer

  init(timer: LoopTimer) { self.timer = timer }

  func note(_ sighting: BluetoothSighting) {
    let strongest = heard[sighting.address]?.strongest
    guard strongest != nil || heard.count < Self.atMost else { return }
    heard[sighting.address] = Heard(
      sighting: sighting,
      strongest: [strongest, sighting.rssi].compactMap { $0 }.max())
  }

  /// The devices, the loudest first.
  func devices(known: [TagIdentity: TagID]) -> JSONValue {
    let sorted = heard.sorted {
      ($1.value.strongest ?? -128, $0.key) < ($0.value.strongest ?? -128, $1.key)
    }
    return .array(sorted.map { Self.device($0.key, $0.value, known) })
  }

  private static func device(
    _ address: BluetoothAddress, _ heard: Heard, _ known: [TagIdentity: TagID]
  ) -> JSONValue {
    var whole = heard.sighting
    whole.came = [.serviceData, .manufacturerData, .others]
    let reading = AdvertisementReading(whole.fresh)
    var identities = reading.contents.compactMap(\.identity)
    let isChanging = reading.contents.contains {
      if case .changing = $0 { true } else { false }
    }
    if address.isLasting, !isChanging {
      identities.append(reading.bthome == nil ? .address(address) : .bthome(address, key: nil))
    }
    let services = heard.sighting.advertisement.services
    return .object([
      "address": .string(address.written),
      "name": heard.sighting.advertisement.name.map { .string($0) },
      "rssi": heard.strongest.map { .integer(Int64($0)) },
      "isMeter": .bool(!MeterWork.services.isDisjoint(with: services)),
      "isChanging": .bool(isChanging || !address.isLasting),
      "identities": .array(identities.map { .string($0.description) }),
      "tag": identities.lazy.compactMap { known[$0] }.first.map { .string($0.rawValue) },
    ])
  }
}

extension BluetoothCentral {
  /// Devices heard within so many milliseconds from now, the loudest first.
  public func scan(milliseconds: Int64, completion: @escaping @LoopActor (JSONValue) -> Void) {
    var scan: Scan?
    let timer = LoopTimer { [weak self] in
      guard let self, let done = scan else { return completion([]) }
      scan = nil
      scans.removeAll { $0 === done }
      var known: [TagIdentity: TagID] = [:]
      for tag in tags.values { for identity in tag.identities { known[identity] = tag.id } }
      completion(done.devices(known: known))
    }
    let begun = Scan(timer: timer)
    scan = begun
    scans.append(begun)
    timer.set(afterMilliseconds: milliseconds)
  }

  // MARK: Pairing

  /// The device of an address as somebody wrote it.
  public func resolved(_ address: BluetoothAddress) -> BluetoothAddress {
    let known = source.devices.map(\.address) + meters.keys.sorted()
    if known.contains(address) { return address }
    return known.first { $0.bits == address.bits } ?? address
  }

  /// Pairs and bonds with a device; what it asks meanwhile is in ``status``.
  public func pair(
    _ request: PairingRequest,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    source.pair(request) { [weak self] result in
      self?.questions[request.address] = nil
      completion(result)
    }
  }

  /// Answers the question that a pairing waits with.
  public func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool {
    guard source.answer(answer, for: address) else { return false }
    questions[address] = nil
    return true
  }

  /// Forgets a device and its keys.
  public func forget(
    _ address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    meters[address]?.session?.stop()
    source.forget(address, completion: completion)
  }

  /// Adapters, meters and questions of a pairing that goes on.
  public var status: JSONValue {
    let devices = Dictionary(source.devices.map { ($0.address, $0) }, uniquingKeysWith: { $1 })
    let now = clock.now().tick
    return .object([
      "source": .string(options.sourceName), "isListening": .bool(isListening),
      "adapters": .array(
        source.adapters.map {
          .object([
            "name": .string($0.name), "address": $0.address.map { .string($0.text) },
            "condition": .string($0.condition.rawValue),
          ])
        }),
      "meters": .array(
        meters.sorted { $0.key < $1.key }.map {
          $1.json(devices[$0], in: options.language, at: now)
        }),
      "questions": .array(questions.sorted { $0.key < $1.key }.map { $1.json }),
      "crowd": lastCrowd.map {
        [
          "devices": .integer(Int64($0.count)), "isSaturated": .bool($0.isSaturated),
          "endedAt": .string($0.ended.utc.iso8601),
        ]
      },
    ])
  }
}

extension PairingQuestion {
  /// The question as an object.
  fileprivate var json: JSONValue {
    let (word, number): (String, UInt32?) =
      switch kind {
      case .passkey: ("passkey", nil)
      case .confirmation(let number): ("confirmation", number)
      case .typeOnDevice(let number): ("type-on-device", number)
      }
    return .object([
      "address": .string(address.written), "kind": .string(word),
      "number": number.map { .integer(Int64($0)) },
    ])
  }
}
