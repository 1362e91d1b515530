import Care
import JSON
import Loop
import Moments
import Ports
import Texts

/// Requests about glucose readings.
extension GatewayRuntime {
  /// Answers a request about glucose readings; false when it is none of them.
  func routeGlucose(
    _ method: String, _ reader: JSONReader, _ answer: @escaping Answer
  ) throws -> Bool {
    switch method {
    case "glucose.query": try queryGlucose(reader, answer)
    case "glucose.get": getGlucose(GlucoseReadingID(try reader.string("id")), answer)
    default: return false
    }
    return true
  }

  private func queryGlucose(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let resident = ResidentID(try reader.string("resident"))
    guard isKnown(resident, answer) else { return }
    let query = GlucoseQuery(
      resident: resident, since: try reader.optionalTimestamp("since"),
      until: try reader.optionalTimestamp("until"),
      limit: try limit(reader, usual: 100, atMost: Int64(GlucoseQuery.atMost)))
    parts.store.glucoseReadings(query) { found in
      answer(found.map { .array($0.map(\.json)) }.mapError(Self.refusal))
    }
  }

  private func getGlucose(_ id: GlucoseReadingID, _ answer: @escaping Answer) {
    parts.store.glucoseReading(id) { found in
      switch found {
      case .success(let reading?): answer(.success(reading.json))
      case .success(nil):
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
