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
    .tagsList, .tagGet, .tagCalibrate, .bluetoothStatus, .bluetoothScan, .bluetoothPair,
    .bluetoothAnswer, .bluetoothForget,
  ]
}
