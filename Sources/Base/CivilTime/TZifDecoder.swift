public import Bytes

extension CivilTimeZone {
  /// Reads a time-zone file of version 1 through 4, the whole of `bytes`.
  ///
  ///     offset  0..3  4        5..19     20..43
  ///     field   TZif  version  reserved  six counts: isut isstd leap time type char
  ///     bytes   545a6966 32    00…       0000000b 0000000b 00000000 000000a2 0000000b 0000001b
  ///
  /// Then `time` transition times, as many type indices, the types (6 bytes each: offset, is-dst, name index), the
  /// names, the leap seconds and the indicators. From version 2 on, the same again with times of 8 bytes, and a
  /// `TZ` text between line feeds. Files that count leap seconds are refused: they end where the leap seconds known at
  /// their making end, and would be an hour wrong from the next change on.
  /// Bytes above: Europe/Madrid.
  ///
  /// - Throws: ``DecodeError`` with the offset of the fault.
  /// - Source: RFC 9636, section 3; RFC 8536.
  public init(name: String, tzif bytes: [UInt8]) throws(DecodeError) {
    var decoder = TZifDecoder(bytes)
    self = try decoder.decode(name: name)
  }
}

struct TZifDecoder {
  /// The field that an error names when a file counts leap seconds.
  static let leapSecondsField = "leap seconds"

  private struct Counts {
    var isUT = 0
    var isStandard = 0
    var leaps = 0
    var times = 0
    var types = 0
    var nameBytes = 0

    func blockSize(timeWidth: Int) -> Int {
      times * (timeWidth + 1) + types * 6 + nameBytes + leaps * (timeWidth + 4) + isStandard + isUT
    }
  }

  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func decode(name: String) throws(DecodeError) -> CivilTimeZone {
    let first = try header()
    guard first.isLong else { return try block(first.counts, timeWidth: 4, name: name) }
    let skipped = first.counts.blockSize(timeWidth: 4)
    try require(skipped)
    index += skipped
    let second = try header()
    return try block(second.counts, timeWidth: 8, name: name)
  }

  private func error(_ code: DecodeError.Code, _ field: String? = nil) -> DecodeError {
    DecodeError(code, at: index, field: field)
  }

  private func require(_ count: Int) throws(DecodeError) {
    if bytes.count - index < count { throw DecodeError(.truncated, at: bytes.count) }
  }

  /// A big-endian number of 1, 4 or 8 bytes with its sign.
  private mutating func number(_ width: Int) throws(DecodeError) -> Int64 {
    try require(width)
    var bits: UInt64 = 0
    for byte in bytes[index..<index + width] { bits = bits << 8 | UInt64(byte) }
    index += width
    return width == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  /// A count of 4 bytes without a sign.
  private mutating func count() throws(DecodeError) -> Int {
    Int(UInt32(truncatingIfNeeded: try number(4)))
  }

  /// One of the two headers; `isLong` from version 2 on, which has a second part with times of 8 bytes.
  private mutating func header() throws(DecodeError) -> (isLong: Bool, counts: Counts) {
    try require(44)
    guard bytes[index..<index + 4].elementsEqual("TZif".utf8) else {
      throw error(.unexpectedByte, "magic")
    }
    index += 4
    let version = bytes[index]
    guard version == 0 || (0x32...0x39).contains(version) else {
      throw error(.unknownWord, "version")
    }
    index += 16
    var counts = Counts()
    counts.isUT = try count()
    counts.isStandard = try count()
    counts.leaps = try count()
    counts.times = try count()
    counts.types = try count()
    counts.nameBytes = try count()
    return (version != 0, counts)
  }

  private mutating func block(
    _ counts: Counts, timeWidth: Int, name: String
  ) throws(DecodeError) -> CivilTimeZone {
    guard counts.leaps == 0 else { throw error(.unknownWord, TZifDecoder.leapSecondsField) }
    try require(counts.blockSize(timeWidth: timeWidth))
    let times = try ascendingTimes(counts.times, width: timeWidth)
    let typeIndices = bytes[index..<index + counts.times]
    index += counts.times
    let types = try localTimeTypes(counts)
    index += counts.isStandard + counts.isUT
    var transitions: [CivilTimeZone.Transition] = []
    for (time, typeIndex) in zip(times, typeIndices) {
      guard Int(typeIndex) < types.count else { throw error(.outOfRange, "transition type") }
      transitions.append(.init(time: time, type: types[Int(typeIndex)]))
    }
    let rule = timeWidth == 8 ? try footer() : nil
    guard index == bytes.count else { throw error(.unexpectedByte) }
    guard let initialType = types.first else { throw error(.missingField, "local time type") }
    return CivilTimeZone(
      name: name, initialType: initialType, transitions: transitions, rule: rule)
  }

  private mutating func ascendingTimes(_ count: Int, width: Int) throws(DecodeError) -> [Int64] {
    var times: [Int64] = []
    for _ in 0..<count {
      let time = try number(width)
      guard time.magnitude <= 1 << 60, times.last.map({ $0 < time }) ?? true else {
        throw error(.outOfRange, "transition time")
      }
      times.append(time)
    }
    return times
  }

  private mutating func localTimeTypes(_ counts: Counts) throws(DecodeError) -> [LocalTimeType] {
    let namesStart = index + counts.types * 6
    let names = bytes[namesStart..<namesStart + counts.nameBytes]
    var types: [LocalTimeType] = []
    for _ in 0..<counts.types {
      let offset = try number(4)
      guard offset.magnitude <= UInt64(LocalTimeType.largestOffsetSeconds), bytes[index] <= 1 else {
        throw error(.outOfRange, "local time type")
      }
      let isDaylightSaving = bytes[index] == 1
      let abbreviation = try abbreviation(names.dropFirst(Int(bytes[index + 1])))
      index += 2
      types.append(
        LocalTimeType(
          offsetSeconds: Int(offset), isDaylightSaving: isDaylightSaving,
          abbreviation: abbreviation))
    }
    index += counts.nameBytes
    return types
  }

  /// The text up to the NUL that must follow it.
  private func abbreviation(_ names: ArraySlice<UInt8>) throws(DecodeError) -> String {
    let text = names.prefix { $0 != 0 }
    guard text.count < names.count, text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw error(.invalidText, "abbreviation")
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The `TZ` text between two line feeds; nil when it is empty.
  private mutating func footer() throws(DecodeError) -> PosixTimeZoneRule? {
    try lineFeed()
    let text = bytes[index...].prefix { $0 != 0x0A }
    var parser = PosixTimeZoneParser(text)
    let rule = text.isEmpty ? nil : try parser.parse()
    index = text.endIndex
    try lineFeed()
    return rule
  }

  private mutating func lineFeed() throws(DecodeError) {
    try require(1)
    guard bytes[index] == 0x0A else { throw error(.unexpectedByte, "footer") }
    index += 1
  }
}
