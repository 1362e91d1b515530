import Care
import JSON
import Moments
import Texts

/// Who can be told when a resident needs help, and by which ways that have proved to work.
struct Reach: Hashable, Sendable {
  /// One way to one guardian.
  struct Way: Hashable, Sendable {
    /// How far a message would come.
    enum State: String, Hashable, Sendable {
      /// No plugin takes messages for it.
      case missing
      /// Its plugin does not run, or says that it does not work.
      case down
      /// The last message did not get through.
      case failing
      /// Nothing has been sent over it yet.
      case untried
      /// The last message got through.
      case proven

      /// Whether there is hope that a message arrives.
      var isHopeful: Bool { self == .untried || self == .proven }
    }

    /// The guardian.
    var guardian: GuardianID
    /// The guardian's name, as people write it.
    var guardianName: String
    /// The channel.
    var channel: Guardian.Channel
    /// Where it leads.
    var address: String
    /// How far a message would come now.
    var state: State
    /// The plugin that it goes through; nil for none.
    var plugin: String?
    /// When it was proved to work last.
    var proven: Stamp?
    /// How it was proved: `sent`, `delivered` or `answer`.
    var proof: String?
    /// When a test went over it last.
    var tested: Stamp?
    /// Since when nothing gets through.
    var failing: Stamp?
    /// Why the last message failed; empty when it did not.
    var detail = ""
    /// How long it has not been proved, in milliseconds; from its first day on when it never was.
    var unprovenMilliseconds: Int64 = 0
  }

  /// After so long a proof says nothing any more: a week.
  static let provenMilliseconds: Int64 = 7 * 86_400_000

  /// The resident.
  var resident: ResidentID
  /// The resident's name.
  var name: String
  /// Every way to every guardian, by guardian and channel.
  var ways: [Way]
  /// Whether it is known what plugins offer; until then nothing is judged.
  var isKnown: Bool

  /// Whether somebody can be told.
  var isReachable: Bool { !isKnown || ways.contains { $0.state.isHopeful } }

  /// Whether some way has been proved within a week, or has not had a week to be.
  var isFresh: Bool {
    !isKnown
      || ways.contains { $0.state.isHopeful && $0.unprovenMilliseconds < Self.provenMilliseconds }
  }

  /// One plain sentence that says who can be told and, when nobody can, what to do.
  var explanation: Message {
    if !isKnown { return Message("It is not known yet which ways to guardians there are.") }
    if ways.isEmpty {
      return Message(
        "Nobody can be told when {name} needs help: there is no guardian. Add one: homeward guardians add.",
        ["name": name])
    }
    let open = ways.filter { $0.state.isHopeful }
    guard !open.isEmpty else {
      return Message(
        "Nobody can be told when {name} needs help: {reasons}. See: homeward guardians",
        ["name": name, "reasons": reasons])
    }
    let names = open.reduce(into: [String]()) { names, way in
      if !names.contains(way.guardianName) { names.append(way.guardianName) }
    }.joined(separator: ", ")
    if open.allSatisfy({ $0.state == .untried }) {
      return Message(
        "{names} can be told, but no way has been tried yet. Try it: homeward alarm test",
        ["names": names])
    }
    if !isFresh {
      return Message(
        "{names} can be told, but no way has proved to work for a week. Try it: homeward alarm test",
        ["names": names])
    }
    return Message("{names} can be told.", ["names": names])
  }

  /// What is wrong with each channel that cannot be used.
  private var reasons: Message {
    var seen: [Message] = []
    for way in ways {
      let values: Message.Values = [
        "channel": way.channel.rawValue, "plugin": way.plugin ?? "", "name": way.guardianName,
        "reason": way.detail,
      ]
      let reason =
        switch way.state {
        case .missing: Message("no plugin offers {channel}", values)
        case .down: Message("the plugin {plugin} does not work", values)
        case .failing: Message("{channel} to {name} fails: {reason}", values)
        case .untried, .proven: Message(verbatim: "")
        }
      if !seen.contains(reason) { seen.append(reason) }
    }
    guard let first = seen.first else { return Message(verbatim: "") }
    return seen.dropFirst().reduce(first) {
      Message("{reason}; {next}", ["reason": $0, "next": $1])
    }
  }

  /// What is told by each quiet way when no way has proved to work for a week.
  ///
  /// - Parameter notice: what it is known by.
  func messages(_ notice: AlarmID, in house: House) -> [AlarmMessage] {
    ways.filter { $0.state.isHopeful && $0.channel != .voice }.map { way in
      let language = house.language(of: way.guardian, toldOf: resident)
      let words = gettext(
        "Homeward for {name}: no way to a guardian has proved to work for a week. "
          + "If you read this, this way works. Try all: homeward alarm test",
        ["name": name], in: language)
      return AlarmMessage(
        alarm: notice, tag: "", notice: .news, guardian: way.guardian,
        channel: way.channel, address: way.address, attempt: 1,
        text: way.channel == .sms ? TextAlphabet.textMessage(words) : words, spokenText: words,
        language: language.rawValue, asksForAcknowledgement: false)
    }
  }

  /// The report as an object, in a language.
  func json(in language: Language) -> JSONValue {
    [
      "resident": .string(resident.rawValue), "residentName": .string(name),
      "isReachable": .bool(isReachable), "isProven": .bool(isProvenNow),
      "explanation": .string(explanation.text(in: language)),
      "ways": .array(ways.map(\.json)),
    ]
  }

  /// Whether some way that works now was proved within a week.
  var isProvenNow: Bool {
    ways.contains { $0.state == .proven && $0.unprovenMilliseconds < Self.provenMilliseconds }
  }
}

extension Reach.Way {
  /// The way as an object.
  var json: JSONValue {
    .object([
      "guardian": .string(guardian.rawValue), "guardianName": .string(guardianName),
      "channel": .string(channel.rawValue), "address": .string(address),
      "state": .string(state.rawValue), "plugin": plugin.map { .string($0) },
      "lastSuccess": proven.map { .string($0.utc.iso8601) },
      "proof": proof.map { .string($0) },
      "lastTest": tested.map { .string($0.utc.iso8601) },
      "failingSince": failing.map { .string($0.utc.iso8601) },
      "detail": detail.isEmpty ? nil : .string(detail),
    ])
  }
}
