import Care
import Foundation
import Glibc
import Loop
import Moments
import Ports
import TestSupport
import Testing

@testable import HCI

/// A source and all that it told.
@LoopActor
final class Listener {
  typealias Fact = @LoopActor @Sendable (Listener) -> Bool

  let source: HCISource
  private(set) var news: [BluetoothNews] = []
  private var waiting: [(fits: Fact, continuation: CheckedContinuation<Void, Never>)] = []

  init(_ path: String, options: @Sendable (inout HCISource.Options) -> Void = { _ in }) {
    var chosen = HCISource.Options(socketPath: path)
    chosen.patience.retryMilliseconds = 20
    chosen.patience.longestRetryMilliseconds = 200
    options(&chosen)
    source = HCISource(options: chosen)
    source.start { [weak self] in self?.take($0) }
  }

  private func take(_ new: BluetoothNews) {
    news.append(new)
    let ready = waiting.filter { $0.fits(self) }
    waiting.removeAll { $0.fits(self) }
    for one in ready { one.continuation.resume() }
  }

  /// Waits until what was told fits.
  func wait(_ fits: @escaping Fact) async {
    guard !fits(self) else { return }
    await withCheckedContinuation { waiting.append((fits, $0)) }
  }

  var sightings: [BluetoothSighting] {
    news.compactMap { if case .sighting(let sighting) = $0 { sighting } else { nil } }
  }
  /// Codes of health; the empty one is that of a source that works.
  var codes: [String] {
    news.compactMap { if case .health(let report) = $0 { report.code } else { nil } }
  }
  var adapters: [[BluetoothAdapter]] {
    news.compactMap { if case .adapters(let all) = $0 { all } else { nil } }
  }
}

/// A homeward-hci that says what the test wants, line by line.
final class LineServer: @unchecked Sendable {
  static let listening = #"{"state":"listening","adapter":"hci0","address":"00:1A:7D:DA:71:13"}"#

  private let server: UnixServer
  private let queue = DispatchQueue(label: "lines")
  private let lock = NSLock()
  private var connections: [Int32] = []
  private let greeting: [String]

  var path: String { server.path }

  /// Says the greeting to each that comes, and stays connected until the source or the test hangs up.
  init(_ path: String, _ greeting: [String] = [LineServer.listening]) throws {
    self.greeting = greeting
    let born = Inbox<LineServer>()
    server = try UnixServer(path) { descriptor in
      guard let made = try? born.take("the server", where: { _ in true }) else { return }
      born.add(made)
      made.serve(descriptor)
    }
    born.add(self)
  }

  private func serve(_ descriptor: Int32) {
    lock.withLock {
      for line in greeting { Self.write(line + "\n", to: descriptor) }
      connections.append(descriptor)
    }
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) > 0 {}
    lock.withLock { connections.removeAll { $0 == descriptor } }
  }

  /// Says a line, later and in order: a long one waits until the source, on the loop, has read.
  func say(_ line: String) {
    queue.async { [self] in
      let connections = lock.withLock { self.connections }
      for connection in connections { Self.write(line + "\n", to: connection) }
    }
  }

  func hangUp() {
    lock.withLock { for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

/// HCISource with a Unix socket served by the test.
@Suite struct HCISourceTests {
  private static func line(
    _ data: String, from address: String = "C0:11:22:33:44:55", kind: String = "random",
    rssi: Int? = -62, tick: Int64 = 1
  ) -> String {
    let strength = rssi.map { #","rssi":\#($0)"# } ?? ""
    return
      #"{"address":"\#(address)","kind":"\#(kind)"\#(strength),"data":"\#(data)","tick":\#(tick)}"#
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func anAdvertisementBecomesASighting() async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "" }
    #expect(
      listener.source.adapters == [
        BluetoothAdapter(
          name: "hci0", address: BluetoothAddress("00:1A:7D:DA:71:13"), condition: .listening)
      ])
    let tick = EventLoop.now
    // Flags, a name, a power, a service, data of a service and of a company.
    server.say(
      Self.line(
        "020106" + "03094162" + "020afc" + "030308" + "18" + "0516d2fc4001" + "05ff4c000215",
        tick: tick.nanoseconds))
    await listener.wait { $0.sightings.count == 1 }
    let sighting = try #require(listener.sightings.first)
    #expect(sighting.address == BluetoothAddress("C0:11:22:33:44:55", kind: .random))
    #expect(sighting.adapter == "hci0")
    #expect(sighting.rssi == -62)
    #expect(sighting.tick == tick)
    #expect(sighting.came == [.serviceData, .manufacturerData, .others])
    #expect(sighting.advertisement.flags == [6])
    #expect(sighting.advertisement.name == "Ab")
    #expect(sighting.advertisement.txPower == -4)
    #expect(sighting.advertisement.services == [BluetoothUUID(0x1808)])
    #expect(sighting.advertisement.serviceData == [BluetoothUUID(0xFCD2): [0x40, 0x01]])
    #expect(sighting.advertisement.manufacturerData == [0x4C: [0x02, 0x15]])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func whatWasHeardBeforeIsKnownAndWhatCameIsTold() async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "" }
    server.say(Self.line("03094162"))
    server.say(Self.line("0516d2fc4001", rssi: nil))
    server.say(Self.line("", rssi: -70))
    // The same octets, drawn by nobody: another device.
    server.say(Self.line("05ff4c000215", kind: "public"))
    await listener.wait { $0.sightings.count == 4 }
    let sightings = listener.sightings
    #expect(sightings.map(\.came) == [.others, .serviceData, [], .manufacturerData])
    #expect(sightings.map(\.rssi) == [-62, nil, -70, -62])
    #expect(sightings[2].advertisement.name == "Ab")
    #expect(sightings[2].advertisement.serviceData == [BluetoothUUID(0xFCD2): [0x40, 0x01]])
    #expect(sightings[3].advertisement.name == nil)
    // A tick of long ago is not believed.
    #expect(sightings.allSatisfy { EventLoop.now.milliseconds(since: $0.tick) < 60_000 })
    let devices = listener.source.devices
    #expect(devices.map(\.address.kind) == [.public, .random])
    #expect(devices.last?.name == "Ab")
    #expect(devices.last?.rssi == -70)
    #expect(devices.last?.adapters == ["hci0"])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func noMoreThan500DevicesAreKeptThoseHeardLast() async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "" }
    for number in 0..<600 {
      let digits = String(number + 1000)
      server.say(Self.line("020106", from: "00:00:00:00:\(digits.prefix(2)):\(digits.suffix(2))"))
    }
    await listener.wait { $0.sightings.count == 600 }
    let devices = listener.source.devices
    #expect(devices.count == 500)
    #expect(devices.first?.address.text == "00:00:00:00:11:00")
    #expect(devices.last?.address.text == "00:00:00:00:15:99")
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "", "no JSON at all", "{", "[1]", "{}", #"{"address":"C0:11:22:33:44:55"}"#,
      #"{"address":"C0:11:22:33:44","kind":"random","data":"","tick":1}"#,
      #"{"address":"C0:11:22:33:44:55","kind":"odd","data":"","tick":1}"#,
      #"{"address":"C0:11:22:33:44:55","kind":"random","rssi":127,"data":"","tick":1}"#,
      #"{"address":"C0:11:22:33:44:55","kind":"random","rssi":-3e99,"data":"","tick":1}"#,
      #"{"address":"C0:11:22:33:44:55","kind":"random","data":"0g","tick":1}"#,
      #"{"address":"C0:11:22:33:44:55","kind":"random","data":"02","tick":1.5}"#,
      #"{"dropped":0}"#, #"{"dropped":"x"}"#, #"{"state":"listening"}"#, #"{"state":7}"#,
      #"{"state":"listening","adapter":"\u001b[2J"}"#, "\u{0}\u{1}",
    ])
  func aBrokenLineIsCountedAndSaidAndTheNextIsRead(_ broken: String) async throws {
    try await Self.isCountedAndSaid(broken)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [8193, 1_000_000])
  func aLineThatIsTooLongIsCountedAndSaidAndTheNextIsRead(_ bytes: Int) async throws {
    try await Self.isCountedAndSaid(String(repeating: "[", count: bytes))
  }

  @LoopActor private static func isCountedAndSaid(_ broken: String) async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "" }
    server.say(broken)
    server.say(Self.line("020106"))
    await listener.wait { $0.sightings.count == 1 && $0.codes.last == "broken-lines" }
    #expect(listener.source.brokenLines == 1)
    // What is worse goes before, and afterwards it is said again.
    server.say(#"{"state":"down","adapter":"hci0","why":"x"}"#)
    server.say(LineServer.listening)
    await listener.wait { $0.codes.count >= 5 }
    #expect(listener.codes == ["starting", "", "broken-lines", "adapter-down", "broken-lines"])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func manyBrokenLinesAreSaidWithTheTenthAndTheHundredth() async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "" }
    for _ in 0..<150 { server.say("nonsense") }
    server.say(#"{"dropped":12}"#)
    server.say(Self.line("020106"))
    await listener.wait { $0.sightings.count == 1 }
    #expect(listener.source.brokenLines == 150)
    #expect(listener.source.droppedAdvertisements == 12)
    #expect(listener.codes == ["starting", "", "broken-lines", "broken-lines", "broken-lines"])
  }

  @Test("More dropped advertisements than can be counted end nothing", .timeLimit(.minutes(1)))
  @LoopActor func manyDropped() async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "" }
    for _ in 0..<3 { server.say(#"{"dropped":9223372036854775807}"#) }
    server.say(#"{"dropped":1}"#)
    server.say(Self.line("020106"))
    await listener.wait { $0.sightings.count == 1 }
    #expect(listener.source.droppedAdvertisements == .max)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      ("starting", "starting", HealthState.starting, .starting as BluetoothAdapter.Condition?),
      ("absent", "no-adapter", .failed, nil), ("no-bluetooth", "no-bluetooth", .failed, nil),
      ("down", "adapter-down", .failed, .starting),
      ("blocked", "adapter-blocked", .failed, .blocked),
      ("forbidden", "adapter-forbidden", .failed, .forbidden),
      ("refusing", "adapter-refusing", .degraded, .refusing),
      ("hung", "adapter-hung", .failed, .hung),
      ("on-holiday", "adapter-refusing", .degraded, .refusing),
    ])
  @LoopActor func theAdaptersTroubleIsSaid(
    _ word: String, _ code: String, _ state: HealthState, _ condition: BluetoothAdapter.Condition?
  ) async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "" }
    server.say(#"{"state":"\#(word)","adapter":"hci0","why":"x"}"#)
    await listener.wait { $0.codes.count == 3 }
    guard case .health(let report) = listener.news.last else {
      Issue.record("\(listener.news)")
      return
    }
    #expect(report.component == ComponentID("bluetooth"))
    #expect(report.code == code)
    #expect(report.state == state)
    #expect(listener.source.adapters.first?.condition == condition)
    #expect(listener.adapters.last == listener.source.adapters)
    server.say(LineServer.listening)
    await listener.wait { $0.codes.last == "" }
    #expect(listener.source.adapters.first?.condition == .listening)
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aProgramThatComesLateGoesAndComesBackIsFound() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "hci")
    let listener = Listener(path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "no-homeward-hci" }
    let server = try LineServer(path)
    await listener.wait { $0.codes.last == "" }
    server.hangUp()
    await listener.wait { $0.codes.count == 5 }
    #expect(listener.codes == ["starting", "no-homeward-hci", "", "no-homeward-hci", ""])
    #expect(listener.adapters.contains([]))
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aProgramThatFallsSilentIsLeftAndConnectedToAnew() async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path) { $0.patience.silenceMilliseconds = 300 }
    defer { listener.source.stop() }
    await listener.wait { $0.codes.suffix(3) == ["", "silent-homeward-hci", ""] }
  }

  @Test(.timeLimit(.minutes(1)), .enabled(if: getuid() != 0, "root may open every socket"))
  @LoopActor func aSocketThatMayNotBeOpenedIsSaid() async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    chmod(server.path, 0)
    let listener = Listener(server.path)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "socket-forbidden" }
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func whatNeedsBluetoothdIsRefusedWithWhatToDo() async throws {
    let folder = try TemporaryDirectory()
    let listener = Listener(folder.path(of: "hci"))
    defer { listener.source.stop() }
    let address = try #require(BluetoothAddress("C0:11:22:33:44:55", kind: .random))
    let paired = await withCheckedContinuation { continuation in
      listener.source.pair(PairingRequest(address: address)) { continuation.resume(returning: $0) }
    }
    let forgotten = await withCheckedContinuation { continuation in
      listener.source.forget(address) { continuation.resume(returning: $0) }
    }
    let connected = await withCheckedContinuation { continuation in
      listener.source.connect(to: address) { continuation.resume(returning: $0.map { _ in }) }
    }
    for result in [paired, forgotten, connected] {
      guard case .failure(let failure) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(failure.code == .unsupported)
      #expect("\(failure.message)".contains("bluetooth.source: bluez"))
    }
    #expect(!listener.source.answer(.passkey(1), for: address))
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func nothingIsToldAfterTheEndAndItCanBeginAnew() async throws {
    let folder = try TemporaryDirectory()
    let server = try LineServer(folder.path(of: "hci"))
    let listener = Listener(server.path)
    await listener.wait { $0.codes.last == "" }
    listener.source.stop()
    let count = listener.news.count
    server.say(Self.line("020106"))
    await withCheckedContinuation { continuation in
      var again: [String] = []
      listener.source.start { news in
        guard case .health(let report) = news else { return }
        again.append(report.code)
        if again == ["starting", ""] { continuation.resume() }
      }
    }
    listener.source.stop()
    #expect(listener.news.count == count)
  }

  /// The real program on this machine, which has an adapter of that number hardly ever, and perhaps no Bluetooth.
  @Test(.timeLimit(.minutes(1)))
  @LoopActor func theRealProgramTellsWhatThisMachineLacks() async throws {
    let folder = try TemporaryDirectory()
    let program = try ChildProcess(
      try BuiltProducts.path(of: "homeward-hci"),
      ["--adapter", "hci99", "--socket", folder.path(of: "hci")], log: folder.path(of: "log"))
    let listener = Listener(folder.path(of: "hci"))
    await listener.wait { ["no-adapter", "no-bluetooth"].contains($0.codes.last) }
    listener.source.stop()
    #expect(listener.adapters.isEmpty)
    program.kill()
  }

  @Test(.timeLimit(.minutes(2)))
  @LoopActor func theRealProgramIsHeardFromTheControllerToTheSighting() async throws {
    let controller = try PlayedController()
    try controller.becomes("up")
    let program = try controller.program()
    let listener = Listener(controller.socketPath)
    defer { listener.source.stop() }
    await listener.wait { $0.codes.last == "" }
    let before = EventLoop.now
    controller.say("043e13020100" + "015544332211c0" + "07" + "0616d2fc404501" + "c2")
    await listener.wait { $0.sightings.count == 1 }
    let sighting = try #require(listener.sightings.first)
    #expect(sighting.address == BluetoothAddress("C0:11:22:33:44:55", kind: .random))
    #expect(sighting.rssi == -62)
    #expect(sighting.advertisement.serviceData == [BluetoothUUID(0xFCD2): [0x40, 0x45, 0x01]])
    #expect(sighting.tick >= before && sighting.tick <= EventLoop.now)
    #expect(listener.source.adapters.first?.address?.text == PlayedController.ownAddress)
    program.kill()
    await listener.wait { $0.codes.last == "no-homeward-hci" }
  }
}
