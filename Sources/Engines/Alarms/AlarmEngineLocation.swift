import Care
import JSON
import Moments
import Texts

/// Where the person in danger is, for those who look for them.
extension AlarmEngine {
  /// Takes the position out of what other engines found; battery levels travel along.
  mutating func note(_ location: Signal.Location, of id: ResidentID, at now: Moment) {
    let known = state.care[id]?.position?.batteryPercent
    state.care[id, default: CareState()].position = KnownPosition(
      coordinate: location.coordinate, accuracyMeters: location.accuracyMeters,
      stamp: Stamp(now), batteryPercent: location.batteryPercent ?? known)
  }

  /// The last known position with its age, as a fact; nil when there never was one.
  func positionFact(of alarm: LiveAlarm, at now: Moment) -> JSONValue? {
    guard let id = alarm.resident, let position = state.care[id]?.position else { return nil }
    return .object([
      "latitude": .number(position.coordinate.latitudeDegrees),
      "longitude": .number(position.coordinate.longitudeDegrees),
      "accuracyMeters": position.accuracyMeters.map { .number($0) },
      "ageSeconds": .integer(position.stamp.age(at: now) / 1000),
      "batteryPercent": position.batteryPercent.map { .integer($0) },
    ])
  }

  /// Asks the resident's receiver for positions as fast as it can.
  func burst(_ resident: ResidentID, seconds: Int64, _ step: inout Step) {
    guard let source = house.residents[resident]?.gpsSource else { return }
    let until = step.now.tick.advanced(byMilliseconds: seconds.multipliedClamped(by: 1000))
    step.act(.sampleBurst(source: source, until: until))
  }

  // MARK: Live

  mutating func tellLive(_ index: Int, _ step: inout Step) {
    let alarm = state.alarms[index]
    guard let id = alarm.resident else { return }
    let period = AlarmDeadlines(alarm, in: house).livePeriod(at: step.now.tick)
    state.alarms[index].lastLive = Stamp(step.now)
    burst(id, seconds: period + 10, &step)
    guard let position = state.care[id]?.position else { return }
    let age = position.stamp.age(at: step.now) / 1000
    let isStale = position.stamp.isEstimated || age > period
    let words = MessageFacts.agePhrase(age)
    step.tell(
      .alarmLocation, alarm,
      isStale
        ? Message(
          "The last known position of {name} is {age} old.",
          ["name": house.name(of: id), "age": words])
        : Message("{name} was here {age} ago.", ["name": house.name(of: id), "age": words]),
      [
        "latitude": .number(position.coordinate.latitudeDegrees),
        "longitude": .number(position.coordinate.longitudeDegrees),
        "accuracyMeters": position.accuracyMeters.map { .number($0) },
        "ageSeconds": .integer(age), "isStale": .bool(isStale),
        "batteryPercent": position.batteryPercent.map { .integer($0) },
      ])
  }

  // MARK: Photographs

  mutating func photograph(
    _ id: ResidentID, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard let index = openSOS(id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A photograph is taken only while an SOS of {name} is open.", ["name": house.name(of: id)]
        ))
    }
    step.act(.photograph(alarm: state.alarms[index].id, resident: id))
    step.outcome.reply = ["alarm": .string(state.alarms[index].id.rawValue), "requested": true]
  }

  mutating func note(_ report: PhotoReport, _ step: inout Step) {
    let place = state.alarms.firstIndex { $0.id == report.alarm && $0.isOpen }
    guard let index = place else { return }
    guard let path = report.path, !path.isEmpty else {
      let why =
        report.detail.isEmpty
        ? gettext(
          "the camera gave no reason", in: house.alarmLanguage(of: state.alarms[index].resident))
        : report.detail
      return step.tell(
        .alarmPhoto, state.alarms[index],
        Message("No photograph could be taken: {why}", ["why": why]),
        ["isTaken": false, "detail": .string(why)])
    }
    state.alarms[index].photo = path
    state.alarms[index].isPhotoTold = false
    if state.alarms[index].isDispatched { tellPhoto(index, &step) }
  }

  /// Takes out what a resident refused; an alarm that wanted a photograph hears at once that there is none.
  mutating func withholdPhotographs(_ step: inout Step) {
    var refused: [PhotoReport] = []
    step.outcome.actions.removeAll { action in
      guard case .photograph(let alarm, let resident) = action,
        house.isRefused(.camera, by: resident)
      else { return false }
      let why = gettext("the resident refused the camera.", in: house.alarmLanguage(of: resident))
      refused.append(PhotoReport(alarm: alarm, path: nil, detail: why))
      return true
    }
    for report in refused { note(report, &step) }
  }

  /// Before the dispatch nothing leaves the house, pictures least of all.
  mutating func tellPhoto(_ index: Int, _ step: inout Step) {
    guard let path = state.alarms[index].photo, !state.alarms[index].isPhotoTold else { return }
    state.alarms[index].isPhotoTold = true
    let alarm = state.alarms[index]
    step.tell(
      .alarmPhoto, alarm, Message("A photograph was taken."),
      ["isTaken": true, "path": .string(path)])
    let reached = house.guardians(toldOf: alarm.resident).filter { Int64($0.tier) <= alarm.tier }
    let ways = reached.flatMap { guardian -> [GuardianWay] in
      let channels = guardian.addresses.map(\.channel).filter { [.email, .push].contains($0) }
      return channels.map { GuardianWay(guardian: guardian.id, channel: $0) }
    }
    state.alarms[index].messages.tell(.photo, ways, at: step.now)
  }

  // MARK: Words

  /// Everything that the words of a message are made from, in the language of whoever is told.
  func messageFacts(
    _ alarm: LiveAlarm, _ notice: AlarmNotice, to guardian: GuardianID, _ world: World
  ) -> MessageFacts {
    let language = house.language(of: guardian, toldOf: alarm.resident)
    let name = house.name(of: alarm, in: language)
    var facts = MessageFacts(
      language: language, notice: notice, kind: alarm.kind, tag: alarm.tag, name: name,
      plainName: alarm.isForSomebody ? "Somebody" : alarm.resident?.rawValue ?? "Homeward")
    facts.label = alarm.label
    facts.isOverdue = alarm.isOverdue
    facts.map = house.alarmSettings(of: alarm.resident).mapLink
    facts.localTime = clockTime(of: alarm, world)
    if alarm.kind != .fault, alarm.kind != .battery, let id = alarm.resident {
      facts.position = state.care[id]?.position
      facts.positionAgeSeconds = (facts.position?.stamp.age(at: world.now) ?? 0) / 1000
    }
    let helper = alarm.acknowledgedBy.first
    facts.helper = helper.map { house.shownName($0) } ?? ""
    facts.isScheduled = alarm.trigger == .schedule
    if alarm.kind == .sos { facts.why = alarm.text }
    facts.closing = alarm.closing?.message.text(in: facts.language)
    if let call = alarm.contact, call.outcome != .failed { facts.emergencyNumber = call.number }
    return facts
  }

  /// The time of day at which the alarm was raised, or at which it ended.
  private func clockTime(of alarm: LiveAlarm, _ world: World) -> String? {
    let stamp = alarm.ended ?? alarm.raised
    guard let local = house.localTime(of: alarm.resident, in: world), !stamp.isEstimated else {
      return nil
    }
    let raised = CivilDateTime(
      utc: local.asUTC.advanced(byMilliseconds: -stamp.age(at: world.now)))
    return String(raised.iso8601Time.prefix(5))
  }
}

extension MessageFacts {
  /// An age for people.
  static func agePhrase(_ seconds: Int64) -> Message {
    switch seconds {
    case ..<120: Message("{seconds} s", ["seconds": seconds])
    case ..<7200: Message("{minutes} min", ["minutes": seconds / 60])
    default: Message("{hours} h", ["hours": seconds / 3600])
    }
  }
}
