import Care
import JSON

extension Route {
  /// How everything does.
  ///
  /// - Result: `{gateway, version, run, uptimeSeconds, clock: {utc, quality, isTrusted}, residents, components:
  ///   [{component, state, code, detail, secondsSinceSign, secondsInState}], faults: [{component, state, code, detail}],
  ///   store: {alarmSequence, recordSequence, traceSequence, waitingRecords, freeBytes, usedBytes, secondsSinceCommit?,
  ///   lastBackup?, thinnedTraces}, plugins}`; `residents` and `plugins` as their own lists have them.
  public static let status = Route("status", needs: [.gateway], of: .gateway, gives: .object([]))
  /// Carries a command out: `{command: {id?, expiresAt?, sentAt?, sentTick?, request: {action, …}}}`; the principal is who
  /// stands behind the socket.
  ///
  /// - Result: what the command answers, such as `{id}`. A refusal is error 1001 with its code as `kind`.
  public static let command = Route(
    "command", [Parameter("command", .object([]))], needs: [], of: .request)
  /// The figures for a monitoring system.
  ///
  /// - Result: `{text}`, the Prometheus text.
  public static let metrics = Route(
    "metrics", needs: [.gateway], of: .gateway,
    gives: .object([Member("text", .text)]), answer: .plain(["text"]))
  /// Whether every part works.
  ///
  /// - Result: `{healthy, version, uptimeSeconds, components}`.
  public static let health = Route(
    "health", needs: [.gateway], of: .gateway,
    gives: .object([
      Member("healthy", .flag), Member("version", .text), Member("uptimeSeconds", .whole),
      Member("components", .list(.object([]))),
    ]))

  static let gatewayRoutes: [Route] = [.status, .command, .metrics, .health]
}
