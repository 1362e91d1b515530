import CGatewayShims
import Care
import Glibc
import Loop
import PluginKit
import Synchronization

/// Speaks to the far end of one call: a thread that owns the sound card from before dialling until the call is over.
///
/// Unchecked: everything that changes is in the mutex or on the thread.
final class LinePlayer: @unchecked Sendable {
  /// Something to be heard.
  enum Item: Hashable, Sendable {
    /// A file by its place in the list.
    case clip(Int)
    case pause(milliseconds: Int)
  }

  /// What the thread tells, on the loop.
  enum Event: Hashable, Sendable {
    /// Card and files are there; how long each file takes.
    case ready(milliseconds: [Int64])
    /// All was said, and heard.
    case played
    /// In words for people.
    case failed(String)
  }

  struct Script: Hashable, Sendable {
    var items: [Item]
    var isEndless: Bool
  }

  private enum Order {
    case speak(Script)
    case end
  }

  private let device: String
  private let files: [String]
  private let onEvent: @LoopActor @Sendable (Event) -> Void
  private let event: Int32
  private let orders = Mutex<[Order]>([])

  init(
    device: String, files: [String], onEvent: @escaping @LoopActor @Sendable (Event) -> Void
  ) {
    self.device = device
    self.files = files
    self.onEvent = onEvent
    event = homeward_eventfd_create()
  }

  deinit { if event >= 0 { close(event) } }

  /// Starts the thread, which lives until ``end()``; false when the system refuses.
  func start() -> Bool {
    event >= 0 && SystemThread.start(name: "homeward-line") { self.run() }
  }

  /// Says something else from now on; an empty script is silence.
  func speak(_ script: Script) { order(.speak(script)) }

  /// Lets the card go.
  func end() { order(.end) }

  private func order(_ order: Order) {
    orders.withLock { $0.append(order) }
    homeward_eventfd_signal(event)
  }

  // MARK: On the thread

  private func run() {
    do throws(Fault) {
      let card = try open()
      let clips = try load(for: card)
      tell(.ready(milliseconds: clips.map(\.milliseconds)))
      var speaker = LineSpeaker(card: card, clips: clips, event: event)
      while true {
        let (script, isOver) = takeOrders()
        if isOver { return }
        if let script { speaker.begin(script) }
        if let fault = speaker.step() { throw fault }
        if speaker.takeIsDone() { tell(.played) }
      }
    } catch { tell(.failed(error.reason)) }
  }

  private func takeOrders() -> (Script?, isOver: Bool) {
    let taken = orders.withLock { orders in
      defer { orders.removeAll() }
      return orders
    }
    var script: Script?
    for order in taken {
      switch order {
      case .speak(let next): script = next
      case .end: return (nil, true)
      }
    }
    return (script, false)
  }

  private func tell(_ news: Event) { EventLoop.current.post { [onEvent] in onEvent(news) } }

  /// Why nothing can be said.
  struct Fault: Error, Hashable {
    var reason: String
  }

  private func open() throws(Fault) -> LineDevice {
    do throws(LineDevice.Failure) { return try LineDevice(device) } catch {
      let words = String(cString: strerror(error.errorNumber))
      throw Fault(
        reason: gettext(
          "nothing can be said on the line: the sound device {device} cannot be opened "
            + "({words}); check voice.playbackDevice, and /dev/snd in devicePaths",
          ["device": device, "words": words]))
    }
  }

  private func load(for card: LineDevice) throws(Fault) -> [WaveClip] {
    var clips: [WaveClip] = []
    for path in files {
      guard let bytes = BoundedFile.read(path) else {
        throw Fault(
          reason: gettext(
            "the spoken words cannot be read; put the speech plugin's state directory into "
              + "readPaths of sms-modem"))
      }
      guard let clip = try? WaveClip(waveFile: bytes) else {
        throw Fault(reason: gettext("what the speech plugin wrote is no sound; look at its health"))
      }
      clips.append(clip.resampled(to: card.rate))
    }
    return clips
  }
}
