import Buttons
import Care
import Gestures
import Glibc
import Loop
import LoopTestSupport
import Synchronization
import Testing
import Texts

/// A button that a test presses: edges go through a socket, as they do through the kernel's descriptors.
final class ScriptedButton: Sendable {
  /// What the device says and how often it was opened.
  struct Script {
    var trouble: ButtonTrouble? = nil
    var isDown = false
    var opened = 0
    var writer: Int32 = -1
    /// How the level answers while edges are lost; nil for the last edge.
    var levels: [Bool] = []
  }

  let script = Mutex(Script())
  let places: [String]

  init(isDown: Bool = false, trouble: ButtonTrouble? = nil, places: [String] = []) {
    self.places = places
    script.withLock { script in
      script.isDown = isDown
      script.trouble = trouble
    }
  }

  static func now() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  var opened: Int { script.withLock { $0.opened } }
  /// Whether nobody has the device open.
  var isReleased: Bool { script.withLock { $0.writer < 0 } }

  /// Moves the contact; `milliseconds` is the stamp from now, negative for earlier.
  func move(_ isDown: Bool, milliseconds: Int64 = 0) {
    send([(isDown, Self.now() + milliseconds * 1_000_000)])
  }

  /// Edges with stamps of their own, in one piece.
  func send(_ edges: [(isDown: Bool, stamp: Int64)]) {
    script.withLock { script in
      if let last = edges.last { script.isDown = last.isDown }
      var bytes: [UInt8] = []
      for edge in edges {
        bytes.append(edge.isDown ? 1 : 0)
        withUnsafeBytes(of: edge.stamp.littleEndian) { bytes += Array($0) }
      }
      #expect(write(script.writer, bytes, bytes.count) == bytes.count)
    }
  }

  /// Sets the level without an edge, as when the kernel's queue ran over.
  func setLevel(_ isDown: Bool) { script.withLock { $0.isDown = isDown } }

  /// Pulls the plug: what is open hangs up, and cannot be opened until ``plugIn()``.
  func unplug() {
    script.withLock { script in
      script.trouble = ButtonTrouble(
        code: "missing", message: Message(verbatim: "The button is not there."))
      if script.writer >= 0 { close(script.writer) }
      script.writer = -1
    }
  }

  func plugIn(isDown: Bool = false) {
    script.withLock { script in
      script.trouble = nil
      script.isDown = isDown
    }
  }
}

/// The open end of a scripted button.
private final class ScriptedDevice: ButtonDevice {
  let descriptor: Int32
  private let button: ScriptedButton
  private var rest: [UInt8] = []

  init(_ button: ScriptedButton, descriptor: Int32) {
    self.button = button
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    button.script.withLock { script in
      if script.writer >= 0 { close(script.writer) }
      script.writer = -1
    }
  }

  func readEdges() throws(ButtonTrouble) -> [ButtonEdge] {
    var buffer = [UInt8](repeating: 0, count: 16 * 9)
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0 { return [] }
    if count == 0 {
      throw ButtonTrouble(code: "unplugged", message: Message(verbatim: "The button is gone."))
    }
    return stride(from: 0, to: count - 8, by: 9).map { start in
      let stamp = buffer[start + 1..<start + 9].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      return ButtonEdge(
        isDown: buffer[start] == 1, stampNanoseconds: Int64(bitPattern: stamp))
    }
  }

  func isDown() throws(ButtonTrouble) -> Bool { button.script.withLock { $0.isDown } }
}

extension ScriptedButton: ButtonOpener {
  func open() throws(ButtonTrouble) -> any ButtonDevice {
    if let trouble = script.withLock({ $0.trouble }) { throw trouble }
    var ends: [Int32] = [0, 0]
    // Programs that other tests start must not inherit the ends, or nothing hangs up when one is closed.
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw ButtonTrouble(code: "broken", message: Message(verbatim: "There are no sockets."))
    }
    script.withLock { script in
      script.opened += 1
      script.writer = ends[1]
    }
    return ScriptedDevice(self, descriptor: ends[0])
  }
}

/// A source and all that it has said.
@LoopActor
final class WatchedButton {
  let source: ButtonSource
  private(set) var reports: [ButtonReport] = []
  private(set) var health: [HealthReport] = []
  private var waiting: [(condition: () -> Bool, resume: () -> Void)] = []

  init(_ button: any ButtonOpener, id: SourceID = "sos", times: GestureTimes = .quick) {
    source = ButtonSource(
      options: .init(id: id, device: .input(InputDevice(device: "scripted")), times: times),
      opener: button)
    start()
  }

  init(options: ButtonSource.Options) {
    source = ButtonSource(options: options)
    start()
  }

  private func start() {
    source.start { [weak self] observation in
      switch observation {
      case .button(let report): self?.reports.append(report)
      case .health(let report): self?.health.append(report)
      default: Issue.record("a button says \(observation)")
      }
      self?.check()
    }
  }

  var gestures: [ButtonGesture] { reports.map(\.gesture) }
  var codes: [String] { health.map { $0.state == .working ? "working" : $0.code } }

  /// Returns once the condition holds; the test's time limit ends a wait that never does.
  func wait(until condition: @escaping () -> Bool) async {
    if condition() { return }
    await withLoopContinuation { continuation in
      waiting.append((condition, { continuation.resume() }))
    }
  }

  private func check() {
    let ready = waiting.filter { $0.condition() }
    waiting.removeAll { $0.condition() }
    for entry in ready { entry.resume() }
  }
}

extension GestureTimes {
  /// Times at which tests need not wait for long; the stamps of scripted edges say how long a press was.
  static let quick = GestureTimes(
    debounceMilliseconds: 5, multiPressMilliseconds: 40, holdMilliseconds: 300,
    stuckMilliseconds: 1_000_000)
}
