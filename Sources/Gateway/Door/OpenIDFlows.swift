import Bytes
public import Care
public import JSON
public import Moments

/// Who was led to an identity provider and is to come back: each once, in the same browser, within ten minutes.
///
/// A restart forgets them, and they begin again. The state is what the provider repeats, in an address that others may see;
/// the binding is what only the browser has that began (log-in CSRF, session fixation).
///
/// - Source: RFC 6749, section 10.12; RFC 9700, section 4.7.
public struct OpenIDFlows: Sendable {
  /// What was begun, for whom.
  public struct Flow: Hashable, Sendable {
    /// Who has an account connected.
    public struct Connecting: Hashable, Sendable {
      /// The account, whose password was right.
      public var account: AccountID
      /// The session that asked, which has to be the one that comes back.
      public var session: String

      /// An account, and who asks for it.
      public init(account: AccountID, session: String) {
        self.account = account
        self.session = session
      }
    }

    /// Where the provider sends the browser.
    public var redirect: String
    /// Where the browser goes on then; nil for the first page.
    public var next: String?
    /// Who has an account connected; nil for somebody who logs in.
    public var connecting: Connecting?
    /// What the plugin wants to be told again.
    public var secrets: JSONValue

    /// A flow from its parts.
    public init(
      redirect: String, next: String? = nil, connecting: Connecting? = nil,
      secrets: JSONValue = .null
    ) {
      self.redirect = redirect
      self.next = next
      self.connecting = connecting
      self.secrets = secrets
    }
  }

  /// How long somebody may take, in milliseconds.
  public static let milliseconds: Int64 = 600_000
  /// More are forgotten, the oldest first; ``EntryLimit`` lets no more begin within that time.
  public static let mostKept = 1000

  private struct Begun {
    var flow: Flow
    var binding: [UInt8]
    var at: Tick
  }

  private var begun: [[UInt8]: Begun] = [:]

  /// Nobody has begun.
  public init() {}

  /// Notes that somebody began.
  public mutating func add(_ flow: Flow, state: String, binding: String, at now: Tick) {
    begun = begun.filter { now.milliseconds(since: $0.value.at) < Self.milliseconds }
    if begun.count >= Self.mostKept, let oldest = begun.min(by: { $0.value.at < $1.value.at }) {
      begun[oldest.key] = nil
    }
    begun[Self.digest(state)] = Begun(flow: flow, binding: Self.digest(binding), at: now)
  }

  /// What was begun, for the browser that did, which cannot come back a second time; nil for anybody else.
  ///
  /// - Parameter session: the one that comes back; nil for none.
  public mutating func take(
    state: String, binding: String, session: String?, at now: Tick
  ) -> Flow? {
    let key = Self.digest(state)
    guard let found = begun[key], found.binding == Self.digest(binding),
      found.flow.connecting.map({ $0.session == session }) ?? true
    else { return nil }
    begun[key] = nil
    return now.milliseconds(since: found.at) < Self.milliseconds ? found.flow : nil
  }

  private static func digest(_ text: String) -> [UInt8] { SHA256.hash(Array(text.utf8)) }
}
