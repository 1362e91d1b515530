public import Care
public import JSON

/// A question that can be asked, declared once: its name, what it takes, and what one must be allowed for its answer.
///
/// JSON-RPC 2.0, one message a line, both ways. A request is `{"jsonrpc":"2.0","id":1,"method":…,"params":{…}}`; the
/// answer has `result` or `error {code, message, data: {kind}}`. Lines are at most 1 MiB towards the gateway. In what
/// stands at each route `?` marks what may be absent; times are ISO 8601 in UTC; resident, zone and bookmark are the JSON
/// of `Care`. Whoever asks is answered by the handler of the same name in `Runtime`.
public struct Route: Hashable, Sendable {
  /// One parameter.
  public typealias Parameter = JSONShape.Member
  typealias Member = JSONShape.Member

  /// Whose data a question is about.
  public enum Reach: String, Hashable, Sendable, CaseIterable {
    /// The gateway's own.
    case gateway
    /// The resident's in `resident`.
    case resident
    /// The resident's in `resident`; without it of all, as far as whoever asks may see them.
    case residents
    /// The resident's in `resident`; without it the gateway's own.
    case gatewayOrResident = "gateway-or-resident"
    /// The account's in `account`.
    case account
    /// Of whomever the thing is that an id names.
    case found
    /// What the command inside asks for decides.
    case request

    /// Whether the parameter `resident` says whose data it is.
    public var namesResident: Bool {
      switch self {
      case .resident, .residents, .gatewayOrResident: true
      case .gateway, .account, .found, .request: false
      }
    }
  }

  /// The word that requests use.
  public let name: String
  /// What it takes.
  public let parameters: [Parameter]
  /// What one must be allowed, all of it.
  public let needs: Set<Permission>
  /// Whose data it is about.
  public let reach: Reach
  /// A parameter that takes away what calls for help where it is given; nil where none does.
  public let disarmingParameter: String?
  /// Whether it is asked where help is called or an alarm answered, and so has places of its own.
  public let isUrgent: Bool
  /// Whether it brings something in, piece by piece, that is too large for a command; a plugin does so for an account alone.
  public let brings: Bool
  /// What the members of its answer tell, of an object or of each in a list: what of it plugins are shown. Nil where they
  /// are the members of records and events, which `Privacy` knows, and where plugins cannot ask.
  public let answer: [String: Disclosure]?
  /// What its answer looks like.
  public let gives: JSONShape

  init(
    _ name: String, _ parameters: [Parameter] = [], needs: Set<Permission>, of reach: Reach,
    gives: JSONShape = .anything, disarmingParameter: String? = nil, isUrgent: Bool = false,
    brings: Bool = false, answer: [String: Disclosure]? = nil
  ) {
    self.brings = brings
    self.gives = gives
    self.answer = answer
    self.name = name
    self.parameters = parameters
    self.needs = needs
    self.reach = reach
    self.disarmingParameter = disarmingParameter
    self.isUrgent = isUrgent
  }

  /// Whether a plugin can be granted to ask it: it only shows something, and once.
  public var isForPlugins: Bool {
    !needs.isEmpty && needs.allSatisfy(\.isToSee) && self != .watch
  }

  /// The grants that a plugin needs to ask it.
  public var grants: Set<String> { brings ? ["command:\(name)"] : Set(needs.compactMap(\.grant)) }

  /// Whether it is answered in parts, each of which tells the cursor of the next.
  public var isInParts: Bool { parameters.contains { $0.name == "cursor" } }

  /// Routes are told apart by their names.
  public static func == (left: Route, right: Route) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Every route, feature by feature.
  public static let all: [Route] =
    gatewayRoutes + accountRoutes + peopleRoutes + placeRoutes + mapRoutes + settingRoutes
    + alarmRoutes + routineRoutes + noteRoutes + glucoseRoutes + bluetoothRoutes + journalRoutes
    + pluginRoutes

  /// Those by which something is brought in pieces.
  public static let brought = all.filter(\.brings)

  /// The route of a name; nil when there is none.
  public static func named(_ name: String) -> Route? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}

extension Route: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension Route.Parameter {
  static func text(_ name: String) -> Self { Self(name, .text) }
  static func whole(_ name: String) -> Self { Self(name, .whole) }
  static func flag(_ name: String) -> Self { Self(name, .flag) }
  static func time(_ name: String) -> Self { Self(name, .time) }
  static func texts(_ name: String) -> Self { Self(name, .texts) }
}

extension [Route.Parameter] {
  /// How much of a list, and from where on; see ``RouteAnswer/next``.
  static var part: Self { [.whole("limit").optional, .text("cursor").optional] }
  /// A stretch of time and how much of it, the latest first.
  static var period: Self {
    [.time("since").optional, .time("until").optional] + .part
  }
}
