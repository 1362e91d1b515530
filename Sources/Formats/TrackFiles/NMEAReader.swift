import Care
import Moments

/// Reads NMEA 0183 sentences and merges those of one epoch into one fix.
///
///     $GPRMC,143444.28,A,4629.8972,N,00734.0447,E,0.1776,10.379,090605,2.3,E*5A
///     $GPGGA,143444.28,4629.8972,N,00734.0447,E,1,00,2.40,1344.99,M,45.590,M,,*57
///     $GPGSA,A,3,,,,,,,,,,,,,,2.4,*34
///     $GPZDA,143444.28,09,06,2005,00,00*66
///
/// An epoch ends when a sentence with another time of day comes. Dates come from RMC and ZDA; until there is one, fixes
/// have no time. A sentence without or with a wrong checksum is damaged. The error is 10 m times HDOP, since NMEA states
/// none itself.
///
/// - Source: NMEA 0183 as described in gpsd's "NMEA Revealed".
struct NMEAReader {
  private(set) var fixes: [TimedFix] = []
  private(set) var skippedCount = 0
  private var epoch = NMEAEpoch()
  private var date: CivilDateTime?
  private var lastTimeOfDay: Int64?

  mutating func take(_ line: ArraySlice<UInt8>) {
    guard let start = line.firstIndex(of: UInt8(ascii: "$")) else { return }
    guard let sentence = NMEASentence(line[start...]) else {
      skippedCount += 1
      return
    }
    guard NMEAEpoch.kinds.contains(sentence.kind) else { return }
    if let time = sentence.timeOfDay, let open = epoch.timeOfDay, time != open { finish() }
    if !epoch.take(sentence) { skippedCount += 1 }
  }

  /// Closes the last epoch.
  mutating func finish() {
    defer { epoch = NMEAEpoch() }
    guard epoch.hasFix else { return }
    let time = time(of: epoch)
    var report = epoch.report
    report.receiverTime = time
    fixes.append(TimedFix(time: time, report: report))
  }

  private mutating func time(of epoch: NMEAEpoch) -> Timestamp? {
    guard let timeOfDay = epoch.timeOfDay else { return nil }
    defer { lastTimeOfDay = timeOfDay }
    if let found = epoch.date {
      date = found
    } else if let lastTimeOfDay, lastTimeOfDay - timeOfDay > 43_200_000, let known = date {
      // Past midnight without a date of its own.
      date = CivilDateTime(utc: known.asUTC.advanced(byMilliseconds: 86_400_000))
    }
    guard let date else { return nil }
    return date.asUTC.advanced(byMilliseconds: timeOfDay)
  }
}

/// One sentence whose checksum is right.
struct NMEASentence {
  /// The three letters after the talker.
  let kind: String
  private let fields: [String]

  /// A sentence from `$` on; nil when it is cut or its checksum is wrong.
  init?(_ bytes: ArraySlice<UInt8>) {
    let body = bytes.dropFirst()
    guard let star = body.firstIndex(of: UInt8(ascii: "*")) else { return nil }
    let stated = String(decoding: body[star...].dropFirst().prefix(2), as: UTF8.self)
    let sum = body[..<star].reduce(UInt8(0)) { $0 ^ $1 }
    guard stated.utf8.count == 2, UInt8(stated, radix: 16) == sum else { return nil }
    fields = body[..<star].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    guard let address = fields.first, address.utf8.count == 5 else { return nil }
    kind = String(address.suffix(3))
  }

  /// A field by its position after the address, from 1; nil when empty or missing.
  subscript(position: Int) -> String? {
    guard fields.indices.contains(position), !fields[position].isEmpty else { return nil }
    return fields[position]
  }

  /// A finite number.
  func number(_ position: Int) -> Double? {
    self[position].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Milliseconds since midnight; nil for sentences without a time.
  var timeOfDay: Int64? {
    guard ["RMC", "GGA", "ZDA"].contains(kind), let text = self[1] else { return nil }
    guard let hour = Self.digits(text, 0..<2), let minute = Self.digits(text, 2..<4),
      hour < 24, minute < 60, let second = Double(text.dropFirst(4)), (0..<61).contains(second)
    else { return nil }
    return Int64(hour * 3_600_000 + minute * 60_000) + Int64((second * 1000).rounded())
  }

  /// Degrees from `ddmm.mmmm` and its hemisphere.
  func degrees(_ position: Int, negative letter: String) -> Double? {
    guard let raw = number(position), raw >= 0, raw < 100_000 else { return nil }
    let whole = (raw / 100).rounded(.down)
    let magnitude = whole + (raw - whole * 100) / 60
    return self[position + 1] == letter ? -magnitude : magnitude
  }

  /// The number that some characters of a field write.
  static func digits(_ text: String, _ range: Range<Int>) -> Int? {
    let bytes = Array(text.utf8)
    guard range.upperBound <= bytes.count else { return nil }
    let part = bytes[range]
    guard part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// What the sentences of one epoch say together.
struct NMEAEpoch {
  static let kinds = ["RMC", "GGA", "GSA", "ZDA"]

  private(set) var timeOfDay: Int64?
  private(set) var date: CivilDateTime?
  private(set) var hasFix = false
  private var isRefused = false
  private var isClaimed = false
  private var selection: FixMode = .unknown
  private var dilution: Double?
  private var merged = FixReport(source: TrackFile.source, mode: .unknown)

  /// Takes over a sentence; false when a field that it must have is damaged.
  mutating func take(_ sentence: NMEASentence) -> Bool {
    timeOfDay = timeOfDay ?? sentence.timeOfDay
    switch sentence.kind {
    case "RMC": return takeRMC(sentence)
    case "GGA": return takeGGA(sentence)
    case "GSA": return takeGSA(sentence)
    default: return takeZDA(sentence)
    }
  }

  /// The fix that the sentences make.
  var report: FixReport {
    var report = merged
    report.accuracyMeters = dilution.map { $0 * 10 }
    report.mode = mode
    return report
  }

  private var mode: FixMode {
    if isRefused || selection == .none { return .none }
    if selection.hasPosition { return selection }
    guard isClaimed else { return .unknown }
    return merged.altitudeMeters == nil ? .twoDimensional : .threeDimensional
  }

  private mutating func takeRMC(_ sentence: NMEASentence) -> Bool {
    hasFix = true
    merged.isSimulated = merged.isSimulated || sentence[12] == "S"
    guard sentence[2] == "A" else {
      isRefused = true
      return true
    }
    isClaimed = true
    merged.speedMetersPerSecond = sentence.number(7).map { $0 * 1852 / 3600 }
    merged.courseDegrees = sentence.number(8)
    if let text = sentence[9] { date = Self.shortDate(text) }
    return takePosition(sentence, 3) && (sentence[9] == nil || date != nil)
  }

  private mutating func takeGGA(_ sentence: NMEASentence) -> Bool {
    hasFix = true
    let quality = sentence.number(6) ?? 0
    merged.isSimulated = merged.isSimulated || quality == 8
    guard quality > 0 else {
      isRefused = true
      return true
    }
    isClaimed = true
    merged.satellitesUsed = sentence.number(7).flatMap { Int(exactly: $0) }
    merged.altitudeMeters = sentence.number(9)
    dilution = sentence.number(8) ?? dilution
    return takePosition(sentence, 2)
  }

  private mutating func takeGSA(_ sentence: NMEASentence) -> Bool {
    dilution = dilution ?? sentence.number(16)
    switch sentence[2] {
    case "1": selection = .none
    case "2": selection = .twoDimensional
    case "3": selection = .threeDimensional
    default: return false
    }
    return true
  }

  private mutating func takeZDA(_ sentence: NMEASentence) -> Bool {
    guard sentence[2] != nil else { return true }
    guard let day = sentence[2].flatMap({ Int($0) }), let month = sentence[3].flatMap({ Int($0) }),
      let year = sentence[4].flatMap({ Int($0) }),
      let found = Self.civil(year: year, month: month, day: day)
    else { return false }
    date = found
    return true
  }

  private mutating func takePosition(_ sentence: NMEASentence, _ first: Int) -> Bool {
    guard let latitude = sentence.degrees(first, negative: "S"),
      let longitude = sentence.degrees(first + 2, negative: "W")
    else { return false }
    merged.latitudeDegrees = latitude
    merged.longitudeDegrees = longitude
    return true
  }

  /// `ddmmyy`; years below 80 belong to this century.
  private static func shortDate(_ text: String) -> CivilDateTime? {
    guard text.utf8.count == 6, let day = NMEASentence.digits(text, 0..<2),
      let month = NMEASentence.digits(text, 2..<4), let year = NMEASentence.digits(text, 4..<6)
    else { return nil }
    return civil(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
  }

  private static func civil(year: Int, month: Int, day: Int) -> CivilDateTime? {
    guard (1970..<10_000).contains(year), (1...12).contains(month),
      (1...CivilDateTime.daysInMonth(month, year: year)).contains(day)
    else { return nil }
    return CivilDateTime(year: year, month: month, day: day)
  }
}
