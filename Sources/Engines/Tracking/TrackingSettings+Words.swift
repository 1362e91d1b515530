import Care
import JSON
import Texts

// Numbers and durations as people read them, and as facts carry them.

/// A whole number without a fraction, any other with what it needs.
func shortNumber(_ number: Double) -> String {
  guard let whole = Int64(exactly: number) else { return "\(number)" }
  return String(whole)
}

/// A duration in the largest units that matter.
func duration(seconds: Int64) -> Message {
  switch seconds {
  case ..<120: Message("{seconds} s", ["seconds": seconds])
  case ..<7200: Message("{minutes} min", ["minutes": seconds / 60])
  default:
    Message(
      "{hours} h {minutes} min", ["hours": seconds / 3600, "minutes": seconds % 3600 / 60])
  }
}

/// Whole seconds of a number of milliseconds, rounded.
func wholeSeconds(_ milliseconds: Int64) -> Int64 { (milliseconds / 500 + 1) / 2 }

/// A number as a fact, to the centimetre; nil stays out of the object.
func fact(_ number: Double?) -> JSONValue? {
  guard let number else { return nil }
  guard number.isFinite else { return .string("\(number)") }
  let rounded = (number * 100).rounded() / 100
  return .number(rounded.isFinite ? rounded : number)
}

/// A number as a fact, unrounded; one that is not finite as a word, because JSON has none.
func rawFact(_ number: Double?) -> JSONValue? {
  guard let number else { return nil }
  return number.isFinite ? .number(number) : .string("\(number)")
}

/// The name of a zone in quotation marks where it is not one plain word.
func quoted(_ name: String) -> String { name.contains(" ") ? "“\(name)”" : name }

extension TrackingSettings {
  /// A length in whole metres or feet, as the resident counts.
  func length(_ meters: Double) -> Message {
    let isImperial = lengthUnits == .imperial
    guard
      let whole = Int64(
        exactly: (isImperial ? meters / LengthUnits.metersInFoot : meters).rounded())
    else { return Message("very far") }
    return isImperial ? Message("{n} ft", ["n": whole]) : Message("{meters} m", ["meters": whole])
  }

  /// How much doubt there is about a position, in words.
  func doubt(_ accuracyMeters: Double?) -> Message {
    guard let accuracyMeters else {
      return Message(
        "{distance} of assumed doubt, since the receiver states none",
        ["distance": length(assumedAccuracyMeters)])
    }
    return Message("{distance} of doubt", ["distance": length(accuracyMeters)])
  }
}
