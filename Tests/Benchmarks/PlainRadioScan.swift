import Advertisements
import BluetoothKeys
import Bytes
import Care

/// The least that finds a tag: walks the structures where they lie and looks up whether one names it.
///
/// It knows no damage, opens nothing that is sealed and remembers no signal.
struct PlainRadioScan {
  private var addresses: [UInt64: Int] = [:]
  private var contents: [ArraySlice<UInt8>: Int] = [:]
  private var keys: [(key: AES128Key, tag: Int)] = []
  private var resolved: [UInt64: Int?] = [:]
  private let cipher = MbedCipher()

  init(_ identities: [TagIdentity]) {
    for (tag, identity) in identities.enumerated() {
      switch identity {
      case .address(let address), .bthome(let address, _): addresses[address.bits] = tag
      case .iBeacon(let uuid, let major, let minor):
        let numbers = [major, minor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let owner = Hexadecimal.bytes(uuid.text.filter { $0 != "-" }) ?? []
        contents[(owner + numbers)[...]] = tag
      case .eddystone(let id): contents[id.bytes[...]] = tag
      case .altBeacon(let id): contents[id.bytes[...]] = tag
      case .resolvingKey(let key): keys.append((key, tag))
      }
    }
  }

  mutating func tag(in packet: RadioPacket) -> Int? {
    if let tag = addresses[packet.sender.bits] { return tag }
    if packet.sender.randomKind == .resolvablePrivate, let tag = resolved(packet.sender) {
      return tag
    }
    let bytes = packet.bytes
    var place = 0
    while place + 1 < bytes.count, bytes[place] > 0 {
      let (body, end) = (place + 2, place + 1 + Int(bytes[place]))
      switch bytes[place + 1] {
      case 0xFF where end - body >= 24 && bytes[body + 2] == 0x02 && bytes[body + 3] == 0x15:
        if let tag = contents[bytes[body + 4..<body + 24]] { return tag }
      case 0x16 where end - body >= 20 && bytes[body] == 0xAA && bytes[body + 2] == 0:
        if let tag = contents[bytes[body + 4..<body + 20]] { return tag }
      default: break
      }
      place = end
    }
    return nil
  }

  private mutating func resolved(_ sender: BluetoothAddress) -> Int? {
    if let known = resolved[sender.bits] { return known }
    let tag = keys.first { sender.isResolved(by: $0.key, with: cipher) }?.tag
    resolved[sender.bits] = .some(tag)
    return tag
  }
}
