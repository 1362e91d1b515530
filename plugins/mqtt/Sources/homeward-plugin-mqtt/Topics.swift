import CareModel

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

  /// The resident of a button press, or nil when the topic is no such thing.
  func resident(ofPress topic: String) -> ResidentID? {
    let (head, tail) = ("\(base)/locate/", "/press")
    guard topic.hasPrefix(head), topic.hasSuffix(tail),
      topic.utf8.count > head.utf8.count + tail.utf8.count
    else { return nil }
    let middle = topic.dropFirst(head.count).dropLast(tail.count)
    return middle.contains("/") ? nil : ResidentID(String(middle))
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
