import Bytes
import Care
import CivilTime
import GATTProfiles
import GlucoseValues
import Moments
import Ports

/// Records of a meter as readings of its resident, and what of them is none.
struct MeterReadings {
  var readings: [GlucoseReading] = []
  var beyondRange: [MeterReport.BeyondRange] = []
  /// Why records are no readings; `HI` and `LO` excepted, which are told otherwise.
  var reasons: [GlucoseMeaning.Reason] = []

  init(_ records: [GlucoseRecord], of meter: KnownMeter) {
    for record in records {
      let when = Self.time(record, meter.zone)
      guard let level = level(record.meaning, at: when.time) else { continue }
      let measurement = record.measurement
      readings.append(
        GlucoseReading(
          id: Self.id(record.identity.text), resident: meter.meter.resident, level: level,
          tag: record.context?.meal.map { .listed($0.tag) }, time: when.time,
          receivedAt: record.received.utc, source: .meter, origin: meter.meter.name,
          timeDoubts: when.doubts, sensor: .fingerStick,
          sample: measurement.sample?.origin.type?.sample,
          meterTime: MeterTime(
            base: "\(measurement.baseTime)",
            offsetMinutes: measurement.timeOffsetMinutes.map { Int64($0) },
            aheadSeconds: record.clockDifferenceSeconds)))
    }
  }

  init(_ records: [CGMRecord], of meter: KnownMeter) {
    for record in records {
      let time = record.utc ?? record.received.utc
      guard let level = level(record.meaning, at: time) else { continue }
      readings.append(
        GlucoseReading(
          id: Self.id(record.identity.text), resident: meter.meter.resident, level: level,
          time: time, receivedAt: record.received.utc, source: .meter, origin: meter.meter.name,
          timeDoubts: record.doubts.map(\.kept), sensor: .continuous, sample: .interstitialFluid,
          meterTime: record.identity.sessionStart.map {
            MeterTime(
              base: "\($0)", offsetMinutes: Int64(record.identity.timeOffsetMinutes))
          }))
    }
  }

  /// The level of a record; nil, and why, when it is no reading.
  private mutating func level(
    _ meaning: GlucoseMeaning, at time: Timestamp
  ) -> GlucoseConcentration? {
    switch meaning {
    case .reading(let amount):
      let level = try? GlucoseConcentration(
        significand: amount.number.significand, exponent: amount.number.exponent,
        unit: amount.unit)
      if level == nil { reasons.append(.absurd) }
      return level
    case .none(.aboveRange):
      beyondRange.append(MeterReport.BeyondRange(end: .high, time: time))
    case .none(.belowRange):
      beyondRange.append(MeterReport.BeyondRange(end: .low, time: time))
    case .none(let reason): reasons.append(reason)
    }
    return nil
  }

  /// When a record was made, as the meter showed it: it is not put right, and its doubts say how far to believe it.
  private static func time(
    _ record: GlucoseRecord, _ zone: CivilTimeZone?
  ) -> (time: Timestamp, doubts: [GlucoseReading.TimeDoubt]) {
    let doubts = record.doubts.map(\.kept)
    guard let shown = record.userFacingTime, let zone else {
      return (record.received.utc, doubts + [.meterClock])
    }
    return (zone.instant(of: shown), doubts)
  }

  /// The same for the same record, however often it is fetched.
  private static func id(_ text: String) -> GlucoseReadingID {
    GlucoseReadingID("meter-" + Hexadecimal.text(SHA256.hash(Array(text.utf8)).prefix(16)))
  }
}

extension GlucoseTimeDoubt {
  /// The doubt as readings keep it.
  fileprivate var kept: GlucoseReading.TimeDoubt {
    switch self {
    case .unknown, .clockDiffers, .implausible, .wentBack: .meterClock
    case .meterFault: .meterFault
    case .hubUntrusted: .gatewayClock
    }
  }
}

extension GlucoseContext.Meal {
  /// The meal as a tag of the list.
  fileprivate var tag: GlucoseTag.Listed {
    switch self {
    case .before: .beforeMeal
    case .after: .afterMeal
    case .fasting: .fasting
    case .casual: .casual
    case .bedtime: .bedtime
    }
  }
}

extension GlucoseSampleType {
  /// The sample as readings name it; nil for what is nobody's.
  fileprivate var sample: GlucoseReading.Sample? {
    switch self {
    case .capillaryWholeBlood: .capillaryWholeBlood
    case .capillaryPlasma: .capillaryPlasma
    case .venousWholeBlood: .venousWholeBlood
    case .venousPlasma: .venousPlasma
    case .arterialWholeBlood: .arterialWholeBlood
    case .arterialPlasma: .arterialPlasma
    case .undeterminedWholeBlood: .undeterminedWholeBlood
    case .undeterminedPlasma: .undeterminedPlasma
    case .interstitialFluid: .interstitialFluid
    case .controlSolution: nil
    }
  }
}
