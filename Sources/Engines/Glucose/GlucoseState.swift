import Bytes
import Care
import GlucoseFigures
import GlucoseValues
import JSON
import Moments

/// What the engine remembers of one resident beside their readings.
struct GlucoseState: Hashable, Sendable {
  static let engine = "glucose"
  static let rowName = "state"

  /// A reading beyond a limit that no later one has put right.
  struct Beyond: Hashable, Sendable {
    var standing: GlucoseStanding
    var severity: GlucoseSettings.Severity
    /// Nil for `HI` and `LO`.
    var reading: GlucoseReadingID?
    /// When it was measured; of doubtful times, when it came in.
    var time: Timestamp
    /// Since when a sensor's readings are within the limits again; nil while they are not.
    var withinSince: Timestamp?
  }

  var beyond: Beyond?
  var months = ToldMonths()

  var isEmpty: Bool { beyond == nil && months.isEmpty }

  init() {}

  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if let found = reader.optional("beyond") { beyond = try Beyond(json: found) }
    months = try ToldMonths(reader)
  }

  var json: JSONValue {
    let (toldDay, changedMonths) = months.members
    return .object([
      "beyond": beyond?.json, "toldDay": toldDay, "changedMonths": changedMonths,
    ])
  }

  func row(of resident: ResidentID) -> EngineRow {
    EngineRow(engine: Self.engine, subject: resident.rawValue, name: Self.rowName, content: json)
  }
}

extension GlucoseState.Beyond {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      standing: try reader.word("standing", as: GlucoseStanding.self),
      severity: try reader.word("severity", as: GlucoseSettings.Severity.self),
      reading: try reader.optionalString("reading").map { GlucoseReadingID($0) },
      time: Timestamp(milliseconds: try reader.integer("time")),
      withinSince: try reader.optionalInteger("withinSince").map {
        Timestamp(milliseconds: $0)
      })
  }

  var json: JSONValue {
    .object([
      "standing": .string(standing.rawValue), "severity": .string(severity.rawValue),
      "reading": reading.map { .string($0.rawValue) }, "time": .integer(time.milliseconds),
      "withinSince": withinSince.map { .integer($0.milliseconds) },
    ])
  }
}
