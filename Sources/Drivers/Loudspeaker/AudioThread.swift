import CALSA
import CGatewayShims
import Care
import Glibc
import Loop
import Moments
import Synchronization

/// The mailbox of the thread that has the card.
///
/// Unchecked: `report` is set before ``start()`` and not after; everything else is in the mutex or on the thread.
final class AudioThread: @unchecked Sendable {
  enum Message {
    case play(SoundRequest, at: Tick)
    case stop(SoundID)
    case loaded(path: String, SoundPlayback.File)
    case shutdown
  }

  /// Where observations go; called on the audio thread.
  var report: @Sendable (Observation) -> Void = { _ in }
  let options: ALSASpeakerOptions
  private let event: Int32
  private let inbox = Mutex<[Message]>([])

  init(_ options: ALSASpeakerOptions) {
    self.options = options
    event = homeward_eventfd_create()
  }

  deinit { if event >= 0 { close(event) } }

  /// Starts the thread, which ends with ``Message/shutdown``; false when the system refuses.
  func start() -> Bool {
    guard event >= 0 else { return false }
    return SystemThread.start(name: "homeward-audio") { [self] in
      if options.wantsRealtime { _ = homeward_set_realtime(true) }
      let engine = AudioEngine(self)
      engine.run()
    }
  }

  /// Hands a message to the thread; may be called on any thread, waits for nothing.
  func send(_ message: Message) {
    inbox.withLock { $0.append(message) }
    homeward_eventfd_signal(event)
  }

  /// What was sent since the last call, in order.
  func takeMessages() -> [Message] {
    inbox.withLock { inbox in
      defer { inbox.removeAll(keepingCapacity: true) }
      return inbox
    }
  }

  /// Waits for a message, and for the device as the shim's function says; messages stay in the inbox.
  func wait(_ device: OpaquePointer?, wantsRoom: Bool, milliseconds: Int32) -> Int32 {
    let answer = homeward_pcm_wait(device, wantsRoom, event, milliseconds)
    if answer & HOMEWARD_PCM_WOKEN != 0 { homeward_eventfd_drain(event) }
    return answer
  }
}
