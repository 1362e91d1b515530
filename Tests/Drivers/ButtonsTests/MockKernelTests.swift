import Foundation
import TestSupport
import Testing

/// Real libevdev on an input device that umockdev plays; nothing but the kernel is a double.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run"),
    "umockdev is absent"))
struct MockKernelTests {
  private static let enter = 28

  /// The answers of a keyboard that has one key, as umockdev writes down those of a real one: name, result, bytes.
  private static func answers() -> String {
    func bytes(_ count: Int, _ start: [UInt8] = []) -> String {
      (start + [UInt8](repeating: 0, count: max(0, count - start.count)))
        .map { String(format: "%02X", $0) }.joined()
    }
    var keys = [UInt8](repeating: 0, count: 96)
    keys[enter / 8] |= 1 << (enter % 8)
    var lines = [
      "EVIOCGVERSION 0 01000100", "EVIOCGID 0 0300341278560001",
      "EVIOCGNAME(0) 11 \(bytes(255, Array("Big Button".utf8)))",
      "EVIOCGPHYS(0) 4 \(bytes(255, Array("usb".utf8)))",
      "EVIOCGUNIQ(0) 2 \(bytes(255, Array("1".utf8)))", "EVIOCGPROP(0) 8 \(bytes(8))",
      "EVIOCGBIT(0) 8 \(bytes(8, [0x03]))", "EVIOCGBIT(1) 96 \(bytes(96, keys))",
    ]
    lines += [2, 3, 4, 5, 17, 18].map { "EVIOCGBIT(\($0)) 8 \(bytes(8))" }
    lines += ["EVIOCGBIT(21) 16 \(bytes(16))", "EVIOCGKEY(0) 96 \(bytes(96))"]
    lines += ["LED", "SW", "SND"].map { "EVIOCG\($0)(0) 8 \(bytes(8))" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A short press, and then a hold, with the key's automatic repetition in between; seconds from the start of the mock,
  /// which does not wait for the probe.
  private static let events = """
    E: 3.000000 0001 001c 0001
    E: 3.000000 0000 0000 0000
    E: 3.050000 0001 001c 0000
    E: 3.050000 0000 0000 0000
    E: 4.050000 0001 001c 0001
    E: 4.050000 0000 0000 0000
    E: 4.550000 0001 001c 0002
    E: 4.550000 0000 0000 0000
    E: 12.000000 0001 001c 0000
    E: 12.000000 0000 0000 0000

    """

  private static let device = """
    P: /devices/virtual/input/input9/event9
    N: input/event9
    E: DEVNAME=/dev/input/event9
    E: SUBSYSTEM=input
    A: dev=13:73


    """

  /// What the probe says, waited for on a thread of its own: other tests need those of the pool.
  private func probe(_ arguments: [String], until word: String) async throws -> [String] {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.run(arguments, until: word) })
      }
    }
  }

  private static func run(_ arguments: [String], until word: String) throws -> [String] {
    let directory = try TemporaryDirectory()
    let description = try directory.write(Self.device, to: "device")
    let answers = try directory.write(Self.answers(), to: "answers")
    let events = try directory.write(Self.events, to: "events")
    let child = try ChildProcess(
      "umockdev-run",
      [
        "-d", description, "-i", "/dev/input/event9=\(answers)", "-e",
        "/dev/input/event9=\(events)", "--", try BuiltProducts.path(of: "homeward-button-probe"),
      ] + arguments, log: directory.path(of: "log"))
    defer { child.stop() }
    #expect(Eventually.holds(withinSeconds: 40) { child.log.contains(word) }, "\(child.log)")
    return child.log.split(separator: "\n").map(String.init)
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [["/dev/input/event9"], ["Big Button"], ["/dev/input/event9", "KEY_ENTER"]])
  func aKeyIsPressedAndHeldAndItsRepetitionIsNoPress(_ arguments: [String]) async throws {
    let said = try await probe(arguments, until: "hold")
    #expect(
      said == [
        "health working ", "gesture down", "gesture press", "gesture down", "gesture hold",
      ])
  }

  @Test(.timeLimit(.minutes(2)))
  func aDeviceWithoutTheWantedKeyIsSaidToBeNone() async throws {
    let said = try await probe(["/dev/input/event9", "KEY_POWER"], until: "health failed")
    #expect(said.first == "health failed no-keys")
  }
}
