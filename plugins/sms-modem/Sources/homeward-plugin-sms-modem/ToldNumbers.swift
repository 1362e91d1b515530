import Care
import JSON
import Moments
import ShortMessage

/// Who was told of what: only these are listened to.
struct ToldNumbers: Hashable, Sendable {
  /// The most numbers that are remembered; whoever was told longest ago is forgotten.
  static let capacity = 50
  /// How long a number is listened to after it was told of something.
  static let memoryMilliseconds: Int64 = 7 * 86_400_000
  /// Between two answers that explain what to reply.
  static let explanationMilliseconds: Int64 = 3_600_000

  /// Somebody who was told.
  struct Person: Hashable, Sendable {
    var number: String
    /// The guardian's id.
    var recipient: String
    var language: String
    /// Tags of the alarms told, the newest last.
    var tags: [String]
    var toldAt: Timestamp
    var explainedAt: Timestamp?
  }

  private(set) var people: [Person] = []

  /// When somebody was told last.
  var newestTime: Timestamp? { people.map(\.toldAt).max() }

  /// Notes that somebody is being told.
  mutating func note(_ dispatch: Dispatch, at now: Timestamp) {
    guard !dispatch.isEmergency else { return }
    var person =
      remove(dispatch.number)
      ?? Person(
        number: dispatch.number, recipient: "", language: "", tags: [], toldAt: now)
    person.recipient = dispatch.key.recipient
    person.language = dispatch.language
    person.toldAt = now
    if dispatch.asksForAcknowledgement, !dispatch.tag.isEmpty {
      person.tags = (person.tags.filter { $0 != dispatch.tag } + [dispatch.tag]).suffix(20)
    }
    people.append(person)
    people.removeAll { now.milliseconds(since: $0.toldAt) > Self.memoryMilliseconds }
    if people.count > Self.capacity { people.removeFirst(people.count - Self.capacity) }
  }

  /// The one person who can have sent from an address; nil when nobody or several can.
  func holder(of sender: PhoneAddress, at now: Timestamp) -> Person? {
    let found = people.filter {
      sender.isHolder(of: $0.number)
        && now.milliseconds(since: $0.toldAt) <= Self.memoryMilliseconds
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Whether a person may be sent an explanation now; notes that it was.
  mutating func mayExplain(to number: String, at now: Timestamp) -> Bool {
    guard let index = people.firstIndex(where: { $0.number == number }) else { return false }
    if let last = people[index].explainedAt,
      (0..<Self.explanationMilliseconds).contains(now.milliseconds(since: last))
    {
      return false
    }
    people[index].explainedAt = now
    return true
  }

  private mutating func remove(_ number: String) -> Person? {
    people.firstIndex { $0.number == number }.map { people.remove(at: $0) }
  }
}

extension ToldNumbers {
  /// Reads what ``json`` wrote; what cannot be read is left out.
  ///
  /// A time from before Homeward was made is that of a clock that nobody had set: it counts from now.
  init(json: JSONValue, now: Timestamp) {
    for element in (json.arrayContent ?? []).suffix(Self.capacity) {
      guard let reader = try? JSONReader(element), let number = try? reader.string("number"),
        let recipient = try? reader.string("recipient"),
        let language = try? reader.string("language"), let tags = try? reader.array("tags"),
        let told = try? reader.integer("toldAt")
      else { continue }
      let isOfNoClock = told < Release.earliestPlausibleTime.milliseconds
      let explained = (try? reader.optionalInteger("explainedAt")) ?? nil
      people.append(
        Person(
          number: number, recipient: recipient, language: language,
          tags: tags.compactMap(\.stringContent),
          toldAt: isOfNoClock ? now : Timestamp(milliseconds: told),
          explainedAt: explained.map { Timestamp(milliseconds: $0) }))
    }
  }

  /// What survives a restart.
  var json: JSONValue {
    .array(
      people.map {
        .object([
          "number": .string($0.number), "recipient": .string($0.recipient),
          "language": .string($0.language), "tags": .array($0.tags.map { .string($0) }),
          "toldAt": .integer($0.toldAt.milliseconds),
          "explainedAt": $0.explainedAt.map { .integer($0.milliseconds) },
        ])
      })
  }
}
