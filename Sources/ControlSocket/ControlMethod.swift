/// What can be asked over the control socket.
///
/// JSON-RPC 2.0, one message a line, both ways. A request is `{"jsonrpc":"2.0","id":1,"method":…,"params":{…}}`; the
/// answer has `result` or `error {code, message, data: {kind}}`. Lines are at most 1 MiB towards the gateway. Below,
/// `?` marks what may be absent; times are ISO 8601 in UTC; resident, zone and bookmark are the JSON of `CareModel`.
public enum ControlMethod: String, Hashable, Sendable, CaseIterable {
  /// How everything does.
  ///
  /// - Result: `{gateway, version, startedAt, now, timeQuality, state, residents: [{id, name, timeZone, isTracked,
  ///   position?: {latitude, longitude, accuracyMeters?, time}, zones: [{id, name, presence, isHome}], awaySince?}],
  ///   components: [{component, state, code, detail, lastSign?}], store: {freeBytes, usedBytes, waitingRecords,
  ///   lastBackup?, heads: {alarm, record, trace}}}`. `presence` is `inside`, `outside` or `uncertain`; `state` is the
  ///   worst of the components'.
  case status
  /// Carries a command out: `{id, expiresAt?, request: {action, …}}`; the principal is who stands behind the socket.
  ///
  /// - Result: what the command answers, such as `{id}`. A refusal is error 1001 with its code as `kind`.
  case command
  /// - Result: `{residents: [resident + {isTracked}]}`.
  case residentsList = "residents.list"
  /// Zones of all, or `{resident?}`.
  ///
  /// - Result: `{zones: [zone]}`.
  case zonesList = "zones.list"
  /// Bookmarks of all, or `{resident?}`.
  ///
  /// - Result: `{bookmarks: [bookmark]}`.
  case bookmarksList = "bookmarks.list"
  /// Tracking settings of `{resident}`.
  ///
  /// - Result: `{settings: [{name, value, default, isDefault, minimum?, maximum?, unit?, description?}]}`.
  case settingsList = "settings.list"
  /// Events, newest first: `{resident?, types?: [], lanes?: [], since?, until?, limit?}`.
  ///
  /// - Result: `{events: [CloudEvent]}`.
  case eventsQuery = "events.query"
  /// One event: `{id}`.
  ///
  /// - Result: `{event: CloudEvent}`; error 1001, kind `unknown-target`, when there is none.
  case eventGet = "event.get"
  /// Location records, or the five-minute series, newest first: `{resident, series?: bool, since?, until?, limit?}`.
  ///
  /// - Result: `{locations: [location record]}`.
  case locationsQuery = "locations.query"
  /// - Result: `{plugins: [{name, version?, state, code, detail, restarts, deadLetters, lanes: [{lane, sequence, depth,
  ///   oldest?, lastSuccess?, redeliveries?}]}]}`.
  case pluginsList = "plugins.list"
  /// Starts a plugin again: `{name}`.
  ///
  /// - Result: `{}`.
  case pluginsRestart = "plugins.restart"
  /// Events that plugins refused for ever, oldest first: `{plugin?}`.
  ///
  /// - Result: `{deadLetters: [{plugin, lane, event, reason, time}]}`.
  case deadLettersList = "deadletters.list"
  /// Drives dead letters again: `{plugin?, event?}`; all without either.
  ///
  /// - Result: `{redriven: count}`.
  case deadLettersRedrive = "deadletters.redrive"
  /// Copies the database: `{path?}`; into the backups of the state directory without.
  ///
  /// - Result: `{path, bytes?}`.
  case backupCreate = "backup.create"
  /// Sends events as they happen: `{types?: []}`, whole types or everything below a word; alarm and record lane without.
  ///
  /// Answered by the server itself with `{}`; from then on notifications `{"method":"event","params":CloudEvent}`, and
  /// `{"method":"closed","params":{"message":…}}` before the server gives a watcher up.
  case watch
  /// - Result: `{text}`, the Prometheus text.
  case metrics
  /// - Result: `{isHealthy, …}`, the document of `/health`.
  case health
}
