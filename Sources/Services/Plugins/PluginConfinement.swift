import CGatewayShims
import JSON

/// What keeps one running plugin in, as found when it was started.
public struct PluginConfinement: Hashable, Sendable {
  /// Namespaces of its own.
  public enum Namespace: String, Hashable, Sendable, CaseIterable {
    /// Rights and the counting of processes.
    case user
    /// Processes: it can name nobody else's.
    case pid
    /// System V's shared memory and queues.
    case ipc
    /// A network without anything in it.
    case net
  }

  /// The kernel's version of Landlock; 0 without it.
  public var landlock = 0
  /// Whether calls are filtered.
  public var hasSeccomp = false
  /// Its own namespaces.
  public var namespaces: Set<Namespace> = []
  /// Whether it may open internet sockets: it has the machine's network then, and the ports of this machine are watched.
  public var mayOpenSockets = false
  /// Whether it reaches only those ports of this machine that it was granted.
  public var guardsLoopback = false
  /// Whether it has a control group of its own, with limits for all of its processes together.
  public var hasGroup = false

  /// `landlock abi 7 + seccomp + namespaces user pid ipc net + own group`, or `none`.
  public var description: String {
    let own = Namespace.allCases.filter(namespaces.contains).map(\.rawValue)
    var parts: [String] = []
    if landlock > 0 { parts.append("landlock abi \(landlock)") }
    if hasSeccomp { parts.append("seccomp") }
    if !own.isEmpty { parts.append("namespaces \(own.joined(separator: " "))") }
    if guardsLoopback { parts.append("loopback guard") }
    if hasGroup { parts.append("own group") }
    return parts.isEmpty ? "none" : parts.joined(separator: " + ")
  }

  /// The walls as an object; null for what it does not need.
  var json: JSONValue {
    func stands(_ namespace: Namespace) -> JSONValue { .bool(namespaces.contains(namespace)) }
    return .object([
      "user": stands(.user), "pid": stands(.pid), "ipc": stands(.ipc),
      "net": mayOpenSockets ? .null : stands(.net), "group": .bool(hasGroup),
      "landlock": .integer(Int64(landlock)), "seccomp": .bool(hasSeccomp),
      "loopback": mayOpenSockets ? .bool(guardsLoopback) : .null,
    ])
  }

  /// The namespaces that the kernel gave.
  mutating func setNamespaces(_ bits: UInt32) {
    let all: [(Namespace, UInt32)] = [
      (.user, UInt32(HOMEWARD_NAMESPACE_USER)), (.pid, UInt32(HOMEWARD_NAMESPACE_PROCESS)),
      (.ipc, UInt32(HOMEWARD_NAMESPACE_MEMORY)), (.net, UInt32(HOMEWARD_NAMESPACE_NETWORK)),
    ]
    namespaces = Set(all.filter { bits & $0.1 != 0 }.map(\.0))
  }
}

extension PluginHost {
  /// Walls that tests take away one by one, to see that each of the others holds.
  public struct WallSwitches: Hashable, Sendable {
    /// Namespaces of the user, of processes, of shared memory and of the network.
    public var namespaces = true
    /// The filter of calls.
    public var seccomp = true
    /// The guard at the ports of this machine.
    public var guardsLoopback = true
    /// The highest version of Landlock that is used; nil for the kernel's.
    public var landlockAtMost: Int?

    /// All walls.
    public init() {}
  }
}
