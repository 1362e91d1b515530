/// What can be asked over the control socket.
///
/// JSON-RPC 2.0, one message a line, both ways. A request is `{"jsonrpc":"2.0","id":1,"method":…,"params":{…}}`; the
/// answer has `result` or `error {code, message, data: {kind}}`. Lines are at most 1 MiB towards the gateway. Below,
/// `?` marks what may be absent; times are ISO 8601 in UTC; resident, zone and bookmark are the JSON of `CareModel`.
public enum ControlMethod: String, Hashable, Sendable, CaseIterable {
  /// How everything does.
  ///
  /// - Result: `{gateway, version, run, uptimeSeconds, clock: {utc, quality, isTrusted}, residents, components:
  ///   [{component, state, code, detail, secondsSinceSign, secondsInState}], faults: [{component, state, code, detail}],
  ///   store: {alarmSequence, recordSequence, traceSequence, waitingRecords, freeBytes, usedBytes, secondsSinceCommit?,
  ///   lastBackup?, thinnedTraces}, plugins}`; `residents` and `plugins` as their own lists have them.
  case status
  /// Carries a command out: `{command: {id?, expiresAt?, request: {action, …}}}`; the principal is who stands behind the
  /// socket.
  ///
  /// - Result: what the command answers, such as `{id}`. A refusal is error 1001 with its code as `kind`.
  case command
  /// Everybody looked after.
  ///
  /// - Result: `[resident + {tracking: {isOn, outside, isMoving, position?: {latitude, longitude, accuracyMeters?, time,
  ///   …}, zones: [{zone, zoneName, presence, isHome, since?}], leftHomeAt?, positionUnknown?, …} or null}]`; `presence` is
  ///   `inside`, `outside`, `uncertain` or `unknown`.
  case residentsList = "residents.list"
  /// Zones of all, or `{resident?}`.
  ///
  /// - Result: `[zone]`.
  case zonesList = "zones.list"
  /// Bookmarks of all, or `{resident?}`.
  ///
  /// - Result: `[bookmark]`.
  case bookmarksList = "bookmarks.list"
  /// Tracking settings in force for `{resident}`.
  ///
  /// - Result: `{name: value, …}`.
  case settingsList = "settings.list"
  /// Events, newest first: `{resident?, types?: [], lanes?: [], since?, until?, limit?}`.
  ///
  /// - Result: `[{sequence, event: CloudEvent}]`.
  case eventsQuery = "events.query"
  /// One event: `{id}`.
  ///
  /// - Result: `{sequence, event: CloudEvent}`; error 1001, kind `unknown-target`, when there is none.
  case eventGet = "event.get"
  /// Location records, or the five-minute series, newest first: `{resident, series?: bool, since?, until?, limit?}`.
  ///
  /// - Result: `[location record]`.
  case locationsQuery = "locations.query"
  /// Plugins and how they do.
  ///
  /// - Result: `[{name, version, state, pid?, restarts, confinement, deadLetters, lastError, lanes: [{lane, cursor, depth,
  ///   oldestAgeSeconds?, lastSuccessAgeSeconds?, exceptions, delivered, redelivered}]}]`.
  case pluginsList = "plugins.list"
  /// Starts a plugin again: `{name}`.
  ///
  /// - Result: `{restarted: name}`.
  case pluginsRestart = "plugins.restart"
  /// Events that plugins refused for ever, oldest first: `{plugin?}`.
  ///
  /// - Result: `[{plugin, lane, sequence, event, reason, time}]`.
  case deadLettersList = "deadletters.list"
  /// Drives dead letters again: `{plugin?, event?}`; all without either.
  ///
  /// - Result: `{redriven: count}`.
  case deadLettersRedrive = "deadletters.redrive"
  /// Copies the database: `{path?}`; into the backups of the state directory without.
  ///
  /// - Result: `{path}`.
  case backupCreate = "backup.create"
  /// Sends events as they happen: `{types?: []}`, whole types or everything below a word; alarm and record lane without.
  ///
  /// Answered by the server itself with `{}`; from then on notifications `{"method":"event","params":CloudEvent}`, and
  /// `{"method":"closed","params":{"message":…}}` before the server gives a watcher up.
  case watch
  /// The figures for a monitoring system.
  ///
  /// - Result: `{text}`, the Prometheus text.
  case metrics
  /// Whether every part works.
  ///
  /// - Result: `{healthy, version, uptimeSeconds, components}`.
  case health
}
