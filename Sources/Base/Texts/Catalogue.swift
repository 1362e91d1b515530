import CCatalogues

/// The translations of one language, as GNU gettext keeps them, looked up where they lie.
///
///     #: Sources/Engines/Alarms/Sentences.swift
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
    guard !msgid.isEmpty, let base = bytes.baseAddress else { return nil }
    var (msgid, msgctxt) = (msgid, msgctxt ?? "")
    var (start, end) = (0, 0)
    let isFound = msgid.withUTF8 { id in
      msgctxt.withUTF8 { context in
        homeward_catalogue_find(
          base, bytes.count, id.baseAddress, id.count, context.baseAddress, context.count, &start,
          &end)
      }
    }
    return isFound ? CatalogueEntry(bytes, start..<end).translation : nil
  }
}
