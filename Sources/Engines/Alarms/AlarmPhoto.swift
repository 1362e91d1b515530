import Bytes
import Care
import JSON
import Texts

/// The newest photograph of an alarm, and whether guardians were told of it.
struct AlarmPhoto: Hashable, Sendable {
  /// Where it is kept; nil where there is none.
  private(set) var path: String?
  /// Whether guardians were told of it.
  private(set) var isTold = false

  /// There is none yet.
  init() {}

  /// Takes one that was taken now, of which nobody was told yet.
  mutating func take(_ path: String) {
    self.path = path
    isTold = false
  }

  /// The path of one that was not told yet, which it counts as from now on; nil where there is nothing to tell.
  mutating func takeUntold() -> String? {
    guard let path, !isTold else { return nil }
    isTold = true
    return path
  }
}

extension AlarmPhoto {
  /// Reads it from among what is stored of the alarm.
  init(_ reader: JSONReader) throws(DecodeError) {
    path = try reader.optionalString("photo")
    isTold = try reader.bool("isPhotoTold")
  }
}

extension PhotoReport {
  /// Why there is none, for people.
  func reason(in language: Language) -> String {
    detail.isEmpty ? gettext("the camera gave no reason", in: language) : detail
  }
}
