import Care
import JSON
import Moments
import Texts

/// What becomes of all alarms as time passes, as causes end and as reports come.
extension AlarmState {
  /// Does what of them is due by a moment, and forgets those that ended long ago.
  mutating func advance(until limit: Tick, by carriers: Carriers, _ step: inout Step) {
    for index in alarms.indices {
      let silent = alarms[index].advance(
        until: limit, by: carriers, at: position(of: index), &step)
      let why = GuardianMessage.silence(in: step.house, of: alarms[index])
      for way in silent { ways.fail(way, why, in: step.house, at: step.now) }
    }
    let house = step.house
    let isForgotten = { (alarm: LiveAlarm) in
      AlarmDeadlines(alarm, in: house).forgotten.map { $0 <= limit } ?? false
    }
    if alarms.contains(where: isForgotten) { alarms = alarms.filter { !isForgotten($0) } }
  }

  /// After a start the same attempts are handed over again, and what sounds begins anew.
  mutating func resume(_ step: inout Step) {
    for index in alarms.indices {
      alarms[index].resumeMessages(at: position(of: index), &step)
      step.act(AlarmSound(alarms[index], in: step.house).resumed(in: step.world))
    }
  }

  /// Stops what sounds of alarms that were dispatched; a pre-alarm goes on, and nothing is acknowledged.
  ///
  /// - Returns: the tags of those that sounded.
  mutating func silence(since sent: Tick, _ step: inout Step) -> [String] {
    var tags: [String] = []
    for index in alarms.indices where alarms[index].isSounding && alarms[index].callsSince(sent) {
      alarms[index].silence(&step)
      tags.append(alarms[index].tag)
    }
    return tags
  }

  /// Starts or stops what alarms ask of the room now.
  mutating func settleRooms(_ step: inout Step) {
    for index in alarms.indices { step.act(alarms[index].settleRoom(in: step.house, step.world)) }
  }

  /// Takes that a sound is over.
  mutating func note(_ report: SoundReport) {
    for index in alarms.indices { alarms[index].note(report) }
  }

  // MARK: Ends

  /// Takes causes that other engines settled from the alarms that they made.
  mutating func settle(_ settlement: Signal.Settlement, _ step: inout Step) {
    for cause in settlement.causes {
      relieve(
        settlement.kind, settlement.resident, of: [cause], &step, closing: settlement.closing)
    }
  }

  /// Takes causes from the open alarm of a kind, and ends it when none is left.
  ///
  /// - Parameter closing: why it is over, from the alarm's label.
  mutating func relieve(
    _ kind: AlarmKind, _ resident: ResidentID?, of causes: Set<String>, _ step: inout Step,
    closing: (String) -> Closing
  ) {
    let open = alarms.firstIndex {
      $0.isOpen && $0.kind == kind && $0.resident == resident && !causes.isDisjoint(with: $0.causes)
    }
    guard let index = open else { return }
    alarms[index].causes.removeAll { causes.contains($0) }
    guard alarms[index].causes.isEmpty else { return }
    let words = closing(alarms[index].label)
    alarms[index].end(as: .resolved, words, by: "engine", &step)
  }

  /// Whether something is about residents who are not there any more.
  func hasErased(in house: House) -> Bool {
    let known = alarms.compactMap(\.resident) + care.keys
    return known.contains { house.residents[$0] == nil }
  }

  /// Ends what is about residents who are not there any more, and forgets them.
  mutating func forgetErased(_ step: inout Step) {
    let house = step.house
    let gone = alarms.filter { $0.resident.map { house.residents[$0] == nil } ?? false }
    for alarm in gone where alarm.isOpen {
      if alarm.room.phase != .quiet { step.act(.stopSound(alarm.soundID)) }
      step.outcome.events.append(
        EventDraft(
          type: .alarmResolved, lane: .alarm, resident: nil,
          facts: [
            "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
            "kind": .string(alarm.kind.rawValue), "stage": "resolved",
            "explanation": .string(
              gettext(
                "The resident was erased, and the alarm with them.", in: step.world.language)),
          ]))
    }
    alarms.removeAll { alarm in gone.contains { $0.id == alarm.id } }
    for id in care.keys.sorted() where house.residents[id] == nil { care[id] = nil }
  }

  // MARK: Photographs

  /// Has a photograph taken for a resident's SOS.
  ///
  /// - Throws: a refusal where none is open.
  func photograph(_ id: ResidentID, _ step: inout Step) throws(CommandReply.Refusal) {
    guard let index = openSOS(id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A photograph is taken only while an SOS of {name} is open.",
          ["name": step.house.name(of: id)]))
    }
    step.act(.photograph(alarm: alarms[index].id, resident: id))
    step.outcome.reply = ["alarm": .string(alarms[index].id.rawValue), "requested": true]
  }

  mutating func note(_ report: PhotoReport, _ step: inout Step) {
    let place = alarms.firstIndex { $0.id == report.alarm && $0.isOpen }
    if let index = place { alarms[index].note(report, &step) }
  }

  /// Takes out what a resident refused; an alarm that wanted a photograph hears at once that there is none.
  mutating func withholdPhotographs(_ step: inout Step) {
    guard !step.outcome.actions.isEmpty else { return }
    let house = step.house
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
}
