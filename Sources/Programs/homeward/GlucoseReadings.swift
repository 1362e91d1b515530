import Care
import ControlSocket
import Door
import GlucoseValues
import JSON
import Moments

/// The readings of a resident, fetched from the daemon page by page.
struct GlucoseReadings {
  private static let page = 10_000

  private let session: Session
  private let resident: ResidentID

  init(_ session: Session, of resident: ResidentID) {
    self.session = session
    self.resident = resident
  }

  /// The newest readings that are wanted, newest first.
  func newest(
    since: Timestamp?, until: Timestamp?, atMost: Int = .max,
    where isWanted: ((GlucoseReading) -> Bool)? = nil
  ) throws(CommandFailure) -> [GlucoseReading] {
    var found: [GlucoseReading] = []
    let params = JSONValue.object([
      "resident": .string(resident.rawValue), "since": since.map { .string($0.iso8601) },
      "until": until.map { .string($0.iso8601) },
      "limit": .integer(Int64(isWanted == nil ? min(Self.page, atMost) : Self.page)),
    ])
    try session.walk(.glucoseQuery, params) { part throws(CommandFailure) in
      let readings = try session.list(part, of: GlucoseReading.self)
      found += isWanted.map { readings.filter($0) } ?? readings
      return found.count < atMost
    }
    return Array(found.prefix(atMost))
  }
}
