import Bytes
import Care
import Moments
import Texts

/// A device that changes its address and its content so that strangers cannot follow it: no identity.
///
/// Recognised so that nobody takes one for a tag of the household, and so that a listing can say what it is.
public enum ChangingTag: Hashable, Sendable {
  /// An AirTag or another member of Apple's network.
  case findMy(FindMy)
  /// A telephone, watch or computer of Apple: the types of what it says.
  case appleContinuity(types: [UInt8])
  /// A member of Google's network; whether it is away from its owner.
  case googleFindHub(isSeparated: Bool)
  /// A Tile.
  case tile
  /// A SmartTag of Samsung.
  case smartTag
  /// A tag of Chipolo.
  case chipolo
  /// A tag of Pebblebee.
  case pebblebee

  /// What a member of Apple's network says.
  public struct FindMy: Hashable, Sendable {
    /// Kinds of member, bits 4 and 5 of the status.
    public enum Kind: UInt8, Hashable, Sendable {
      /// A telephone, watch or computer.
      case device = 0
      /// An AirTag.
      case airTag = 1
      /// Something of another maker.
      case thirdParty = 2
      /// Headphones.
      case airPods = 3
    }

    /// Whether it is away from its owner.
    public var isSeparated: Bool
    /// Its status byte.
    public var status: UInt8
    /// Bytes 6 through 27 of its key of today; empty near its owner.
    public var key: [UInt8] = []
    /// The two highest bits of that key.
    public var keyBits: UInt8?
    /// The hint.
    public var hint: UInt8?

    /// What it is.
    public var kind: Kind { Kind(rawValue: status >> 4 & 3) ?? .device }
    /// How its battery is, 0 full through 3 nearly empty.
    public var batteryStage: UInt8 { status >> 6 }

    /// The layout of the longer form: status, 22 bytes of the key, two bits of it, hint.
    ///
    /// - Source: Heinrich, Stute, Kornhuber, Hollick, "Who Can Find My Devices?", PoPETs 2021, table 2; status bits as
    ///   AirGuard reads them.
    init?(_ body: [UInt8]) {
      switch body.count {
      case 2: (isSeparated, status) = (false, body[0])
      case 25:
        (isSeparated, status) = (true, body[0])
        (key, keyBits, hint) = (Array(body[1..<23]), body[23], body[24])
      default: return nil
      }
    }
  }

  /// A short word for programs.
  public var word: String {
    switch self {
    case .findMy: "apple-find-my"
    case .appleContinuity: "apple-continuity"
    case .googleFindHub: "google-find-hub"
    case .tile: "tile"
    case .smartTag: "samsung-smarttag"
    case .chipolo: "chipolo"
    case .pebblebee: "pebblebee"
    }
  }

  /// Services by which a network's tags are known.
  ///
  /// - Source: AirGuard, and Theengs' decoder for FD84; Samsung's FD59 are tags that nobody has registered yet.
  private static func network(of service: BluetoothUUID) -> ChangingTag? {
    switch service.short {
    case 0xFEED, 0xFD84: .tile
    case 0xFD59, 0xFD5A, 0xFD69: .smartTag
    case 0xFE33: .chipolo
    case 0xFA25: .pebblebee
    default: nil
    }
  }

  init?(_ data: ServiceData) {
    if data.service == EddystoneFrame.service, data.bytes.first == 0x40 || data.bytes.first == 0x41
    {
      self = .googleFindHub(isSeparated: data.bytes.first == 0x41)
    } else if let network = Self.network(of: data.service) {
      self = network
    } else {
      return nil
    }
  }

  /// Of a service that is announced without data.
  init?(_ service: BluetoothUUID) {
    guard let network = Self.network(of: service) else { return nil }
    self = network
  }

  /// Of Apple's data: pairs of type and length, then so many bytes.
  init?(_ data: ManufacturerData) throws(AdvertisementFault) {
    guard data.company == IBeacon.company, !data.bytes.starts(with: IBeacon.mark) else {
      return nil
    }
    var reader = ByteReader(data.bytes, at: data.offset)
    var types: [UInt8] = []
    while !reader.isAtEnd {
      let type = try reader.byte(Message("a type of Apple's messages"))
      // A type of one byte may end the data: what it would say is not there.
      guard !reader.isAtEnd else { break }
      let length = try reader.byte(Message("the length of Apple's message"))
      let body = try reader.take(
        Int(length), Message("Apple's message of {length} bytes", ["length": length]))
      if type == 0x12, let member = FindMy(Array(body)) {
        self = .findMy(member)
        return
      }
      types.append(type)
    }
    guard !types.isEmpty else { return nil }
    self = .appleContinuity(types: types)
  }
}
