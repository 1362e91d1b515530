import Care
import JSON
import Moments
import Texts

/// Where the person in danger is and what is to be seen there, for those who look for them.
extension LiveAlarm {
  /// Where the resident was last, as a fact; nil for what is about none.
  func position(_ known: KnownPosition?, at now: Moment) -> JSONValue? {
    resident == nil ? nil : known?.fact(at: now)
  }

  /// Tells where the resident is, and asks for the next position.
  mutating func tellLive(at position: KnownPosition?, _ step: inout Step) {
    guard let id = resident else { return }
    let period = AlarmDeadlines(self, in: step.house).livePeriod(at: step.now.tick)
    lastLive = Stamp(step.now)
    step.sampleBurst(of: id, seconds: period + 10)
    guard let position else { return }
    let age = position.stamp.age(at: step.now) / 1000
    let isStale = position.stamp.isEstimated || age > period
    step.tell(
      .alarmLocation, self,
      KnownPosition.words(of: step.house.name(of: id), ageSeconds: age, isStale: isStale),
      position.facts(ageSeconds: age, isStale: isStale))
  }

  // MARK: Photographs

  /// Takes a photograph, or why there is none.
  mutating func note(_ report: PhotoReport, _ step: inout Step) {
    guard let path = report.path, !path.isEmpty else {
      let why = report.reason(in: step.house.alarmLanguage(of: resident))
      return step.tell(
        .alarmPhoto, self, Message("No photograph could be taken: {why}", ["why": why]),
        ["isTaken": false, "detail": .string(why)])
    }
    photo.take(path)
    if isDispatched { tellPhoto(&step) }
  }

  /// Before the dispatch nothing leaves the house, pictures least of all.
  mutating func tellPhoto(_ step: inout Step) {
    guard let path = photo.takeUntold() else { return }
    step.tell(
      .alarmPhoto, self, Message("A photograph was taken."),
      ["isTaken": true, "path": .string(path)])
    messages.tell(.photo, step.house.pictureWays(of: self), at: step.now)
  }
}

extension KnownPosition {
  /// What is said of where somebody was.
  static func words(of name: String, ageSeconds: Int64, isStale: Bool) -> Message {
    let values: Message.Values = ["name": name, "age": MessageFacts.agePhrase(ageSeconds)]
    return isStale
      ? Message("The last known position of {name} is {age} old.", values)
      : Message("{name} was here {age} ago.", values)
  }

  /// As the facts of an event that tells it.
  func facts(ageSeconds: Int64, isStale: Bool) -> KeyValuePairs<String, JSONValue?> {
    [
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "accuracyMeters": accuracyMeters.map { .number($0) },
      "ageSeconds": .integer(ageSeconds), "isStale": .bool(isStale),
      "batteryPercent": batteryPercent.map { .integer($0) },
    ]
  }

  /// As a fact, with its age.
  func fact(at now: Moment) -> JSONValue {
    .object([
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "accuracyMeters": accuracyMeters.map { .number($0) },
      "ageSeconds": .integer(stamp.age(at: now) / 1000),
      "batteryPercent": batteryPercent.map { .integer($0) },
    ])
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
