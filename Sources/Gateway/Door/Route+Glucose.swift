import Care
import JSON

extension Route {
  /// Glucose readings, the newest first: `{resident, since?, until?, limit?, cursor?}`; at most 100 without a limit,
  /// 10,000 with one.
  ///
  /// - Result: `[glucose reading]`.
  public static let glucoseQuery = Route(
    "glucose.query", [.text("resident")] + .period, needs: [.health], of: .resident,
    gives: .list(CommandRule.glucoseReading))
  /// One glucose reading: `{id}`.
  ///
  /// - Result: `glucose reading`; error 1001, kind `unknown-target`, when there is none.
  public static let glucoseGet = Route(
    "glucose.get", [.text("id")], needs: [.health], of: .found,
    gives: CommandRule.glucoseReading)

  /// Readings as points of a graph, the earliest first: `{resident, since?, until?, points?}`; all of them without `since`, until
  /// now without `until`. Readings that are too near each other for so many points (1000 unless set, at most 4000) are one;
  /// those of doubtful time are none.
  ///
  /// - Result: `{since, until, begin?, times: [milliseconds since 1970], counts, lowest, means, highest}`, the levels in mg/dL
  ///   whatever the unit of the reading, lists of the same length; `begin` is when the first of all was measured.
  public static let glucoseSeries = Route(
    "glucose.series",
    [
      .text("resident"), .time("since").optional, .time("until").optional,
      .whole("points").optional,
    ], needs: [.health], of: .resident,
    gives: .object(
      name: "GlucoseSeries",
      [
        Member("since", .time), Member("until", .time), Member("begin", .time).optional,
        Member("times", .list(.whole)), Member("counts", .list(.whole)),
        Member("lowest", .list(.number)), Member("means", .list(.number)),
        Member("highest", .list(.number)),
      ]),
    answer: .plain(["since", "until"])
      + .health(["begin", "times", "counts", "lowest", "means", "highest"]))

  /// What a resident tells of themselves for those who treat them: `{resident}`.
  ///
  /// - Result: `{name?, birthDate?, sex?: female, male or intersex, diabetes?: none, type-1, type-2, gestational or other,
  ///   changedAt?}`; without what was never told.
  public static let profileGet = Route(
    "profile.get", [.text("resident")], needs: [.health], of: .resident,
    gives: CommandRule.healthProfile.with([Member("changedAt", .time).optional], as: "ProfileNow"),
    answer: .plain(["changedAt"]) + .health(["name", "birthDate", "sex", "diabetes"]))

  /// Reports about a resident that go out by e-mail: `{resident}`.
  ///
  /// - Result: `[{id, resident, kind: doctor or week, email, every: once, weekly or monthly, language: en or zh, paper: a4
  ///   or letter, by, next, sentAt?, fault?, isAllowed}]`; `fault` says why the last one could not be sent, and nothing
  ///   goes out where `isAllowed` is false: the resident does not agree any more.
  public static let reportsList = Route(
    "reports.list", [.text("resident")], needs: [.health, .contacts], of: .resident,
    gives: .list(
      CommandRule.reportOrder.with(
        [
          Member("by", .text), Member("next", .time), Member("sentAt", .time).optional,
          Member("fault", .text).optional, Member("isAllowed", .flag),
        ], as: "ReportOrderNow")),
    answer: .plain([
      "id", "resident", "kind", "every", "language", "paper", "next", "sentAt", "isAllowed",
    ]) + .contacts(["email", "by", "fault"]))

  /// Has a report that was drawn sent where its order says: `{order, subject, text, name, file}`, `file` a PDF in Base64.
  ///
  /// - Result: `{}` once the mail server has it. Refused with `forbidden` where the resident does not agree any more, with
  ///   `conflict` where it could not be sent.
  public static let reportMail = Route(
    "report.mail",
    [.text("order"), .text("subject"), .text("text"), .text("name"), .text("file")],
    needs: [.administer], of: .gateway, gives: .object([]))

  static let glucoseRoutes: [Route] = [
    .glucoseQuery, .glucoseGet, .glucoseSeries, .profileGet, .reportsList, .reportMail,
  ]
}
