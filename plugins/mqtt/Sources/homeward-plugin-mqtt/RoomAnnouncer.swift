import Care
import JSON
import MQTTTopics
import Moments

/// What this gateway tells `mqtt_room` and other gateways: that a tag was heard in its own room.
///
/// Only events speak, never single advertisements, and only those that say that the tag is in this very room: what other
/// rooms told this gateway must not come back as something that it heard itself. `mqtt_room` wants a figure of distance;
/// it gets the one of the weakest signal that counts as near or as in the room.
struct RoomAnnouncer: Hashable, Sendable {
  /// How old an event may be; what waited for the broker says nothing about now.
  static let freshMilliseconds: Int64 = 60_000
  private static let types: Set<String> = ["tag.changed", "tag.room-changed"]

  /// The room, as the gateway's configuration names it.
  let room: String
  private let topics = RoomTopics()

  init(room: String) { self.room = room }

  /// What to publish after a batch that the board has taken.
  func publications(
    for bodies: some Sequence<ArraySlice<UInt8>>, on board: StateBoard, now: Timestamp
  ) -> [RoomTopics.Publication] {
    var heard: Set<TagAddress> = []
    for body in bodies {
      guard let glance = EventGlance(body), Self.types.contains(glance.type),
        let resident = glance.resident, let event = try? JSONValue(parsing: body),
        let time = event["time"]?.stringContent.flatMap({ try? Timestamp(iso8601: $0) }),
        abs(now.milliseconds(since: time)) <= Self.freshMilliseconds,
        let tag = event["data"]?["tag"]?.stringContent
      else { continue }
      heard.insert(TagAddress(resident: resident, tag: TagID(tag)))
    }
    return heard.sorted { ($0.resident, $0.tag) < ($1.resident, $1.tag) }.compactMap { address in
      board.residents[address.resident]?.tags.tags[address.tag].flatMap(publication)
    }
  }

  private struct TagAddress: Hashable {
    var resident: ResidentID
    var tag: TagID
  }

  private func publication(of tag: ResidentTags.Tag) -> RoomTopics.Publication? {
    guard tag.room.value == room, let strength = Self.strength(of: tag.presence.value) else {
      return nil
    }
    let report = RoomReport(
      device: tag.id.rawValue, room: room, name: tag.name.value,
      distanceFigure: RoomReport.figure(ofStrength: strength))
    let own = topics.roomPresenceTopic(of: room)
    return (try? topics.encode(report))?.first { $0.topic == own }
  }

  private static func strength(of presence: String) -> Double? {
    switch presence {
    case "near": TagThresholds.usual.nearEnterDBm
    case "room": TagThresholds.usual.roomEnterDBm
    default: nil
    }
  }
}
