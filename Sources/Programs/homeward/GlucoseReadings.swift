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
    var known: Set<GlucoseReadingID> = []
    var until = until
    let page = isWanted == nil ? min(Self.page, atMost) : Self.page
    while found.count < atMost {
      let readings = try fetch(since: since, until: until, atMost: page)
      let fresh = readings.filter { known.insert($0.id).inserted }
      found += isWanted.map { fresh.filter($0) } ?? fresh
      guard readings.count >= page, !fresh.isEmpty, let oldest = readings.last else { break }
      // Others may have been measured in the same millisecond.
      until = oldest.time.advanced(byMilliseconds: 1)
    }
    return Array(found.prefix(atMost))
  }

  private func fetch(
    since: Timestamp?, until: Timestamp?, atMost: Int
  ) throws(CommandFailure) -> [GlucoseReading] {
    let params = JSONValue.object([
      "resident": .string(resident.rawValue), "since": since.map { .string($0.iso8601) },
      "until": until.map { .string($0.iso8601) }, "limit": .integer(Int64(atMost)),
    ])
    return try session.list(session.call(.glucoseQuery, params), of: GlucoseReading.self)
  }
}
