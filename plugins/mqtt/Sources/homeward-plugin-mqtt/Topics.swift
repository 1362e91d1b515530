import Care

/// The topics of one gateway.
struct Topics: Hashable, Sendable {
  /// `<prefix>/<gateway>`.
  let base: String

  init(prefix: String, gateway: GatewayID) {
    base = "\(prefix)/\(Self.level(gateway.rawValue))"
  }

  /// `online`, or `offline` as last will; retained.
  var status: String { "\(base)/status" }
  /// Faults and the next sign of life; retained.
  var health: String { "\(base)/health" }
  /// Where the receiving application acknowledges ids.
  var acknowledgements: String { "\(base)/ack" }
  /// Where button presses of Home Assistant arrive, for subscribing.
  var locatePresses: String { "\(base)/locate/+/press" }

  /// Where the events of a lane go; one topic a lane, so that their order holds.
  func event(lane: Lane) -> String { "\(base)/event/\(lane.rawValue)" }

  /// One retained topic of a resident, such as `position`.
  func resident(_ resident: ResidentID, _ name: String) -> String {
    "\(base)/resident/\(Self.level(resident.rawValue))/\(name)"
  }

  /// Where a button press for a resident arrives.
  func locatePress(_ resident: ResidentID) -> String {
    "\(base)/locate/\(Self.level(resident.rawValue))/press"
  }

  /// How far an alarm about the gateway itself is; retained.
  var alarmState: String { "\(base)/alarm-state" }
  /// `ON` while an alarm sounds; retained.
  var siren: String { "\(base)/siren" }
  /// Where Home Assistant switches the siren off.
  var sirenCommand: String { "\(base)/siren/set" }
  /// Where a guardian takes charge of an alarm.
  func acknowledge(guardian: String) -> String { "\(base)/acknowledge/\(Self.level(guardian))" }
  /// Where calls for help arrive, for subscribing.
  var helpPresses: String { "\(base)/sos/+/press" }

  /// Where a call for help of a resident arrives.
  func helpPress(_ resident: ResidentID) -> String {
    "\(base)/sos/\(Self.level(resident.rawValue))/press"
  }

  /// Where guardians take charge, for subscribing.
  var acknowledgePresses: String { "\(base)/acknowledge/+" }
  /// What became of the last press of a button or switch.
  var lastAnswer: String { "\(base)/answer" }
  /// Every topic of every resident, for subscribing.
  var everyResident: String { "\(base)/resident/#" }

  /// The resident's level of a topic of theirs, or nil when the topic is no such thing.
  func resident(ofState topic: String) -> String? {
    let head = "\(base)/resident/"
    guard topic.hasPrefix(head) else { return nil }
    return topic.dropFirst(head.count).split(separator: "/").first.map(String.init)
  }

  /// What is known of an item of a resident's routine; retained.
  func routine(_ resident: ResidentID, _ item: RoutineItemID) -> String {
    self.resident(resident, "routine/\(Self.level(item.rawValue))")
  }

  /// What is known of a Bluetooth tag of a resident; retained.
  func tag(_ resident: ResidentID, _ tag: TagID) -> String {
    self.resident(resident, "tag/\(Self.level(tag.rawValue))")
  }

  /// Where an item of the routine is answered.
  func routinePress(_ item: RoutineItemID) -> String {
    "\(base)/routine/\(Self.level(item.rawValue))/press"
  }

  /// Where the reminding of an item is switched on and off.
  func routineSwitch(_ item: RoutineItemID) -> String {
    "\(base)/routine/\(Self.level(item.rawValue))/set"
  }

  /// Where a message to a resident is sent.
  func messageSend(_ resident: ResidentID) -> String {
    "\(base)/message/\(Self.level(resident.rawValue))/send"
  }

  /// Where items are answered, for subscribing.
  var routinePresses: String { "\(base)/routine/+/press" }
  /// Where items are switched, for subscribing.
  var routineSwitches: String { "\(base)/routine/+/set" }
  /// Where messages are sent, for subscribing.
  var messageSends: String { "\(base)/message/+/send" }

  /// The item of an answer, or nil when the topic is no such thing.
  func item(ofPress topic: String) -> RoutineItemID? {
    middle(of: topic, "routine", "press").map { RoutineItemID($0) }
  }

  /// The item of a switch, or nil when the topic is no such thing.
  func item(ofSwitch topic: String) -> RoutineItemID? {
    middle(of: topic, "routine", "set").map { RoutineItemID($0) }
  }

  /// The resident of a message, or nil when the topic is no such thing.
  func resident(ofMessage topic: String) -> ResidentID? {
    middle(of: topic, "message", "send").map { ResidentID($0) }
  }

  /// The resident of a button press, or nil when the topic is no such thing.
  func resident(ofPress topic: String) -> ResidentID? { resident(of: topic, "locate") }

  /// The resident of a call for help, or nil when the topic is no such thing.
  func resident(ofHelp topic: String) -> ResidentID? { resident(of: topic, "sos") }

  private func resident(of topic: String, _ word: String) -> ResidentID? {
    middle(of: topic, word, "press").map { ResidentID($0) }
  }

  private func middle(of topic: String, _ word: String, _ end: String) -> String? {
    let (head, tail) = ("\(base)/\(word)/", "/\(end)")
    guard topic.hasPrefix(head), topic.hasSuffix(tail),
      topic.utf8.count > head.utf8.count + tail.utf8.count
    else { return nil }
    let middle = topic.dropFirst(head.count).dropLast(tail.count)
    return middle.contains("/") ? nil : String(middle)
  }

  /// Where a principal's commands arrive, unless configured otherwise.
  func command(principal: String) -> String { "\(base)/command/\(Self.level(principal))" }

  /// Where a principal's commands are answered.
  func reply(principal: String) -> String { "\(base)/reply/\(Self.level(principal))" }

  /// A name as one level of a topic: separators, wildcards and control characters become `_`.
  static func level(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          "/+#$".unicodeScalars.contains(scalar) || isControl(scalar) ? "_" : scalar
        }))
  }

  /// Whether a text can be published to: 1 through 1,000 bytes, no wildcard, no control character, no leading `$`.
  static func isPublishable(_ topic: String) -> Bool {
    (1...1000).contains(topic.utf8.count) && !topic.hasPrefix("$")
      && !topic.unicodeScalars.contains { "+#".unicodeScalars.contains($0) || isControl($0) }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}
