import Care
import DBus
import Loop
import Ports
import Texts

/// A pairing that goes on.
private struct PairingWork {
  let path: String
  let completion: @LoopActor (Result<Void, BluetoothFailure>) -> Void
  /// The call of bluetoothd that waits for a person.
  var waiting: BusCall?
  /// Whether the adapter was made pairable for it, and is not to stay so.
  var madePairable = false
  let timer: LoopTimer
  var questionTimer: LoopTimer?
}

/// Pairings: the one that goes on, and the agent that bluetoothd asks what devices want.
@LoopActor
final class BlueZPairing {
  static let agentPath = "/org/homeward/agent"

  private let patience: BlueZSource.Patience
  private let bus: BlueZBus
  private let objects: BlueZObjects
  private let news: BlueZNews
  private var desk = PairingDesk()
  private var work: PairingWork?
  /// Whether bluetoothd knows the agent.
  private(set) var isAgentReady = false

  /// No pairing, and an agent that bluetoothd does not know.
  init(
    _ patience: BlueZSource.Patience, _ bus: BlueZBus, _ objects: BlueZObjects, _ news: BlueZNews
  ) {
    self.patience = patience
    self.bus = bus
    self.objects = objects
    self.news = news
  }

  /// The device that is being paired; nil for none.
  var path: String? { work?.path }

  // MARK: The one that goes on

  /// Whether a request may be tried: no other goes on, and its number is one.
  func admits(_ request: PairingRequest) -> Result<Void, BluetoothFailure> {
    guard work == nil else {
      return .failure(
        BluetoothFailure(
          .busy, Message("Another device is being paired. Wait until that is done, or cancel it.")))
    }
    guard request.passkey.map({ $0 <= 999_999 }) ?? true else {
      return .failure(
        BluetoothFailure(.unsupported, Message("A pairing number has at most six digits.")))
    }
    return .success(())
  }

  /// Pairs and bonds with a device that was admitted.
  func begin(
    _ request: PairingRequest, at path: String,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    let timer = LoopTimer { [weak self] in self?.tookTooLong() }
    work = PairingWork(path: path, completion: completion, timer: timer)
    timer.set(afterMilliseconds: patience.pairingMilliseconds)
    desk.begin(request, path: path)
    objects.tree.pinned.insert(path)
    makePairable(path)
  }

  private func makePairable(_ path: String) {
    guard let adapter = objects.tree.devices[path]?.adapter,
      objects.tree.adapters[adapter]?.isPairable == false
    else { return pair(path) }
    work?.madePairable = true
    setPairable(true, adapter) { [weak self] in self?.pair(path) }
  }

  private func setPairable(
    _ isPairable: Bool, _ adapter: String, then: @escaping @LoopActor () -> Void
  ) {
    bus.call(
      adapter, BlueZName.properties, "Set",
      [.text(BlueZName.adapter), .text("Pairable"), .variant(.flag(isPairable))]
    ) { _ in then() }
  }

  private func pair(_ path: String) {
    guard work?.path == path else { return }
    if objects.tree.devices[path]?.isBonded == true { return trust(path) }
    bus.call(
      path, BlueZName.device, "Pair", timeoutMilliseconds: patience.pairingMilliseconds + 5000
    ) { [weak self] result in
      guard let self, work?.path == path else { return }
      if let fault = result.failureValue, fault.name != "org.bluez.Error.AlreadyExists" {
        end(.failure(BlueZWords.failure(fault)))
      } else {
        trust(path)
      }
    }
  }

  /// bluetoothd 5.66 may forget to answer when a connection was just being made: the bond itself counts.
  func mayHaveSucceeded(_ path: String) {
    guard work?.path == path, objects.tree.devices[path]?.isBonded == true else { return }
    trust(path)
  }

  /// A trusted device may connect by itself later, as meters do, without anybody being asked.
  private func trust(_ path: String) {
    bus.call(
      path, BlueZName.properties, "Set",
      [.text(BlueZName.device), .text("Trusted"), .variant(.flag(true))]
    ) { [weak self] _ in
      guard let self, work?.path == path else { return }
      end(.success(()))
    }
  }

  private func tookTooLong() {
    guard let path = work?.path else { return }
    bus.call(path, BlueZName.device, "CancelPairing") { _ in }
    end(.failure(.timedOut))
  }

  /// Ends it where it is with this device.
  func cancel(with address: BluetoothAddress) {
    guard let work, desk.open?.request.address == address else { return }
    bus.call(work.path, BlueZName.device, "CancelPairing") { _ in }
    end(.failure(BluetoothFailure(.cancelled, Message("The pairing was cancelled."))))
  }

  /// Ends it with what became of it, where one goes on.
  func end(_ result: Result<Void, BluetoothFailure>) {
    guard let work else { return }
    self.work = nil
    work.timer.cancel()
    work.questionTimer?.cancel()
    work.waiting?.refuse(BlueZWords.cancelled, "the pairing is over")
    desk.end()
    objects.tree.pinned.remove(work.path)
    if work.madePairable, let adapter = BlueZName.adapterPath(of: work.path) {
      setPairable(false, adapter) {}
    }
    EventLoop.current.post { work.completion(result) }
  }

  // MARK: The agent

  /// A bluetoothd is gone, or may have forgotten the agent.
  func forgetAgent() { isAgentReady = false }

  func registerAgent() {
    let path = BusArgument.path(Self.agentPath)
    bus.call(
      "/org/bluez", BlueZName.agentManager, "RegisterAgent", [path, .text("KeyboardDisplay")]
    ) { [weak self] result in
      guard let self else { return }
      if let fault = result.failureValue, fault.name != "org.bluez.Error.AlreadyExists" { return }
      isAgentReady = true
      // As the default agent it also hears, and refuses, what devices begin by themselves.
      bus.call("/org/bluez", BlueZName.agentManager, "RequestDefaultAgent", [path]) { _ in }
    }
  }

  /// Somebody other than bluetoothd asked for something.
  func refuseProgram(_ call: BusCall) {
    call.refuse("org.freedesktop.DBus.Error.AccessDenied", "only bluetoothd may ask this")
    report(
      PairingRefusal(
        address: nil, wish: .program,
        message: Message("A program other than bluetoothd asked for a pairing and was refused.")))
  }

  /// Answers a call to the agent; false when it has no such method.
  func called(_ call: BusCall) -> Bool {
    guard call.interface == BlueZName.agent else { return false }
    let number = call.arguments.dropFirst().first?.integer.flatMap { UInt32(exactly: $0) }
    switch call.member {
    case "Release":
      isAgentReady = false
      call.reply()
    case "Cancel":
      work?.waiting?.refuse(BlueZWords.cancelled, "cancelled")
      work?.waiting = nil
      call.reply()
    case "RequestPinCode", "DisplayPinCode": judge(.pinCode, call)
    case "RequestPasskey": judge(.passkey, call)
    case "DisplayPasskey": judge(.displayPasskey(number ?? 0), call)
    case "RequestConfirmation": judge(.confirmation(number ?? 0), call)
    case "RequestAuthorization": judge(.authorization, call)
    case "AuthorizeService": judge(.service, call)
    default: return false
    }
    return true
  }

  private func judge(_ request: PairingDesk.Request, _ call: BusCall) {
    let path = call.arguments.first?.text ?? ""
    let address = objects.tree.devices[path]?.address
    perform(desk.judge(request, path: path, address: address), call)
  }

  private func perform(_ verdict: PairingDesk.Verdict, _ call: BusCall) {
    switch verdict {
    case .accept: call.reply()
    case .acceptPasskey(let passkey): call.reply([.uint32(passkey)])
    case .tell(let question):
      call.reply()
      news.tell(.question(question))
    case .ask(let question): wait(with: call, for: question)
    case .refuse(let refusal):
      call.refuse(BlueZWords.rejected, "nobody asked for it")
      report(refusal)
    }
  }

  private func wait(with call: BusCall, for question: PairingQuestion) {
    work?.waiting?.refuse(BlueZWords.cancelled, "asked again")
    work?.waiting = call
    let timer = LoopTimer { [weak self] in
      self?.work?.waiting?.refuse(BlueZWords.cancelled, "nobody answered")
      self?.work?.waiting = nil
    }
    work?.questionTimer?.cancel()
    work?.questionTimer = timer
    timer.set(afterMilliseconds: patience.questionMilliseconds)
    news.tell(.question(question))
  }

  private func report(_ refusal: PairingRefusal) {
    if desk.shouldTell(refusal, at: EventLoop.now) { news.tell(.refused(refusal)) }
  }

  /// Answers the question that a pairing waits with; false when none waits for such an answer.
  func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool {
    guard let call = work?.waiting, let verdict = desk.answer(answer, for: address) else {
      return false
    }
    work?.waiting = nil
    work?.questionTimer?.cancel()
    perform(verdict, call)
    return true
  }
}
