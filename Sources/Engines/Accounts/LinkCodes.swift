import Care
import Moments

/// A code that a resident's page shows, by which one caregiver is linked.
///
/// Eight of 56 letters and digits are 9.7 × 10¹³ codes. One account is let try at most ten times in the first half hour and
/// then four times an hour, so that all two hundred together find one of them within the ten minutes that it is shown with
/// a chance of less than 10⁻¹⁰. A restart forgets it, and the page shows another.
struct LinkCode: Hashable, Sendable {
  /// How long a code counts, in milliseconds.
  static let milliseconds: Int64 = 600_000

  /// SHA-256 of the code, in hexadecimal.
  var digest: String
  /// When it was made.
  var made: Tick

  func counts(at now: Tick) -> Bool { now.milliseconds(since: made) < Self.milliseconds }
}

/// The codes that pages show just now for one purpose, one of each resident at most.
struct LinkCodes: Hashable, Sendable {
  private var codes: [ResidentID: LinkCode] = [:]

  /// Shows a code, by its digest; the one that was shown before counts no more.
  mutating func show(_ digest: String, of resident: ResidentID, at now: Tick) {
    codes[resident] = LinkCode(digest: digest, made: now)
  }

  /// Whose page shows a code that counts; nil where none does.
  func resident(showing digest: String, at now: Tick) -> ResidentID? {
    codes.first { $0.value.digest == digest && $0.value.counts(at: now) }?.key
  }

  /// A code was used, and counts no more; another one of the resident stays.
  mutating func use(_ digest: String, of resident: ResidentID) {
    if codes[resident]?.digest == digest { codes[resident] = nil }
  }

  /// No code of a resident counts any more.
  mutating func forget(_ resident: ResidentID) { codes[resident] = nil }
}
