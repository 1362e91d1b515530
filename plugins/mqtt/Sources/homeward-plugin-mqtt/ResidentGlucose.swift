import Care
import GlucoseValues
import JSON
import Moments

/// The last glucose readings of one resident, from the events that passed.
///
/// More than one is remembered, so that the one before is shown when the last is removed.
struct ResidentGlucose: Hashable, Sendable {
  /// What is known of one reading.
  struct Reading: Hashable, Sendable {
    var id: GlucoseReadingID
    /// The level, digit by digit as it was received.
    var level: GlucoseConcentration
    /// When it was measured, with the offset of that place, as the event says.
    var time: String
    /// What somebody noted with it.
    var tag: String?
    var sensor: String
    var source: String
    /// Why the time may be wrong; nil when nothing speaks against it.
    var timeDoubt: String?
    var revision: Int64
    /// Where it stands among the others: when it was measured, or came, where the former is doubted.
    var order: Timestamp
  }

  /// The most readings that are remembered.
  static let maximumReadings = 20

  /// Readings, the oldest first.
  private(set) var readings: [Reading] = []
  /// The units that readings came in; an entity of Home Assistant has one for good.
  private(set) var units: Set<GlucoseUnit> = []

  /// The reading that is shown.
  var last: Reading? { readings.last }

  /// Takes one event; facts that are missing or of another shape are passed over.
  mutating func take(_ type: EventType, at eventTime: Timestamp, _ facts: JSONValue) {
    guard let id = facts["reading"]?.stringContent.map({ GlucoseReadingID($0) }) else { return }
    switch type {
    case .glucoseRemoved: readings.removeAll { $0.id == id }
    case .glucoseRecorded, .glucoseCorrected:
      let known = readings.first { $0.id == id }
      guard var reading = Reading(id, facts, at: eventTime),
        known.map({ $0.revision <= reading.revision }) ?? true
      else { return }
      if reading.timeDoubt != nil {
        // A meter whose clock was never set must not hide what it measures behind older readings.
        if let known {
          reading.order = known.order
        } else if type == .glucoseRecorded {
          reading.order = eventTime
        }
      }
      put(reading)
    default: break
    }
  }

  private mutating func put(_ reading: Reading) {
    readings.removeAll { $0.id == reading.id }
    units.insert(reading.level.unit)
    let place = readings.firstIndex { $0.order > reading.order } ?? readings.endIndex
    readings.insert(reading, at: place)
    if readings.count > Self.maximumReadings { readings.removeFirst() }
  }

  /// What is shown, for people and for Home Assistant; nil before the first reading.
  var json: JSONValue? {
    guard !units.isEmpty else { return nil }
    return last?.json ?? ["value": .null, "unit": .null]
  }
}

extension ResidentGlucose.Reading {
  fileprivate init?(_ id: GlucoseReadingID, _ facts: JSONValue, at eventTime: Timestamp) {
    guard (1...100).contains(id.rawValue.utf8.count),
      let unit = facts["unit"]?.stringContent.flatMap(GlucoseUnit.init(rawValue:)),
      let digits = facts["value"]?.stringContent,
      let level = try? GlucoseConcentration(text: digits, unit: unit),
      let text = facts["time"]?.stringContent, let time = try? Timestamp(iso8601: text)
    else { return nil }
    self.init(
      id: id, level: level, time: text, tag: facts["tag"]?.stringContent,
      sensor: facts["sensor"]?.stringContent ?? "unknown",
      source: facts["source"]?.stringContent ?? "", timeDoubt: facts["timeDoubt"]?.stringContent,
      revision: facts["revision"]?.integerContent ?? 0, order: min(time, eventTime))
  }

  /// The reading as it is shown.
  fileprivate var json: JSONValue {
    [
      "reading": .string(id.rawValue), "value": .string(level.digits),
      "unit": .string(level.unit.rawValue),
      "mgdl": .integer(Int64(level.wholeMilligramsPerDecilitre)), "time": .string(time),
      "tag": tag.map { .string($0) } ?? .null, "sensor": .string(sensor),
      "source": .string(source), "timeDoubt": timeDoubt.map { .string($0) } ?? .null,
    ]
  }
}

// MARK: Over restarts

extension ResidentGlucose {
  /// The readings as they are kept over restarts.
  var storage: JSONValue {
    [
      "units": .array(units.map(\.rawValue).sorted().map { .string($0) }),
      "readings": .array(
        readings.map { reading in
          reading.json.setting("revision", to: .integer(reading.revision))
            .setting("order", to: .integer(reading.order.milliseconds))
        }),
    ]
  }

  /// Readings from what was kept; parts that do not fit are left out.
  init(storage: JSONValue) {
    for element in (storage["readings"]?.arrayContent ?? []).prefix(Self.maximumReadings) {
      guard let id = element["reading"]?.stringContent,
        let order = element["order"]?.integerContent.map({ Timestamp(milliseconds: $0) }),
        var reading = Reading(GlucoseReadingID(id), element, at: order)
      else { continue }
      reading.order = order
      put(reading)
    }
    for element in storage["units"]?.arrayContent ?? [] {
      if let unit = element.stringContent.flatMap(GlucoseUnit.init(rawValue:)) {
        units.insert(unit)
      }
    }
  }
}
