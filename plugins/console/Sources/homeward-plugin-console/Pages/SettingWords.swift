import Care

/// What settings are about, and what the words that they may be mean to a family.
enum SettingWords {
  /// The heading above the settings of a group.
  static func group(_ name: String, _ visit: Visit) -> String {
    switch Setting.Group(rawValue: name) {
    case .resident: visit.gettext("The resident")
    case .tracking: visit.gettext("Positions")
    case .alarms: visit.gettext("Alarms")
    case .kinds: visit.gettext("Kinds of alarms")
    case .reminders: visit.gettext("Reminders")
    case .glucose: visit.gettext("Glucose")
    case .tags: visit.gettext("Tags")
    case .guidance: visit.gettext("The way home")
    // A newer gateway may have more of them.
    case nil: visit.gettext("Other settings")
    }
  }

  /// The meaning of one; nil for a word that no setting has.
  static func choice(_ word: String, of setting: String, _ visit: Visit) -> String? {
    switch setting {
    case "profile": profile(word, visit)
    case "language": ["en": "English", "zh": "中文"][word]
    case "mapLink": MapLink(rawValue: word).map { words(of: $0, visit) }
    case "lengthUnits":
      LengthUnits(rawValue: word).map {
        $0 == .metric ? visit.gettext("metres and kilometres") : visit.gettext("feet and miles")
      }
    case "glucoseUnit":
      word == "as-received" ? visit.gettext("The unit that each reading came in") : word
    case _ where setting.hasSuffix("Priority"):
      AlarmPriority(rawValue: word).map { words(of: $0, visit) }
    case _ where setting.hasSuffix("Sound"): RoomSound(rawValue: word).map { words(of: $0, visit) }
    case _ where setting.hasPrefix("glucose"): finding(word, visit)
    default: nil
    }
  }

  private static func profile(_ word: String, _ visit: Visit) -> String? {
    switch word {
    case "dementia": visit.gettext("Somebody with dementia: a caregiver ends an SOS")
    case "protego": visit.gettext("Somebody who is out alone: their own PIN ends an SOS")
    default: nil
    }
  }

  private static func words(of map: MapLink, _ visit: Visit) -> String {
    switch map {
    case .openStreetMap: visit.gettext("OpenStreetMap, in every browser")
    case .geo: visit.gettext("The map on the telephone of whoever reads it")
    case .google: visit.gettext("Google’s map")
    }
  }

  private static func words(of priority: AlarmPriority, _ visit: Visit) -> String {
    switch priority {
    case .high: visit.gettext("Urgent: somebody has to come")
    case .medium: visit.gettext("Somebody has to see to it today")
    case .low: visit.gettext("Somebody has to know")
    }
  }

  private static func words(of sound: RoomSound, _ visit: Visit) -> String {
    switch sound {
    case .none: visit.gettext("Nothing is heard")
    case .speech: visit.gettext("A spoken sentence")
    case .low: visit.gettext("A quiet tone")
    case .medium: visit.gettext("A clear tone")
    case .high: visit.gettext("The siren")
    }
  }

  /// What a reading beyond a limit becomes.
  private static func finding(_ word: String, _ visit: Visit) -> String? {
    switch word {
    case "alarm": visit.gettext("An alarm: guardians are told until somebody takes charge")
    case "notice": visit.gettext("A notice: it is written down and shown")
    case "off": visit.gettext("Nothing is told")
    default: nil
    }
  }
}
