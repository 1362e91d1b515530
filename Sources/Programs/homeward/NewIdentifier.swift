import CGatewayShims
import Care
import Moments

/// Identifiers that cannot be guessed from anything.
enum RandomIdentifier {
  /// A UUID of version 7, whose text sorts by time.
  static var uuid: String {
    var generator = IdentifierGenerator(seed: UInt64.random(in: 0...UInt64.max))
    return generator.next(at: Timestamp(milliseconds: homeward_realtime_milliseconds()))
  }

  /// Six letters and digits without those that look alike.
  static var short: String {
    let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    return String((0..<6).compactMap { _ in letters.randomElement() })
  }
}

extension Slug {
  /// An id of a name; six random characters where the name has no Latin letters.
  static func make(from name: String, besides taken: [String]) -> String {
    make(from: name, besides: taken, otherwise: RandomIdentifier.short)
  }
}
