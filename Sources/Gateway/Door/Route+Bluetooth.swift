import Care
import JSON

extension Route {
  /// Tags: `{resident?}`.
  ///
  /// - Result: `[{tag, tagName, resident, kind, presence: near, room, away or unknown, withResident, room?, lastHeardAt?,
  ///   batteryPercent?, isBatteryLow, isSilent, isCalibrated, outing?, identities: [text, keys hidden]}]`.
  public static let tagsList = Route(
    "tags.list", [.text("resident").optional], needs: [.position], of: .residents,
    gives: .list(
      .object(
        name: "TagNow",
        [
          Member("tag", .text), Member("tagName", .text), Member("resident", .text),
          Member("kind", .words(of: Tag.Kind.self)), Member("presence", .text),
          Member("room", .text).optional, Member("lastHeardAt", .time).optional,
          Member("batteryPercent", .number).optional,
        ])))
  /// One tag as it was put: `{id}`.
  ///
  /// - Result: `tag`; error 1001, kind `unknown-target`, when there is none.
  public static let tagGet = Route(
    "tag.get", [.text("id")], needs: [.position], of: .found, gives: Tag.shape)
  /// The guided calibration of a tag: `{id, step: begin, proceed, cancel or look}`. Thresholds that are found are stored.
  ///
  /// - Result: `{phase: near, move-away, far, done or failed, thresholds?, why?}`.
  public static let tagCalibrate = Route(
    "tag.calibrate", [.text("id"), .text("step")], needs: [.changeDevices], of: .found)
  /// Meters: `{resident?}`.
  ///
  /// - Result: `[{address, resident, name, isBonded, isConnected, state: waiting, fetching or failed, detail?, batteryPercent?,
  ///   lastHeardAt?, lastFetchedAt?, fetched, clockDifferenceSeconds?}]`; without a radio only the first three.
  public static let metersList = Route(
    "meters.list", [.text("resident").optional], needs: [.health], of: .residents,
    gives: .list(
      .object(
        name: "MeterNow",
        [
          Member("address", .text), Member("resident", .text), Member("name", .text),
          Member("isBonded", .flag).optional, Member("state", .text).optional,
          Member("batteryPercent", .number).optional, Member("lastHeardAt", .time).optional,
          Member("lastFetchedAt", .time).optional,
        ])),
    answer: .plain([
      "address", "resident", "isBonded", "isConnected", "state", "detail", "batteryPercent",
      "lastHeardAt", "lastFetchedAt", "fetched", "clockDifferenceSeconds",
    ]) + .health(["name"]))
  /// What a search for a resident's tag or meter found, and how far a pairing is: `{resident}`.
  ///
  /// - Result: `{isUsed, search?: {isGoingOn, seconds, secondsLeft}, found: [{address, name?, rssi?, isMeter, isKnown,
  ///   identities: [text]}], changing: how many more can be no tag, pairing?: {address, name, state: going-on, done or failed,
  ///   why?}, question?: {address, kind: passkey, confirmation or type-on-device, number?}}`, the loudest first. What was
  ///   found is kept for ten minutes.
  public static let devicesNearby = Route(
    "devices.nearby", [.text("resident")], needs: [.position], of: .resident,
    gives: .object(
      name: "Nearby",
      [
        Member("isUsed", .flag), Member("changing", .whole),
        Member(
          "search",
          .object([
            Member("isGoingOn", .flag), Member("seconds", .whole), Member("secondsLeft", .whole),
          ])
        ).optional,
        Member(
          "found",
          .list(
            .object(
              name: "DeviceNearby",
              [
                Member("address", .text), Member("name", .text).optional,
                Member("rssi", .number).optional, Member("isMeter", .flag),
                Member("isKnown", .flag), Member("identities", .texts),
              ]))),
      ]), answer: .plain(["isUsed", "search", "found", "changing", "question", "pairing"]))
  /// How Bluetooth does.
  ///
  /// - Result: `{source, state, isListening, adapters: [{name, address?, condition}], meters: [{address, resident, name,
  ///   isBonded, isConnected, state: waiting, fetching or failed, detail?, batteryPercent?, lastHeardSeconds?,
  ///   lastFetchedAt?, fetched, clockDifferenceSeconds?}], questions: [{address, kind: passkey, confirmation or
  ///   type-on-device, number?}], crowd?: {devices, isSaturated, endedAt}, pairing?: {address, state: going-on, done or
  ///   failed, why?}}`. `devices` is about how many were heard in the last whole five minutes.
  public static let bluetoothStatus = Route(
    "bluetooth.status", needs: [.gateway], of: .gateway,
    answer: .plain(["source", "state", "isListening", "adapters", "crowd"]))
  /// Listens to who is around: `{seconds?}`, 10 unless set, at most 60.
  ///
  /// - Result: `[{address, name?, rssi?, isMeter, isChanging, identities: [text], tag?}]`, the loudest first.
  public static let bluetoothScan = Route(
    "bluetooth.scan", [.whole("seconds").optional], needs: [.administer], of: .gateway)
  /// Begins to pair a meter: `{address, resident?, name?, passkey?}`; with a resident it becomes theirs. How it goes on is in
  /// `bluetooth.status`.
  ///
  /// - Result: `{address}`.
  public static let bluetoothPair = Route(
    "bluetooth.pair",
    [
      .text("address"), .text("resident").optional, .text("name").optional,
      .whole("passkey").optional,
    ], needs: [.administer], of: .gateway)
  /// Answers what a pairing waits for: `{address, passkey}` or `{address, isSame: bool}`.
  ///
  /// - Result: `{address}`.
  public static let bluetoothAnswer = Route(
    "bluetooth.answer", [.text("address"), .whole("passkey").optional, .flag("isSame").optional],
    needs: [.administer], of: .gateway)
  /// Forgets a device and its keys, and no longer fetches from it: `{address}`.
  ///
  /// - Result: `{forgotten: address}`.
  public static let bluetoothForget = Route(
    "bluetooth.forget", [.text("address")], needs: [.administer], of: .gateway)

  static let bluetoothRoutes: [Route] = [
    .tagsList, .tagGet, .tagCalibrate, .metersList, .devicesNearby, .bluetoothStatus,
    .bluetoothScan, .bluetoothPair,
    .bluetoothAnswer, .bluetoothForget,
  ]
}
