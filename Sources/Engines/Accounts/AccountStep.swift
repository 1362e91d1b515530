import Care
import JSON
import Moments
import Texts

/// What somebody asks, in the world as it is, and what came of it so far.
struct AccountStep {
  let command: Command
  let world: World
  private(set) var outcome = Outcome()
  private var identifiers: IdentifierGenerator

  init(_ command: Command, in world: World) {
    self.command = command
    self.world = world
    identifiers = world.identifiers
  }

  var now: Moment { world.now }

  /// Whether a keeper of this machine asks, and for nobody else.
  var isByKeeper: Bool { AccountEngine.isKeeper(command) }

  /// - Throws: that only a keeper may, in the words that are given.
  func requireKeeper(_ refusal: Message) throws(CommandReply.Refusal) {
    guard isByKeeper else { throw CommandReply.Refusal(.forbidden, refusal) }
  }

  /// What words what is told.
  var news: AccountNews { AccountNews(in: world) }

  /// An identifier that nothing had yet.
  mutating func draw() -> String {
    let next = identifiers.next(at: now.utc)
    outcome.identifiers = identifiers
    return next
  }

  /// A session that begins now, with the token that is among the credentials.
  func session(
    _ id: String, of account: AccountID, _ kind: Session.Kind, _ label: String,
    until: Timestamp? = nil, scope: Set<Permission>? = nil
  ) throws(CommandReply.Refusal) -> Session {
    Session(
      id: id, account: account, kind: kind, label: label, token: try command.tokenDigest(),
      began: now.utc, seen: now.utc, until: until, scope: scope)
  }

  mutating func tell(_ event: EventDraft) { outcome.events.append(event) }

  /// Tells what became of an account.
  mutating func tell(
    _ account: UserAccount, _ change: AccountNews.Change, session: String? = nil,
    from address: String? = nil
  ) {
    tell(news.changed(account, change, by: command, session: session, from: address))
  }

  mutating func reply(_ json: JSONValue) { outcome.reply = json }

  /// Whether nothing was answered yet.
  var isUnanswered: Bool {
    if case .object(let members) = outcome.reply { members.isEmpty } else { false }
  }
}
