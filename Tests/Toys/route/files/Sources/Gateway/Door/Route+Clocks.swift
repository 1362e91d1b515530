import Care

extension Route {
  /// By which clocks a resident lives: `{resident}`.
  ///
  /// - Result: `{resident, timeZone, isKnown}`; `isKnown` says whether the gateway has the rules of that time zone.
  public static let clockGet = Route(
    "clock.get", [.text("resident")], needs: [.position], of: .resident,
    answer: .plain(["resident", "timeZone", "isKnown"]))

  static let clockRoutes: [Route] = [.clockGet]
}
