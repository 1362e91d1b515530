import CCurl
public import Loop

/// Posts over connections that are kept open, on the event loop (curl_multi); lives as long as the process.
///
/// Requests run side by side, each on a connection of its own: one that hangs delays no other.
@LoopActor
public final class PostLoop {
  /// Takes what came of a request.
  public typealias Completion = @LoopActor (Result<Answer, TransferFault>) -> Void

  private struct Running {
    let transfer: Transfer
    let completion: Completion
  }

  private static let isLibraryReady = homeward_curl_prepare()

  private var curl: OpaquePointer?
  private var timer: LoopTimer?
  private var running: [OpaquePointer: Running] = [:]

  /// A loop without requests.
  public init() {
    guard Self.isLibraryReady else { return }
    timer = LoopTimer { [weak self] in self?.timeIsUp() }
    // Retained by libcurl's side for ever: the callbacks may come as long as the process lives.
    var handlers = homeward_curl_handlers()
    handlers.context = Unmanaged.passRetained(self).toOpaque()
    handlers.watch = { context, descriptor, isReading, isWriting in
      guard let loop = PostLoop.of(context) else { return }
      LoopActor.assumeIsolated { loop.watch(descriptor, isReading, isWriting) }
    }
    handlers.wake = { context, milliseconds in
      guard let loop = PostLoop.of(context) else { return }
      LoopActor.assumeIsolated { loop.wake(afterMilliseconds: milliseconds) }
    }
    handlers.finished = { context, transfer in
      guard let loop = PostLoop.of(context), let transfer else { return }
      LoopActor.assumeIsolated { loop.finished(transfer) }
    }
    curl = homeward_curl_create(&handlers)
  }

  private nonisolated static func of(_ context: UnsafeMutableRawPointer?) -> PostLoop? {
    context.map { Unmanaged<PostLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Posts once; `completion` is called once, later, and at the latest when the request's time is over.
  public func start(_ post: Post, completion: @escaping Completion) {
    let fault: TransferFault
    do throws(TransferFault) {
      guard let curl else { throw Transfer.impossible }
      let transfer = try Transfer.post(post)
      running[transfer.handle] = Running(transfer: transfer, completion: completion)
      if homeward_curl_start(curl, transfer.handle) { return }
      running[transfer.handle] = nil
      throw Transfer.impossible
    } catch { fault = error }
    EventLoop.current.post { completion(.failure(fault)) }
  }

  /// Ends all requests without an answer to anybody.
  public func stop() {
    guard let curl else { return }
    for handle in running.keys { homeward_curl_stop(curl, handle) }
    running.removeAll()
  }

  private func watch(_ descriptor: Int32, _ isReading: Bool, _ isWriting: Bool) {
    var interest: EventLoop.Interest = []
    if isReading { interest.insert(.reading) }
    if isWriting { interest.insert(.writing) }
    guard !interest.isEmpty else { return EventLoop.current.unwatch(descriptor) }
    EventLoop.current.watch(descriptor, for: interest) { [weak self] readiness in
      guard let curl = self?.curl else { return }
      homeward_curl_ready(
        curl, descriptor, readiness.isReadable, readiness.isWritable, readiness.isHungUp)
    }
  }

  private func wake(afterMilliseconds milliseconds: Int) {
    if milliseconds < 0 {
      timer?.cancel()
    } else {
      timer?.set(afterMilliseconds: Int64(milliseconds))
    }
  }

  private func timeIsUp() {
    if let curl { homeward_curl_timeout(curl) }
  }

  private func finished(_ handle: OpaquePointer) {
    guard let ended = running.removeValue(forKey: handle) else { return }
    ended.completion(ended.transfer.outcome)
  }
}
