public import Texts
public import WebServer

/// A request as far as it can be judged by itself: where it says it goes, where it comes from, who sends it.
public struct Incoming: Hashable, Sendable {
  /// The word for what is wanted, such as `GET`.
  public var method: String
  /// What is asked for.
  public var target: RequestTarget
  /// The name or address in `Host`, in lower case and without its port.
  public var host: String
  /// `Host` in lower case, with its port as it came.
  public var authority: String
  /// Where the page comes from that sends it, as the browser says; nil where it says nothing.
  public var origin: String?
  /// How that page stands to the gateway, as the browser says; nil where it says nothing.
  public var fetchSite: String?
  /// What the body is, in lower case and without parameters.
  public var mediaType: String?
  /// The token of the session; nil for nobody's.
  public var token: String?
  /// Whether the token came as a program's, which no page of somebody else can make a browser send.
  public var isBearer: Bool
  /// What binds a way to an identity provider and back to the browser that began it; nil for none.
  public var binding: String?
  /// In which whoever sends it wants to be answered, the best first.
  public var languages: [Language]
  /// By what the sender knows the content already.
  public var noneMatch: String?
  /// By what a repetition is known.
  public var idempotencyKey: String?
  /// The program that sends it, in its own words, 200 characters at most.
  public var userAgent: String
  /// The body; empty where there is none.
  public var body: [UInt8]
  /// Where it comes from; behind a reverse proxy of the owner's, what that wrote down.
  public var address: String
  /// Whether the browser talks by TLS: to the gateway, or to a reverse proxy of the owner's.
  public var isEncrypted: Bool
  /// Whether it came through a reverse proxy of the owner's.
  public var isForwarded: Bool
}

extension Incoming {
  /// Why a request is not looked at any further.
  public struct Fault: Error, Hashable, Sendable {
    /// The status of the answer, as RFC 9110 numbers them.
    public var status: UInt32
    /// What people read.
    public var words: Message
    /// What goes along with the answer.
    public var headers: [WebAnswer.Header] = []

    /// A fault of a status, in words.
    public init(_ status: UInt32, _ words: Message) {
      self.status = status
      self.words = words
    }

    /// What does not take the method.
    public init(takes methods: [String]) {
      let list = methods.joined(separator: ", ")
      self.init(405, Message("This takes {methods}.", ["methods": list]))
      headers = [WebAnswer.Header("Allow", list)]
    }
  }

  /// The name of the session's cookie. Where all is encrypted, no other host of the domain and no unencrypted page can set
  /// one of this name.
  public static func cookieName(isEncrypted: Bool) -> String {
    isEncrypted ? "__Host-homeward" : "homeward"
  }

  /// The name of the cookie that binds a way to an identity provider and back to one browser.
  public static func bindingName(isEncrypted: Bool) -> String {
    cookieName(isEncrypted: isEncrypted) + "-openid"
  }

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - header: the values of a header, one for each time that it came.
  ///   - address: the other end of the connection.
  ///   - isEncrypted: whether it came by TLS.
  ///   - proxies: the addresses of reverse proxies that are believed; what anybody else forwards is not read.
  public init(
    method: String, target: String, body: [UInt8], address: String, isEncrypted: Bool,
    proxies: Set<String> = [],
    header: (String) -> (value: String?, count: Int)
  ) throws(Fault) {
    func single(_ name: String) throws(Fault) -> String? {
      let found = header(name)
      guard found.count <= 1 else {
        throw Fault(400, Message("The header {name} came more than once.", ["name": name]))
      }
      return found.value
    }
    guard let read = RequestTarget(target) else {
      throw Fault(400, Message("The address of this page cannot be read."))
    }
    guard let authority = try single("Host"), let host = Self.host(of: authority) else {
      throw Fault(400, Message("The request does not say which host it is for."))
    }
    self.method = method
    self.target = read
    self.host = host
    self.authority = authority.lowercased()
    origin = try single("Origin")
    fetchSite = try single("Sec-Fetch-Site")
    mediaType = try single("Content-Type")?.prefix { $0 != ";" }.lowercased()
    languages = Self.languages(header("Accept-Language").value ?? "")
    noneMatch = header("If-None-Match").value
    idempotencyKey = try single("Idempotency-Key")
    userAgent = String((header("User-Agent").value ?? "").prefix(200))
    self.body = body
    isForwarded = proxies.contains(PeerAddress.normal(address))
    let (hops, scheme) = (header("X-Forwarded-For"), header("X-Forwarded-Proto"))
    self.address = PeerAddress.origin(
      of: address, forwarded: isForwarded && hops.count == 1 ? hops.value : nil, proxies: proxies)
    self.isEncrypted =
      isEncrypted || (isForwarded && scheme.count == 1 && scheme.value?.lowercased() == "https")
    let cookies = header("Cookie").value ?? ""
    binding = Self.cookie(Self.bindingName(isEncrypted: self.isEncrypted), in: cookies)
    if let authorization = try single("Authorization") {
      let words = authorization.split(separator: " ")
      guard words.count == 2, words[0].lowercased() == "bearer", Self.isToken(words[1]) else {
        throw Fault(401, Message("What stands in Authorization is no token."))
      }
      token = String(words[1])
      isBearer = true
    } else {
      token = Self.cookie(Self.cookieName(isEncrypted: self.isEncrypted), in: cookies)
      isBearer = false
    }
  }

  /// The host of an authority, without its port: a name or an address, in lower case; nil where it is none.
  public static func host(of authority: String) -> String? {
    let text = authority.lowercased()
    guard (1...300).contains(text.utf8.count) else { return nil }
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let inside = text[text.index(after: text.startIndex)..<end]
      guard inside.utf8.allSatisfy({ isHexadecimal($0) || $0 == 0x3A || $0 == 0x2E }),
        isPort(text[text.index(after: end)...])
      else { return nil }
      return String(text[...end])
    }
    let name = text.prefix { $0 != ":" }
    guard !name.isEmpty, isPort(text[name.endIndex...]),
      name.utf8.allSatisfy({ byte in
        isHexadecimal(byte) || (0x67...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
      })
    else { return nil }
    return String(name)
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || (text.hasPrefix(":") && UInt16(text.dropFirst()) != nil)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  /// Whether a host is an address: nobody can have a name lead to it under which they have pages of their own.
  public static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("[") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether a text may be a token.
  public static func isToken(_ text: Substring) -> Bool {
    (16...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == 0x2D || byte == 0x5F
      }
  }

  /// The value of a cookie; nil where it is absent, is no token, or came more than once, for then somebody put one there.
  static func cookie(_ name: String, in header: String) -> String? {
    let found = header.split(separator: ";").compactMap { pair -> Substring? in
      let words = pair.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return words.count == 2 && words[0] == name ? words[1] : nil
    }
    guard found.count == 1, let value = found.first, isToken(value) else { return nil }
    return String(value)
  }

  /// The languages that are known of those that a browser asks for, the best first.
  static func languages(_ header: String) -> [Language] {
    let wanted = header.split(separator: ",").prefix(20).compactMap { part -> (Language, Double)? in
      let words = part.split(separator: ";")
      let tag = words.first.map { $0.filter { $0 != " " } } ?? ""
      guard let language = Language(tag: tag) else { return nil }
      let weight = words.dropFirst().lazy.map { $0.filter { $0 != " " } }
        .first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
      return (language, weight ?? 1)
    }
    return wanted.enumerated().sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
      .map(\.element.0)
  }
}
