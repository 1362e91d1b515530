public import Bytes
public import Care
public import JSON
public import Moments

/// One press of a button of a BTHome device.
public struct BTHomePress: Hashable, Sendable {
  /// Which of the device's buttons, 0 the first.
  public var button: Int
  /// What the hand did.
  public var gesture: ButtonGesture

  /// A press from its parts.
  public init(button: Int, gesture: ButtonGesture) {
    self.button = button
    self.gesture = gesture
  }
}

/// Tells one press from its many repetitions.
///
/// A button sends each press many times within a second or two, so that one of them arrives. Repetitions have the same
/// packet id, or the same counter where they are encrypted; with neither, the same bytes within ``repetitionMilliseconds``.
///
/// It errs on the side of a press: one press too many asks a question, one too few leaves somebody without help. So after
/// ``restartMilliseconds`` without a word any packet id is a new press, since a new battery starts the count again; a counter that went
/// back is believed only below 100, as after a new battery, and is an old recording otherwise.
///
/// - Source: bthome.io/format, "Packet id"; bthome.io/encryption, "Limitations".
public struct BTHomePressFilter: Hashable, Sendable {
  /// How long the same bytes are one press, when nothing numbers them, since they were last heard.
  public static let repetitionMilliseconds: Int64 = 3000
  /// How long a device must be silent so that its old packet id may be a new press.
  public static let restartMilliseconds: Int64 = 60_000
  /// Counters below this are those of a device that has just started.
  public static let freshCounter: UInt32 = 100
  /// Devices that are remembered at most; the one that was silent longest is forgotten first.
  public static let capacity = 256

  private struct Memory: Hashable, Sendable {
    var mark: Mark
    var heard: Tick
  }

  private enum Mark: Hashable, Sendable {
    case packet(UInt8)
    case counter(UInt32)
    case bytes([BTHomeButton])
  }

  private var devices: [BluetoothAddress: Memory] = [:]

  /// A filter that has heard nothing yet.
  public init() {}

  /// The presses in a frame that were not in an earlier one.
  ///
  /// - Parameters:
  ///   - frame: a frame in the clear, or one that was opened.
  ///   - sender: the address that it came from.
  ///   - now: when it was heard.
  public mutating func presses(
    in frame: BTHomeFrame, from sender: BluetoothAddress, at now: Tick
  ) -> [BTHomePress] {
    guard frame.isAuthentic || !frame.isEncrypted else { return [] }
    let buttons = frame.buttons
    let mark: Mark
    if let counter = frame.sealed?.counter {
      mark = .counter(counter)
    } else if let packet = frame.packetID {
      mark = .packet(packet)
    } else if !buttons.isEmpty {
      mark = .bytes(buttons)
    } else {
      return []
    }
    guard isNew(mark, from: sender, at: now) else { return [] }
    return buttons.enumerated().compactMap { index, button in
      button.gesture.map { BTHomePress(button: index, gesture: $0) }
    }
  }

  private mutating func isNew(_ mark: Mark, from sender: BluetoothAddress, at now: Tick) -> Bool {
    guard let last = devices[sender] else {
      remember(mark, from: sender, at: now)
      return true
    }
    let silence = now.milliseconds(since: last.heard) >= Self.restartMilliseconds
    let isNew: Bool
    switch (last.mark, mark) {
    case (.counter(let old), .counter(let new)):
      isNew = new > old || new < old && new < Self.freshCounter
      // A recording played again must not keep the memory of it alive, nor move the counter back.
      guard isNew || new == old else { return false }
    case (.packet(let old), .packet(let new)):
      isNew = silence || (1..<128).contains(new &- old)
      // A late repetition of an older packet is no reason to expect the newer one again.
      guard isNew || new == old else { return false }
    case (.bytes(let old), .bytes(let new)):
      isNew = old != new || now.milliseconds(since: last.heard) >= Self.repetitionMilliseconds
    default: isNew = true
    }
    remember(mark, from: sender, at: now)
    return isNew
  }

  private mutating func remember(_ mark: Mark, from sender: BluetoothAddress, at now: Tick) {
    if devices[sender] == nil, devices.count >= Self.capacity,
      let oldest = devices.min(by: { ($0.value.heard, $0.key) < ($1.value.heard, $1.key) })
    {
      devices[oldest.key] = nil
    }
    devices[sender] = Memory(mark: mark, heard: now)
  }
}

extension BTHomePressFilter: JSONCodable {
  /// Reads the counters of an earlier run.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    for value in try reader.array("counters").prefix(Self.capacity) {
      let entry = try JSONReader(value)
      let kind = try entry.word("kind", as: BluetoothAddress.Kind.self)
      guard let address = BluetoothAddress(try entry.string("address"), kind: kind) else {
        throw entry.error(.outOfRange, "address")
      }
      guard let counter = UInt32(exactly: try entry.integer("counter")) else {
        throw entry.error(.outOfRange, "counter")
      }
      devices[address] = Memory(mark: .counter(counter), heard: Tick(nanoseconds: 0))
    }
  }

  /// The counters, by address: what must outlive a restart so that an old recording stays old. Packet ids need not.
  public var json: JSONValue {
    let entries: [JSONValue] = devices.sorted { $0.key < $1.key }.compactMap { address, memory in
      guard case .counter(let counter) = memory.mark else { return nil }
      return [
        "address": .string(address.text), "kind": .string(address.kind.rawValue),
        "counter": .integer(Int64(counter)),
      ]
    }
    return ["counters": .array(entries)]
  }
}
