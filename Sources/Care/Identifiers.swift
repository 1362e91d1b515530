import Bytes
public import Moments

/// A name of one thing of a kind; identifiers of different kinds do not mix.
public struct Identifier<Subject>: Hashable, Comparable, Sendable, RawRepresentable,
  ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text of the identifier.
  public var rawValue: String

  /// An identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An identifier from its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// An identifier from a literal.
  public init(stringLiteral rawValue: String) { self.rawValue = rawValue }

  /// Order of the text's UTF-8 bytes.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The text of the identifier.
  public var description: String { rawValue }
}

/// Names a resident.
public typealias ResidentID = Identifier<Resident>
/// Names a safe zone.
public typealias ZoneID = Identifier<SafeZone>
/// Names a bookmark.
public typealias BookmarkID = Identifier<Bookmark>
/// Names an item of a routine.
public typealias RoutineItemID = Identifier<RoutineItem>
/// Names a memo or an entry of the diary.
public typealias NoteID = Identifier<Note>
/// Names a picture by the SHA-256 of its content.
public typealias PictureID = Identifier<Picture>
/// Names a recording of somebody's voice.
public typealias RecordingID = Identifier<Recording>
/// Names a message between a resident and those who care.
public typealias MessageID = Identifier<ChatMessage>
/// Names a guardian.
public typealias GuardianID = Identifier<Guardian>
/// Names a Bluetooth tag.
public typealias TagID = Identifier<Tag>
/// Names a planned absence.
public typealias AbsenceID = Identifier<Absence>
/// Names an event; unique for ever.
public typealias EventID = Identifier<Event>
/// Names a command; unique for each request.
public typealias CommandID = Identifier<Command>

/// Kinds of identifier that have no value type of their own.
public enum IdentifierKind {
  /// See ``SourceID``.
  public enum Source {}
  /// See ``BootID``.
  public enum Boot {}
  /// See ``ComponentID``.
  public enum Component {}
  /// See ``AlarmID``.
  public enum Alarm {}
  /// See ``SoundID``.
  public enum Sound {}
  /// See ``GatewayID``.
  public enum Gateway {}
  /// See ``AccountID``.
  public enum Account {}
}

/// Names a device that observations come from, as in the configuration (`gps`, `tracker-2`).
public typealias SourceID = Identifier<IdentifierKind.Source>

extension SourceID {
  /// The compass of this machine.
  public static var compass: SourceID { "compass" }
}

/// Names one boot of the kernel; ticks of different boots cannot be compared.
public typealias BootID = Identifier<IdentifierKind.Boot>
/// Names a part whose health is watched (`gps/gps`, `store`, `plugin/mqtt`).
public typealias ComponentID = Identifier<IdentifierKind.Component>
/// Names an alarm; the id of its `alarm.raised` event.
public typealias AlarmID = Identifier<IdentifierKind.Alarm>
/// Names a sound in the room.
public typealias SoundID = Identifier<IdentifierKind.Sound>
/// Names the account of somebody who logs in.
public typealias AccountID = Identifier<IdentifierKind.Account>
/// Names this gateway towards backends.
public typealias GatewayID = Identifier<IdentifierKind.Gateway>

extension ComponentID {
  /// The source of positions whose health it is; nil for any other part.
  public var receiver: SourceID? {
    rawValue.hasPrefix("gps/") ? SourceID(String(rawValue.dropFirst("gps/".count))) : nil
  }
}

/// Makes identifiers that are unique, sort by time, and follow from their inputs alone.
///
/// Layout of UUID version 7 (RFC 9562, section 5.7): 48 bits of UTC milliseconds, 12 bits of a counter, 62 bits of
/// a SplitMix64 sequence. Each run of the daemon starts from a random seed that is recorded as an input, so replay
/// makes the same identifiers and a restored backup never repeats one.
public struct IdentifierGenerator: Hashable, Sendable {
  private var random: SplitMix64
  private var counter: UInt16 = 0

  /// A generator for one run.
  public init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The next identifier, in the usual 36 characters of a UUID.
  public mutating func next(at utc: Timestamp) -> String {
    let milliseconds = UInt64(bitPattern: max(0, utc.milliseconds)) & 0xFFFF_FFFF_FFFF
    counter = (counter &+ 1) & 0x0FFF
    let high = milliseconds << 16 | 0x7000 | UInt64(counter)
    let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = hexadecimal(high) + hexadecimal(low)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append(0x2D) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func hexadecimal(_ word: UInt64) -> [UInt8] {
    (0..<16).map { index in
      let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 0xF
      return nibble < 10 ? 0x30 + nibble : 0x57 + nibble
    }
  }
}
