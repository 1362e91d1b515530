import Care
import Glucose
import GlucoseFigures
import GlucoseValues
import Texts

/// Glucose readings as a table that people read.
struct GlucoseTableText {
  var times: TimeDisplay
  /// The unit of every level; nil for the one that each came in.
  var unit: GlucoseUnit?

  func text(_ readings: [GlucoseReading]) -> String {
    var table = Table([
      gettext("ID"), gettext("TIME"), gettext("LEVEL"), gettext("RANGE"), gettext("TAG"),
      gettext("FROM"), gettext("DOUBT"),
    ])
    for reading in readings {
      table.add([
        reading.id.rawValue, times.text(reading.time), reading.level.text(in: unit),
        ClinicalBand(reading.level).name.spoken, reading.tag?.word ?? "-",
        reading.origin.isEmpty ? source(reading) : reading.origin, doubt(reading),
      ])
    }
    return table.text
  }

  private func source(_ reading: GlucoseReading) -> String {
    switch reading.source {
    case .meter: gettext("meter")
    case .hand: gettext("by hand")
    case .file: gettext("a file")
    }
  }

  /// Why the time may be wrong.
  private func doubt(_ reading: GlucoseReading) -> String {
    reading.timeDoubts.first?.message.spoken ?? "-"
  }
}
