import Foundation

/// The rig's modem on a serial line.
public final class RigModem: @unchecked Sendable {
  /// The serial port.
  public let port: String
  private let folder: TemporaryDirectory
  private let modem: ChildProcess
  private let cable: ChildProcess
  /// Keeps the line from hanging up while nobody else has it open.
  private let keeper: Int32

  /// A modem that is not on the line yet.
  public init() throws {
    folder = try TemporaryDirectory()
    try Self.prepareLibraries(log: folder.path(of: "libraries.log"))
    let (link, socket) = (folder.path(of: "port"), folder.path(of: "modem.sock"))
    let control = folder.path(of: "control")
    cable = try ChildProcess(
      "socat", ["PTY,link=\(link),rawer", "UNIX-LISTEN:\(socket)"], log: folder.path(of: "cable"))
    modem = try ChildProcess(
      Checkout.root.appendingPathComponent("hardware/rig/python").path,
      ["-m", "homeward_rig.peers.modem", "--control", control, "--folder", folder.path],
      log: folder.path(of: "modem.log"))
    let isThere = Eventually.holds(withinSeconds: 60) {
      [link, socket, control].allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }
    guard isThere else {
      throw Unready(part: "modem", words: modem.log + cable.log)
    }
    port = URL(fileURLWithPath: link).resolvingSymlinksInPath().path
    keeper = open(port, O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  deinit { close(keeper) }

  /// What the rig could not get ready, and what it said.
  public struct Unready: Error, CustomStringConvertible {
    var part: String
    var words: String

    /// The part and its last words.
    public var description: String {
      "the rig's \(part) is not ready; it said: \(words.isEmpty ? "nothing" : words)"
    }
  }

  /// Waits until the rig's Python has its libraries: in a clean clone they are fetched first, which takes as long as the
  /// network takes.
  public static func prepareLibraries(
    with python: String? = nil, log: String
  ) throws {
    let program = python ?? Checkout.root.appendingPathComponent("hardware/rig/python").path
    let process = try ChildProcess(program, ["-c", "pass"], log: log)
    guard process.wait() == 0 else { throw Unready(part: "Python", words: process.log) }
  }

  /// Asks for some actions and then puts the modem on the line.
  public func plugIn(after requests: [[String: Any]] = []) throws {
    // A socket's name is there a moment before somebody listens behind it.
    _ = Eventually.holds(withinSeconds: 20) { does(["do": "state"]) }
    for request in requests { try control(request) }
    let plug = ["do": "plug", "path": folder.path(of: "modem.sock")]
    guard Eventually.holds(withinSeconds: 20, { does(plug) }) else {
      throw BuiltProducts.MissingProgram(name: "the cable to the rig's modem")
    }
  }

  private func does(_ request: [String: Any]) -> Bool {
    do { try control(request) } catch { return false }
    return true
  }

  /// Asks the modem for an action; gives its result.
  @discardableResult
  public func control(_ request: [String: Any]) throws -> Any? {
    let line = try JSONSerialization.data(withJSONObject: request) + Data([0x0A])
    let answer = try ProgramOutput(
      "socat", ["-t30", "-", "UNIX-CONNECT:\(folder.path(of: "control"))"], input: line)
    let json = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any]
    guard json?["ok"] as? Bool == true else { throw CocoaError(.coderReadCorrupt) }
    return json?["result"]
  }
}
