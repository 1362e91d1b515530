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
extension GatewayRuntime {
  static let glucoseHandlings = [
    Handling(.glucoseQuery) { try $0.queryGlucose($1, $2) },
    Handling(.glucoseGet) { try $0.getGlucose($1, $2) },
    Handling(.glucoseSeries) { try $0.seriesOfGlucose($1, $2) },
    Handling(.profileGet) { runtime, asked, answer in
      let id = try asked.wholeResident()
      guard runtime.isKnown(id, answer) else { return }
      answer(.success(runtime.core.profile(of: id)))
    },
    Handling(.reportsList) { runtime, asked, answer in
      let id = try asked.wholeResident()
      guard runtime.isKnown(id, answer) else { return }
      answer(.success(.array(runtime.core.reportOrders(of: id))))
    },
    Handling(.reportMail) { try $0.mailReport($1, $2) },
  ]

  private static let mailMilliseconds: Int64 = 120_000

  /// The address is that of the order, and whoever it is about agrees at this moment.
  private func mailReport(_ asked: Asked, _ answer: @escaping Answer) throws {
    let reader = asked.reader
    guard let order = core.reportOrder(try reader.string("order")) else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .unknownTarget, Message("There is no such report by e-mail any more."))))
    }
    guard order["isAllowed"] == true else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .forbidden,
            Message("Whoever this report is about does not agree that it goes out by e-mail."))))
    }
    let mail: JSONValue = [
      "to": order["email"] ?? .null, "language": order["language"] ?? .null,
      "id": .string("report.\(try reader.string("order")).\(order["next"]?.stringContent ?? "")"),
      "subject": .string(try reader.string("subject")), "text": .string(try reader.string("text")),
      "name": .string(try reader.string("name")), "file": .string(try reader.string("file")),
    ]
    outward.ask("mail.send", mail, milliseconds: Self.mailMilliseconds) { told in
      answer(
        told.map { _ in RouteAnswer(.object([])) }.mapError { failure in
          CommandReply.Refusal(
            .conflict,
            failure.isMissing
              ? Message("This gateway sends no e-mail: its configuration has no plugin email.")
              : failure.message)
        })
    }
  }

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

  /// A graph has so many points unless set, and at most.
  private static let pointsUsually: Int64 = 1000
  private static let pointsAtMost: Int64 = 4000

  private func seriesOfGlucose(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, resident) = (asked.reader, try asked.wholeResident())
    guard isKnown(resident, answer) else { return }
    let now = parts.clock.now().utc
    let until = try reader.optionalTimestamp("until") ?? now
    let points = try reader.optionalInteger("points") ?? Self.pointsUsually
    guard (1...Self.pointsAtMost).contains(points) else {
      throw reader.error(.outOfRange, "points")
    }
    let since = try reader.optionalTimestamp("since")
    parts.store.glucoseBegin(of: resident) { [weak self] found in
      switch found {
      case .failure(let error): answer(.failure(Self.refusal(error)))
      case .success(let begin):
        let since = since ?? begin ?? until
        let step = max(1, until.milliseconds(since: since) / points)
        let query = GlucoseSeriesQuery(
          resident: resident, since: since, until: until, stepMilliseconds: step)
        self?.parts.store.glucoseSeries(query) { found in
          answer(
            found.map { RouteAnswer(Self.series($0, query, begin)) }.mapError(Self.refusal))
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
