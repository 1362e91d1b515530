import Care
import Loop
import MQTTTopics
import Moments
import PluginKit
import PluginProtocol

/// Hands to the gateway what devices in rooms say on their topics, bounded in everything.
///
/// A broker carries what every device of every neighbour sends. So many reports a second go on, and as many as wait for
/// the gateway's answer; the rest is dropped and counted. What a room's device says of itself is never dropped, only
/// slowed down, and the last word counts. When the connection breaks, no room is listened to any more, and that is said.
@LoopActor
final class RoomFeed {
  /// The most observations that wait for an answer; the rest of the 16 is for commands.
  nonisolated static let maximumOpen = 8
  /// The most rooms that are told of; the gateway listens to no more.
  nonisolated static let maximumRooms = 32
  private static let statesPerSecond = 20
  private static let noticeMilliseconds: Int64 = 60_000

  /// Hands one observation to the gateway.
  typealias Send = @LoopActor (RoomMessage, @escaping HostLink.Completion) -> Void

  private let topics = RoomTopics()
  private let families: Set<RoomTopics.Family>
  /// Where this plugin publishes itself.
  private let ownTopic: String?
  private let send: Send
  private var rooms: Set<String> = []
  private var states: [(room: String, isOnline: Bool)] = []
  private var open = 0
  private var reportWindow = RateWindow(limit: PluginLimits.roomMessagesPerSecond)
  private var stateWindow = RateWindow(limit: statesPerSecond)
  private var timer: LoopTimer?
  private var noticeTimer: LoopTimer?
  private var tally = Tally()

  /// What was not handed on, for the log.
  private struct Tally: Hashable {
    var dropped = 0
    var unreadable = 0
    var refused = 0
    /// The last reason of each of the last two.
    var reason = ""
  }

  init(_ settings: MQTTSettings.Rooms, send: @escaping Send) {
    families = settings.listen
    ownTopic = settings.publishedRoom.map(topics.roomPresenceTopic)
    self.send = send
    timer = LoopTimer { [weak self] in self?.tellStates() }
    noticeTimer = LoopTimer { [weak self] in self?.notice() }
  }

  /// Topics to subscribe to.
  var subscriptions: [String] { filters { families.contains($0) } }

  /// Topics that a session at the broker may still have from other settings.
  var formerSubscriptions: [String] { filters { !families.contains($0) } }

  private func filters(where fits: (RoomTopics.Family) -> Bool) -> [String] {
    RoomTopics.Family.allCases.filter(fits).flatMap(topics.filters)
  }

  /// Takes a message; false when its topic is none of rooms.
  func take(_ message: BrokerClient.Message, at now: Tick = EventLoop.now) -> Bool {
    guard let family = topics.family(of: message.topic) else { return false }
    // What this plugin says itself is no news, and what is no longer wanted may still be on its way.
    guard families.contains(family), message.topic != ownTopic else { return true }
    let isState = family == .espresense && message.topic.hasSuffix("/status")
    // A report that the broker kept says nothing about now.
    guard isState || !message.isRetained else { return true }
    guard isState || (reportWindow.hasRoom(at: now) && open < Self.maximumOpen) else {
      tally.dropped += 1
      scheduleNotice()
      return true
    }
    do {
      guard let decoded = try topics.decode(topic: message.topic, payload: message.payload) else {
        return true
      }
      take(decoded, at: now)
    } catch {
      tally.unreadable += 1
      tally.reason = "\(message.topic.asPluginReason(limit: 100)): \(error)"
      scheduleNotice()
    }
    return true
  }

  private func take(_ message: RoomMessage, at now: Tick) {
    switch message {
    case .report(let report):
      guard knows(report.room), reportWindow.take(at: now) else {
        tally.dropped += 1
        return scheduleNotice()
      }
      handOn(message)
    case .status(let room, let isOnline):
      guard knows(room) else {
        tally.dropped += 1
        return scheduleNotice()
      }
      tell(room, isOnline)
      if !isOnline { rooms.remove(room) }
    }
  }

  private func knows(_ room: String) -> Bool {
    if rooms.contains(room) { return true }
    guard rooms.count < Self.maximumRooms else { return false }
    rooms.insert(room)
    return true
  }

  /// Nothing is heard of any room any more.
  func disconnected() {
    for room in rooms.sorted() { tell(room, false) }
    rooms = []
  }

  // MARK: To the gateway

  private func tell(_ room: String, _ isOnline: Bool) {
    states.removeAll { $0.room == room }
    states.append((room, isOnline))
    tellStates()
  }

  private func tellStates() {
    while let first = states.first, open < Self.maximumOpen {
      guard stateWindow.take(at: EventLoop.now) else {
        timer?.set(afterMilliseconds: 100)
        return
      }
      states.removeFirst()
      handOn(.status(room: first.room, isOnline: first.isOnline))
    }
  }

  private func handOn(_ message: RoomMessage) {
    open += 1
    send(message) { [weak self] answer in
      guard let self else { return }
      self.open -= 1
      if case .failure(let error) = answer {
        self.tally.refused += 1
        self.tally.reason = error.message.asPluginReason()
        self.scheduleNotice()
      }
      self.tellStates()
    }
  }

  // MARK: The log

  /// Says soon what was not handed on, and then once a minute while it goes on.
  private func scheduleNotice() {
    if noticeTimer?.deadline == nil { noticeTimer?.set(afterMilliseconds: 1000) }
  }

  private func notice() {
    guard tally != Tally() else { return }
    var parts: [String] = []
    if tally.dropped > 0 { parts.append("\(tally.dropped) were too many") }
    if tally.unreadable > 0 { parts.append("\(tally.unreadable) could not be read") }
    if tally.refused > 0 { parts.append("\(tally.refused) were refused by the gateway") }
    let reason = tally.reason.isEmpty ? "" : ", the last because: \(tally.reason)"
    PluginLog.write(
      .warning, "messages about rooms were left out: \(parts.joined(separator: ", "))\(reason)")
    tally = Tally()
    noticeTimer?.set(afterMilliseconds: Self.noticeMilliseconds)
  }
}
