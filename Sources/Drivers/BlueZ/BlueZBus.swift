import CGatewayShims
import DBus
import Glibc
import Loop

/// The way to bluetoothd: the system's bus, which may be missing or go away, and who on it is bluetoothd.
@LoopActor
final class BlueZBus {
  /// Advertisements come one by one, many a second, and nobody notices a tenth of one.
  private static let restMilliseconds: Int64 = 100

  private let path: String
  private let answerMilliseconds: Int64
  private var bus: SystemBus?
  private var isWanted = false
  /// Who on the bus is bluetoothd; nil while nobody is.
  private(set) var owner: String?
  /// Counts lives of bluetoothd, so that answers of an earlier one are dropped.
  private var generation = 0
  /// Whether bluetoothd said anything since ``forgetWhatWasHeard()``.
  private(set) var hasHeard = false
  private var backoff: Backoff
  private lazy var timer = LoopTimer { [weak self] in self?.connect() }

  /// Hears that another bluetoothd is there, or none.
  var onOwner: @LoopActor (String?) -> Void = { _ in }
  /// Hears what bluetoothd says.
  var onSignal: @LoopActor (BusSignal) -> Void = { _ in }
  /// Takes calls to objects of ours and says whether there is such a thing.
  var onCall: @LoopActor (BusCall) -> Bool = { _ in false }
  /// Hears what is wrong with the bus.
  var onTrouble: @LoopActor (BluetoothHealth.Condition) -> Void = { _ in }

  /// A bus that nobody looks for until ``start()``.
  init(_ options: BlueZSource.Options) {
    path = options.busPath
    answerMilliseconds = options.patience.answerMilliseconds
    backoff = Backoff(
      firstMilliseconds: options.patience.busMilliseconds,
      longestMilliseconds: options.patience.longestBusMilliseconds)
  }

  /// Whether there is a bus.
  var isConnected: Bool { bus != nil }

  /// Connects, again and again where that fails.
  func start() {
    isWanted = true
    connect()
  }

  /// Lets go of the bus.
  func stop() {
    isWanted = false
    timer.cancel()
    bus?.close()
    bus = nil
    owner = nil
  }

  /// From here on it counts whether bluetoothd says anything.
  func forgetWhatWasHeard() { hasHeard = false }

  /// Calls a method of bluetoothd; what an earlier one answers is dropped, and told as no connection.
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = [],
    timeoutMilliseconds: Int64? = nil, completion: @escaping SystemBus.Completion
  ) {
    guard let bus, let owner else {
      return EventLoop.current.post { completion(.failure(.noConnection)) }
    }
    let generation = generation
    bus.call(
      owner, path, interface, member, arguments,
      timeoutMilliseconds: UInt64(timeoutMilliseconds ?? answerMilliseconds)
    ) { [weak self] result in
      guard let self, generation == self.generation else {
        return completion(.failure(.noConnection))
      }
      if case .failure(let fault) = result, fault.isTimeOut {} else { hasHeard = true }
      completion(result)
    }
  }

  // MARK: The bus

  private func connect() {
    guard isWanted, bus == nil else { return }
    let descriptor = homeward_unix_connect(path, 0)
    guard descriptor >= 0 else { return failed() }
    bus = SystemBus(
      descriptor: descriptor, restMilliseconds: Self.restMilliseconds,
      onSignal: { [weak self] in self?.heard($0) },
      onCall: { [weak self] in self?.onCall($0) ?? false },
      onLost: { [weak self] in self?.lost() })
    guard bus != nil else {
      close(descriptor)
      return failed()
    }
    askForSignals()
  }

  private func lost() {
    bus = nil
    changeOwner(to: nil)
    failed()
  }

  private func failed() {
    onTrouble(.noBus(path: path))
    timer.set(afterMilliseconds: backoff.next())
  }

  private func askForSignals() {
    let rules = [
      "type='signal',sender='\(BlueZName.daemon)'",
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(BlueZName.daemon)'",
    ]
    for rule in rules {
      bus?.match(rule) { [weak self] result in
        guard case .failure(let fault) = result, fault != .noConnection else { return }
        self?.onTrouble(.busRefuses(words: fault.message))
      }
    }
    bus?.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
      [.text(BlueZName.daemon)], timeoutMilliseconds: UInt64(answerMilliseconds)
    ) { [weak self] result in
      guard let self, bus != nil, owner == nil else { return }
      if case .failure(let fault) = result, fault.isTimeOut || fault == .noConnection {
        bus?.close()
        return lost()
      }
      backoff.reset()
      changeOwner(to: (try? result.get())?.first?.text)
    }
  }

  // MARK: bluetoothd

  private func changeOwner(to name: String?) {
    generation += 1
    owner = name
    onOwner(name)
  }

  private func heard(_ signal: BusSignal) {
    if signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged" {
      guard signal.arguments.first?.text == BlueZName.daemon else { return }
      let name = signal.arguments.last?.text ?? ""
      return changeOwner(to: name.isEmpty ? nil : name)
    }
    guard let owner, signal.sender == owner else { return }
    hasHeard = true
    onSignal(signal)
  }
}
