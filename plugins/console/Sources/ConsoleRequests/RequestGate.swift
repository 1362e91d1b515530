import Texts

/// What has to be right about a request before anybody looks at what it wants.
public struct RequestGate: Hashable, Sendable {
  /// The names by which pages may be asked for, in lower case, besides addresses.
  ///
  /// Whoever has a page under a name of their own can have that name lead here (DNS rebinding): then it is not in the list.
  public var names: Set<String>
  /// Whether everything is encrypted.
  public var isEncrypted: Bool
  /// The addresses of reverse proxies that are believed where a request comes from.
  public var proxies: Set<String>

  /// A gate for these names.
  public init(names: Set<String>, isEncrypted: Bool, proxies: Set<String> = []) {
    self.names = names
    self.isEncrypted = isEncrypted
    self.proxies = proxies
  }

  /// Refuses what comes under a name that is not the gateway's, what its target does not take, and what a page of somebody
  /// else makes a browser send.
  public func check(_ incoming: Incoming, takes methods: [String]) throws(Incoming.Fault) {
    guard Incoming.isAddress(incoming.host) || names.contains(incoming.host) else {
      throw Incoming.Fault(
        421,
        Message(
          "The name {name} is not one of this gateway's. Its owner can add it to \"names\" in the settings of the console.",
          ["name": incoming.host]))
    }
    guard methods.contains(incoming.method) else { throw Incoming.Fault(takes: methods) }
    guard incoming.method == "POST" else { return }
    guard incoming.mediaType == "application/json" else {
      throw Incoming.Fault(415, Message("What is sent has to be application/json."))
    }
    guard !incoming.isBearer else { return }
    // Every browser says where a page comes from that sends something; programs have no cookies.
    let isOwn =
      incoming.origin == (incoming.isEncrypted ? "https://" : "http://") + incoming.authority
    let isSameSite = incoming.fetchSite.map { $0 == "same-origin" } ?? true
    let isNoBrowser =
      incoming.origin == nil && incoming.fetchSite == nil && incoming.token == nil
    guard (isOwn && isSameSite) || isNoBrowser else {
      throw Incoming.Fault(403, Message("This did not come from a page of this gateway."))
    }
  }
}
