public import Care
public import JSON
import Moments
public import Texts

/// What others may know of the engine.
extension AlarmEngine {
  /// Open alarms, most urgent first, for people to read.
  ///
  /// One that the resident was forced to end is left out: it looks over to whoever stands beside the gateway.
  ///
  /// - Parameter language: of whoever reads; nil for each resident's own.
  public func summaries(in language: Language? = nil) -> [JSONValue] {
    let open = state.alarms.filter { $0.isOpen && !$0.isDuress }
    let sorted = open.enumerated().sorted { left, right in
      let ranks = (rank(left.element), rank(right.element))
      return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
    }
    return sorted.map { summary($0.element, in: language) }
  }

  private func rank(_ alarm: LiveAlarm) -> Int {
    alarm.kind == .sos ? -1 : house.rule(of: alarm).priority.rank
  }

  private func summary(_ alarm: LiveAlarm, in language: Language?) -> JSONValue {
    .object([
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "kind": .string(alarm.kind.rawValue),
      "resident": alarm.resident.map { .string($0.rawValue) },
      "residentName": .string(house.name(of: alarm)),
      "priority": .string(house.rule(of: alarm).priority.rawValue),
      "stage": .string(alarm.stage.rawValue), "text": .string(alarm.text),
      "raisedAt": .string(alarm.raised.utc.iso8601), "raises": .integer(alarm.raises),
      "callsAt": callsAt(alarm).map { .string($0.iso8601) },
      "tier": .integer(alarm.tier), "isSilenced": .bool(alarm.isSilenced),
      "acknowledgedBy": .array(alarm.acknowledgedBy.map { .string($0.rawValue) }),
      "acknowledgedByNames": .array(house.plainNames(alarm.acknowledgedBy).map { .string($0) }),
      "explanation": .string(
        raisedWords(alarm).text(in: language ?? house.alarmLanguage(of: alarm.resident))),
      "messages": .array(alarm.messages.map(summary)),
    ])
  }

  /// When helpers are told unless somebody calls it off before; nil where they were.
  private func callsAt(_ alarm: LiveAlarm) -> Timestamp? {
    guard alarm.stage == .prealarm else { return nil }
    let seconds = AlarmDeadlines(alarm, in: house).prealarmSeconds
    return alarm.raised.utc.advanced(byMilliseconds: seconds * 1000)
  }

  private func summary(_ message: GuardianMessage) -> JSONValue {
    .object([
      "recipient": .string(message.guardian.rawValue),
      "channel": .string(message.channel.rawValue), "notice": .string(message.notice.rawValue),
      "progress": .string(message.progress.rawValue), "attempts": .integer(message.attempt),
      "detail": message.detail.isEmpty ? nil : .string(message.detail),
    ])
  }

  /// Shows who needs help and how guardians can be reached.
  public func show(_ view: World.View, in world: inout World) {
    switch view {
    case .need: world.need = state.need
    case .reachability: world.reachability = reachability
    default: break
    }
  }

  private var reachability: World.Reachability {
    var reachability = World.Reachability()
    reachability.offered = carriers.channels
    reachability.pins = state.pins
    return reachability
  }

  /// The open alarms that a guardian is told of, or would be: those about the one whom they guard, also where duress lets
  /// one look over.
  public func alarms(toldTo guardian: Guardian) -> [AlarmID] {
    state.alarms.filter { Self.concerns($0, guardian) }.map(\.id)
  }

  /// An open alarm as a guardian sees it who is told of it; nil when it is over, or none of theirs.
  ///
  /// - Parameter language: of whoever reads; nil for the resident's.
  public func alarm(
    _ id: AlarmID, toldTo guardian: Guardian, in language: Language?
  ) -> JSONValue? {
    guard let alarm = state.alarms.first(where: { $0.id == id }), Self.concerns(alarm, guardian)
    else { return nil }
    return [
      "alarm": .string(id.rawValue), "tag": .string(alarm.tag),
      "kind": .string(alarm.kind.rawValue), "raisedAt": .string(alarm.raised.utc.iso8601),
      "residentName": .string(house.name(of: alarm)),
      "explanation": .string(
        raisedWords(alarm).text(in: language ?? house.alarmLanguage(of: alarm.resident))),
      "isDuress": .bool(alarm.isDuress),
      "acknowledgedByNames": .array(house.plainNames(alarm.acknowledgedBy).map { .string($0) }),
      "isYours": .bool(alarm.acknowledgedBy.contains(guardian.id)),
    ]
  }

  private static func concerns(_ alarm: LiveAlarm, _ guardian: Guardian) -> Bool {
    alarm.isDispatched && alarm.kind.isAboutAPerson
      && alarm.resident.map { $0 == guardian.resident } ?? true
  }

  /// Whether what is told to guardians alone about an alarm must not be shown to anybody else.
  ///
  /// For duress until it is truly over; for the resident's own word, which it must look like, as long as it is remembered.
  public func isConcealed(_ alarm: AlarmID) -> Bool {
    state.isConcealed(alarm)
  }

  /// The sentences that have to be spoken in an emergency, to be rendered beforehand.
  public var emergencySentences: [Sentence] {
    var sentences: [Sentence] = []
    for id in house.residents.keys.sorted() {
      let words = Sentences(about: id, in: house)
      sentences += [words.prealarm, words.calling, words.cancelled, words.over, words.unreachable]
      sentences += house.guardians(toldOf: id).map { words.coming($0.name) }
      sentences += [words.finding(.glucose, ""), words.finding(.medicine, "")]
    }
    let anybodys = Sentences.forSomebody(in: house)
    sentences += [
      anybodys.prealarm, anybodys.calling, anybodys.cancelled, anybodys.over, anybodys.unreachable,
    ]
    return sentences.reduce(into: []) { unique, sentence in
      if !unique.contains(sentence) { unique.append(sentence) }
    }
  }

  /// The stored hashes of a resident's PINs.
  public func pinHash(_ kind: PINKind, of resident: ResidentID) -> String? {
    state.care[resident]?.pins[kind.rawValue]
  }
}
