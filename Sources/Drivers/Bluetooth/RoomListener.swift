public import Care
public import Loop
import Moments
public import Ports

/// Takes what devices in other rooms hear, as a plugin brings it, and says which tag was heard there.
///
/// Rooms that the configuration does not name are nobody's. Reports are thinned like the radio's own; a room that says
/// nothing for ``silenceMilliseconds`` does not listen any more, as after its plugin or its device went down.
@LoopActor
public final class RoomListener {
  /// How long a room may be silent.
  public static let silenceMilliseconds: Int64 = 600_000

  private let rooms: Set<String>
  private let observer: @LoopActor (Observation) -> Void
  private let clock: any GatewayClock
  private var tags: [TagID: KnownTag] = [:]
  private var names: [String: TagID] = [:]
  private var thinners: [String: SightingThinner] = [:]
  /// When each room that listens said something last.
  private var heard: [String: Tick] = [:]
  private lazy var timer = LoopTimer { [weak self] in self?.endSilence() }

  /// A listener for the named rooms; what follows goes to `observer`.
  public init(
    rooms: [String], clock: any GatewayClock, observer: @escaping @LoopActor (Observation) -> Void
  ) {
    self.rooms = Set(rooms)
    self.clock = clock
    self.observer = observer
  }

  /// The device that listens in a room, as proximity knows it.
  public nonisolated static func hearer(in room: String) -> SourceID { SourceID("room/\(room)") }

  /// Knows these tags from now on.
  public func setTags(_ tags: [KnownTag]) {
    self.tags = Dictionary(tags.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    names = [:]
    for tag in tags {
      for name in Self.names(of: tag) { names[name] = tag.id }
    }
  }

  /// Takes what came from a room.
  public func take(_ message: RoomMessage) {
    switch message {
    case .status(let room, let isOnline):
      guard rooms.contains(room) else { return }
      if isOnline { note(room) } else { silence(room) }
    case .report(let report):
      guard rooms.contains(report.room) else { return }
      note(report.room)
      take(report)
    }
  }

  private func take(_ report: RoomReport) {
    let now = clock.now()
    guard let id = names[report.device.lowercased()], let tag = tags[id],
      let sighting = report.sighting(of: id, by: Self.hearer(in: report.room), at: now),
      thinners[report.room, default: SightingThinner()].admits(
        id, strengthDBm: sighting.strengthDBm, awaySeconds: tag.awaySeconds, at: now.tick)
    else { return }
    observer(.sighting(sighting))
  }

  private func note(_ room: String) {
    if heard.updateValue(clock.now().tick, forKey: room) == nil {
      observer(.listening(Self.hearer(in: room), isListening: true))
    }
    setTimer()
  }

  private func silence(_ room: String) {
    guard heard.removeValue(forKey: room) != nil else { return }
    observer(.listening(Self.hearer(in: room), isListening: false))
    setTimer()
  }

  /// Ends the listening of rooms that were silent for too long.
  func endSilence() {
    let now = clock.now().tick
    for room in heard.keys.sorted() {
      guard let last = heard[room], now.milliseconds(since: last) >= Self.silenceMilliseconds
      else { continue }
      silence(room)
    }
    setTimer()
  }

  private func setTimer() {
    guard let oldest = heard.values.min() else { return timer.cancel() }
    timer.set(at: oldest.advanced(byMilliseconds: Self.silenceMilliseconds))
  }

  /// How rooms spell a tag: by our id, or as ESPresense writes what it is known by.
  static func names(of tag: KnownTag) -> [String] {
    [tag.id.rawValue]
      + tag.identities.flatMap { identity -> [String] in
        switch identity {
        case .address(let address), .bthome(let address, _):
          let digits = address.text.lowercased().filter { $0 != ":" }
          return [digits, "known:\(digits)", address.text.lowercased()]
        case .iBeacon(let uuid, let major, let minor):
          return ["ibeacon:\(uuid.text)-\(major)-\(minor)"]
        case .eddystone, .altBeacon, .resolvingKey: return []
        }
      }
  }
}
