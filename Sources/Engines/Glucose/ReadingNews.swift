import Care
import CivilTime
import GlucoseFigures
public import GlucoseValues
import JSON
public import Texts

/// What is told of a reading: that it came, was changed, or was removed.
struct ReadingNews {
  let type: EventType
  let reading: GlucoseReading
  /// The reading as it was before a change.
  var previous: GlucoseReading?
  /// Who did it; nil where a meter brought it.
  var principal: Principal?

  /// The event as plugins/events.md has it, with what the gateway itself makes of the reading.
  func event(in words: GlucoseWords) -> EventDraft {
    let isMeter = reading.source == .meter && !reading.origin.isEmpty
    let doubt = reading.timeDoubts.first?.message.text(in: words.language)
    let sentence =
      switch type {
      case .glucoseRemoved: words.removed(reading)
      case .glucoseCorrected: words.corrected(reading)
      default: words.recorded(reading)
      }
    return EventDraft(
      type: type, lane: .record, resident: reading.resident,
      facts: .object([
        "reading": .string(reading.id.rawValue), "value": .string(reading.level.digits),
        "unit": .string(reading.level.unit.rawValue),
        "mgdl": .integer(Int64(reading.level.wholeMilligramsPerDecilitre)),
        "time": .string(words.timeWithOffset(reading.time)),
        "tag": (reading.tag?.word).map { .string($0) } ?? .null,
        "sensor": .string(reading.sensor.rawValue), "source": .string(reading.source.rawValue),
        "meter": isMeter ? ["name": .string(reading.origin)] : .null,
        "timeDoubt": doubt.map { .string($0) } ?? .null,
        "band": .string(GlucoseBand(reading.level).rawValue),
        "clinicalBand": .string(ClinicalBand(reading.level).rawValue),
        "revision": .integer(reading.revision), "previous": previous?.json,
        "by": principal.map { .string($0.description) },
        "explanation": .string(sentence.text(in: words.language)),
      ]))
  }
}

extension GlucoseReading.TimeDoubt {
  /// Why the time may be wrong, in a few words.
  public var message: Message {
    switch self {
    case .meterClock: Message("the meter's clock was wrong")
    case .meterFault: Message("the meter's clock was at fault")
    case .gatewayClock: Message("the gateway's clock was not trusted")
    case .future: Message("the time was still to come")
    }
  }
}
