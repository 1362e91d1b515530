import Care
import Foundation
import JSON
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_camera

/// The built plugin, driven over pipes as the host drives it.
private final class CameraUnderTest {
  let state: TemporaryDirectory
  private let process: LineProcess
  private var nextID: Int64 = 0

  init(_ settings: JSONValue) throws {
    state = try TemporaryDirectory()
    process = try LineProcess(try BuiltProducts.path(of: "homeward-plugin-camera"))
    let request = InitializeRequest(
      protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub", settings: settings, grants: [],
      stateDirectory: state.path)
    _ = try call(PluginMethod.initialize, request.json)
  }

  func send(_ method: String, _ params: JSONValue = .object([])) throws -> Int64 {
    nextID += 1
    try process.write(RPCLine.request(id: .number(nextID), method: method, params: params))
    return nextID
  }

  func call(_ method: String, _ params: JSONValue = .object([])) throws -> JSONValue {
    try answer(send(method, params))
  }

  /// The answer to a request; notifications before it are passed over.
  func answer(_ id: Int64) throws -> JSONValue {
    while true {
      let line = try process.output.take("a line") { _ in true }
      let message = try RPCMessage(line: Array(line.utf8))
      switch message.kind {
      case .result(let answered) where answered == .number(id): return try message.payload()
      case .failure(let answered, let error) where answered == .number(id): throw error
      default: continue
      }
    }
  }

  func photograph() throws -> String? {
    try call("service.photograph", ["event": "a1", "resident": "mary"])["path"]?.stringContent
  }

  var photographs: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: state.path(of: "photos"))
    return (names ?? []).sorted()
  }
}

@Suite struct PluginTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A shell script in the place of libcamera's program; `$target` is where the picture belongs.
  private func script(_ body: String, in directory: TemporaryDirectory) throws -> JSONValue {
    try Data(TestPictures.adding(0xE1, Array("Exif position".utf8), to: TestPictures.jpeg())).write(
      to: directory.url.appendingPathComponent("picture.jpg"))
    let path = try directory.write(
      """
      #!/bin/sh
      cd "$(dirname "$0")"
      echo "$*" >> arguments
      while [ $# -gt 1 ]; do [ "$1" = --output ] && target=$2; shift; done
      \(body)
      """, to: "still")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return ["method": "libcamera", "program": .string(path), "timeoutSeconds": 20, "keep": 3]
  }

  private func failure(_ settings: JSONValue) throws -> (message: String, code: String) {
    let plugin = try CameraUnderTest(settings)
    do {
      let path = try plugin.photograph()
      Issue.record("a photograph was taken: \(path ?? "-")")
      return ("", "")
    } catch let error as RPCError {
      #expect(error.code == RPCError.refusedCode)
      #expect(plugin.photographs.isEmpty)
      let health = try PluginHealth(json: plugin.call(PluginMethod.health))
      #expect(health.state == .failed && health.detail == error.message)
      return (error.message, health.code)
    }
  }

  @Test func theManifestIsValidAndItsDefaultsFit() throws {
    let bytes = try Data(contentsOf: Self.folder.appendingPathComponent("plugin.json"))
    let manifest = try PluginManifest(parsing: Array(bytes))
    #expect(manifest.name == "camera" && manifest.offers == ["photograph"])
    let completed = manifest.settings.applyingDefaults(to: .object([]))
    #expect(try CameraSettings(json: completed) == CameraSettings(json: .object([])))
  }

  @Test func settingsThatDoNotFitAreRefusedByName() {
    for (json, name) in [
      (#"{"device":"video0"}"#, "device"), (#"{"program":"still"}"#, "program"),
      (#"{"width":1}"#, "width"), (#"{"keep":0}"#, "keep"), (#"{"method":"magic"}"#, "method"),
    ] {
      do {
        _ = try TestPictures.settings(json)
        Issue.record("\(json) was taken")
      } catch { #expect("\(error)".contains(name), "\(error)") }
    }
  }

  @Test func aPhotographIsTakenByTheProgramAndItsMetadataStays() throws {
    let directory = try TemporaryDirectory()
    let plugin = try CameraUnderTest(script("cp picture.jpg \"$target\"", in: directory))
    let path = try #require(try plugin.photograph())
    #expect(path.hasPrefix(plugin.state.path + "/photos/") && path.hasSuffix(".jpg"))
    let picture = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(!TestPictures.markers(picture).contains(0xE1))
    #expect(try TestPictures.pixels(picture).width == 64)
    let health = try PluginHealth(json: plugin.call(PluginMethod.health))
    #expect(health.state == .working)
    let arguments = try String(contentsOfFile: directory.path(of: "arguments"), encoding: .utf8)
    #expect(arguments.contains("--width 1280 --height 720 --output \(plugin.state.path)/photos/"))
  }

  @Test func oldPhotographsMakeRoomForNewOnes() throws {
    let directory = try TemporaryDirectory()
    let plugin = try CameraUnderTest(script("cp picture.jpg \"$target\"", in: directory))
    let paths = try (0..<5).compactMap { _ in try plugin.photograph() }
    #expect(Set(paths).count == 5)
    let kept = paths.suffix(3).map { URL(fileURLWithPath: $0).lastPathComponent }
    #expect(plugin.photographs == kept.sorted())
  }

  @Test func whoAsksMeanwhileGetsTheSamePhotograph() throws {
    let directory = try TemporaryDirectory()
    // The program waits until the test lets it go on.
    let settings = try script(
      "mkfifo go; read line < go; cp picture.jpg \"$target\"", in: directory)
    let plugin = try CameraUnderTest(settings)
    let ids = try (0..<3).map { _ in try plugin.send("service.photograph") }
    _ = try plugin.call(PluginMethod.health)
    #expect(Eventually.holds(withinSeconds: 15) { access(directory.path(of: "go"), F_OK) == 0 })
    try directory.write("now\n", to: "unused")
    let gate = open(directory.path(of: "go"), O_WRONLY)
    #expect(write(gate, "now\n", 4) == 4)
    close(gate)
    let paths = try ids.map { try plugin.answer($0)["path"]?.stringContent }
    #expect(Set(paths).count == 1 && paths.first ?? nil != nil)
    let runs = try String(contentsOfFile: directory.path(of: "arguments"), encoding: .utf8)
    #expect(runs.split(separator: "\n").count == 1)
  }

  @Test func whatTheProgramSaysLastIsTheReason() throws {
    let directory = try TemporaryDirectory()
    let failed = try failure(
      script("echo starting >&2; echo 'no cameras available' >&2; exit 255", in: directory))
    #expect(failed.code == "program-failed" && failed.message.contains("no cameras available"))
  }

  @Test func aProgramThatLeavesNoPictureOrABrokenOneIsAFault() throws {
    let directory = try TemporaryDirectory()
    #expect(try failure(script("exit 0", in: directory)).code == "program-failed")
    #expect(try failure(script(": > \"$target\"", in: directory)).code == "picture-broken")
    let cut = try failure(script("head -c 300 picture.jpg > \"$target\"", in: directory))
    #expect(cut.code == "picture-broken")
    #expect(try failure(script("kill -SEGV $$", in: directory)).code == "program-failed")
  }

  @Test func aProgramThatHangsIsKilledAtTheTimeOut() throws {
    let directory = try TemporaryDirectory()
    let settings = try script("mkfifo never; exec cat never", in: directory)
      .setting("timeoutSeconds", to: 1)
    let failed = try failure(settings)
    #expect(failed.code == "timed-out" && failed.message.contains("did not end within 1 s"))
  }

  @Test func aMissingProgramOrDeviceIsSaidBeforeAnybodyNeedsIt() throws {
    let program: JSONValue = ["method": "libcamera", "program": "/nowhere/rpicam-still"]
    let missing = try CameraUnderTest(program)
    let health = try PluginHealth(json: missing.call(PluginMethod.health))
    #expect(health.state == .failed && health.code == "program-missing")
    #expect(try failure(["device": "/dev/video-none"]).code == "device-missing")
    #expect(try failure(["device": "/dev/null"]).code == "device-unsuitable")
  }

  @Test func anotherServiceIsRefused() throws {
    let plugin = try CameraUnderTest(.object([]))
    #expect(throws: RPCError.self) { try plugin.call("service.video") }
  }
}
