import CGatewayShims
import Care
import Door
import Glibc
import Loop
import Moments

/// Turns the user behind a connection into a principal.
///
/// Reads the local user list alone: a directory service may hang, and this runs on the loop.
@LoopActor
struct PeerNames {
  /// Who is at the other end.
  struct Peer {
    var user: UInt32
    /// Whoever may open the socket keeps this machine.
    var asking: Asking
  }

  /// Users may be renamed, and their numbers given to others: what was read is believed for so long.
  private static let milliseconds: Int64 = 60_000

  private var names: [UInt32: String] = [:]
  private var readAt: Tick?

  mutating func peer(of descriptor: Int32) -> Peer? {
    var user: UInt32 = 0
    guard homeward_unix_peer(descriptor, &user) == 0 else { return nil }
    let now = EventLoop.now
    let isFresh = readAt.map { now.milliseconds(since: $0) < Self.milliseconds } ?? false
    if !isFresh || names[user] == nil {
      names = Self.readUserList()
      readAt = now
    }
    return Peer(
      user: user,
      asking: .owner(Principal(channel: .local, name: names[user] ?? "uid-\(user)")))
  }

  private static func readUserList() -> [UInt32: String] {
    let file = open("/etc/passwd", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [:] }
    defer { close(file) }
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16_384)
    while text.count < 1 << 20 {
      let count = read(file, &block, block.count)
      guard count > 0 else { break }
      text.append(contentsOf: block.prefix(count))
    }
    return parse(text)
  }

  private static func parse(_ text: [UInt8]) -> [UInt32: String] {
    var names: [UInt32: String] = [:]
    for line in text.split(separator: 0x0A) {
      let parts = line.split(separator: 0x3A, omittingEmptySubsequences: false)
      guard parts.count > 2, let user = UInt32(String(decoding: parts[2], as: UTF8.self)) else {
        continue
      }
      if names[user] == nil { names[user] = String(decoding: parts[0], as: UTF8.self) }
    }
    return names
  }
}
