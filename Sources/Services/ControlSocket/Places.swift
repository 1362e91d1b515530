import Care
import Door
import Loop

/// Who has a place at the control socket, by the door's quota: users are the holders.
@LoopActor
final class Places {
  private(set) var connections: [ControlConnection] = []
  private let limits: ControlServer.Limits

  init(_ limits: ControlServer.Limits) { self.limits = limits }

  /// Makes room for a newcomer.
  ///
  /// - Returns: the place that they get; nil when there is none at all.
  func makeRoom(for user: UInt32) -> Quota.Place? {
    let quota = Quota(
      ordinary: limits.clients, share: limits.clientsPerUser, keptFree: limits.keptFree)
    let taken = connections.map {
      Quota.Taken(
        holder: $0.user, place: $0.isUrgentOnly ? .keptFree : .ordinary, isIdle: $0.isIdle,
        isAtWork: $0.isAtWork)
    }
    let room = quota.room(for: user, beside: taken)
    if let ended = room.ended { connections[ended].end() }
    return room.place
  }

  func add(_ connection: ControlConnection) { connections.append(connection) }

  func remove(_ connection: ControlConnection) {
    connections.removeAll { $0 === connection }
  }

  /// Whether a user may watch once more.
  func mayWatch(_ connection: ControlConnection) -> Bool {
    let others = connections.filter { !$0.isUrgentOnly && $0.user == connection.user }
    return connection.watch != nil
      || others.count { $0.watch != nil } < limits.watchersPerUser
  }
}
