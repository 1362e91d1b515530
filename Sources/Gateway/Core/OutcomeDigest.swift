public import Care
import JSON

/// A 64-bit FNV-1a digest of what a step brought about, to compare a replay with the record.
///
/// - Source: Fowler, Noll, Vo; parameters of the 64-bit variant.
public struct OutcomeDigest: Hashable, Sendable {
  /// The digest so far.
  public private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The digest of nothing.
  public init() {}

  /// The digest of a step: encoded events, then changes, then actions.
  public init(events: [EncodedEvent], changes: [StateChange], actions: [Action]) {
    for event in events { combine(event.body) }
    for change in changes { combine(change.json.serializedBytes) }
    for action in actions { combine(action.json.serializedBytes) }
  }

  /// Adds bytes and an end mark.
  public mutating func combine(_ bytes: [UInt8]) {
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    digest = (digest ^ 0xFF) &* 0x0000_0100_0000_01B3
  }
}
