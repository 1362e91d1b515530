public import Care
public import CivilTime
public import JSON
public import Loop

/// A tag that is listened for.
public struct KnownTag: Hashable, Sendable {
  /// The tag.
  public var id: TagID
  /// What it is known by, keys included.
  public var identities: [TagIdentity]
  /// Seconds without a sign after which it counts as away.
  public var awaySeconds: Int64

  /// A tag from its parts.
  public init(id: TagID, identities: [TagIdentity], awaySeconds: Int64) {
    self.id = id
    self.identities = identities
    self.awaySeconds = awaySeconds
  }
}

/// A meter that is fetched from.
public struct KnownMeter: Sendable {
  /// The meter.
  public var meter: GlucoseMeter
  /// How far it has been fetched, as its collector wrote it; nil before the first time.
  public var bookmark: JSONValue?
  /// The zone that its clock is set to; nil when the zone's rules are unknown.
  public var zone: CivilTimeZone?

  /// A meter from its parts.
  public init(meter: GlucoseMeter, bookmark: JSONValue?, zone: CivilTimeZone?) {
    self.meter = meter
    self.bookmark = bookmark
    self.zone = zone
  }
}

/// What listens for tags, buttons and meters, and what the owner can ask of it.
@LoopActor
public protocol BluetoothAdministration: AnyObject {
  /// The device that listens, as proximity knows it.
  var hearer: SourceID { get }
  /// Starts; observations go to `observer`, on the loop, until ``stop()``.
  func start(_ observer: @escaping @LoopActor (Observation) -> Void)
  /// Ends connections and stops.
  func stop()
  /// Listens for these tags from now on.
  func setTags(_ tags: [KnownTag])
  /// Fetches from these meters from now on; a session that goes on keeps its own bookmark.
  func setMeters(_ meters: [KnownMeter])
  /// Adapters, meters and questions of a pairing that goes on, as an object.
  var status: JSONValue { get }
  /// Devices heard within so many milliseconds from now, the loudest first, as an array of objects.
  func scan(milliseconds: Int64, completion: @escaping @LoopActor (JSONValue) -> Void)
  /// The device of an address as somebody wrote it: few say whether a device drew its address.
  func resolved(_ address: BluetoothAddress) -> BluetoothAddress
  /// Pairs and bonds with a device; what it asks meanwhile is in ``status``.
  func pair(
    _ request: PairingRequest,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void)
  /// Answers the question that a pairing waits with; false when none waits for such an answer.
  func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool
  /// Forgets a device and its keys.
  func forget(
    _ address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void)
  /// Begins to calibrate a tag, or goes on with it: `step` is `begin`, `proceed`, `cancel` or `look`.
  ///
  /// - Returns: `{phase: near, move-away, far, done, failed; readings?, thresholds?, why?}`; nil when nothing goes on.
  func calibrate(_ tag: TagID, step: CalibrationStep) -> JSONValue?
}

/// What somebody who calibrates a tag wants.
public enum CalibrationStep: String, Hashable, Sendable, CaseIterable {
  /// Begin: the tag lies where it should count as near.
  case begin
  /// The tag lies at the far end of the room now.
  case proceed
  /// End it.
  case cancel
  /// See how far it is.
  case look
}
