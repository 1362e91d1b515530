public import Care
import DBus
import Loop
public import Ports
import Texts

/// A pairing that goes on.
struct PairingWork {
  let path: String
  let completion: @LoopActor (Result<Void, BluetoothFailure>) -> Void
  /// The call of bluetoothd that waits for a person.
  var waiting: BusCall?
  /// Whether the adapter was made pairable for it, and is not to stay so.
  var madePairable = false
  let timer: LoopTimer
  var questionTimer: LoopTimer?
}

extension BlueZSource {
  /// Pairs and bonds with a device; questions come as news meanwhile. One at a time.
  public func pair(
    _ request: PairingRequest,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    switch placeToPair(request) {
    case .failure(let failure): EventLoop.current.post { completion(.failure(failure)) }
    case .success(let path):
      let timer = LoopTimer { [weak self] in self?.pairingTookTooLong() }
      pairing = PairingWork(path: path, completion: completion, timer: timer)
      timer.set(afterMilliseconds: patience.pairingMilliseconds)
      desk.begin(request, path: path)
      objects.tree.pinned.insert(path)
      makePairable(path)
    }
  }

  private func placeToPair(_ request: PairingRequest) -> Result<String, BluetoothFailure> {
    guard pairing == nil else {
      return .failure(
        BluetoothFailure(
          .busy, Message("Another device is being paired. Wait until that is done, or cancel it.")))
    }
    guard request.passkey.map({ $0 <= 999_999 }) ?? true else {
      return .failure(
        BluetoothFailure(.unsupported, Message("A pairing number has at most six digits.")))
    }
    return radios.place(of: request.address).flatMap { path in
      guard isAgentReady else { return .failure(.noRadio) }
      guard !connections.isBeingMade(to: path) else { return .failure(.connectionIsBusy) }
      return .success(path)
    }
  }

  private func makePairable(_ path: String) {
    guard let adapter = objects.tree.devices[path]?.adapter,
      objects.tree.adapters[adapter]?.isPairable == false
    else { return beginPairing(path) }
    pairing?.madePairable = true
    setPairable(true, adapter) { [weak self] in self?.beginPairing(path) }
  }

  private func setPairable(
    _ isPairable: Bool, _ adapter: String, then: @escaping @LoopActor () -> Void
  ) {
    bus.call(
      adapter, BlueZName.properties, "Set",
      [.text(BlueZName.adapter), .text("Pairable"), .variant(.flag(isPairable))]
    ) { _ in then() }
  }

  private func beginPairing(_ path: String) {
    guard pairing?.path == path else { return }
    if objects.tree.devices[path]?.isBonded == true { return trust(path) }
    bus.call(
      path, BlueZName.device, "Pair", timeoutMilliseconds: patience.pairingMilliseconds + 5000
    ) { [weak self] result in
      guard let self, pairing?.path == path else { return }
      if let fault = result.failureValue, fault.name != "org.bluez.Error.AlreadyExists" {
        endPairing(.failure(BlueZWords.failure(fault)))
      } else {
        trust(path)
      }
    }
  }

  /// bluetoothd 5.66 may forget to answer when a connection was just being made: the bond itself counts.
  func pairingMayHaveSucceeded(_ path: String) {
    guard pairing?.path == path, objects.tree.devices[path]?.isBonded == true else { return }
    trust(path)
  }

  /// A trusted device may connect by itself later, as meters do, without anybody being asked.
  private func trust(_ path: String) {
    bus.call(
      path, BlueZName.properties, "Set",
      [.text(BlueZName.device), .text("Trusted"), .variant(.flag(true))]
    ) { [weak self] _ in
      guard let self, pairing?.path == path else { return }
      endPairing(.success(()))
    }
  }

  private func pairingTookTooLong() {
    guard let path = pairing?.path else { return }
    bus.call(path, BlueZName.device, "CancelPairing") { _ in }
    endPairing(.failure(.timedOut))
  }

  /// Ends a pairing that goes on.
  public func cancelPairing(with address: BluetoothAddress) {
    guard let work = pairing, desk.open?.request.address == address else { return }
    bus.call(work.path, BlueZName.device, "CancelPairing") { _ in }
    endPairing(.failure(BluetoothFailure(.cancelled, Message("The pairing was cancelled."))))
  }

  func endPairing(_ result: Result<Void, BluetoothFailure>) {
    guard let work = pairing else { return }
    pairing = nil
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

  /// Forgets a device and its keys.
  public func forget(
    _ address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    cancelPairing(with: address)
    forget(objects.tree.paths(of: address)[...], address, completion)
  }

  private func forget(
    _ paths: ArraySlice<String>, _ address: BluetoothAddress,
    _ completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void
  ) {
    guard bus.owner != nil else {
      return EventLoop.current.post { completion(.failure(.noRadio)) }
    }
    guard let path = paths.first, let adapter = BlueZName.adapterPath(of: path) else {
      return EventLoop.current.post { completion(.failure(.unknown(address))) }
    }
    bus.call(adapter, BlueZName.adapter, "RemoveDevice", [.path(path)]) { [weak self] result in
      if let fault = result.failureValue, fault.name != "org.bluez.Error.DoesNotExist" {
        return completion(.failure(BlueZWords.failure(fault)))
      }
      guard paths.count > 1 else { return completion(.success(())) }
      self?.forget(paths.dropFirst(), address, completion)
    }
  }

  // MARK: The agent

  func registerAgent() {
    let path = BusArgument.path(Self.agentPath)
    bus.call(
      "/org/bluez", BlueZName.agentManager, "RegisterAgent", [path, .text("KeyboardDisplay")]
    ) {
      [weak self] result in
      guard let self else { return }
      if let fault = result.failureValue, fault.name != "org.bluez.Error.AlreadyExists" { return }
      isAgentReady = true
      // As the default agent it also hears, and refuses, what devices begin by themselves.
      bus.call("/org/bluez", BlueZName.agentManager, "RequestDefaultAgent", [path]) { _ in }
    }
  }

  /// Answers a call to an object of ours; false when there is no such object.
  func called(_ call: BusCall) -> Bool {
    let isAgent = call.path == Self.agentPath
    guard isAgent || call.path.hasPrefix("\(BlueZMonitors.root)/") else { return false }
    guard let owner = bus.owner, call.sender == owner else {
      call.refuse("org.freedesktop.DBus.Error.AccessDenied", "only bluetoothd may ask this")
      report(
        PairingRefusal(
          address: nil, wish: .program,
          message: Message("A program other than bluetoothd asked for a pairing and was refused.")))
      return true
    }
    return isAgent ? agentCalled(call) : monitors.called(call)
  }

  private func agentCalled(_ call: BusCall) -> Bool {
    guard call.interface == BlueZName.agent else { return false }
    let number = call.arguments.dropFirst().first?.integer.flatMap { UInt32(exactly: $0) }
    switch call.member {
    case "Release":
      isAgentReady = false
      call.reply()
    case "Cancel":
      pairing?.waiting?.refuse(BlueZWords.cancelled, "cancelled")
      pairing?.waiting = nil
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
    pairing?.waiting?.refuse(BlueZWords.cancelled, "asked again")
    pairing?.waiting = call
    let timer = LoopTimer { [weak self] in
      self?.pairing?.waiting?.refuse(BlueZWords.cancelled, "nobody answered")
      self?.pairing?.waiting = nil
    }
    pairing?.questionTimer?.cancel()
    pairing?.questionTimer = timer
    timer.set(afterMilliseconds: patience.questionMilliseconds)
    news.tell(.question(question))
  }

  private func report(_ refusal: PairingRefusal) {
    if desk.shouldTell(refusal, at: EventLoop.now) { news.tell(.refused(refusal)) }
  }

  /// Answers the question that a pairing waits with; false when none waits for such an answer.
  public func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool {
    guard let call = pairing?.waiting, let verdict = desk.answer(answer, for: address) else {
      return false
    }
    pairing?.waiting = nil
    pairing?.questionTimer?.cancel()
    perform(verdict, call)
    return true
  }
}
