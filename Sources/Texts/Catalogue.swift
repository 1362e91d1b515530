import CCatalogues

/// The translations of one language, as GNU gettext keeps them, looked up where they lie.
///
///     #: Sources/Alarms/Sentences.swift
///     #, python-brace-format
///     msgid "{name} has left {zone}."
///     msgstr "{name}离开了{zone}。"
///
/// Entries stand in the order of their msgid's bytes with an empty line between them, so that one is found by halving:
/// nothing is read at the start, nothing is kept. `make catalogues` writes this order and a test looks at it.
///
/// - Source: GNU gettext manual, "The Format of PO Files".
struct Catalogue {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// A catalogue over bytes that stay where they are.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The built-in catalogue of a language; nil for English, whose texts stand in the sources.
  static func of(_ language: Language) -> Catalogue? {
    switch language {
    case .en: nil
    case .zh: Catalogue(UnsafeBufferPointer(start: homeward_zh_CN(), count: homeward_zh_CN_size()))
    }
  }

  /// The translation of a text; nil when there is none, or an empty one.
  func translation(of msgid: String, context msgctxt: String? = nil) -> String? {
    guard !msgid.isEmpty else { return nil }
    let wanted = (Array(msgid.utf8), msgctxt.map { Array($0.utf8) } ?? [])
    var low = 0
    var high = bytes.count
    while low < high {
      let start = entryStart(before: low + (high - low) / 2, from: low)
      let end = entryEnd(after: start, to: high)
      let entry = CatalogueEntry(bytes, start..<end)
      let order = Self.order(wanted, (entry.msgid, entry.msgctxt))
      if order == 0 { return entry.translation }
      if order < 0 { high = start } else { low = end + 2 }
    }
    return nil
  }

  private static func order(_ left: ([UInt8], [UInt8]), _ right: ([UInt8], [UInt8])) -> Int {
    if left.0 != right.0 { return left.0.lexicographicallyPrecedes(right.0) ? -1 : 1 }
    if left.1 != right.1 { return left.1.lexicographicallyPrecedes(right.1) ? -1 : 1 }
    return 0
  }

  /// The beginning of the entry that a place belongs to.
  private func entryStart(before place: Int, from low: Int) -> Int {
    var start = place
    while start - 2 >= low, !(bytes[start - 1] == 0x0A && bytes[start - 2] == 0x0A) { start -= 1 }
    return start - 2 >= low ? start : low
  }

  /// The empty line behind an entry, or the end.
  private func entryEnd(after start: Int, to high: Int) -> Int {
    var end = start
    while end + 1 < high, !(bytes[end] == 0x0A && bytes[end + 1] == 0x0A) { end += 1 }
    return end + 1 < high ? end : high
  }
}
