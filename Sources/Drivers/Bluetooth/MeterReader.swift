import Care
import GATTProfiles
import Loop
import Ports

/// What a meter says of itself at the beginning of a session; what it does not say, or says wrongly, is nil.
struct MeterFacts {
  var information = DeviceInformation()
  /// The clock of the Current Time Service.
  var clock: DateTime?
  /// The clock inside the Glucose Service.
  var glucoseClock: DateTime?
  var feature: CGMFeature?
  var status: CGMStatus?
  var start: CGMSessionStart?
}

/// Reads the facts one after another; a meter that refuses one is asked for the next.
@LoopActor
final class MeterReader {
  private let link: any BluetoothLink
  private var facts = MeterFacts()

  init(link: any BluetoothLink) { self.link = link }

  /// Reads all, then calls back; at most as long as the link lasts.
  func read(then: @escaping @LoopActor (MeterFacts) -> Void) { read(Self.wanted[...], then) }

  private static let wanted: [(service: BluetoothUUID, characteristic: BluetoothUUID)] =
    [0x2A29, 0x2A24, 0x2A25, 0x2A26].map {
      (ServiceNumber.deviceInformation, BluetoothUUID($0))
    } + [
      (ServiceNumber.currentTime, CharacteristicNumber.currentTime),
      (ServiceNumber.glucose, CharacteristicNumber.dateTime),
      (ServiceNumber.continuousGlucoseMonitoring, CharacteristicNumber.cgmFeature),
      (ServiceNumber.continuousGlucoseMonitoring, CharacteristicNumber.cgmStatus),
      (ServiceNumber.continuousGlucoseMonitoring, CharacteristicNumber.cgmSessionStart),
    ]

  private func read(
    _ wanted: ArraySlice<(service: BluetoothUUID, characteristic: BluetoothUUID)>,
    _ then: @escaping @LoopActor (MeterFacts) -> Void
  ) {
    guard let next = wanted.first else { return then(facts) }
    let found = link.services.filter { $0.uuid == next.service }
      .characteristic(next.characteristic)
    guard let found else { return read(wanted.dropFirst(), then) }
    link.read(found) { result in
      switch result {
      case .success(let octets):
        self.take(octets, of: next.characteristic)
        self.read(wanted.dropFirst(), then)
      case .failure(let failure):
        // The session is told of it by the link.
        guard failure.code != .disconnected, failure.code != .cancelled else { return }
        self.read(wanted.dropFirst(), then)
      }
    }
  }

  private func take(_ octets: [UInt8], of characteristic: BluetoothUUID) {
    let rule = facts.feature?.crcRule ?? .unknown
    switch characteristic {
    case CharacteristicNumber.currentTime: facts.clock = (try? CurrentTime(octets))?.dateTime
    case CharacteristicNumber.dateTime: facts.glucoseClock = try? DateTime(octets)
    case CharacteristicNumber.cgmFeature: facts.feature = try? CGMFeature(octets)
    case CharacteristicNumber.cgmStatus: facts.status = try? CGMStatus(octets, crc: rule)
    case CharacteristicNumber.cgmSessionStart:
      facts.start = try? CGMSessionStart(octets, crc: rule)
    default: try? facts.information.take(octets, of: characteristic)
    }
  }
}
