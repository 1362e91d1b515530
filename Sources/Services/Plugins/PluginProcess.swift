import Bytes
import CGatewayShims
import Glibc
import Loop
import PluginProtocol
import Texts

/// How a plugin's process ended.
enum ProcessEnd: Hashable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case killed(Int32)

  var description: String { message.description }

  var message: Message {
    switch self {
    case .exited(let status): Message("it exited with status {status}", ["status": status])
    case .killed(let signal): Message("it was ended by signal {signal}", ["signal": signal])
    }
  }
}

/// One running plugin: its pipes, its process group, and its end.
@LoopActor
final class PluginProcess {
  /// What the process tells its owner; nothing comes after `onEnd`.
  struct Handlers {
    var onLine: @LoopActor ([UInt8]) -> Void
    var onLog: @LoopActor (LogCapture.Line) -> Void
    var onFault: @LoopActor (PluginFault) -> Void
    var onFlood: @LoopActor () -> Void
    /// It tried to reach a port of this machine that it may not reach.
    var onRefusal: @LoopActor (_ port: UInt16, _ address: String) -> Void
    /// It wanted more processes and threads than it may have.
    var onTaskLimit: @LoopActor () -> Void
    /// How the process ended, and whether others of its own were alive then.
    var onEnd: @LoopActor (ProcessEnd, _ hasLeftOthers: Bool) -> Void
  }

  /// So many lines are taken in one go, so that nothing else on the loop, such as a button, waits for a plugin with much
  /// to say.
  private static let linesAtOnce = 4

  /// The warden's, which leads the plugin's process group and ends with the plugin.
  let pid: Int32
  /// The walls that stand.
  private(set) var confinement = PluginConfinement()
  private let mark: String
  private let descriptors: homeward_spawned
  private let group: PluginGroup?
  private let handlers: Handlers
  private var framer = LineFramer(maximumBytes: PluginLimits.lineFromPluginBytes)
  private var log: LogCapture
  private var outgoing = OutgoingQueue()
  private var bucket: TokenBucket
  private var isHeldBack = false
  private var isFlooding = false
  /// Whether lines were left for when the loop has done what else there is.
  private var isWaitingItsTurn = false
  private var hasFaulted = false
  private var isOutputOpen = true
  private var isErrorOpen = true
  private var hasLeaderEnded = false
  private var isGroupLeft = true
  private var hasLeftOthers = false
  private var leader = homeward_exit()
  private var reportedEnd: ProcessEnd?
  private var reports = LineFramer(maximumBytes: 256, excess: .isPassedOver)
  private var escaped: [Int32] = []
  private var sweepsLeft = 250
  private var floodTimer: LoopTimer?
  private var logTimer: LoopTimer?
  private var killTimer: LoopTimer?
  private var sweepTimer: LoopTimer?
  private var endTimer: LoopTimer?

  /// Starts a plugin, in a group of its own where it has one.
  init(
    _ launch: PluginLaunch, group: PluginGroup?, pace: PluginPace, redactor: SecretRedactor,
    handlers: Handlers
  ) throws(LaunchError) {
    self.group = group
    do throws(LaunchError) { descriptors = try launch.spawn(group: group?.processes ?? 0) } catch {
      group?.remove()
      throw error
    }
    confinement.hasGroup = group != nil
    pid = descriptors.pid
    mark = launch.mark
    confinement.mayOpenSockets = launch.mayOpenSockets
    confinement.setNamespaces(descriptors.namespaces)
    self.handlers = handlers
    let now = EventLoop.now
    log = LogCapture(redactor: redactor, now: now)
    bucket = TokenBucket(
      tokensPerSecond: pace.messagesPerSecond, capacity: pace.messageBurst, now: now)
    let loop = EventLoop.current
    loop.watch(descriptors.output, for: .reading) { [weak self] _ in self?.readOutput() }
    loop.watch(descriptors.error, for: .reading) { [weak self] _ in self?.readError() }
    loop.watch(descriptors.pidfd, for: .reading) { [weak self] _ in self?.leaderEnded() }
    group?.watchTasks { [weak self] in self?.handlers.onTaskLimit() }
    loop.watch(descriptors.report, for: .reading) { [weak self] _ in self?.readReport() }
    loop.watch(descriptors.input, for: []) { [weak self] readiness in
      self?.inputReady(readiness)
    }
  }

  // MARK: Sending

  /// Queues a line; urgent ones overtake those that have not begun to leave.
  func send(_ line: [UInt8], isUrgent: Bool) {
    guard !hasLeaderEnded else { return }
    outgoing.append(line, isUrgent: isUrgent)
    flush()
  }

  /// Bytes that the plugin has not read yet, besides what is in the pipe.
  var waitingBytes: Int { outgoing.bytes }

  private func inputReady(_ readiness: EventLoop.Readiness) {
    if readiness.isHungUp { EventLoop.current.unwatch(descriptors.input) } else { flush() }
  }

  private func flush() {
    while let chunk = outgoing.next {
      let written = chunk.withUnsafeBytes {
        homeward_write(descriptors.input, $0.baseAddress, $0.count)
      }
      if written < 0 { break }
      outgoing.advance(by: written)
    }
    EventLoop.current.setInterest(outgoing.isEmpty ? [] : .writing, of: descriptors.input)
  }

  // MARK: Reading

  /// Stops taking lines until released; what is in the pipe stays there.
  func holdBack(_ isHeldBack: Bool) {
    guard self.isHeldBack != isHeldBack else { return }
    self.isHeldBack = isHeldBack
    updateOutputInterest()
    if !isHeldBack { EventLoop.current.post { [weak self] in self?.takeLines() } }
  }

  private var isReading: Bool { !isHeldBack && !isFlooding && !hasFaulted }

  private func updateOutputInterest() {
    guard isOutputOpen else { return }
    EventLoop.current.setInterest(isReading ? .reading : [], of: descriptors.output)
  }

  private func readOutput() {
    guard isReading else {
      // Hung up while held back: nothing to do until released; the end comes through the process.
      EventLoop.current.unwatch(descriptors.output)
      isOutputOpen = false
      return
    }
    guard !isWaitingItsTurn, let bytes = readSome(descriptors.output) else { return }
    if bytes.isEmpty {
      EventLoop.current.unwatch(descriptors.output)
      isOutputOpen = false
      expectEnd()
      return
    }
    framer.append(bytes)
    takeLines()
  }

  /// A program that ends closes its output a moment before it is gone; one that stays has turned deaf.
  private func expectEnd() {
    guard !hasLeaderEnded else { return }
    endTimer = LoopTimer { [weak self] in self?.fault(.closedOutput) }
    endTimer?.set(afterMilliseconds: 500)
  }

  private func takeLines() {
    isWaitingItsTurn = false
    var taken = 0
    while isReading {
      // Of one that has ended all is taken, before its end is told.
      guard taken < Self.linesAtOnce || hasLeaderEnded else { return waitItsTurn() }
      taken += 1
      do {
        guard let line = try framer.next() else { return }
        let cost = 1 + Double(line.count) / 16_384
        if !bucket.take(cost, now: EventLoop.now) { waitForTokens() }
        handlers.onLine(line)
      } catch {
        fault(.lineTooLong)
      }
    }
  }

  private func waitItsTurn() {
    isWaitingItsTurn = true
    EventLoop.current.postInTurn { [weak self] in self?.takeLines() }
  }

  private func waitForTokens() {
    isFlooding = true
    updateOutputInterest()
    handlers.onFlood()
    floodTimer = LoopTimer { [weak self] in
      self?.isFlooding = false
      self?.updateOutputInterest()
      self?.takeLines()
    }
    floodTimer?.set(afterMilliseconds: bucket.millisecondsUntilTokens)
  }

  private func fault(_ fault: PluginFault) {
    guard !hasFaulted else { return }
    hasFaulted = true
    updateOutputInterest()
    handlers.onFault(fault)
  }

  /// Stops reading for good: what comes after a fault is not to be trusted.
  func closeEars() {
    hasFaulted = true
    updateOutputInterest()
  }

  private func readError() {
    guard isErrorOpen, let bytes = readSome(descriptors.error) else { return }
    if bytes.isEmpty {
      isErrorOpen = false
      EventLoop.current.unwatch(descriptors.error)
      return
    }
    for line in log.lines(from: bytes, now: EventLoop.now) { handlers.onLog(line) }
    if log.suppressed > 0 { pauseLog() }
  }

  /// What the warden tells: few short lines.
  private func readReport() {
    guard let bytes = readSome(descriptors.report) else { return }
    if bytes.isEmpty { return EventLoop.current.unwatch(descriptors.report) }
    reports.append(bytes)
    while let line = try? reports.next() {
      if let report = WardenReport(line: String(decoding: line, as: UTF8.self)) { take(report) }
    }
  }

  private func take(_ report: WardenReport) {
    switch report {
    case .walls(let landlock, let hasSeccomp, let guardsLoopback):
      confinement.landlock = landlock
      confinement.hasSeccomp = hasSeccomp
      confinement.guardsLoopback = guardsLoopback
    case .refused(let port, let address): handlers.onRefusal(port, address)
    case .end(let end, let hasLeftOthers):
      reportedEnd = end
      self.hasLeftOthers = self.hasLeftOthers || hasLeftOthers
    }
  }

  /// A flood of log lines is read slowly, so that it costs little to throw away.
  private func pauseLog() {
    EventLoop.current.setInterest([], of: descriptors.error)
    logTimer = LoopTimer { [weak self] in
      guard let self, self.isErrorOpen else { return }
      if let notice = self.log.notice(now: EventLoop.now) { self.handlers.onLog(notice) }
      EventLoop.current.setInterest(.reading, of: self.descriptors.error)
      if self.log.suppressed > 0 { self.logTimer?.set(afterMilliseconds: 50) }
    }
    logTimer?.set(afterMilliseconds: 50)
  }

  /// At most 64 KiB; empty at the end, nil when there is nothing now.
  private func readSome(_ descriptor: Int32) -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = homeward_read(descriptor, &buffer, buffer.count)
    if count < 0 { return errno == EAGAIN ? nil : [] }
    return buffer[..<count]
  }

  // MARK: Ending

  /// Sends SIGTERM to the whole group, and SIGKILL when that does not help in time.
  func terminate(killAfterMilliseconds: Int64) {
    guard !hasLeaderEnded, killTimer == nil else { return }
    _ = homeward_signal_group(pid, SIGTERM)
    killTimer = LoopTimer { [weak self] in self?.kill() }
    killTimer?.set(afterMilliseconds: killAfterMilliseconds)
  }

  /// Ends the whole group at once.
  func kill() {
    _ = group?.kill()
    if isGroupLeft { _ = homeward_signal_group(pid, SIGKILL) }
  }

  private func leaderEnded() {
    hasLeaderEnded = true
    endTimer?.cancel()
    EventLoop.current.unwatch(descriptors.pidfd)
    readReport()
    isGroupLeft = homeward_reap_group(pid, &leader)
    hasLeftOthers = hasLeftOthers || isGroupLeft
    takeLines()
    if isOutputOpen, isReading { readOutput() }
    if isErrorOpen { readError() }
    sweep()
  }

  /// Ends and collects whatever is left of the group and whatever left the group, again until nothing is.
  private func sweep() {
    kill()
    // Nothing outlives the first process of its namespace.
    if confinement.namespaces.contains(.pid), !isGroupLeft { return finish() }
    var found = [Int32](repeating: 0, count: 64)
    let count = homeward_kill_escaped(pid, mark, &found, Int32(found.count))
    hasLeftOthers = hasLeftOthers || count > 0
    escaped += found.prefix(Int(max(0, count))).filter { !escaped.contains($0) }
    escaped.removeAll { homeward_reap_process($0) }
    isGroupLeft = isGroupLeft && homeward_reap_group(pid, &leader)
    sweepsLeft -= 1
    guard isGroupLeft || !escaped.isEmpty || count > 0, sweepsLeft > 0 else { return finish() }
    sweepTimer = LoopTimer { [weak self] in self?.sweep() }
    sweepTimer?.set(afterMilliseconds: 5)
  }

  /// The warden ends as the plugin did, a signal as 128 and its number; killed itself, it took the plugin with it.
  private var wardensEnd: ProcessEnd {
    if leader.by_signal { return .killed(leader.code) }
    return leader.code > 128 ? .killed(leader.code - 128) : .exited(leader.code)
  }

  private func finish() {
    for timer in [floodTimer, logTimer, killTimer, sweepTimer, endTimer] { timer?.cancel() }
    group?.remove()
    for line in log.rest(now: EventLoop.now) { handlers.onLog(line) }
    for descriptor in [
      descriptors.output, descriptors.error, descriptors.input, descriptors.report,
      descriptors.pidfd,
    ] {
      EventLoop.current.unwatch(descriptor)
      close(descriptor)
    }
    handlers.onEnd(reportedEnd ?? wardensEnd, hasLeftOthers)
  }
}
