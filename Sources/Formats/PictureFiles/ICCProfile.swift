/// A colour profile, made anew from the numbers that colours need: texts, dates and makers stay out.
///
///     0..127 header | count | signature offset size … | elements
///
/// Kept are profiles of three primaries and their curves (what cameras and telephones write), and of one curve. Tables for
/// printing may hold anything and are left out: the colours of such a picture are shown as those without a profile.
///
/// - Source: ICC.1:2022, sections 7.2, 7.3, 8.3, 8.4 and 10; ICC.1:2001-04.
enum ICCProfile {
  private static let headerBytes = 128
  private static let mostCurvePoints = 4096

  /// The profile without anything but numbers; nil when it is of another kind, or damaged.
  static func trimmed(_ profile: [UInt8]) -> [UInt8]? {
    guard profile.count > headerBytes + 4, word(profile, 36) == "acsp",
      ["mntr", "scnr", "spac"].contains(word(profile, 12)), word(profile, 20) == "XYZ ",
      (2...4).contains(profile[8])
    else { return nil }
    let wanted: [String]
    switch word(profile, 16) {
    case "RGB ": wanted = ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "wtpt"]
    case "GRAY": wanted = ["kTRC", "wtpt"]
    default: return nil
    }
    let found = elements(profile)
    var kept: [(String, [UInt8])] = []
    for name in wanted {
      guard let element = found[name].flatMap({ cleaned($0) }) else { return nil }
      kept.append((name, element))
    }
    if let adaption = found["chad"].flatMap({ cleaned($0) }) { kept.append(("chad", adaption)) }
    let isFour = profile[8] == 4
    kept.append(("desc", isFour ? unicode("RGB") : description("RGB")))
    kept.append(
      ("cprt", isFour ? unicode("-") : Array("text".utf8) + [0, 0, 0, 0] + Array("-\0".utf8)))
    return assembled(profile, kept)
  }

  // MARK: Reading

  private static func word(_ bytes: [UInt8], _ place: Int) -> String {
    String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The elements by their signatures; those that reach beyond the end are left out.
  private static func elements(_ profile: [UInt8]) -> [String: [UInt8]] {
    let count = number(profile, headerBytes)
    guard count <= 100, profile.count >= headerBytes + 4 + 12 * count else { return [:] }
    var found: [String: [UInt8]] = [:]
    for index in 0..<count {
      let entry = headerBytes + 4 + 12 * index
      let (place, size) = (number(profile, entry + 4), number(profile, entry + 8))
      guard size >= 8, size <= profile.count, place <= profile.count - size else { continue }
      found[word(profile, entry)] = Array(profile[place..<place + size])
    }
    return found
  }

  /// An element as long as its numbers say, when these are numbers of colours and no words.
  private static func cleaned(_ element: [UInt8]) -> [UInt8]? {
    switch word(element, 0) {
    case "XYZ ": fixedNumbers(element, from: 8, count: 3)
    case "sf32": fixedNumbers(element, from: 8, count: 9)
    case "para":
      element.count >= 12 && element[8] == 0 && element[9] < 5
        ? fixedNumbers(element, from: 12, count: [1, 3, 4, 5, 7][Int(element[9])]) : nil
    case "curv": curve(element)
    default: nil
    }
  }

  /// Numbers between -16 and 16: what is written as text is larger.
  private static func fixedNumbers(_ element: [UInt8], from first: Int, count: Int) -> [UInt8]? {
    let end = first + 4 * count
    guard element.count >= end else { return nil }
    for place in stride(from: first, to: end, by: 4) {
      let whole = Int16(truncatingIfNeeded: Int(element[place]) << 8 | Int(element[place + 1]))
      guard (-16...16).contains(whole) else { return nil }
    }
    var kept = Array(element[..<end])
    kept.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    if first == 12 { kept.replaceSubrange(10..<12, with: [0, 0]) }
    return kept
  }

  /// Points that never fall, as those of a curve do and those of a text do not.
  private static func curve(_ element: [UInt8]) -> [UInt8]? {
    guard element.count >= 12 else { return nil }
    let count = number(element, 8)
    guard count <= mostCurvePoints, element.count >= 12 + 2 * count else { return nil }
    var before = 0
    for place in stride(from: 12, to: 12 + 2 * count, by: 2) {
      let point = Int(element[place]) << 8 | Int(element[place + 1])
      guard point >= before else { return nil }
      before = point
    }
    var kept = Array(element[..<(12 + 2 * count)])
    kept.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    return kept
  }

  // MARK: Writing

  private static func bytes(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func description(_ text: String) -> [UInt8] {
    Array("desc".utf8) + [0, 0, 0, 0] + bytes(text.utf8.count + 1) + Array(text.utf8) + [0]
      + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
  }

  private static func unicode(_ text: String) -> [UInt8] {
    Array("mluc".utf8) + [0, 0, 0, 0] + bytes(1) + bytes(12) + Array("enUS".utf8)
      + bytes(2 * text.utf8.count) + bytes(28) + text.utf8.flatMap { [0, $0] }
  }

  private static func assembled(_ profile: [UInt8], _ elements: [(String, [UInt8])]) -> [UInt8] {
    var table: [UInt8] = bytes(elements.count)
    var contents: [UInt8] = []
    let first = headerBytes + 4 + 12 * elements.count
    for (name, element) in elements {
      table += Array(name.utf8) + bytes(first + contents.count) + bytes(element.count)
      contents += element + [UInt8](repeating: 0, count: -element.count & 3)
    }
    return header(of: profile, bytes: first + contents.count) + table + contents
  }

  private static func header(of profile: [UInt8], bytes count: Int) -> [UInt8] {
    // Version, class, colour space and connection space; the first day of 2000; the intent; the light of D50.
    var header = bytes(count) + [0, 0, 0, 0] + [profile[8], profile[9] & 0xF0, 0, 0]
    header += profile[12..<24]
    header += [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 64 - header.count)
    header += bytes(Int(profile[67] & 3)) + bytes(0xF6D6) + bytes(0x10000) + bytes(0xD32D)
    return header + [UInt8](repeating: 0, count: headerBytes - header.count)
  }
}
