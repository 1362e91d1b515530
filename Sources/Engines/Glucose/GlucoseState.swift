import Bytes
import Care
import JSON

/// What the engine remembers of one resident beside their readings.
struct GlucoseState: Hashable, Sendable {
  static let engine = "glucose"
  static let rowName = "state"

  var limits = LimitWatch()
  var months = ToldMonths()

  var isEmpty: Bool { limits.isEmpty && months.isEmpty }

  init() {}

  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    limits = try LimitWatch(json: reader.optional("beyond"))
    months = try ToldMonths(reader)
  }

  var json: JSONValue {
    let (toldDay, changedMonths) = months.members
    return .object([
      "beyond": limits.json, "toldDay": toldDay, "changedMonths": changedMonths,
    ])
  }

  func row(of resident: ResidentID) -> EngineRow {
    EngineRow(engine: Self.engine, subject: resident.rawValue, name: Self.rowName, content: json)
  }
}
