import Care
import CivilTime
import GlucoseFigures
import GlucoseValues
import Moments
import Texts

/// The sentences about one resident's glucose. None of them advises a treatment: what to do is for people who know
/// them.
struct GlucoseWords {
  let name: String
  let language: Language
  let zone: CivilTimeZone?
  let unit: GlucoseUnit?

  init(_ resident: ResidentID, _ settings: GlucoseSettings, _ world: World) {
    let person = world.people[resident]
    name = person?.name ?? resident.rawValue
    language = person?.language ?? .en
    zone = person?.zone
    unit = settings.unit
  }

  func level(_ reading: GlucoseReading) -> String { reading.level.text(in: unit) }

  /// `2026-11-20 14:05`, with `UTC` where nobody knows the local time.
  func time(_ moment: Timestamp) -> String {
    let civil = zone?.local(at: moment).civil ?? CivilDateTime(utc: moment)
    return "\(civil.iso8601Date) \(civil.iso8601Time.dropLast(3))\(zone == nil ? " UTC" : "")"
  }

  /// A time in ISO 8601 with the offset of where the resident lives.
  func timeWithOffset(_ moment: Timestamp) -> String {
    guard let local = zone?.local(at: moment) else { return moment.iso8601 }
    let minutes = abs(local.offsetSeconds) / 60
    let offset = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    let sign = local.offsetSeconds < 0 ? "-" : "+"
    return "\(local.civil.iso8601Date)T\(local.civil.iso8601Time)\(sign)\(offset[0]):\(offset[1])"
  }

  func recorded(_ reading: GlucoseReading) -> Message {
    Message(
      "{name}: glucose {level}, measured {time}.{doubt}",
      [
        "name": name, "level": level(reading), "time": time(reading.time),
        "doubt": doubt(reading.isTimeCertain),
      ])
  }

  func corrected(_ reading: GlucoseReading) -> Message {
    Message(
      "{name}: a reading was corrected: glucose {level}, measured {time}.{doubt}",
      [
        "name": name, "level": level(reading), "time": time(reading.time),
        "doubt": doubt(reading.isTimeCertain),
      ])
  }

  func removed(_ reading: GlucoseReading) -> Message {
    Message(
      "{name}: a reading was removed: glucose {level}, measured {time}.",
      ["name": name, "level": level(reading), "time": time(reading.time)])
  }

  private func doubt(_ isTimeCertain: Bool) -> Message {
    isTimeCertain ? Message(verbatim: "") : Message(" The time is uncertain.")
  }

  func finding(
    _ standing: GlucoseStanding, _ level: String, _ moment: Timestamp, isTimeCertain: Bool
  ) -> Message {
    let values: Message.Values = [
      "name": name, "level": level, "time": time(moment), "doubt": doubt(isTimeCertain),
    ]
    return switch standing {
    case .within: Message("{name}: glucose {level}, measured {time}.{doubt}", values)
    case .low:
      Message(
        "{name}'s glucose is low: {level}, measured {time}.{doubt} Please see how they are.",
        values)
    case .veryLow:
      Message(
        "{name}'s glucose is very low: {level}, measured {time}.{doubt} Please see how they are now.",
        values)
    case .high:
      Message(
        "{name}'s glucose is high: {level}, measured {time}.{doubt} Please see how they are.",
        values)
    }
  }

  /// The few words of a text message.
  func label(_ standing: GlucoseStanding, _ level: String) -> String {
    let values: Message.Values = ["level": level]
    return switch standing {
    case .within: level
    case .low: Message("low, {level}", values).text(in: language)
    case .veryLow: Message("very low, {level}", values).text(in: language)
    case .high: Message("high, {level}", values).text(in: language)
    }
  }

  func settled(_ reading: GlucoseReading) -> Message {
    Message(
      "{name}'s glucose is within the range again: {level}, measured {time}.",
      ["name": name, "level": level(reading), "time": time(reading.time)])
  }

  func withdrawn() -> Message {
    Message("The reading of {name} that was beyond a limit was corrected.", ["name": name])
  }

  func beyondRange(_ end: GlucoseLevelFault.End) -> String {
    switch end {
    case .high: Message("HI on the meter").text(in: language)
    case .low: Message("LO on the meter").text(in: language)
    }
  }

  func month(_ month: GlucoseMonth, isComplete: Bool) -> Message {
    let values: Message.Values = [
      "name": name, "month": month.month,
      "mean": shown(month.all), "before": shown(month.beforeMeals),
      "after": shown(month.afterMeals),
    ]
    guard isComplete else {
      return Message(
        "{name}, {month}: too many readings to reckon the means here. Ask for the report.", values)
    }
    return Message(
      "{name}, mean glucose in {month}: {mean}; before meals {before}; after meals {after}.", values
    )
  }

  private func shown(_ mean: GlucoseMean?) -> Message {
    guard let mean else { return Message("no readings") }
    let unit = unit ?? mean.minimum.unit
    let level = GlucoseUnit.milligramsPerDecilitre.convert(
      mean.milligramsPerDecilitre, to: unit)
    return Message(
      "{level} from {n} reading", plural: "{level} from {n} readings", mean.count,
      ["level": "\(unit.shownDigits(level)) \(unit.rawValue)"])
  }
}
