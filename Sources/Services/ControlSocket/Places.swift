import Door
import JSON
import Loop

/// Who has a place at the control socket.
///
/// Nobody takes them all: each user has a share, and beside the ordinary places there are a few in which only help can be
/// called and alarms be answered. So whoever fills the socket, by mistake or not, keeps nobody from that, himself included.
@LoopActor
final class Places {
  private(set) var connections: [ControlConnection] = []
  private let limits: ControlServer.Limits

  init(_ limits: ControlServer.Limits) { self.limits = limits }

  /// Whether a request may be made in a place that is kept free: one that calls help or answers an alarm, or looks up for
  /// whom.
  static func isUrgent(_ request: ControlRequest) -> Bool {
    guard request.method == .command else { return request.method.isUrgent }
    let action = request.params["command"]?["request"]?["action"]?.stringContent
    return action.flatMap(CommandRule.of)?.isUrgent ?? false
  }

  /// Makes room for a newcomer.
  ///
  /// - Returns: whether the place is an ordinary one; nil when there is none at all.
  func makeRoom(for user: UInt32) -> Bool? {
    if ordinary(of: user).count >= limits.clientsPerUser {
      ordinary(of: user).first(where: \.isIdle)?.end()
    } else if ordinary.count >= limits.clients {
      fullest(ordinary).first(where: \.isIdle)?.end()
    }
    if ordinary(of: user).count < limits.clientsPerUser, ordinary.count < limits.clients {
      return true
    }
    let kept = connections.filter(\.isUrgentOnly)
    if kept.count >= limits.keptFree { fullest(kept).first { !$0.isAtWork }?.end() }
    return connections.count(where: \.isUrgentOnly) < limits.keptFree ? false : nil
  }

  func add(_ connection: ControlConnection) { connections.append(connection) }

  func remove(_ connection: ControlConnection) {
    connections.removeAll { $0 === connection }
  }

  /// Whether a user may watch once more.
  func mayWatch(_ connection: ControlConnection) -> Bool {
    connection.watch != nil
      || ordinary(of: connection.user).count { $0.watch != nil } < limits.watchersPerUser
  }

  private var ordinary: [ControlConnection] { connections.filter { !$0.isUrgentOnly } }

  private func ordinary(of user: UInt32) -> [ControlConnection] {
    ordinary.filter { $0.user == user }
  }

  /// Those of the user who has most of them, oldest first.
  private func fullest(_ connections: [ControlConnection]) -> [ControlConnection] {
    let byUser = Dictionary(grouping: connections, by: \.user)
    return byUser.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
  }
}
