import CKeyword
import Glibc
import Loop
import PluginKit
import Synchronization

/// The thread that has the microphone: reads, decodes, and looks again when the device is away.
///
/// Samples live in one buffer of a tenth of a second and nowhere else.
final class Listener: Sendable {
  /// What it tells, on the loop.
  enum News: Hashable, Sendable {
    /// Sound comes in.
    case listening
    /// The device cannot be used; it is looked for again.
    case away(String)
    /// The device gives nothing but digital silence: a muted microphone.
    case muted
    /// The phrase was heard once.
    case heardOnce
    /// The phrase was heard twice.
    case heardTwice
    /// The other phrase, that somebody wants to go home, was heard.
    case heardHome
    /// The machine is too slow: sound was lost.
    case overrun
    /// Decoding failed for good.
    case broken(String)
  }

  /// Samples at a time.
  static let blockSamples = 1600
  /// How long after a failure the device is tried again.
  static let retryMilliseconds: Int32 = 3000
  /// So many samples of pure zero mean that the microphone is muted.
  static let mutedSamples = 30 * 16_000

  private let device: String
  private let spotter: PhraseSpotter
  private let isStopped = Atomic(false)
  private let onNews: @LoopActor @Sendable (News) -> Void

  /// A listener; `onNews` is called on the loop.
  init(
    device: String, spotter: PhraseSpotter, onNews: @escaping @LoopActor @Sendable (News) -> Void
  ) {
    self.device = device
    self.spotter = spotter
    self.onNews = onNews
  }

  /// Starts the thread; false when the kernel refuses one.
  func start() -> Bool { SystemThread.start(name: "homeward-listen") { self.run() } }

  /// Listens no more; returns at once.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  private func tell(_ news: News) {
    guard !isStopped.load(ordering: .relaxed) else { return }
    let onNews = onNews
    EventLoop.current.post { onNews(news) }
  }

  private func run() {
    while !isStopped.load(ordering: .relaxed) {
      var capture: OpaquePointer?
      let error = homeward_capture_open(device, &capture)
      if error == 0, let capture {
        let ended = listen(capture)
        homeward_capture_close(capture)
        guard let ended else { return }
        tell(.away(ended))
      } else {
        tell(.away(Self.words(error)))
      }
      _ = poll(nil, 0, Self.retryMilliseconds)
    }
  }

  private static func words(_ error: Int32) -> String {
    homeward_capture_error(error).map { String(cString: $0) } ?? "error \(error)"
  }

  /// Listens until the device fails, and answers why; nil when it is to end for good.
  private func listen(_ capture: OpaquePointer) -> String? {
    var samples = [Int16](repeating: 0, count: Self.blockSamples)
    var (overruns, knownOverruns): (UInt32, UInt32) = (0, 0)
    var (silent, idle) = (0, 0)
    var isFirst = true
    while !isStopped.load(ordering: .relaxed) {
      let count = samples.withUnsafeMutableBufferPointer { buffer in
        // A device without sound of its own, such as null, leaves the samples as they are.
        buffer.update(repeating: 0)
        return homeward_capture_read(capture, buffer.baseAddress, buffer.count, &overruns)
      }
      guard count >= 0 else { return Self.words(Int32(clamping: count)) }
      idle = count == 0 ? idle + 1 : 0
      guard idle < 5 else { return gettext("it gives no sound") }
      guard count > 0 else { continue }
      if overruns != knownOverruns { tell(.overrun) }
      knownOverruns = overruns
      let wasSilent = silent
      silent = samples.prefix(count).allSatisfy { $0 == 0 } ? silent + count : 0
      if silent >= Self.mutedSamples, wasSilent < Self.mutedSamples { tell(.muted) }
      if isFirst || wasSilent >= Self.mutedSamples && silent == 0 { tell(.listening) }
      isFirst = false
      guard decode(&samples, count: count) else { return nil }
    }
    return nil
  }

  private func decode(_ samples: inout [Int16], count: Int) -> Bool {
    do throws(PhraseSpotter.Fault) {
      switch try spotter.take(&samples, count: count) {
      case .nothing: break
      case .once: tell(.heardOnce)
      case .twice: tell(.heardTwice)
      case .home: tell(.heardHome)
      }
      return true
    } catch {
      tell(.broken(error.sentence))
      return false
    }
  }
}
