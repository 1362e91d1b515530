import CSystemd
import Glibc
public import Loop

/// A connection to the system's D-Bus on a descriptor that somebody else has connected; never waits.
@LoopActor
public final class SystemBus {
  /// What becomes of a call.
  public typealias Completion = @LoopActor (Result<[BusValue], BusFault>) -> Void

  private var bus: OpaquePointer?
  private let descriptor: Int32
  private let onSignal: @LoopActor (BusSignal) -> Void
  private let onCall: @LoopActor (BusCall) -> Bool
  private let onLost: @LoopActor () -> Void
  private var waiting: [UInt64: Completion] = [:]
  private var timer: LoopTimer?
  private var rest: ReadingRest
  private var isResting = false
  private var isProcessing = false
  /// A connection that was closed inside of a callback; the library lets go of it once it has returned.
  private var leaving: OpaquePointer?

  /// Takes the descriptor over and begins to authenticate; nil when it is no connection.
  ///
  /// - Parameters:
  ///   - descriptor: a connected socket; it is closed with the connection, not when this answers nil.
  ///   - restMilliseconds: how long to read nothing after a round, while much is told and no call waits; 0 for never.
  ///   - onSignal: hears the signals that were asked for.
  ///   - onCall: takes calls to objects of ours and says whether there is such a thing; by default there is none.
  ///   - onLost: hears that the connection is gone.
  public init?(
    descriptor: Int32, restMilliseconds: Int64 = 0,
    onSignal: @escaping @LoopActor (BusSignal) -> Void,
    onCall: @escaping @LoopActor (BusCall) -> Bool = { _ in false },
    onLost: @escaping @LoopActor () -> Void
  ) {
    self.descriptor = descriptor
    rest = ReadingRest(milliseconds: restMilliseconds)
    self.onSignal = onSignal
    self.onCall = onCall
    self.onLost = onLost
    var bus: OpaquePointer?
    guard sd_bus_new(&bus) >= 0, let bus else { return nil }
    guard sd_bus_set_fd(bus, descriptor, descriptor) >= 0, sd_bus_set_bus_client(bus, 1) >= 0,
      sd_bus_start(bus) >= 0
    else {
      sd_bus_unref(bus)
      return nil
    }
    self.bus = bus
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = sd_bus_add_filter(bus, nil, Self.heard, context)
    timer = LoopTimer { [weak self] in self?.process() }
    guard
      EventLoop.current.watch(
        descriptor, for: .reading,
        { [weak self] _ in
          self?.process()
        })
    else {
      close()
      return nil
    }
    arm()
  }

  /// Asks for the signals that fit a rule.
  public func match(_ rule: String, completion: @escaping Completion) {
    call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
      [.text(rule)], completion: completion)
  }

  /// Calls a method; `completion` is called once, later, at the latest when the time is over.
  ///
  /// Nobody is started for it, and nobody is asked for a password.
  public func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusArgument] = [], timeoutMilliseconds: UInt64 = 25_000,
    completion: @escaping Completion
  ) {
    guard let bus else { return fail(completion, .noConnection) }
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    guard
      sd_bus_message_new_method_call(bus, &message, destination, path, interface, member) >= 0,
      let message, sd_bus_message_set_auto_start(message, 0) >= 0,
      arguments.allSatisfy({ $0.append(to: message) >= 0 })
    else { return fail(completion, .unspeakable) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    var cookie: UInt64 = 0
    guard
      sd_bus_call_async(bus, nil, message, Self.answered, context, timeoutMilliseconds * 1000) >= 0,
      sd_bus_message_get_cookie(message, &cookie) >= 0
    else { return fail(completion, .noConnection) }
    waiting[cookie] = completion
    if !isProcessing { arm() }
  }

  /// Ends the connection; calls that wait fail.
  public func close() {
    guard let bus else { return }
    self.bus = nil
    timer?.cancel()
    EventLoop.current.unwatch(descriptor)
    // libsystemd 252 aborts when its queue is emptied inside of the callback of a call that ran out of time.
    if isProcessing { leaving = bus } else { Self.release(bus) }
    let dropped = waiting.values
    waiting = [:]
    for completion in dropped { completion(.failure(.noConnection)) }
  }

  private static func release(_ bus: OpaquePointer) {
    sd_bus_close(bus)
    sd_bus_unref(bus)
  }

  private func fail(_ completion: @escaping Completion, _ fault: BusFault) {
    EventLoop.current.post { completion(.failure(fault)) }
  }

  // MARK: The library

  private func process() {
    guard !isProcessing else { return }
    isProcessing = true
    let followsRest = isResting
    isResting = false
    var isLost = false
    var messages = 0
    while let bus {
      let result = sd_bus_process(bus, nil)
      if result < 0 { isLost = true }
      if result <= 0 { break }
      messages += 1
    }
    isProcessing = false
    if let leaving {
      self.leaving = nil
      Self.release(leaving)
    }
    guard let bus = self.bus else { return }
    if isLost || sd_bus_is_open(bus) <= 0 {
      close()
      onLost()
    } else if rest.isDue(after: messages, at: EventLoop.now, followsRest: followsRest),
      waiting.isEmpty, sd_bus_get_events(bus) & Int32(POLLOUT) == 0
    {
      isResting = true
      EventLoop.current.setInterest([], of: descriptor)
      timer?.set(afterMilliseconds: rest.milliseconds)
    } else {
      arm()
    }
  }

  /// Watches for what the library waits for: directions, and a moment of CLOCK_MONOTONIC in microseconds.
  private func arm() {
    guard let bus else { return }
    isResting = false
    let events = sd_bus_get_events(bus)
    var interest = EventLoop.Interest()
    if events & Int32(POLLIN) != 0 { interest.insert(.reading) }
    if events & Int32(POLLOUT) != 0 { interest.insert(.writing) }
    EventLoop.current.setInterest(interest.isEmpty ? .reading : interest, of: descriptor)
    var deadline = UInt64.max
    guard sd_bus_get_timeout(bus, &deadline) > 0, deadline != .max else {
      timer?.cancel()
      return
    }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
    let left = deadline > microseconds ? (deadline - microseconds) / 1000 + 1 : 0
    timer?.set(afterMilliseconds: Int64(clamping: min(left, 86_400_000)))
  }

  private static let answered: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let bus = SystemBus.of(context) else { return 0 }
    var cookie: UInt64 = 0
    guard sd_bus_message_get_reply_cookie(message, &cookie) >= 0 else { return 0 }
    let answer = SystemBus.answer(message)
    LoopActor.assumeIsolated { bus.waiting.removeValue(forKey: cookie)?(answer) }
    return 0
  }

  private static let heard: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let bus = SystemBus.of(context) else { return 0 }
    if sd_bus_message_is_method_call(message, nil, nil) > 0 {
      // The library calls on the loop only, and waits until this returns.
      nonisolated(unsafe) let call = message
      return LoopActor.assumeIsolated { bus.take(call) } ? 1 : 0
    }
    guard sd_bus_message_is_signal(message, nil, nil) > 0 else { return 0 }
    let signal = BusSignal(
      sender: busText(sd_bus_message_get_sender(message)),
      path: busText(sd_bus_message_get_path(message)),
      interface: busText(sd_bus_message_get_interface(message)),
      member: busText(sd_bus_message_get_member(message)),
      arguments: BusValue.arguments(of: message))
    LoopActor.assumeIsolated { bus.onSignal(signal) }
    return 0
  }

  /// Whether an object of ours took the call; the library answers the others.
  private func take(_ message: OpaquePointer) -> Bool {
    let call = BusCall(message) { [weak self] reply in
      guard let self, let bus = self.bus else { return }
      _ = sd_bus_send(bus, reply, nil)
      if !isProcessing { arm() }
    }
    if onCall(call) { return true }
    call.drop()
    _ = sd_bus_message_rewind(message, 1)
    return false
  }

  private nonisolated static func of(_ context: UnsafeMutableRawPointer?) -> SystemBus? {
    context.map { Unmanaged<SystemBus>.fromOpaque($0).takeUnretainedValue() }
  }

  private nonisolated static func answer(_ message: OpaquePointer) -> Result<[BusValue], BusFault> {
    guard let error = sd_bus_message_get_error(message) else {
      return .success(BusValue.arguments(of: message))
    }
    return .failure(
      BusFault(
        name: error.pointee.name.map { String(cString: $0) } ?? "",
        message: error.pointee.message.map { String(cString: $0) } ?? ""))
  }
}
