// SPDX-License-Identifier: GPL-2.0-or-later
import Advertisements
import Bytes
import CHCI
import Care
import Glibc
import Loop
import Moments

/// Keeps one adapter listening, whatever happens to it, and hands on what it hears.
@LoopActor
final class Radio {
  /// How long what may take, in milliseconds.
  private enum Patience {
    /// A controller's answer; the kernel itself waits 2 s.
    static let answer: Int64 = 5000
    /// The last answer, when this program is to end.
    static let farewell: Int64 = 1000
    /// Between two looks at an adapter that is not there or off; the kernel says so itself, but for the radio switch.
    static let look: Int64 = 5000
    /// After a refusal or silence; doubled with each.
    static let rest = Backoff(firstMilliseconds: 2000, longestMilliseconds: 60_000)
    /// After somebody else has changed what the controller does.
    static let disturbance: Int64 = 1000
  }
  /// Packets read before other work of the loop gets its turn.
  private static let packetsPerTurn = 64
  private static let longestPacket = 1024

  private let id: Int
  private let name: String
  private let silenceMilliseconds: Int64
  private let become: @LoopActor (RadioState) -> Void
  private let heard: @LoopActor (BluetoothAddress, Int8?, [UInt8]) -> Void

  private var isStopped = false
  private var descriptor: Int32 = -1
  private var watch: Int32 = -1
  private var address: BluetoothAddress?
  private var drive = ScanDrive()
  private var fragments = Fragments()
  private var rest = Patience.rest
  private var lastHeard = Tick(nanoseconds: 0)
  private var farewell: (@LoopActor () -> Void)?

  private lazy var lookTimer = LoopTimer { [weak self] in self?.look() }
  private lazy var answerTimer = LoopTimer { [weak self] in self?.answerIsMissing() }
  private lazy var silenceTimer = LoopTimer { [weak self] in self?.checkSilence() }

  init(
    adapter id: Int, silenceMilliseconds: Int64,
    become: @escaping @LoopActor (RadioState) -> Void,
    heard: @escaping @LoopActor (BluetoothAddress, Int8?, [UInt8]) -> Void
  ) {
    self.id = id
    name = "hci\(id)"
    self.silenceMilliseconds = silenceMilliseconds
    self.become = become
    self.heard = heard
  }

  func start() {
    become(.starting)
    look()
  }

  /// Ends the scan; `completion` comes once the controller has said so, or after a second.
  func stop(completion: @escaping @LoopActor () -> Void) {
    isStopped = true
    for timer in [lookTimer, silenceTimer] { timer.cancel() }
    guard descriptor >= 0, send(drive.end()) else {
      close()
      return completion()
    }
    farewell = completion
    answerTimer.set(afterMilliseconds: Patience.farewell)
  }

  // MARK: The adapter

  /// Looks whether the adapter is there and on, and begins when it is.
  private func look() {
    guard !isStopped, descriptor < 0 else { return }
    watchAdapters()
    var info = homeward_hci_info()
    guard homeward_hci_info(Int32(id), &info) == 0 else { return cannotBegin(errno) }
    address = withUnsafeBytes(of: info.address) { BluetoothAddress(octets: Array($0)) }
    // One that nobody has set up yet has none.
    if address?.bits == 0 { address = nil }
    guard info.is_up else { return wait(as: isBlocked ? .blocked : .down) }
    guard info.has_low_energy else {
      return retry(as: .refusing("The adapter \(name) has no Bluetooth Low Energy."))
    }
    open()
  }

  private func cannotBegin(_ code: Int32) {
    switch code {
    case ENODEV: wait(as: .absent)
    case EAFNOSUPPORT, EPROTONOSUPPORT: wait(as: .noBluetooth)
    case EPERM, EACCES: retry(as: .forbidden)
    case ENETDOWN: wait(as: .down)
    default:
      retry(
        as: .refusing("The adapter \(name) cannot be used: \(String(cString: strerror(code)))."))
    }
  }

  /// The kernel says so when it changes; the look is for what it does not say.
  private func wait(as state: RadioState) {
    become(state)
    lookTimer.set(afterMilliseconds: Patience.look)
  }

  private func retry(as state: RadioState) {
    close()
    become(state)
    lookTimer.set(afterMilliseconds: rest.next())
  }

  /// Whether a radio switch, in software or of the case, keeps the adapter off.
  private var isBlocked: Bool {
    let folder = "/sys/class/bluetooth/\(name)"
    return Folder.entries(of: folder).filter { $0.hasPrefix("rfkill") }.contains { entry in
      ["soft", "hard"].contains { kind in
        guard let file = fopen("\(folder)/\(entry)/\(kind)", "re") else { return false }
        defer { fclose(file) }
        return fgetc(file) == Int32(UInt8(ascii: "1"))
      }
    }
  }

  /// The kernel tells of adapters on a socket of its own.
  private func watchAdapters() {
    guard watch < 0 else { return }
    watch = homeward_hci_watch()
    guard watch >= 0 else { return }
    EventLoop.current.watch(watch, for: .reading) { [weak self] readiness in
      guard let self else { return }
      if self.drain(self.watch, readiness, { _ in }) { return self.adaptersChanged() }
      EventLoop.current.unwatch(self.watch)
      Glibc.close(self.watch)
      self.watch = -1
    }
  }

  private func adaptersChanged() {
    guard !isStopped else { return }
    guard descriptor >= 0 else { return look() }
    var info = homeward_hci_info()
    // Off, gone, or another that took its number: begin anew.
    if homeward_hci_info(Int32(id), &info) < 0 || !info.is_up {
      close()
      look()
    } else if drive.isListening {
      // Switched off and on, it listens no longer.
      begin()
    }
  }

  // MARK: The controller

  private func open() {
    descriptor = homeward_hci_open(Int32(id))
    guard descriptor >= 0 else { return cannotBegin(errno) }
    EventLoop.current.watch(descriptor, for: .reading) { [weak self] readiness in
      guard let self else { return }
      if !self.drain(self.descriptor, readiness, { self.take($0) }) { self.lost() }
    }
    begin()
  }

  private func begin() {
    guard !isStopped, descriptor >= 0 else { return }
    lookTimer.cancel()
    lastHeard = EventLoop.now
    if send(drive.begin()) { answerTimer.set(afterMilliseconds: Patience.answer) }
  }

  private func close() {
    for timer in [answerTimer, silenceTimer] { timer.cancel() }
    guard descriptor >= 0 else { return }
    EventLoop.current.unwatch(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
    (drive, fragments) = (ScanDrive(), Fragments())
  }

  /// The adapter went away under the socket.
  private func lost() {
    close()
    if let farewell {
      self.farewell = nil
      return farewell()
    }
    look()
  }

  /// Sends a command; false when that ended in a closed socket.
  private func send(_ command: HCICommand) -> Bool {
    let packet = command.packet
    let sent = packet.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    guard sent != packet.count else { return true }
    let code = errno
    close()
    if !isStopped { cannotBegin(code) }
    return false
  }

  /// Reads what waits; false when the socket is no good any more.
  private func drain(
    _ socket: Int32, _ readiness: EventLoop.Readiness, _ take: @LoopActor ([UInt8]) -> Void
  ) -> Bool {
    var packet = [UInt8](repeating: 0, count: Self.longestPacket)
    for _ in 0..<Self.packetsPerTurn {
      let count = read(socket, &packet, packet.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return !readiness.isHungUp }
      guard count > 0 else { return false }
      take(Array(packet.prefix(count)))
      // What was taken may have closed the socket, or opened another.
      guard socket == descriptor || socket == watch else { return true }
    }
    return true
  }

  private func take(_ packet: [UInt8]) {
    switch HCIEvent(packet) {
    case .heard(let reports): for report in reports { take(report) }
    case .completed(let opcode, let status, let answer):
      take(drive.take(opcode: opcode, status: status, answer: answer))
    case .brokeDown:
      guard !isStopped else { return }
      retry(as: .hung)
    case .adapterChanged, .other: return
    }
  }

  private func take(_ report: AdvertisingReport) {
    guard let address = report.address, !isStopped else { return }
    lastHeard = EventLoop.now
    guard let bytes = fragments.take(report, from: address) else { return }
    heard(address, report.rssiDBm, bytes)
  }

  private func take(_ outcome: ScanDrive.Outcome) {
    // The last answer: what would follow it does not.
    if farewell != nil { return outcome == .nothing ? () : lost() }
    switch outcome {
    case .send(let command):
      if send(command) { answerTimer.set(afterMilliseconds: Patience.answer) }
    case .listening:
      answerTimer.cancel()
      rest.reset()
      silenceTimer.set(at: lastHeard.advanced(byMilliseconds: silenceMilliseconds))
      become(.listening(address))
    case .refused(let command, let status):
      let code = Hexadecimal.text([status])
      retry(as: .refusing("The adapter \(name) refuses \(command.name): error 0x\(code)."))
    case .disturbed: answerTimer.set(afterMilliseconds: Patience.disturbance)
    case .nothing: return
    }
  }

  /// Time is over: for an answer, for the last one, or for somebody else's meddling.
  private func answerIsMissing() {
    if farewell != nil { return lost() }
    drive.awaited == nil ? begin() : retry(as: .hung)
  }

  /// Controllers are known to fall silent without a word: the scan is begun anew, which costs nothing.
  private func checkSilence() {
    let due = lastHeard.advanced(byMilliseconds: silenceMilliseconds)
    guard EventLoop.now >= due else { return silenceTimer.set(at: due) }
    if drive.isListening { begin() }
  }
}
