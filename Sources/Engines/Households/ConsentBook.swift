import Care

/// What residents consented to and refused; what nobody asked goes on as it did.
struct ConsentBook: Hashable, Sendable {
  static let engine = "consent"

  private var answers: [ResidentID: [ConsentKind: Consent]] = [:]
  /// Rows that cannot be read are kept, so that a later version may.
  private var unreadable: [EngineRow] = []

  init(rows: [EngineRow]) {
    for row in rows where row.engine == Self.engine {
      guard let consent = try? Consent(json: row.content) else {
        unreadable.append(row)
        continue
      }
      answers[consent.resident, default: [:]][consent.kind] = consent
    }
  }

  /// The rows as they are stored.
  var rows: [EngineRow] { all.map(Self.row) + unreadable }

  /// Every answer, by resident and kind.
  var all: [Consent] {
    answers.keys.sorted().flatMap { resident in
      ConsentKind.allCases.compactMap { answers[resident]?[$0] }
    }
  }

  /// The answer of a resident; nil when nobody asked.
  func answer(_ kind: ConsentKind, of resident: ResidentID) -> Consent? {
    answers[resident]?[kind]
  }

  func isRefused(_ kind: ConsentKind, by resident: ResidentID) -> Bool {
    answer(kind, of: resident)?.isGranted == false
  }

  mutating func put(_ consent: Consent) -> StateChange {
    answers[consent.resident, default: [:]][consent.kind] = consent
    return .putEngineRow(Self.row(consent))
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ resident: ResidentID) {
    answers[resident] = nil
    unreadable.removeAll { $0.subject == resident.rawValue }
  }

  private static func row(_ consent: Consent) -> EngineRow {
    EngineRow(
      engine: engine, subject: consent.resident.rawValue, name: consent.kind.rawValue,
      content: consent.json)
  }
}
