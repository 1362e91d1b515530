import Bytes
import Care
import Door
import GlucoseValues
import JSON
import Loop
import Moments
import Ports
import Texts

/// Requests about glucose readings.
extension GatewayRuntime {
  static let glucoseHandlings = [
    Handling(.glucoseQuery) { try $0.queryGlucose($1, $2) },
    Handling(.glucoseGet) { try $0.getGlucose($1, $2) },
  ]

  private func queryGlucose(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, resident) = (asked.reader, try asked.wholeResident())
    guard isKnown(resident, answer) else { return }
    let now = parts.clock.now().utc
    let query = GlucoseQuery(
      resident: resident, since: try reader.optionalTimestamp("since"),
      until: try reader.optionalTimestamp("until"),
      limit: try asked.limit(usual: 100, atMost: Int64(GlucoseQuery.atMost)),
      after: try asked.place(at: now))
    parts.store.glucoseReadings(query) { found in
      answer(found.map { asked.answer($0.map(\.json), at: now) }.mapError(Self.refusal))
    }
  }

  private func getGlucose(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = GlucoseReadingID(try asked.reader.string("id"))
    parts.store.glucoseReading(id.rawValue) { found in
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
      case .failure(let error): answer(.failure(Self.refusal(error)))
      }
    }
  }
}
