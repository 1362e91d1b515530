/// What can be asked over the control socket.
///
/// JSON-RPC 2.0, one message a line, both ways. A request is `{"jsonrpc":"2.0","id":1,"method":…,"params":{…}}`; the
/// answer has `result` or `error {code, message, data: {kind}}`. Lines are at most 1 MiB towards the gateway. Below,
/// `?` marks what may be absent; times are ISO 8601 in UTC; resident, zone and bookmark are the JSON of `Care`.
public enum ControlMethod: String, Hashable, Sendable, CaseIterable {
  /// How everything does.
  ///
  /// - Result: `{gateway, version, run, uptimeSeconds, clock: {utc, quality, isTrusted}, residents, components:
  ///   [{component, state, code, detail, secondsSinceSign, secondsInState}], faults: [{component, state, code, detail}],
  ///   store: {alarmSequence, recordSequence, traceSequence, waitingRecords, freeBytes, usedBytes, secondsSinceCommit?,
  ///   lastBackup?, thinnedTraces}, plugins}`; `residents` and `plugins` as their own lists have them.
  case status
  /// Carries a command out: `{command: {id?, expiresAt?, sentAt?, sentTick?, request: {action, …}}}`; the principal is who
  /// stands behind the socket.
  ///
  /// - Result: what the command answers, such as `{id}`. A refusal is error 1001 with its code as `kind`.
  case command
  /// Everybody looked after.
  ///
  /// - Result: `[resident + {tracking: {isOn, outside, isMoving, position?: {latitude, longitude, accuracyMeters?, time,
  ///   …}, zones: [{zone, zoneName, presence, isHome, since?}], leftHomeAt?, positionUnknown?, …} or null,
  ///   isReceiverMissing?: true}]`; `presence` is `inside`, `outside`, `uncertain` or `unknown`; `isReceiverMissing` is there
  ///   where `gpsSource` is not configured.
  case residentsList = "residents.list"
  /// Zones of all, or `{resident?}`.
  ///
  /// - Result: `[zone]`.
  case zonesList = "zones.list"
  /// Planned absences of all, or `{resident?}`, what is on or comes next first.
  ///
  /// - Result: `[absence + {isOn: bool, nextFrom?, nextUntil?}]`; the times are of the one that is on, else of the next, and
  ///   are missing while the clock is not trusted.
  case absencesList = "absences.list"
  /// Bookmarks of all, or `{resident?}`.
  ///
  /// - Result: `[bookmark]`.
  case bookmarksList = "bookmarks.list"
  /// Tracking settings in force for `{resident}`.
  ///
  /// - Result: `{name: value, …}`.
  case settingsList = "settings.list"
  /// Every setting with what it does and may be: `{resident?, language?}`.
  ///
  /// - Result: `[{name, group: resident, tracking, alarms, kinds, reminders, glucose or tags, kind: whole, number, flag, choice
  ///   or text, lowest?, highest?, unit?, choices?: [], expectation, words, default, value?}]`; `default` is what holds for
  ///   everybody, `value` what holds for the resident, `expectation` follows "must be".
  case settingsDescribe = "settings.describe"
  /// Guardians of all, or `{resident?}`.
  ///
  /// - Result: `[guardian]`.
  case guardiansList = "guardians.list"
  /// The items of the routine of all, or `{resident?}`: what is due first, then by the next due time.
  ///
  /// - Result: `[item + {state: done | waiting | off, isDue: bool, due?, slot?, occurrence?, nextDue?, nextDueLocal?,
  ///   nextInsteadOf?, quietHours?, inQuietHours?, lastDone?, daysLeft?}]`; `occurrence` is the state of the due time that
  ///   `slot` names, *done* is offered while `isDue`, and `nextInsteadOf` is the item's own time where quiet hours moved it.
  case routineList = "routine.list"
  /// Alarms that are open, the most urgent first.
  ///
  /// - Result: `[{alarm, tag, kind, stage, resident, residentName, raisedAt, acknowledgedBy: [guardian], explanation}]`; `kind` and
  ///   `stage` are words of `AlarmKind` and `AlarmStage`.
  case alarmsList = "alarms.list"
  /// Events, newest first: `{resident?, types?: [], lanes?: [], since?, until?, limit?}`.
  ///
  /// - Result: CloudEvents, each with its `sequence` in the journal as a member.
  case eventsQuery = "events.query"
  /// One event: `{id}`.
  ///
  /// - Result: a CloudEvent with its `sequence`; error 1001, kind `unknown-target`, when there is none.
  case eventGet = "event.get"
  /// Location records, or the five-minute series, newest first: `{resident, series?: bool, since?, until?, limit?}`.
  ///
  /// - Result: `[location record]`.
  case locationsQuery = "locations.query"
  /// Due times of the routine, the latest first: `{resident, item?, since?, until?, limit?}`; at most 1,000 without a limit,
  /// 100,000 with one.
  ///
  /// - Result: `[occurrence]`.
  case occurrencesQuery = "occurrences.query"
  /// Memos and entries of the diary, the newest first: `{resident, kind?: memo or diary, text?, tag?, since?, until?,
  /// limit?}`; `text` occurs in title or text, and neither it nor `tag` minds capital letters. At most 100 without a limit,
  /// 10,000 with one.
  ///
  /// - Result: `[note]`.
  case notesQuery = "notes.query"
  /// One memo or entry of the diary: `{id}`.
  ///
  /// - Result: `note`; error 1001, kind `unknown-target`, when there is none.
  case noteGet = "note.get"
  /// Messages, the newest first: `{resident?, limit?}`; at most 100 without a limit, 10,000 with one.
  ///
  /// - Result: `[message]`; `spokenAt` and `readAt` are missing until then.
  case messagesQuery = "messages.query"
  /// Glucose readings, the newest first: `{resident, since?, until?, limit?}`; at most 100 without a limit, 10,000 with
  /// one.
  ///
  /// - Result: `[glucose reading]`.
  case glucoseQuery = "glucose.query"
  /// One glucose reading: `{id}`.
  ///
  /// - Result: `glucose reading`; error 1001, kind `unknown-target`, when there is none.
  case glucoseGet = "glucose.get"
  /// Tags: `{resident?}`.
  ///
  /// - Result: `[{tag, tagName, resident, kind, presence: near, room, away or unknown, withResident, room?, lastHeardAt?,
  ///   batteryPercent?, isBatteryLow, isSilent, isCalibrated, outing?, identities: [text, keys hidden]}]`.
  case tagsList = "tags.list"
  /// One tag as it was put: `{id}`.
  ///
  /// - Result: `tag`; error 1001, kind `unknown-target`, when there is none.
  case tagGet = "tag.get"
  /// The guided calibration of a tag: `{id, step: begin, proceed, cancel or look}`. Thresholds that are found are stored.
  ///
  /// - Result: `{phase: near, move-away, far, done or failed, thresholds?, why?}`.
  case tagCalibrate = "tag.calibrate"
  /// How Bluetooth does.
  ///
  /// - Result: `{source, state, isListening, adapters: [{name, address?, condition}], meters: [{address, resident, name,
  ///   isBonded, isConnected, state: waiting, fetching or failed, detail?, batteryPercent?, lastHeardSeconds?,
  ///   lastFetchedAt?, fetched, clockDifferenceSeconds?}], questions: [{address, kind: passkey, confirmation or
  ///   type-on-device, number?}], crowd?: {devices, isSaturated, endedAt}, pairing?: {address, state: going-on, done or
  ///   failed, why?}}`. `devices` is about how many were heard in the last whole five minutes.
  case bluetoothStatus = "bluetooth.status"
  /// Listens to who is around: `{seconds?}`, 10 unless set, at most 60.
  ///
  /// - Result: `[{address, name?, rssi?, isMeter, isChanging, identities: [text], tag?}]`, the loudest first.
  case bluetoothScan = "bluetooth.scan"
  /// Begins to pair a meter: `{address, resident?, name?, passkey?}`; with a resident it becomes theirs. How it goes on is in
  /// `bluetooth.status`.
  ///
  /// - Result: `{address}`.
  case bluetoothPair = "bluetooth.pair"
  /// Answers what a pairing waits for: `{address, passkey}` or `{address, isSame: bool}`.
  ///
  /// - Result: `{address}`.
  case bluetoothAnswer = "bluetooth.answer"
  /// Forgets a device and its keys, and no longer fetches from it: `{address}`.
  ///
  /// - Result: `{forgotten: address}`.
  case bluetoothForget = "bluetooth.forget"
  /// What residents consented to and refused: all, or `{resident?}`; what was never asked is missing.
  ///
  /// - Result: `[{resident, kind: location or camera or microphone or notifications, isGranted, by, at, principal}]`.
  case consentsList = "consents.list"
  /// What a screen in the house shows of a resident: `{resident}`.
  ///
  /// - Result: `{resident, lastMemo?: note, lastDone?: occurrence, due: [occurrence], unread: [message], caregivers:
  ///   [{id, name, phone?}]}`; `unread` are messages to the resident, the oldest first.
  case homeGet = "home.get"
  /// Brings a picture in pieces: `{resident, upload, offset, data, isLast, keepPosition?: bool}`; `data` is Base64 of at most
  /// 512 KiB, `upload` a name that the caller chooses, the first piece at 0. JPEG or PNG, at most 10 MB and 50 million
  /// pixels; position and texts are taken out of the file, the position stays with `keepPosition`. A picture that no note
  /// refers to within an hour is removed.
  ///
  /// - Result: `{received: bytes}`, after the last piece `picture`.
  case pictureAdd = "picture.add"
  /// Part of a picture: `{id, offset?}`.
  ///
  /// - Result: `picture + {offset, data: Base64, isLast}`; error 1001, kind `unknown-target`, when it is not there.
  case pictureGet = "picture.get"
  /// Plugins and how they do.
  ///
  /// - Result: `[{name, version, state, pid?, restarts, confinement?, walls?, deadLetters, lastError, lanes: [{lane, cursor, depth,
  ///   oldestAgeSeconds?, lastSuccessAgeSeconds?, exceptions, delivered, redelivered}]}]`. `confinement` says in words
  ///   and `walls` by name what keeps one in that runs: `{user, pid, ipc, net, group, landlock, seccomp, loopback}`, each
  ///   true or false, `landlock` the kernel's version of it or 0, null for what the plugin does not need.
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
