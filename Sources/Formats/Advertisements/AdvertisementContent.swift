import Bytes
public import Care
import Texts

/// Something known that stands in an advertisement.
public enum AdvertisementContent: Hashable, Sendable {
  /// An iBeacon.
  case iBeacon(IBeacon)
  /// An AltBeacon.
  case altBeacon(AltBeacon)
  /// A frame of an Eddystone beacon.
  case eddystone(EddystoneFrame)
  /// What a BTHome device says.
  case bthome(BTHomeFrame)
  /// A battery's charge in per cent.
  case batteryPercent(UInt8)
  /// A cheap key finder that goes by the name iTAG; it is known by its address.
  case iTag
  /// A device that cannot stand for anything, since it changes.
  case changing(ChangingTag)

  /// What a tag that sends this is known by, whatever its address.
  public var identity: TagIdentity? {
    switch self {
    case .iBeacon(let beacon): beacon.identity
    case .altBeacon(let beacon): beacon.identity
    case .eddystone(.identity(let id, _)): .eddystone(id)
    case .eddystone, .bthome, .batteryPercent, .iTag, .changing: nil
    }
  }
}

/// All that is known in one advertisement, and what of it could not be read.
public struct AdvertisementReading: Hashable, Sendable {
  /// Known things in the order in which they stand there: manufacturer data, service data, services, name.
  public private(set) var contents: [AdvertisementContent] = []
  /// What should have been known things and is damaged.
  public private(set) var faults: [AdvertisementFault] = []

  /// Reads the known things in an advertisement.
  public init(_ data: AdvertisingData) {
    for block in data.manufacturerData { readKnown(block) }
    for block in data.serviceData { readKnown(block) }
    let services = Set(data.serviceData.map(\.service))
    for service in data.services where !services.contains(service) {
      if let tag = ChangingTag(service) { add(.changing(tag)) }
    }
    if Self.isITag(data.name) { add(.iTag) }
  }

  /// The BTHome frame, where there is one.
  public var bthome: BTHomeFrame? {
    for case .bthome(let frame) in contents { return frame }
    return nil
  }

  /// The charge of the sender's battery in per cent, where it tells.
  public var batteryPercent: UInt8? {
    for case .batteryPercent(let charge) in contents { return charge }
    return bthome?.batteryPercent
  }

  private static func isITag(_ name: String?) -> Bool {
    name?.prefix { $0 != " " }.lowercased() == "itag"
  }

  private mutating func add(_ content: AdvertisementContent) {
    if !contents.contains(content) { contents.append(content) }
  }

  private mutating func readKnown(_ data: ManufacturerData) {
    do throws(AdvertisementFault) {
      if let beacon = AltBeacon(data) {
        add(.altBeacon(beacon))
      } else if data.company == IBeacon.company, data.bytes.starts(with: IBeacon.mark) {
        add(.iBeacon(try IBeacon(data)))
      } else if let tag = try ChangingTag(data) {
        add(.changing(tag))
      }
    } catch { faults.append(error) }
  }

  private mutating func readKnown(_ data: ServiceData) {
    do throws(AdvertisementFault) {
      if let tag = ChangingTag(data) {
        add(.changing(tag))
      } else if data.service == EddystoneFrame.service {
        if let frame = try EddystoneFrame(data) { add(.eddystone(frame)) }
      } else if data.service == BTHomeFrame.service {
        let frame = try BTHomeFrame(data)
        add(.bthome(frame))
        if let fault = frame.fault { throw fault }
      } else if data.service == Self.batteryService {
        add(.batteryPercent(try Self.batteryPercent(data)))
      }
    } catch { faults.append(error) }
  }

  private static let batteryService = BluetoothUUID(0x180F)

  private static func batteryPercent(_ data: ServiceData) throws(AdvertisementFault) -> UInt8 {
    guard let charge = data.bytes.first, charge <= 100 else {
      throw AdvertisementFault(
        data.bytes.isEmpty ? .truncated : .outOfRange, at: data.offset,
        Message("the charge of a battery, 0 through 100 per cent"))
    }
    return charge
  }
}
