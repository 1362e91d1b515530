import Bytes
import Care
import Gazetteer
import Glibc
import JSON
import Loop
import PluginKit
import PluginProtocol
import Synchronization
import Texts
import WalkingRoutes

/// Answers questions on threads of its own, which end when nobody asks: looking into files and running a router block.
///
/// What is quick never waits for a router.
final class PlaceDesk: Sendable {
  /// Whether there is anything to answer from.
  enum State: Hashable, Sendable {
    case nothing
    case ready
    case damaged(String)
  }

  typealias Reply = @LoopActor @Sendable (Result<JSONValue, RPCError>) -> Void

  private struct Asked: Sendable {
    var question: PlaceQuestion?
    var reply: Reply

    var isSlow: Bool { question?.isSlow ?? false }
  }

  private enum Admission { case full, waits, isFirst }

  private struct Line: Sendable {
    private var waiting: [Asked] = []
    private var isServed = false

    mutating func admit(_ asked: Asked) -> Admission {
      guard waiting.count < PlaceDesk.waitingLimit else { return .full }
      waiting.append(asked)
      defer { isServed = true }
      return isServed ? .waits : .isFirst
    }

    /// The next one; nil where nobody waits, and so nobody serves any more.
    mutating func next() -> Asked? {
      guard waiting.isEmpty else { return waiting.removeFirst() }
      isServed = false
      return nil
    }

    mutating func clear() -> [Asked] {
      defer { self = Line() }
      return waiting
    }
  }

  /// Questions that may wait in one line.
  private static let waitingLimit = 64

  private let folder: String
  private let onState: @LoopActor @Sendable (State) -> Void
  private let quick = Mutex(Line())
  private let slow = Mutex(Line())

  init(folder: String, onState: @escaping @LoopActor @Sendable (State) -> Void) {
    self.folder = folder
    self.onState = onState
  }

  /// Looks what there is, and tells.
  @LoopActor func look() { put(Asked(question: nil) { _ in }) }

  /// Answers a question, later.
  @LoopActor func ask(_ question: PlaceQuestion, _ reply: @escaping Reply) {
    put(Asked(question: question, reply: reply))
  }

  @LoopActor private func put(_ asked: Asked) {
    let isSlow = asked.isSlow
    let admission =
      isSlow ? slow.withLock { $0.admit(asked) } : quick.withLock { $0.admit(asked) }
    switch admission {
    case .full:
      let busy = gettext("too many questions about places wait; try again in a few seconds")
      asked.reply(.failure(RPCError(code: RPCError.busyCode, message: busy)))
    case .waits: break
    case .isFirst:
      if SystemThread.start(name: "places", { self.serve(isSlow) }) { return }
      let lost = isSlow ? slow.withLock { $0.clear() } : quick.withLock { $0.clear() }
      for asked in lost {
        asked.reply(.failure(Self.failure(gettext("There is no room for another thread now."))))
      }
    }
  }

  private static func failure(_ message: String) -> RPCError {
    RPCError(code: RPCError.refusedCode, message: message)
  }

  // MARK: On a thread

  private func next(_ isSlow: Bool) -> Asked? {
    isSlow ? slow.withLock { $0.next() } : quick.withLock { $0.next() }
  }

  private func serve(_ isSlow: Bool) {
    var open: Opened?
    while let asked = next(isSlow) {
      let answer = answer(asked.question, &open)
      let reply = asked.reply
      EventLoop.current.post { reply(answer) }
    }
  }

  /// A set that is open for as long as somebody asks.
  private struct Opened {
    var places: PlaceFolder
    var gazetteer: PlaceIndex?
    var tiles: MapTiles?
  }

  private func answer(
    _ question: PlaceQuestion?, _ open: inout Opened?
  ) -> Result<JSONValue, RPCError> {
    do throws(PlaceIndex.Fault) {
      // Another set may have taken the place of the one that was there.
      let places = try PlaceFolder(in: folder)
      tell(places == nil ? .nothing : .ready)
      guard let places else { return .success(Self.nothing(question)) }
      if open?.places.path != places.path { open = Opened(places: places) }
      guard var set = open, let question else { return .success(.null) }
      defer { open = set }
      return .success(try answer(question, &set))
    } catch {
      tell(.damaged(error.message.text(in: PluginLanguage.current)))
      return .failure(Self.failure(error.message.text(in: PluginLanguage.current)))
    }
  }

  private func tell(_ state: State) {
    let onState = onState
    EventLoop.current.post { onState(state) }
  }

  private static func nothing(_ question: PlaceQuestion?) -> JSONValue {
    switch question {
    case .geocode: ["places": [], "attribution": ""]
    case .reverse: ["place": .null, "attribution": ""]
    case .route: ["failure": "no-service"]
    case .square: ["content": .null, "zooms": [], "attribution": ""]
    case nil: .null
    }
  }

  private func answer(
    _ question: PlaceQuestion, _ set: inout Opened
  ) throws(PlaceIndex.Fault) -> JSONValue {
    let attribution = JSONValue.string(set.places.about.attribution)
    switch question {
    case .geocode(let text, let near, let limit):
      let found = try gazetteer(&set).search(text, near: near, limit: limit)
      return ["places": .array(found.map(\.json)), "attribution": attribution]
    case .reverse(let position):
      return [
        "place": try gazetteer(&set).reverse(position)?.json ?? .null, "attribution": attribution,
      ]
    case .route(let from, let to): return try route(from, to, &set)
    case .square(let zoom, let column, let row):
      let tiles = try tiles(&set)
      let content = try tiles.square(zoom: zoom, column: column, row: row)
      return [
        "content": content.map(Self.base64) ?? .null,
        "zooms": .array(tiles.zooms.map { .integer(Int64($0)) }), "attribution": attribution,
      ]
    }
  }

  private func gazetteer(_ set: inout Opened) throws(PlaceIndex.Fault) -> PlaceIndex {
    if let open = set.gazetteer { return open }
    let gazetteer = try set.places.index()
    set.gazetteer = gazetteer
    return gazetteer
  }

  private func tiles(_ set: inout Opened) throws(PlaceIndex.Fault) -> MapTiles {
    if let open = set.tiles { return open }
    let tiles = try MapTiles(set.places)
    set.tiles = tiles
    return tiles
  }

  private static func base64(_ bytes: [UInt8]) -> JSONValue {
    .string(String(decoding: Base64.encode(bytes), as: UTF8.self))
  }

  private func route(
    _ from: Coordinate, _ to: Coordinate, _ set: inout Opened
  ) throws(PlaceIndex.Fault) -> JSONValue {
    let found: WalkingRoute
    do throws(WalkingRouter.Failure) {
      found = try WalkingRouter(set.places, tools: folder).route(from: from, to: to)
    } catch {
      switch error {
      case .noWay: return ["failure": "no-way"]
      case .noStreets: return ["failure": "no-streets"]
      case .failed(let reason):
        PluginLog.write(.warning, "the router failed: \(reason)")
        return ["failure": "failed"]
      }
    }
    return ["route": try gazetteer(&set).marked(found).json]
  }
}
