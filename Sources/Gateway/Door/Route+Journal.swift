import Care
import JSON

extension Route {
  /// Events, newest first: `{resident?, types?: [], lanes?: [], since?, until?, limit?, cursor?}`.
  ///
  /// - Result: CloudEvents, each with its `sequence` in the journal as a member.
  public static let eventsQuery = Route(
    "events.query",
    [.text("resident").optional, .texts("types").optional, .texts("lanes").optional] + .period,
    needs: [.journal], of: .residents, gives: .list(event))
  /// One event: `{id}`.
  ///
  /// - Result: a CloudEvent with its `sequence`; error 1001, kind `unknown-target`, when there is none.
  public static let eventGet = Route(
    "event.get", [.text("id")], needs: [.journal], of: .found, gives: event)
  /// Sends events as they happen: `{types?: []}`, whole types or everything below a word; alarm and record lane without.
  ///
  /// Answered with `{}`; from then on notifications `{"method":"event","params":CloudEvent}`, and
  /// `{"method":"closed","params":{"message":…}}` before the server gives a watcher up.
  public static let watch = Route(
    "watch", [.texts("types").optional], needs: [.journal], of: .residents)

  /// - Source: CloudEvents 1.0.
  private static let event = JSONShape.object(
    name: "Event",
    [
      Member("specversion", .words(["1.0"])), Member("id", .text), Member("source", .text),
      Member("type", .text), Member("subject", .text).optional, Member("time", .time),
      Member("sequence", .whole).optional, Member("data", .object([])),
    ])

  static let journalRoutes: [Route] = [.eventsQuery, .eventGet, .watch]
}
