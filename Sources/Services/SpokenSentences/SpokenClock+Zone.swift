public import Care
public import CivilTime
public import Moments

extension SpokenClock {
  /// The sentence for a moment in a zone.
  public static func sentence(
    at moment: Timestamp, in zone: CivilTimeZone, language: String
  ) -> Sentence {
    let local = zone.local(at: moment).civil
    return sentence(hour: local.hour, minute: local.minute, language: language)
  }

  /// The sentence for a moment in a zone of the system's database, such as `Europe/Madrid`.
  ///
  /// Reads a small file.
  ///
  /// - Throws: ``TimeZoneFileError`` when there is no such zone; nothing is said rather than a wrong time.
  public static func sentence(
    at moment: Timestamp, timeZone: String, language: String,
    directory: String = TimeZoneFile.systemDirectory
  ) throws(TimeZoneFileError) -> Sentence {
    sentence(
      at: moment, in: try TimeZoneFile.load(name: timeZone, directory: directory),
      language: language)
  }
}
