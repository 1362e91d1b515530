import Bytes
import CGatewayShims
public import Care
import Glibc
public import Loop
import Moments
public import Ports
import Texts

/// Bluetooth without bluetoothd: what the program homeward-hci hears, read from its socket.
///
/// It listens, and can do nothing else: devices are not paired or connected to. The adapter's troubles come as the
/// program tells them; a program that is gone is looked for again, after 0.5 through 30 s, and one that says nothing is
/// left and connected to anew.
@LoopActor
public final class HCISource: BluetoothSource {
  /// Bytes read before other work of the loop gets its turn.
  private static let bytesPerTurn = 65_536
  /// The longest line: an advertisement of Bluetooth 5 has 1,650 bytes, which are 3,300 digits.
  private static let lineBytes = 8192

  private let options: Options
  private var observer: (@LoopActor (BluetoothNews) -> Void)?
  private var descriptor: Int32 = -1
  private var lines = HCISource.framer
  private var heard = HeardDevices()
  private var health = HCIHealth()
  private var adapter: (name: String, address: BluetoothAddress?, state: HCIState)?
  private var toldAdapters: [BluetoothAdapter] = []
  private var lastLine = Tick(nanoseconds: 0)
  private var backoff: Backoff
  /// Lines of this connection that could not be read, and how many of them were told of.
  private var misread = 0
  private var toldMisread = 0

  /// Lines since the start that could not be read.
  public private(set) var brokenLines = 0
  /// Advertisements since the start that homeward-hci left out because they were read too slowly.
  public private(set) var droppedAdvertisements: Int64 = 0

  private lazy var retryTimer = LoopTimer { [weak self] in self?.connect() }
  private lazy var silenceTimer = LoopTimer { [weak self] in self?.checkSilence() }

  /// A source that does nothing until started.
  public init(options: Options = Options()) {
    self.options = options
    backoff = Backoff(
      firstMilliseconds: options.patience.retryMilliseconds,
      longestMilliseconds: options.patience.longestRetryMilliseconds)
  }

  /// Starts; news go to `observer`, on the loop, until ``stop()``.
  public func start(_ observer: @escaping @LoopActor (BluetoothNews) -> Void) {
    guard self.observer == nil else { return }
    self.observer = observer
    become(.starting)
    connect()
  }

  /// Hangs up, and says nothing any more.
  public func stop() {
    observer = nil
    retryTimer.cancel()
    disconnect()
    health = HCIHealth()
    (adapter, toldAdapters) = (nil, [])
  }

  /// The adapter of homeward-hci; none while it is not known.
  public var adapters: [BluetoothAdapter] {
    guard let adapter, let condition = adapter.state.condition else { return [] }
    return [BluetoothAdapter(name: adapter.name, address: adapter.address, condition: condition)]
  }

  /// What was heard, by address; at most 500.
  public var devices: [BluetoothDevice] { heard.all }

  private func tell(_ news: BluetoothNews) { observer?(news) }

  private func become(_ condition: HCIHealth.Condition) {
    guard observer != nil, let report = health.become(condition) else { return }
    tell(.health(report))
  }

  // MARK: What needs bluetoothd

  private static let unsupported = BluetoothFailure(
    .unsupported,
    Message(
      "Homeward only listens to Bluetooth here. To pair devices or connect to them, let it use bluetoothd: bluetooth.source: bluez"
    ))

  /// Fails: that needs bluetoothd.
  public func pair(
    _ request: PairingRequest,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    EventLoop.current.post { completion(.failure(Self.unsupported)) }
  }

  /// False: no pairing goes on.
  public func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool { false }

  /// Nothing to end.
  public func cancelPairing(with address: BluetoothAddress) {}

  /// Fails: that needs bluetoothd.
  public func forget(
    _ address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    EventLoop.current.post { completion(.failure(Self.unsupported)) }
  }

  /// Fails: that needs bluetoothd.
  public func connect(
    to address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<any BluetoothLink, BluetoothFailure>) -> Void
  ) {
    EventLoop.current.post { completion(.failure(Self.unsupported)) }
  }

  // MARK: The socket

  /// What is too long is no line of homeward-hci; what follows it may be.
  private static var framer: LineFramer {
    LineFramer(maximumBytes: lineBytes, excess: .isPassedOver)
  }

  private func connect() {
    guard observer != nil, descriptor < 0 else { return }
    let opened = homeward_unix_connect(options.socketPath, 0)
    guard opened >= 0 else {
      let isForbidden = errno == EACCES || errno == EPERM
      return lose(
        isForbidden
          ? .closedSocket(path: options.socketPath) : .noProgram(path: options.socketPath))
    }
    descriptor = opened
    (lines, misread, toldMisread) = (Self.framer, 0, 0)
    noteLine()
    EventLoop.current.watch(opened, for: .reading) { [weak self] _ in self?.receive() }
  }

  private func disconnect() {
    silenceTimer.cancel()
    guard descriptor >= 0 else { return }
    EventLoop.current.unwatch(descriptor)
    close(descriptor)
    descriptor = -1
  }

  /// There is no connection, or it is of no use: another is made after a pause.
  private func lose(_ condition: HCIHealth.Condition) {
    disconnect()
    guard observer != nil else { return }
    adapter = nil
    reportAdapters()
    become(condition)
    retryTimer.set(afterMilliseconds: backoff.next())
  }

  private func receive() {
    var block = [UInt8](repeating: 0, count: Self.bytesPerTurn)
    let count = recv(descriptor, &block, block.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return lose(.noProgram(path: options.socketPath)) }
    let current = descriptor
    let before = lines.overlongLines
    lines.append(block.prefix(count))
    while let line = try? lines.next() {
      take(line)
      // Whoever was told may have stopped the source.
      guard descriptor == current else { return }
    }
    for _ in 0..<max(0, lines.overlongLines - before) { noteBrokenLine() }
  }

  // MARK: Lines

  private func take(_ bytes: [UInt8]) {
    let line: HCILine
    do { line = try HCILine(bytes) } catch { return noteBrokenLine() }
    noteLine()
    switch line {
    case .state(let state, let name, let address):
      backoff.reset()
      adapter = (name, address, state)
      reportAdapters()
      reportHealth()
    case .advertisement(let advertisement):
      // The state comes before anything else.
      guard let adapter else { return noteBrokenLine() }
      tell(.sighting(heard.take(advertisement, adapter: adapter.name, at: EventLoop.now)))
    case .dropped(let count):
      let sum = droppedAdvertisements.addingReportingOverflow(count)
      droppedAdvertisements = sum.overflow ? .max : sum.partialValue
    }
  }

  private func reportAdapters() {
    let now = adapters
    guard now != toldAdapters else { return }
    toldAdapters = now
    tell(.adapters(now))
  }

  /// Said with the first, the tenth, the hundredth of a connection: what is broken may be broken often.
  private func noteBrokenLine() {
    brokenLines += 1
    misread += 1
    var step = misread
    while step.isMultiple(of: 10) { step /= 10 }
    guard step == 1 else { return }
    toldMisread = misread
    reportHealth()
  }

  /// What is wrong with the adapter goes before what is wrong with the lines.
  private func reportHealth() {
    if toldMisread > 0, adapter?.state ?? .listening == .listening {
      become(.brokenLines(toldMisread))
    } else if let adapter {
      become(.adapter(adapter.state, name: adapter.name))
    }
  }

  // MARK: Silence

  private func noteLine() {
    lastLine = EventLoop.now
    if silenceTimer.deadline == nil { silenceTimer.set(at: silenceDeadline) }
  }

  private var silenceDeadline: Tick {
    lastLine.advanced(byMilliseconds: options.patience.silenceMilliseconds)
  }

  private func checkSilence() {
    guard descriptor >= 0 else { return }
    guard EventLoop.now >= silenceDeadline else { return silenceTimer.set(at: silenceDeadline) }
    lose(.silentProgram)
  }
}
