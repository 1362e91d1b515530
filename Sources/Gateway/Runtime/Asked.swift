import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

typealias Answer = GatewayRuntime.Answer

/// Has a command done for whoever asks; nil where the command's principal says who that is.
typealias CommandPerformer =
  @LoopActor (Command, Asking?, @escaping @LoopActor (CommandReply) -> Void) -> Void

/// A question that has passed the door, as its handler sees it.
struct Asked {
  /// What is asked.
  let route: Route
  /// Its parameters, an object.
  let params: JSONValue
  /// The same, to read them.
  let reader: JSONReader
  /// Who asks.
  let asking: Asking

  /// Who is written down as having asked.
  var principal: Principal { asking.principal }

  /// Whose data is named; nil where nobody is.
  func subject() throws(DecodeError) -> Subject? {
    if route.reach == .account {
      return try (reader.optionalString("account").map { AccountID($0) } ?? asking.account?.id)
        .map { .account($0) }
    }
    return route.reach.namesResident ? try resident().map { .resident($0) } : nil
  }

  /// The resident named by `resident`; nil where none is.
  func resident() throws(DecodeError) -> ResidentID? {
    try reader.optionalString("resident").map { ResidentID($0) }
  }

  /// The resident named by `resident`, who has to be there.
  func wholeResident() throws(DecodeError) -> ResidentID {
    ResidentID(try reader.string("resident"))
  }

  /// Whether whoever asks may have what concerns somebody; nil for what concerns nobody who is known.
  func concerns(_ resident: ResidentID?) -> Bool {
    Policy.decide(asking, route, resident.map { .resident($0) } ?? .gateway)
      .isAllowed(with: asking.proof)
  }

  /// What of a list whoever asks may have: each says in a member, `resident` but for residents themselves, whom it concerns.
  func visible(_ list: [JSONValue], by member: String = "resident") -> [JSONValue] {
    if asking.isOwner { return list }
    return list.filter { concerns($0[member]?.stringContent.map { ResidentID($0) }) }
  }

  /// A limit as somebody asks for it, within bounds: what plugins are answered has to fit into a line.
  func limit(usual: Int64, from least: Int64 = 0, atMost: Int64) throws(DecodeError) -> Int {
    let most = asking.grants == nil ? atMost : min(atMost, Self.mostForPlugins)
    return Int(min(max(least, try reader.optionalInteger("limit") ?? min(usual, most)), most))
  }

  /// Where the list that is asked for goes on; nil for its beginning.
  func place(at now: Timestamp) throws -> ListPlace? {
    guard let text = try reader.optionalString("cursor") else { return nil }
    return try cursor.place(in: text, at: now)
  }

  /// Part of a list as it is answered, with the cursor of the next.
  func answer(_ page: ListPage<JSONValue>, at now: Timestamp) -> RouteAnswer {
    RouteAnswer(.array(page.elements), next: page.next.map { cursor.text(of: $0, at: now) })
  }

  private var cursor: ListCursor { ListCursor(route, params) }

  /// The most that a plugin is answered at once.
  private static let mostForPlugins: Int64 = 1000
}

/// What answers a question; it stands beside its feature.
struct Handling {
  typealias Handle = @LoopActor (Asked, @escaping Answer) throws -> Void

  /// The question.
  let route: Route
  /// Answers it once, at once or later; throws what does not fit in the parameters.
  let handle: Handle

  init(_ route: Route, _ handle: @escaping Handle) {
    self.route = route
    self.handle = handle
  }

  /// Answers with a list of one resident, or of all as far as whoever asks may see them.
  init(listing route: Route, _ list: @escaping @LoopActor (ResidentID?) -> [JSONValue]) {
    self.init(route) { asked, answer in
      answer(.success(.array(asked.visible(list(try asked.resident())))))
    }
  }
}

extension StoreError {
  /// The error as whoever asked is told it.
  var refusal: CommandReply.Refusal {
    CommandReply.Refusal(code == .missing ? .unknownTarget : .conflict, message)
  }
}

extension CoreView {
  /// Whether somebody is looked after; answers that they are not.
  func isKnown(_ id: ResidentID, _ answer: Answer) -> Bool {
    if core.household.residents.contains(where: { $0.id == id }) { return true }
    answer(
      .failure(
        CommandReply.Refusal(
          .unknownTarget,
          Message(
            "There is no resident \"{id}\". List them with: homeward residents", ["id": id]))))
    return false
  }
}
