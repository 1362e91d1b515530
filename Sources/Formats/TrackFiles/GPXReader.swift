import Care
import Moments

/// Reads the track points of a GPX file, without a general XML parser.
///
///     <trkpt lat="45.7721" lon="14.3576"><ele>542.3</ele><time>2010-08-05T14:23:59Z</time></trkpt>
///
/// Only what stands in track points is read; comments are passed over. Speed and course count with any name prefix, as
/// extensions write them. A file states no error; where it gives a dilution of precision, 10 m times that is taken.
///
/// - Source: GPX 1.1 schema, type `wptType`.
struct GPXReader {
  private(set) var fixes: [TimedFix] = []
  private(set) var skippedCount = 0
  private var scanner: TagScanner

  init(_ bytes: [UInt8]) { scanner = TagScanner(bytes) }

  mutating func run() {
    while let tag = scanner.next() {
      guard tag.name == "trkpt", !tag.isEnd else { continue }
      readPoint(tag)
    }
    if scanner.isTruncated { skippedCount += 1 }
  }

  private mutating func readPoint(_ start: Tag) {
    var point = Point(start)
    var isClosed = start.isEmpty
    while !isClosed, let tag = scanner.next() {
      if tag.name == "trkpt" {
        guard tag.isEnd else {
          // The point before was never closed: it is damaged, and this one begins.
          skippedCount += 1
          point = Point(tag)
          isClosed = tag.isEmpty
          continue
        }
        isClosed = true
      } else if !tag.isEnd {
        point.take(tag.name, tag.text)
      }
    }
    guard isClosed, let fix = point.fix else {
      skippedCount += 1
      return
    }
    fixes.append(fix)
  }

  private struct Point {
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var time: Timestamp?
    var dilution: Double?
    var speed: Double?
    var course: Double?
    var isDamaged = false

    init(_ tag: Tag) {
      latitude = tag.attribute("lat").flatMap { Double($0) }
      longitude = tag.attribute("lon").flatMap { Double($0) }
    }

    mutating func take(_ name: String, _ text: String) {
      switch name {
      case "ele": altitude = Double(text)
      case "hdop": dilution = Double(text)
      case "speed": speed = Double(text)
      case "course": course = Double(text)
      case "time":
        do { time = try Timestamp(iso8601: text) } catch { isDamaged = true }
      default: return
      }
    }

    var fix: TimedFix? {
      guard let latitude, let longitude, !isDamaged else { return nil }
      let report = FixReport(
        source: TrackFile.source, mode: altitude == nil ? .twoDimensional : .threeDimensional,
        latitudeDegrees: latitude, longitudeDegrees: longitude,
        accuracyMeters: dilution.map { $0 * 10 }, altitudeMeters: altitude,
        speedMetersPerSecond: speed, courseDegrees: course, receiverTime: time)
      return TimedFix(time: time, report: report)
    }
  }
}

/// One tag of an XML text, with the text that follows it.
struct Tag {
  /// The name without its prefix.
  let name: String
  let isEnd: Bool
  let isEmpty: Bool
  private let attributes: ArraySlice<UInt8>
  private let following: ArraySlice<UInt8>

  /// A tag from what stands between its angle brackets and what follows up to the next one.
  init(_ inner: ArraySlice<UInt8>, following: ArraySlice<UInt8>) {
    isEnd = inner.first == UInt8(ascii: "/")
    isEmpty = !isEnd && inner.last == UInt8(ascii: "/")
    let content = isEnd ? inner.dropFirst() : inner
    let word = content.prefix { !Lines.isBlank($0) && $0 != UInt8(ascii: "/") }
    let local = word.split(separator: UInt8(ascii: ":")).last ?? word
    name = String(decoding: local, as: UTF8.self)
    attributes = content.dropFirst(word.count)
    self.following = following
  }

  /// The text after the tag, without surrounding white space.
  var text: String {
    let start = following.drop(while: Lines.isBlank)
    let blanks = start.reversed().prefix(while: Lines.isBlank).count
    return String(decoding: start.dropLast(blanks), as: UTF8.self)
  }

  /// The content of an attribute in single or double quotes.
  func attribute(_ name: String) -> String? {
    var rest = attributes
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let key = rest[..<equals].split(whereSeparator: Lines.isBlank).last ?? []
      rest = rest[(equals + 1)...].drop(while: Lines.isBlank)
      guard let quote = rest.first, quote == 0x22 || quote == 0x27,
        let end = rest.dropFirst().firstIndex(of: quote)
      else { return nil }
      if key.elementsEqual(name.utf8) {
        return String(decoding: rest[rest.startIndex..<end].dropFirst(), as: UTF8.self)
      }
      rest = rest[(end + 1)...]
    }
    return nil
  }
}

/// Walks over the tags of an XML text.
struct TagScanner {
  private let bytes: [UInt8]
  private var index = 0
  /// Whether the text ended within a tag.
  private(set) var isTruncated = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Tag? {
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      if bytes[start...].starts(with: "<!--".utf8) {
        guard skipComment(from: start) else { return nil }
        continue
      }
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
        isTruncated = true
        return nil
      }
      let after = bytes[(end + 1)...]
      index = after.firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      return Tag(bytes[(start + 1)..<end], following: after[..<index])
    }
    return nil
  }

  private mutating func skipComment(from start: Int) -> Bool {
    var position = start + 4
    while position + 2 < bytes.count {
      if bytes[position] == 0x2D, bytes[position + 1] == 0x2D, bytes[position + 2] == 0x3E {
        index = position + 3
        return true
      }
      position += 1
    }
    isTruncated = true
    index = bytes.count
    return false
  }
}
