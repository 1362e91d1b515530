import Configuration

/// Time zones as people type them.
enum TimeZoneText {
  /// What is wrong with a time zone, with the one that was probably meant; nil for one that this machine knows.
  static func fault(_ text: String) -> String? {
    if TimeZoneDirectory.contains(text) { return nil }
    let meant = TimeZoneDirectory.nearest(to: text).map {
      gettext(" Did you mean {word}?", ["word": $0])
    }
    return gettext("there is no time zone \"{text}\".", ["text": text])
      + (meant ?? gettext(" Write it as in Europe/Oslo; see the folder /usr/share/zoneinfo."))
  }
}
