/// What one must be allowed for what changes who lives here, who cares, where it is safe, and what holds.
extension CommandRule {
  static let peopleRules = [
    CommandRule("resident.put", .changePeople),
    CommandRule("resident.erase", .changePeople, disarms: always),
    CommandRule("guardian.put", .changePeople),
    CommandRule("guardian.remove", .changePeople) { request, household in
      guard case .removeGuardian(let id) = request else { return false }
      return household.isLast(id)
    },
  ]

  static let placeRules = [
    CommandRule("zone.put", .changePlaces), CommandRule("zone.remove", .changePlaces),
    CommandRule("bookmark.put", .changePlaces), CommandRule("bookmark.remove", .changePlaces),
    CommandRule("locate", .position),
    CommandRule("tracking.set", .changeSettings) { request, _ in
      guard case .setTracking(_, let isOn) = request else { return false }
      return !isOn
    },
  ]

  static let settingRules = [
    CommandRule("setting.put", .changeSettings),
    CommandRule("consent.put", .consent) { request, _ in
      // Whoever refuses to be located is followed no more.
      guard case .putConsent(_, let kind, let isGranted, _) = request else { return false }
      return kind == .location && !isGranted
    },
  ]
}
