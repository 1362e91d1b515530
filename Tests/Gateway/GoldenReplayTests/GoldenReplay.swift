import Bytes
import Care
import Core
import JSON
import Moments

/// Feeds a recording to a core, answers what the core does by fixed rules, and keeps digests of what comes of it.
///
/// Only events and actions count: how state is stored may change without a change of what people see.
struct GoldenReplay {
  /// What came of some lines of the recording.
  struct Segment {
    var lines: ClosedRange<Int>
    var events = 0
    var actions = 0
    var digest = OutcomeDigest()

    var text: String {
      "lines \(lines.lowerBound)-\(lines.upperBound): \(events) events, \(actions) actions, "
        + String(digest.digest, radix: 16)
    }
  }

  /// What the core did, for people who look for a difference: one event or action a line.
  private(set) var story: [String] = []
  private(set) var segments: [Segment] = []
  /// How many commands were done, and refused.
  private(set) var answered = (done: 0, refused: 0)
  /// How often each type of event came.
  private(set) var types: [String: Int] = [:]
  private static let linesInSegment = 100
  /// No line of a recording is followed by so many wakes.
  private static let mostWakes = 20_000

  private var core: GatewayCore
  private let configuration: CoreConfiguration
  private var now: Moment
  private var answers: [(due: Tick, input: JSONValue)] = []

  init(firstLine: JSONValue) throws {
    let reader = try JSONReader(firstLine)
    configuration = try CoreConfiguration(json: reader.required("configuration"))
    now = try Self.moment(reader)
    core = GatewayCore(
      stored: StoredState(), configuration: configuration,
      seed: UInt64(clamping: try reader.integer("seed")), boot: BootID(try reader.string("boot")),
      at: now)
  }

  private static func moment(_ reader: JSONReader) throws(DecodeError) -> Moment {
    Moment(
      tick: .milliseconds(try reader.integer("tick")),
      utc: Timestamp(milliseconds: try reader.integer("utc")),
      quality: try reader.word("quality", as: TimeQuality.self))
  }

  /// Feeds a line; `number` counts from 1, the first line of all included.
  mutating func feed(_ line: JSONValue, number: Int) throws {
    beginSegment(at: number)
    let reader = try JSONReader(line)
    if try reader.optionalBool("powerCut") == true {
      try restart(reader)
    } else {
      try live(until: .milliseconds(try reader.integer("tick")))
      now = try Self.moment(reader)
      if let input = reader.optional("input") { try step(CoreInput(json: input)) }
    }
  }

  private mutating func beginSegment(at number: Int) {
    if let last = segments.indices.last, segments[last].lines.count < Self.linesInSegment {
      segments[last].lines = segments[last].lines.lowerBound...number
    } else {
      segments.append(Segment(lines: number...number))
    }
  }

  /// The next boot begins with what was stored, as it is written and read.
  private mutating func restart(_ reader: JSONReader) throws {
    now = try Self.moment(reader)
    let stored = try StoredState(json: JSONValue(parsing: core.storedState.json.serializedBytes))
    core = GatewayCore(
      stored: stored, configuration: configuration,
      seed: UInt64(clamping: try reader.integer("seed")), boot: BootID(try reader.string("boot")),
      at: now)
    answers = []
  }

  /// Wakes the core whenever it wants, and hands it the answers that are due, up to a tick.
  private mutating func live(until end: Tick) throws {
    var wakes = 0
    while true {
      let answer = answers.first.flatMap { $0.due <= end ? $0.due : nil }
      let wake = core.nextWake.flatMap { $0 <= end ? max($0, now.tick) : nil }
      guard let next = [answer, wake].compactMap({ $0 }).min() else { return }
      wakes += 1
      guard wakes < Self.mostWakes else { throw Restless(line: segments.last?.lines.upperBound) }
      now.utc = now.utc.advanced(byMilliseconds: next.milliseconds(since: now.tick))
      now.tick = next
      if next == answer {
        try step(CoreInput(json: answers.removeFirst().input))
      } else {
        step(.wake)
      }
    }
  }

  /// A core that wants to be woken again and again.
  struct Restless: Error { var line: Int? }

  private mutating func step(_ input: CoreInput) {
    let result = core.step(input, at: now)
    for event in result.events {
      let encoded = event.cloudEvent(gateway: configuration.gateway, boot: core.boot)
      types[event.type.rawValue, default: 0] += 1
      segments[segments.count - 1].events += 1
      take(encoded.body)
    }
    switch result.reply {
    case .done: answered.done += 1
    case .refused(let refusal):
      answered.refused += 1
      story.append("refused: \(refusal.code.rawValue): \(refusal.message)")
    case nil: break
    }
    for action in result.actions {
      segments[segments.count - 1].actions += 1
      take(action.json.serializedBytes)
      react(to: action.json)
    }
  }

  private mutating func take(_ bytes: [UInt8]) {
    segments[segments.count - 1].digest.combine(bytes)
    story.append(String(decoding: bytes, as: UTF8.self))
  }

  // MARK: What a house does

  private mutating func react(to action: JSONValue) {
    switch action["action"]?.stringContent {
    case "play" where action["repetitions"] != nil:
      answer(
        afterSeconds: 4, with: ["kind": "sound", "sound": action["id"], "outcome": "finished"])
    case "notify":
      for (outcome, seconds) in [("sent", 1), ("delivered", 6)] as [(String, Int64)] {
        answer(
          afterSeconds: seconds,
          with: [
            "kind": "delivery", "plugin": .string(Self.plugin(for: action["channel"])),
            "event": action["event"], "recipient": action["recipient"],
            "channel": action["channel"], "notice": action["notice"], "attempt": action["attempt"],
            "outcome": .string(outcome), "detail": "",
          ])
      }
    case "photograph":
      answer(
        afterSeconds: 2,
        with: ["kind": "photo", "alarm": action["alarm"], "path": "/photos/1.jpg", "detail": ""])
    default: break
    }
  }

  private static func plugin(for channel: JSONValue?) -> String {
    switch channel?.stringContent {
    case "email": "email"
    case "push": "apprise"
    default: "sms-modem"
    }
  }

  private mutating func answer(
    afterSeconds seconds: Int64, with members: KeyValuePairs<String, JSONValue?>
  ) {
    let due = now.tick.advanced(byMilliseconds: seconds * 1000)
    let place = answers.firstIndex { $0.due > due } ?? answers.endIndex
    answers.insert((due, ["observation": .object(members)]), at: place)
  }
}
