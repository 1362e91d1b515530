extension Command.Request {
  /// Whether it is about this minute, such as an alarm or where somebody is, and not about what shall be remembered.
  ///
  /// What is goes on also while the disk takes nothing, and is told to be in memory only.
  public var isOfThisMinute: Bool {
    switch self {
    case .alarm(let request): request.isOfThisMinute
    case .locate, .room, .routine(.answer): true
    case .putResident, .eraseResident, .putZone, .removeZone, .putBookmark, .removeBookmark,
      .putSetting, .setTracking, .putGuardian, .removeGuardian, .routine, .note, .bluetooth,
      .absence, .feature, .putConsent:
      false
    }
  }
}

extension AlarmRequest {
  fileprivate var isOfThisMinute: Bool {
    switch self {
    case .raise, .cancel, .acknowledge, .resolve, .silence, .photograph, .test, .contactEmergency:
      true
    case .setPIN, .prepareEmergency, .confirmEmergency, .disableEmergency: false
    }
  }
}
