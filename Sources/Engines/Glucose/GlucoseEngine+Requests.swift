public import Bytes
public import Care
import GlucoseValues
import JSON
import Moments
import Texts

/// What people add, change and remove.
extension GlucoseEngine {
  /// A request, a report or a reading that came as JSON, as this engine knows it.
  public static func understood(
    _ value: FeatureValue, at place: FeatureValue.Place
  ) throws(DecodeError) -> FeatureValue? {
    switch place {
    case .request(let action) where GlucoseRequest.isAction(action):
      FeatureValue(try value.value(as: GlucoseRequest.self))
    case .meter: FeatureValue(try value.value(as: MeterReport.self))
    case .reading: FeatureValue(try value.value(as: GlucoseReading.self))
    case .request, .map: nil
    }
  }

  /// What is asked of this engine; nil where it is about neither readings nor meters.
  static func asked(
    _ request: Command.Request
  ) throws(CommandReply.Refusal) -> GlucoseRequest? {
    do throws(DecodeError) { return try GlucoseRequest(request) } catch {
      throw CommandReply.Refusal(
        .invalid, Message("The request does not fit: {error}.", ["error": error]))
    }
  }

  /// Checks the ids that people name before anything is looked at.
  func check(_ request: GlucoseRequest) throws(CommandReply.Refusal) {
    switch request {
    case .put(let reading, _):
      try Validation.id(reading.id.rawValue, of: "glucose reading")
      try house.requireResident(reading.resident)
    case .showing(_, let resident, _, _): try house.requireResident(resident)
    case .add(let readings, let resident):
      try house.requireResident(resident)
      for reading in readings { try Validation.id(reading.id.rawValue, of: "glucose reading") }
    case .remove: break
    }
  }

  mutating func carryOut(
    _ request: GlucoseRequest, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let (principal, stored) = (command.principal, command.storedReading)
    switch request {
    case .put(let reading, let seen):
      try put(reading, seen: seen, by: principal, stored, in: world, &outcome)
    case .remove(let id, let seen):
      try remove(id, seen: seen, by: principal, stored, in: world, &outcome)
    case .showing(let end, let resident, let time, let by):
      try show(end, of: resident, at: time, by: by, in: world, &outcome)
    case .add(let readings, let resident):
      try add(readings, to: resident, by: principal, in: world, &outcome)
    }
  }

  private mutating func put(
    _ wanted: GlucoseReading, seen: Int64?, by principal: Principal, _ stored: GlucoseReading?,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try GlucoseRules.check(wanted, at: world.now)
    let previous = known(wanted.id, stored)
    let edit = ReadingEdit(
      id: wanted.id, principal: principal, seen: seen, stored: previous, wanted: wanted)
    if wanted.level != previous?.level { try GlucoseRules.check(typed: wanted.level) }
    try edit.requireSameResident()
    try edit.requireSeen(in: world.house)
    try edit.requireMeasured()
    var reading = wanted
    if previous == nil { reading = GlucoseRules.received(wanted, at: world.now) }
    reading.receivedAt = previous?.receivedAt ?? world.now.utc
    reading.revision = previous?.revision ?? 0
    outcome.reply = ["id": .string(reading.id.rawValue), "revision": .integer(reading.revision)]
    guard reading != previous else { return }
    reading.revision += 1
    outcome.reply = outcome.reply.setting("revision", to: .integer(reading.revision))
    logs.put(reading)
    outcome.changes.append(.putGlucoseReading(reading))
    outcome.events.append(
      ReadingNews(
        type: previous == nil ? .glucoseRecorded : .glucoseCorrected, reading: reading,
        previous: previous, principal: principal
      ).event(in: words(about: reading.resident, in: world)))
    for version in [previous, reading].compactMap({ $0 }) { noteChange(of: version, in: world) }
    outcome.events += judgeAnew(reading.id, of: reading.resident, in: world)
  }

  /// What a meter showed instead of a number is told as if the meter itself had said it.
  ///
  /// The reply says what became of it: `told` is `alarm`, `notice` or `nothing`.
  private mutating func show(
    _ end: GlucoseLevelFault.End, of resident: ResidentID, at time: Timestamp, by origin: String,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try GlucoseRules.check(origin: origin)
    try GlucoseRules.check(time: time, at: world.now)
    let events = take(end, of: resident, at: time, from: origin, in: world)
    outcome.events += events
    let told = events.first?.facts["severity"] ?? "nothing"
    outcome.reply = ["showing": .string(end.shown), "told": told]
  }

  /// Readings of a file come in as those of a meter do: the newest of all is judged, and what is old is told to nobody.
  private mutating func add(
    _ readings: [GlucoseReading], to resident: ResidentID, by principal: Principal,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard readings.count <= GlucoseRequest.importedAtOnce else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "At most {limit} readings at once.", ["limit": GlucoseRequest.importedAtOnce]))
    }
    for reading in readings {
      guard reading.resident == resident, reading.source == .file else {
        throw CommandReply.Refusal(
          .invalid, Message("A file brings readings of one resident, each from a file."))
      }
      try GlucoseRules.check(reading, at: world.now)
      try GlucoseRules.check(range: reading.level)
    }
    let known = readings.filter { logs[resident].reading($0.id) != nil }.count
    take(readings, by: principal, in: world, &outcome)
    outcome.reply = [
      "added": .integer(Int64(readings.count - known)), "known": .integer(Int64(known)),
    ]
  }

  private func known(_ id: GlucoseReadingID, _ stored: GlucoseReading?) -> GlucoseReading? {
    logs.reading(id) ?? stored.flatMap { $0.id == id ? $0 : nil }
  }

  private mutating func remove(
    _ id: GlucoseReadingID, seen: Int64?, by principal: Principal, _ stored: GlucoseReading?,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard let previous = known(id, stored) else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("There is no glucose reading \"{id}\".", ["id": id]))
    }
    try ReadingEdit(id: id, principal: principal, seen: seen, stored: previous, wanted: nil)
      .requireSeen(in: world.house)
    logs.remove(previous)
    outcome.changes.append(.removeGlucoseReading(id))
    outcome.events.append(
      ReadingNews(type: .glucoseRemoved, reading: previous, principal: principal).event(
        in: words(about: previous.resident, in: world)))
    outcome.reply = ["removed": .string(id.rawValue)]
    noteChange(of: previous, in: world)
    outcome.events += judgeAnew(id, of: previous.resident, in: world)
  }
}
