import CGatewayShims
public import Care
public import Door
import Glibc
import JSON
public import Loop
public import Texts

/// The gateway's end of the control socket; see `Route` for what can be asked.
@LoopActor
public final class ControlServer {
  /// Bounds, so that no client can exhaust the gateway.
  public struct Limits: Sendable {
    /// Clients at a time; the one idle for longest makes room for a newcomer.
    public var clients = 32
    /// Of these, how many may be of one user.
    public var clientsPerUser = 16
    /// Clients of one user that watch.
    public var watchersPerUser = 8
    /// Places beside those, in which only help can be called and alarms be answered.
    public var keptFree = 8
    /// How long such a place is given to somebody, in milliseconds.
    public var keptFreeMilliseconds: Int64 = 15_000
    /// Types of events that one watcher may name.
    public var watchedTypes = 128
    /// Bytes of each of them.
    public var watchedTypeBytes = 100
    /// Bytes of one line from a client.
    public var lineBytes = 1 << 20
    /// Requests of one client that are not answered yet; beyond that the client is not read.
    public var openRequests = 16
    /// Bytes waiting for a watcher before it is given up.
    public var watcherBytes = 1 << 20
    /// Bytes waiting for a client before it is not read any more.
    public var answerBytes = 4 << 20

    /// The usual bounds.
    public init() {}
  }

  /// Takes the answer to a request; may be called later, once.
  public typealias Answer = @LoopActor (Result<RouteAnswer, ControlError>) -> Void
  /// Answers requests.
  public typealias Handler = @LoopActor (ControlRequest, @escaping Answer) -> Void

  private let path: String
  private let limits: Limits
  private let language: Language
  private let handler: Handler
  private var listener: Int32 = -1
  private let places: Places
  private var peerNames = PeerNames()
  private var pause: LoopTimer?

  /// A server that does not listen yet; `handler` answers every request, and of `watch` whether it may be.
  ///
  /// - Parameter language: for clients that ask in none; see ``ControlClient/init(connectingTo:language:)``.
  public init(
    path: String, limits: Limits = Limits(), language: Language = .en, handler: @escaping Handler
  ) {
    self.language = language
    self.path = path
    self.limits = limits
    places = Places(limits)
    self.handler = handler
  }

  /// Clients connected now.
  public var clientCount: Int { places.connections.count }

  /// Listens with mode 0660; replaces the socket of a gateway that is gone.
  ///
  /// - Throws: ``ControlError`` with code `unavailable` when another gateway listens there, or the path is not usable.
  public func start() throws(ControlError) {
    guard listener < 0 else { return }
    try removeStaleSocket()
    let descriptor = homeward_unix_listen(path, 0o660, 16)
    guard descriptor >= 0 else {
      throw ControlError(
        .unavailable,
        Message(
          "the control socket {path} cannot be made ({reason}): check "
            + "that its folder exists and belongs to the gateway's user.",
          ["path": path, "reason": String(cString: strerror(errno))]))
    }
    listener = descriptor
    EventLoop.current.watch(descriptor, for: .reading) { [weak self] _ in self?.acceptWaiting() }
  }

  /// Ends all connections and removes the socket.
  public func stop() {
    guard listener >= 0 else { return }
    EventLoop.current.unwatch(listener)
    close(listener)
    listener = -1
    pause?.cancel()
    unlink(path)
    for connection in places.connections { connection.end() }
  }

  /// Sends an event to everybody who watches for it, as far as `view` shows it to them: its bytes as they may have them,
  /// or nil for nothing of it.
  public func publish(
    _ event: EncodedEvent,
    as view: (Asking, EncodedEvent) -> [UInt8]? = { $0.isOwner ? $1.body : nil }
  ) {
    let watchers = places.connections.filter { $0.watch?.wants(event) ?? false }
    for watcher in watchers {
      guard let body = view(watcher.asking, event) else { continue }
      watcher.sendEvent(
        Array(#"{"jsonrpc":"2.0","method":"event","params":"#.utf8) + body + [0x7D])
    }
  }

  private func removeStaleSocket() throws(ControlError) {
    var entry = stat()
    guard lstat(path, &entry) == 0 else { return }
    guard entry.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlError(
        .unavailable,
        Message("{path} exists and is no socket: move it away and start again.", ["path": path]))
    }
    let probe = homeward_unix_connect(path, 0)
    let answered = probe >= 0 || errno == EAGAIN
    if probe >= 0 { close(probe) }
    if answered {
      throw ControlError(
        .unavailable,
        Message(
          "another homewardd already answers on {path}: stop it first (systemctl stop homeward).",
          ["path": path]))
    }
    unlink(path)
  }

  private func acceptWaiting() {
    while listener >= 0 {
      let descriptor = homeward_unix_accept(listener)
      if descriptor < 0 { return pauseUnlessNobodyWaits(errno) }
      guard let peer = peerNames.peer(of: descriptor) else {
        close(descriptor)
        continue
      }
      add(descriptor, peer)
    }
  }

  /// Out of descriptors: the waiting client would wake the loop for ever, so look again in a second.
  private func pauseUnlessNobodyWaits(_ code: Int32) {
    guard code == EMFILE || code == ENFILE || code == ENOMEM || code == ENOBUFS else { return }
    EventLoop.current.setInterest([], of: listener)
    let timer = LoopTimer { [weak self] in
      guard let self, self.listener >= 0 else { return }
      EventLoop.current.setInterest(.reading, of: self.listener)
    }
    timer.set(afterMilliseconds: 1000)
    pause = timer
  }

  private func add(_ descriptor: Int32, _ peer: PeerNames.Peer) {
    let place = places.makeRoom(for: peer.user)
    let connection = ControlConnection(
      descriptor: descriptor, peer: peer, isUrgentOnly: place != .ordinary, limits: limits,
      language: language,
      onLine: { [weak self] connection, line in self?.handle(line, from: connection) },
      onEnd: { [weak self] ended in self?.places.remove(ended) })
    places.add(connection)
    connection.start()
    guard place == nil else { return }
    let error = ControlError(
      .busy, Message("too many clients are connected; try again in a moment."))
    connection.finish(answer: Self.answer(to: .null, .failure(error), in: language))
  }

  private func handle(_ line: [UInt8], from connection: ControlConnection) {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { return }
    var id = JSONValue.null
    do throws(ControlError) {
      let message = try Self.parse(line)
      id = message["id"] ?? .null
      if let tag = message["language"]?.stringContent { connection.language = Language(tag) }
      let request = try Self.request(in: message, from: connection.asking)
      try carryOut(request, id: id, for: connection)
    } catch {
      connection.send(
        Self.answer(to: id, .failure(error), in: connection.language).serializedBytes)
    }
  }

  private func carryOut(
    _ request: ControlRequest, id: JSONValue, for connection: ControlConnection
  ) throws(ControlError) {
    if connection.isUrgentOnly, !request.method.isUrgent(with: request.params) {
      throw ControlError(
        .busy,
        Message(
          "too many clients of yours are connected; only calls for help are taken until you end some."
        ))
    }
    let watch = request.method == .watch ? try watch(request, for: connection) : nil
    var isAnswered = false
    let language = connection.language
    connection.requestBegan()
    handler(request) { [weak connection] result in
      guard !isAnswered else { return }
      isAnswered = true
      var result = result
      if let watch, case .success = result {
        connection?.watch = watch
        result = .success(.object([]))
      }
      connection?.send(Self.answer(to: id, result, in: language).serializedBytes)
      connection?.requestEnded()
    }
  }

  private func watch(
    _ request: ControlRequest, for connection: ControlConnection
  ) throws(ControlError) -> EventSelection {
    guard places.mayWatch(connection) else {
      throw ControlError(
        .busy,
        Message(
          "you watch {n} times already; end one of these first.", ["n": limits.watchersPerUser]))
    }
    let types = request.params["types"]?.arrayContent ?? []
    let words = types.compactMap(\.stringContent).filter {
      $0.utf8.count <= limits.watchedTypeBytes
    }
    guard words.count == types.count, words.count <= limits.watchedTypes else {
      throw ControlError(
        .invalidParameters,
        Message(
          "\"types\" may hold {n} texts of {bytes} bytes.",
          ["n": limits.watchedTypes, "bytes": limits.watchedTypeBytes]))
    }
    return EventSelection(types: words)
  }

  private static func parse(_ line: [UInt8]) throws(ControlError) -> JSONValue {
    do { return try JSONValue(parsing: line, limits: .init(maximumBytes: line.count)) } catch {
      throw ControlError(.parse, Message("the line is no JSON: {error}.", ["error": error]))
    }
  }

  private static func request(
    in message: JSONValue, from asking: Asking
  ) throws(ControlError) -> ControlRequest {
    guard let word = message["method"]?.stringContent, message["id"] != nil else {
      throw ControlError(.invalidRequest, Message("a request needs an \"id\" and a \"method\"."))
    }
    guard let method = Route.named(word) else {
      let known = Route.all.map(\.name).joined(separator: ", ")
      throw ControlError(
        .unknownMethod,
        Message(
          "there is no method \"{word}\"; known are {known}.",
          ["word": String(word.prefix(100)), "known": known]))
    }
    let params = message["params"] ?? .object([JSONMember]())
    guard params.objectContent != nil else {
      throw ControlError(.invalidParameters, Message("\"params\" must be an object."))
    }
    return ControlRequest(method: method, params: params, asking: asking)
  }

  static func answer(
    to id: JSONValue, _ result: Result<RouteAnswer, ControlError>, in language: Language
  ) -> JSONValue {
    switch result {
    case .success(let answer):
      .object([
        "jsonrpc": "2.0", "id": id, "result": answer.content,
        "next": answer.next.map { .string($0) },
      ])
    case .failure(let error): ["jsonrpc": "2.0", "id": id, "error": error.json(in: language)]
    }
  }

  static func notification(_ method: String, params: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }
}
