import JSON

/// What one must be allowed for what changes who lives here, who cares, where it is safe, and what holds.
extension CommandRule {
  static let peopleRules = [
    CommandRule("resident.put", .changePeople, [Member("resident", Resident.shape)]),
    CommandRule("resident.erase", .changePeople, [.target], disarms: always),
    CommandRule("guardian.put", .changePeople, [Member("guardian", Guardian.shape)]),
    CommandRule("guardian.remove", .changePeople, [.target]) { request, household in
      guard case .removeGuardian(let id) = request else { return false }
      return household.isLast(id)
    },
  ]

  static let placeRules = [
    CommandRule("zone.put", .changePlaces, [Member("zone", SafeZone.shape)]),
    CommandRule("zone.remove", .changePlaces, [.target]),
    CommandRule("bookmark.put", .changePlaces, [Member("bookmark", Bookmark.shape)]),
    CommandRule("bookmark.remove", .changePlaces, [.target]),
    CommandRule("locate", .position, [.target]),
    CommandRule("tracking.set", .changeSettings, [.target, Member("isOn", .flag)]) { request, _ in
      guard case .setTracking(_, let isOn) = request else { return false }
      return !isOn
    },
  ]

  static let settingRules = [
    CommandRule(
      "setting.put", .changeSettings,
      [.target, Member("name", .text), Member("value", .anything).optional]
    ).easing { request in
      // In which unit somebody reads their own levels changes nothing for anybody else.
      guard case .putSetting(_, "glucoseUnit", _) = request else { return nil }
      return .changeReadings
    },
    CommandRule(
      "consent.put", .consent,
      [
        .target, Member("kind", .words(of: ConsentKind.self)), Member("isGranted", .flag),
        Member("by", .text),
      ]
    ) { request, _ in
      // Whoever refuses to be located is followed no more, and whoever refuses calls has nobody called by voice.
      guard case .putConsent(_, let kind, let isGranted, _) = request else { return false }
      return [.location, .calls].contains(kind) && !isGranted
    },
  ]
}
