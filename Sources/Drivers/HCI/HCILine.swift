import Advertisements
import Bytes
import Care
import JSON
import Moments
import Ports

/// One line of homeward-hci.
enum HCILine: Hashable {
  /// How the adapter does.
  case state(HCIState, adapter: String, address: BluetoothAddress?)
  /// An advertisement.
  case advertisement(HCIAdvertisement)
  /// So many advertisements were left out, because they were read too slowly.
  case dropped(Int64)

  /// Reads a line.
  ///
  /// - Throws: ``DecodeError`` naming the member that is missing or wrong.
  init(_ line: some Collection<UInt8>) throws(DecodeError) {
    let reader = try JSONReader(JSONValue(parsing: line, limits: .init(maximumDepth: 4)))
    if let word = try reader.optionalString("state") {
      let name = try reader.string("adapter")
      guard name.hasPrefix("hci"), name.utf8.count <= 16 else {
        throw reader.error(.outOfRange, "adapter")
      }
      let address = try reader.optionalString("address").flatMap { BluetoothAddress($0) }
      self = .state(HCIState(word: word), adapter: name, address: address)
    } else if let count = try reader.optionalInteger("dropped") {
      guard count > 0 else { throw reader.error(.outOfRange, "dropped") }
      self = .dropped(count)
    } else {
      self = .advertisement(try HCIAdvertisement(reader))
    }
  }
}

/// How the adapter does, as homeward-hci says it.
enum HCIState: String, Hashable, CaseIterable {
  case starting
  case listening
  case absent
  case noBluetooth = "no-bluetooth"
  case down
  case blocked
  case forbidden
  case refusing
  case hung

  /// The state of a word; one that a later homeward-hci may know is some trouble.
  init(word: String) { self = HCIState(rawValue: word) ?? .refusing }

  /// How the port calls it; nil where there is no adapter.
  var condition: BluetoothAdapter.Condition? {
    switch self {
    case .absent, .noBluetooth: nil
    case .starting, .down: .starting
    case .listening: .listening
    case .blocked: .blocked
    case .forbidden: .forbidden
    case .refusing: .refusing
    case .hung: .hung
    }
  }
}

/// An advertisement as homeward-hci tells it.
struct HCIAdvertisement: Hashable {
  var address: BluetoothAddress
  var rssi: Int?
  var data: AdvertisingData
  var tick: Tick

  init(_ reader: JSONReader) throws(DecodeError) {
    let kind = try reader.word("kind", as: BluetoothAddress.Kind.self)
    guard let address = BluetoothAddress(try reader.string("address"), kind: kind) else {
      throw reader.error(.invalidText, "address")
    }
    let rssi = try reader.optionalInteger("rssi")
    if let rssi, !TagSighting.strengths.contains(Int(clamping: rssi)) {
      throw reader.error(.outOfRange, "rssi")
    }
    guard let bytes = Hexadecimal.bytes(try reader.string("data")) else {
      throw reader.error(.invalidText, "data")
    }
    self.address = address
    self.rssi = rssi.map { Int($0) }
    // What stands before a fault is kept; see ``AdvertisingData``.
    data = AdvertisingData(bytes)
    tick = Tick(nanoseconds: try reader.integer("tick"))
  }
}
