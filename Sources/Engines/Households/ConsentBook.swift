import Care

/// What residents consented to and refused; what nobody asked goes on as it did.
struct ConsentBook: Hashable, Sendable {
  static let engine = "consent"

  /// Every answer, by resident and kind.
  private(set) var all: [Consent] = []
  /// Rows that cannot be read are kept, so that a later version may.
  private var unreadable: [EngineRow] = []

  init(rows: [EngineRow]) {
    for row in rows where row.engine == Self.engine {
      guard let consent = try? Consent(json: row.content) else {
        unreadable.append(row)
        continue
      }
      keep(consent)
    }
  }

  /// The rows as they are stored.
  var rows: [EngineRow] { all.map(Self.row) + unreadable }

  /// The answer of a resident; nil when nobody asked.
  func answer(_ kind: ConsentKind, of resident: ResidentID) -> Consent? {
    all.first { $0.resident == resident && $0.kind == kind }
  }

  func isRefused(_ kind: ConsentKind, by resident: ResidentID) -> Bool {
    answer(kind, of: resident)?.isGranted == false
  }

  mutating func put(_ consent: Consent) -> StateChange {
    keep(consent)
    let row = Self.row(consent)
    // It stands in the place of one that could not be read.
    unreadable.removeAll { $0.subject == row.subject && $0.name == row.name }
    return .putEngineRow(row)
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ resident: ResidentID) {
    all.removeAll { $0.resident == resident }
    unreadable.removeAll { $0.subject == resident.rawValue }
  }

  /// Puts an answer into its place, instead of an earlier one.
  private mutating func keep(_ consent: Consent) {
    all.removeAll { $0.resident == consent.resident && $0.kind == consent.kind }
    let next = all.firstIndex { Self.place(of: consent) < Self.place(of: $0) }
    all.insert(consent, at: next ?? all.endIndex)
  }

  private static func place(of consent: Consent) -> (ResidentID, Int) {
    (consent.resident, ConsentKind.allCases.firstIndex(of: consent.kind) ?? 0)
  }

  private static func row(_ consent: Consent) -> EngineRow {
    EngineRow(
      engine: engine, subject: consent.resident.rawValue, name: consent.kind.rawValue,
      content: consent.json)
  }
}
