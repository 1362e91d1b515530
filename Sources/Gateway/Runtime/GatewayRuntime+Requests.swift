import Bytes
public import Care
import Core
public import JSON
import Loop
import Moments
public import Ports
import Texts

extension GatewayRuntime {
  /// How a request from the command line or console is answered.
  public typealias Answer = @LoopActor (Result<JSONValue, CommandReply.Refusal>) -> Void

  /// Answers a request of the control socket; see `ControlSocket` for the methods and their parameters.
  public func answer(
    method: String, params: JSONValue, principal: Principal, _ answer: @escaping Answer
  ) {
    do {
      try route(
        method, JSONReader(params == .null ? .object([]) : params), params, principal, answer)
    } catch let error as DecodeError {
      answer(
        .failure(
          CommandReply.Refusal(
            .invalid, Message("The request does not fit: {error}.", ["error": error]))))
    } catch {
      answer(.failure(CommandReply.Refusal(.invalid, Message("The request does not fit."))))
    }
  }

  private func route(
    _ method: String, _ reader: JSONReader, _ params: JSONValue, _ principal: Principal,
    _ answer: @escaping Answer
  ) throws {
    switch method {
    case "status": status { answer(.success($0)) }
    case "health": answer(.success(healthReport.report))
    case "command": try perform(reader, principal, answer)
    case "residents.list": answer(.success(.array(core.residentSummaries)))
    case "zones.list":
      answer(.success(.array(core.zones(of: try resident(in: reader)).map(\.json))))
    case "absences.list":
      answer(
        .success(
          .array(
            core.absenceSummaries(of: try resident(in: reader), at: parts.clock.now()))))
    case "bookmarks.list":
      answer(.success(.array(core.bookmarks(of: try resident(in: reader)).map(\.json))))
    case "guardians.list":
      answer(
        .success(
          .array(
            core.guardianSummaries(of: try resident(in: reader), at: parts.clock.now()))))
    case "routine.list":
      answer(
        .success(
          .array(
            core.routineSummaries(of: try resident(in: reader), at: parts.clock.now()))))
    case "alarms.list": answer(.success(.array(core.alarmSummaries)))
    case "settings.list":
      answer(.success(core.settingsInForce(for: ResidentID(try reader.string("resident")))))
    case "settings.describe":
      let known = try resident(in: reader)
      if let known, !isKnown(known, answer) { return }
      let language = try reader.optionalString("language").flatMap { Language(tag: $0) }
      answer(
        .success(
          .array(core.settingDescriptions(for: known, in: language ?? core.configuration.language)))
      )
    case "events.query": try queryEvents(reader, answer)
    case "event.get": getEvent(EventID(try reader.string("id")), answer)
    case "locations.query": try queryLocations(reader, answer)
    case "watch": answer(.success(.object([])))
    case "backup.create": backUp(to: try reader.optionalString("path"), answer)
    default:
      if try routeNotes(method, reader, principal, answer) { return }
      if try routeGlucose(method, reader, answer) { return }
      if try routeBluetooth(method, reader, principal, answer) { return }
      try routePlugins(method, reader, answer)
    }
  }

  private func routePlugins(
    _ method: String, _ reader: JSONReader, _ answer: @escaping Answer
  ) throws {
    switch method {
    case "plugins.list": withPluginReport { answer(.success($0)) }
    case "plugins.restart":
      let name = try reader.string("name")
      let isKnown = parts.plugins?.restartPlugin(name) ?? false
      answer(
        isKnown
          ? .success(["restarted": .string(name)])
          : .failure(
            CommandReply.Refusal(
              .unknownTarget,
              Message(
                "There is no plugin \"{name}\". List them with: homeward plugins", ["name": name])))
      )
    case "deadletters.list":
      parts.store.deadLetters(plugin: try reader.optionalString("plugin")) { letters in
        answer(letters.map { .array($0.map(\.json)) }.mapError(Self.refusal))
      }
    case "deadletters.redrive":
      let event = try reader.optionalString("event").map { EventID($0) }
      guard let plugins = parts.plugins else { return answer(.success(["redriven": 0])) }
      plugins.redriveDeadLetters(plugin: try reader.optionalString("plugin"), event: event) {
        answer(.success(["redriven": .integer(Int64($0))]))
      }
    default:
      answer(
        .failure(
          CommandReply.Refusal(
            .unknownTarget,
            Message(
              "This gateway does not know the request \"{method}\". Are both programs of the same version?",
              ["method": method])
          )))
    }
  }

  // MARK: Commands

  private func perform(
    _ reader: JSONReader, _ principal: Principal, _ answer: @escaping Answer
  ) throws {
    let command = try reader.object("command")
    let request = try Command.Request(json: command.required("request"))
    let id = try command.optionalString("id")
    let expiresAt = try command.optionalTimestamp("expiresAt")
    let sentAt = try command.optionalTimestamp("sentAt")
    let sentTick = try command.optionalInteger("sentTick").map { Tick.milliseconds($0) }
    localCommandCount += 1
    perform(
      Command(
        id: CommandID(id ?? "local-\(run)-\(localCommandCount)"), principal: principal,
        expiresAt: expiresAt, sentAt: sentAt, sentTick: sentTick, request: request)
    ) { reply in
      switch reply {
      case .done(let result): answer(.success(result))
      case .refused(let refusal): answer(.failure(refusal))
      }
    }
  }

  func resident(in reader: JSONReader) throws(DecodeError) -> ResidentID? {
    try reader.optionalString("resident").map { ResidentID($0) }
  }

  // MARK: Stored things

  private func queryEvents(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let limit = try reader.optionalInteger("limit") ?? 100
    let query = JournalQuery(
      resident: try resident(in: reader),
      types: try reader.array("types").compactMap(\.stringContent),
      lanes: try reader.array("lanes").compactMap { $0.stringContent.flatMap(Lane.init) },
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: Int(min(max(1, limit), 10_000)))
    queryVisible(query, wanted: query.limit, answer)
  }

  /// Answers as many events as are wanted, without those that must not be seen now; asks for more where some were left out.
  private func queryVisible(_ query: JournalQuery, wanted: Int, _ answer: @escaping Answer) {
    parts.store.query(query) { [weak self] rows in
      guard let self, case .success(let found) = rows else {
        return answer(rows.map { .array($0.map(\.json)) }.mapError(Self.refusal))
      }
      let visible = found.filter { !self.isConcealed($0) }
      guard visible.count >= wanted || found.count < query.limit || query.limit >= 80_000 else {
        var wider = query
        wider.limit = query.limit * 2 + 100
        return self.queryVisible(wider, wanted: wanted, answer)
      }
      answer(.success(.array(visible.prefix(wanted).map(\.json))))
    }
  }

  /// Whether an event would tell whoever looks that an alarm only seems to be over.
  private func isConcealed(_ row: JournalRow) -> Bool {
    guard row.isForGuardians, let facts = (try? JSONValue(parsing: row.body))?["data"] else {
      return false
    }
    let alarm = facts["alarm"]?.stringContent ?? facts["event"]?.stringContent
    return alarm.map { core.conceals(AlarmID($0)) } ?? false
  }

  private func getEvent(_ id: EventID, _ answer: @escaping Answer) {
    parts.store.event(id) { [weak self] row in
      switch row {
      case .success(let row?) where self?.isConcealed(row) != true: answer(.success(row.json))
      case .success:
        answer(
          .failure(
            CommandReply.Refusal(
              .unknownTarget,
              Message("There is no event \"{id}\". List them with: homeward events", ["id": id]))))
      case .failure(let error): answer(.failure(Self.refusal(error)))
      }
    }
  }

  private func queryLocations(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let id = ResidentID(try reader.string("resident"))
    guard isKnown(id, answer) else { return }
    let limit = try reader.optionalInteger("limit") ?? 1000
    parts.store.locations(
      resident: id, isSeries: try reader.optionalBool("series") ?? false,
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: Int(min(max(1, limit), 1_000_000))
    ) { records in
      answer(records.map { .array($0.map(\.json)) }.mapError(Self.refusal))
    }
  }

  /// Whether somebody is looked after; answers that they are not.
  func isKnown(_ id: ResidentID, _ answer: Answer) -> Bool {
    if core.residents.contains(where: { $0.id == id }) { return true }
    answer(
      .failure(
        CommandReply.Refusal(
          .unknownTarget,
          Message(
            "There is no resident \"{id}\". List them with: homeward residents", ["id": id]))))
    return false
  }

  private func backUp(to path: String?, _ answer: @escaping Answer) {
    parts.store.backup(to: path, at: parts.clock.now().utc) { outcome in
      answer(outcome.map { ["path": .string($0)] }.mapError(Self.refusal))
    }
  }

  static func refusal(_ error: StoreError) -> CommandReply.Refusal {
    CommandReply.Refusal(
      error.code == .missing ? .unknownTarget : .conflict, error.message)
  }
}

extension JournalRow {
  /// The event as its receivers get it, with one member more: its `sequence` in the journal.
  ///
  /// A body that is no JSON object is told as a text under `body`.
  public var json: JSONValue {
    let event = try? JSONValue(parsing: body)
    let members =
      event?.objectContent ?? [
        JSONMember(key: "body", value: .string(String(decoding: body, as: UTF8.self)))
      ]
    return .object([JSONMember(key: "sequence", value: .integer(sequence))] + members)
  }
}

extension DeadLetter {
  /// The dead letter as an object.
  public var json: JSONValue {
    [
      "plugin": .string(plugin), "lane": .string(lane.rawValue), "sequence": .integer(sequence),
      "event": .string(event.rawValue), "reason": .string(reason), "time": .string(time.iso8601),
    ]
  }
}
