import Care
import JSON

extension Route {
  /// Zones of all, or `{resident?}`.
  ///
  /// - Result: `[zone]`.
  public static let zonesList = Route(
    "zones.list", [.text("resident").optional], needs: [.position], of: .residents,
    gives: .list(SafeZone.shape))
  /// Planned absences of all, or `{resident?}`, what is on or comes next first.
  ///
  /// - Result: `[absence + {isOn: bool, nextFrom?, nextUntil?}]`; the times are of the one that is on, else of the next, and
  ///   are missing while the clock is not trusted.
  public static let absencesList = Route(
    "absences.list", [.text("resident").optional], needs: [.position], of: .residents,
    gives: .list(
      Absence.shape.with(
        [
          Member("isOn", .flag), Member("nextFrom", .time).optional,
          Member("nextUntil", .time).optional,
        ], as: "AbsenceNow")))
  /// Bookmarks of all, or `{resident?}`.
  ///
  /// - Result: `[bookmark]`.
  public static let bookmarksList = Route(
    "bookmarks.list", [.text("resident").optional], needs: [.position], of: .residents,
    gives: .list(Bookmark.shape))
  /// Location records, or the five-minute series, newest first: `{resident, series?: bool, since?, until?,
  /// limit?, cursor?}`; at most 1,000 without a limit, 1,000,000 with one.
  ///
  /// - Result: `[location record]`.
  public static let locationsQuery = Route(
    "locations.query", [.text("resident"), .flag("series").optional] + .period, needs: [.position],
    of: .resident, gives: .list(LocationRecord.shape),
    answer: .position + .plain(["resident", "time", "timeQuality", "minutesAtLocation", "reason"]))

  /// Who is shown a way, of all or `{resident?}`.
  ///
  /// - Result: `[{resident, stage, destination: {name, latitude, longitude, isHome}, began, metersLeft?, minutesLeft?,
  ///   metersToNext?, street?, words, bearingDegrees?, headingDegrees?, trouble?, isTold?, reroutes}]`; `stage` is `asked`,
  ///   `seeking`, `leading` or `pointing`, `bearingDegrees` which way to go now and `headingDegrees` which way they look or
  ///   go, clockwise from north.
  public static let guidanceList = Route(
    "guidance.list", [.text("resident").optional], needs: [.position], of: .residents,
    gives: .list(
      .object(
        name: "GuidanceNow",
        [
          Member("resident", .text),
          Member("stage", .words(["asked", "seeking", "leading", "pointing"])),
          Member(
            "destination",
            .object([
              Member("name", .text), Member("latitude", .number), Member("longitude", .number),
              Member("isHome", .flag),
            ])), Member("began", .time), Member("metersLeft", .number).optional,
          Member("minutesLeft", .whole).optional, Member("metersToNext", .number).optional,
          Member("street", .text).optional, Member("words", .text),
        ] + directions + [
          Member("trouble", .text).optional, Member("isTold", .flag).optional,
          Member("reroutes", .whole),
        ])),
    answer: .plain(["resident", "stage", "began", "trouble", "isTold", "reroutes"])
      + .places(["words", "street"])
      + .exact([
        "metersLeft", "minutesLeft", "metersToNext", "bearingDegrees", "headingDegrees",
      ])
      + ["destination": .members(.position + .plain(["isHome"]) + .places(["name"]))])

  /// Where home is from where a resident is, also while nobody is on the way: `{resident}`.
  ///
  /// - Result: `{destination?: {name, latitude, longitude}, meters?, minutes?, isHere?, words?, bearingDegrees?,
  ///   headingDegrees?}`; without what nobody knows just now. `isHere` within 100 m.
  public static let guidanceHome = Route(
    "guidance.home", [.text("resident")], needs: [.position], of: .resident,
    gives: .object(
      name: "WayHome",
      [
        Member(
          "destination",
          .object([
            Member("name", .text), Member("latitude", .number), Member("longitude", .number),
          ])
        ).optional, Member("meters", .number).optional, Member("minutes", .whole).optional,
        Member("isHere", .flag).optional, Member("words", .text).optional,
      ] + directions),
    answer: .places(["words"])
      + .exact(["meters", "minutes", "isHere", "bearingDegrees", "headingDegrees"])
      + ["destination": .members(.position + .places(["name"]))])

  private static let directions = [
    Member("bearingDegrees", .whole).optional, Member("headingDegrees", .whole).optional,
  ]

  /// The places that residents keep in address books of their own, of all or `{resident?}`, by name.
  ///
  /// - Result: `[{resident, id, name, address, latitude, longitude, kept}]`.
  public static let guidancePlaces = Route(
    "guidance.places", [.text("resident").optional], needs: [.position], of: .residents,
    gives: .list(
      .object(
        name: "KeptPlace",
        [
          Member("resident", .text), Member("id", .text), Member("name", .text),
          Member("address", .text), Member("latitude", .number), Member("longitude", .number),
          Member("kept", .time),
        ])),
    answer: .position + .plain(["resident", "id", "kept"]) + .places(["name", "address"]))

  static let placeRoutes: [Route] = [
    .zonesList, .absencesList, .bookmarksList, .guidanceList, .guidanceHome, .guidancePlaces,
    .locationsQuery,
  ]
}
