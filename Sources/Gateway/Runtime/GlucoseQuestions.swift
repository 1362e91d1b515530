import Bytes
import Care
import Core
import Door
import GlucoseValues
import JSON
import Loop
import Moments
import Ports
import Texts

/// Requests about glucose readings.
@LoopActor
struct GlucoseQuestions {
  let view: CoreView
  let clock: any GatewayClock
  let store: any CareStore

  var handlings: [Handling] {
    [
      Handling(.glucoseQuery, queryGlucose), Handling(.glucoseGet, getGlucose),
      Handling(.glucoseSeries, seriesOfGlucose),
    ]
  }

  private func queryGlucose(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, resident) = (asked.reader, try asked.wholeResident())
    guard view.isKnown(resident, answer) else { return }
    let now = clock.now().utc
    let query = GlucoseQuery(
      resident: resident, since: try reader.optionalTimestamp("since"),
      until: try reader.optionalTimestamp("until"),
      limit: try asked.limit(usual: 100, atMost: Int64(GlucoseQuery.atMost)),
      after: try asked.place(at: now))
    store.glucoseReadings(query) { found in
      answer(found.map { asked.answer($0.map(\.json), at: now) }.mapError(\.refusal))
    }
  }

  /// A graph has so many points unless set, and at most.
  private static let pointsUsually: Int64 = 1000
  private static let pointsAtMost: Int64 = 4000

  private func seriesOfGlucose(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, resident) = (asked.reader, try asked.wholeResident())
    guard view.isKnown(resident, answer) else { return }
    let now = clock.now().utc
    let until = try reader.optionalTimestamp("until") ?? now
    let points = try reader.optionalInteger("points") ?? Self.pointsUsually
    guard (1...Self.pointsAtMost).contains(points) else {
      throw reader.error(.outOfRange, "points")
    }
    let since = try reader.optionalTimestamp("since")
    store.glucoseBegin(of: resident) { [store] found in
      switch found {
      case .failure(let error): answer(.failure(error.refusal))
      case .success(let begin):
        let since = since ?? begin ?? until
        let step = max(1, until.milliseconds(since: since) / points)
        let query = GlucoseSeriesQuery(
          resident: resident, since: since, until: until, stepMilliseconds: step)
        store.glucoseSeries(query) { found in
          answer(
            found.map { RouteAnswer(Self.series($0, query, begin)) }.mapError(\.refusal))
        }
      }
    }
  }

  private static func series(
    _ points: [GlucosePoint], _ query: GlucoseSeriesQuery, _ begin: Timestamp?
  ) -> JSONValue {
    func numbers(_ path: KeyPath<GlucosePoint, Double>) -> JSONValue {
      .array(points.map { .number(($0[keyPath: path] * 100).rounded() / 100) })
    }
    return .object([
      "since": .string(query.since.iso8601), "until": .string(query.until.iso8601),
      "begin": begin.map { .string($0.iso8601) },
      "times": .array(points.map { .integer($0.time.milliseconds) }),
      "counts": .array(points.map { .integer($0.count) }), "lowest": numbers(\.lowest),
      "means": numbers(\.mean), "highest": numbers(\.highest),
    ])
  }

  private func getGlucose(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = GlucoseReadingID(try asked.reader.string("id"))
    store.glucoseReading(id.rawValue) { found in
      switch found.map({ try? $0?.value(as: GlucoseReading.self) }) {
      case .success(let reading?) where asked.concerns(reading.resident):
        answer(.success(reading.json))
      case .success:
        answer(
          .failure(
            CommandReply.Refusal(
              .unknownTarget,
              Message(
                "There is no glucose reading \"{id}\". List them with: homeward glucose list",
                ["id": id]))))
      case .failure(let error): answer(.failure(error.refusal))
      }
    }
  }
}
