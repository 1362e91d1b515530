import JSON
import Loop
import WebServer

/// What pages are told as it happens: server-sent events, one stream for each browser.
///
/// - Source: WHATWG HTML, "Server-sent events".
@LoopActor
final class EventStreams {
  /// So many streams one session has at most; a further one takes the place of the oldest.
  static let perSession = 8
  /// So often a sign of life is sent, by which both sides notice that the other is gone.
  private static let heartbeatMilliseconds: Int64 = 15_000

  private struct Stream {
    var watch: String
    var token: String?
    var request: WebRequest
  }

  private let desk: GatewayDesk
  private var streams: [Stream] = []
  private var timer: LoopTimer?

  init(_ desk: GatewayDesk) { self.desk = desk }

  /// Begins a stream, as soon as the gateway lets the visitor watch.
  func begin(
    _ request: WebRequest, for visitor: Visitor,
    refuse: @escaping @LoopActor (Refusal) -> Void
  ) {
    desk.watch(for: visitor) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let refusal): refuse(refusal)
      case .success(let watch):
        self.add(Stream(watch: watch, token: visitor.token, request: request))
      }
    }
  }

  private func add(_ stream: Stream) {
    let answer = WebAnswer(
      200, type: "text/event-stream", "retry: 3000\nevent: here\ndata: {}\n\n",
      [Headers.personal]
    ).guarded
    let watch = stream.watch
    guard stream.request.begin(answer, onEnd: { [weak self] in self?.ended(watch) }) else {
      return desk.unwatch(watch)
    }
    streams.append(stream)
    let own = streams.filter { $0.token == stream.token }
    if own.count > Self.perSession { close(own[0], saying: "event: elsewhere\ndata: {}\n\n") }
    keepBeating()
  }

  private func ended(_ watch: String) {
    guard streams.contains(where: { $0.watch == watch }) else { return }
    streams.removeAll { $0.watch == watch }
    desk.unwatch(watch)
  }

  private func close(_ stream: Stream, saying last: String) {
    ended(stream.watch)
    _ = stream.request.send(Array(last.utf8))
    stream.request.end()
  }

  /// Hands on what the gateway says of a watch.
  func notified(_ params: JSONValue) {
    guard let watch = params["watch"]?.stringContent,
      let stream = streams.first(where: { $0.watch == watch })
    else { return }
    if let ended = params["ended"]?.stringContent {
      return close(stream, saying: "event: ended\ndata: {\"reason\":\"\(ended)\"}\n\n")
    }
    guard let event = params["event"] else { return }
    let piece = Array("data: ".utf8) + event.serializedBytes + Array("\n\n".utf8)
    if !stream.request.send(piece) { stream.request.end() }
  }

  private func keepBeating() {
    guard timer == nil else { return }
    let timer = LoopTimer { [weak self] in self?.beat() }
    timer.set(afterMilliseconds: Self.heartbeatMilliseconds)
    self.timer = timer
  }

  private func beat() {
    for stream in streams where !stream.request.send(Array("event: here\ndata: {}\n\n".utf8)) {
      stream.request.end()
    }
    timer = nil
    if !streams.isEmpty { keepBeating() }
  }
}
