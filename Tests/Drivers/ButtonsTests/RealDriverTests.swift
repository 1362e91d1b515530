import Care
import Foundation
import GPIOLines
import Gestures
import Loop
import TestSupport
import Testing
import Texts

@testable import Buttons

/// The real libraries on a machine that has no such devices; with devices they run in the rig.
@Suite struct RealDriverTests {
  @Test(.timeLimit(.minutes(1)), arguments: ["", "no-such-label", "/dev/no-such-chip", "4093"])
  @LoopActor func aGPIOChipThatIsNotThereIsSaidInWords(_ chip: String) async {
    let watched = WatchedButton(
      options: .init(id: "wired", device: .gpio(GPIOLine(chip: chip, line: "NO-SUCH-LINE"))))
    defer { watched.source.stop() }
    await watched.wait { !watched.health.isEmpty }
    #expect(watched.codes == ["no-chip"])
    #expect(watched.health[0].detail.description.contains("gpioinfo"))
    #expect(watched.health[0].component == "button/wired")
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["/dev/input/by-id/no-such-button", "No Such Button"])
  @LoopActor func anInputDeviceThatIsNotThereIsSaidInWords(_ device: String) async {
    let watched = WatchedButton(
      options: .init(id: "big", device: .input(InputDevice(device: device))))
    defer { watched.source.stop() }
    await watched.wait { !watched.health.isEmpty }
    #expect(watched.codes == ["missing"])
    #expect(watched.health[0].detail.description.contains(device))
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["/dev/null", "/dev/zero"])
  @LoopActor func whatIsNoInputDeviceIsSaidInWords(_ device: String) async {
    let watched = WatchedButton(
      options: .init(id: "big", device: .input(InputDevice(device: device))))
    defer { watched.source.stop() }
    await watched.wait { !watched.health.isEmpty }
    #expect(watched.codes == ["no-keys"])
  }

  @Test func keysAreKnownByTheirNamesAndOthersAreRefused() throws {
    #expect(
      try InputButton.codes(of: ["KEY_ENTER", "KEY_PLAYPAUSE", "BTN_LEFT"]) == [28, 164, 272])
    for name in ["", "ENTER", "KEY_NOPE", "EV_KEY"] {
      #expect(throws: ButtonTrouble.self, "\(name)") { try InputButton.codes(of: [name]) }
    }
  }

  @Test func allFoldersAboveADeviceAreWatchedButTheRoot() {
    let folders = DeviceFolder.folders(above: ["/dev/input/by-id/x", "/dev/homeward/y", "z"])
    #expect(folders == ["/dev", "/dev/input", "/dev/input/by-id", "/dev/homeward"])
  }
}

/// libgpiod 2 is not in Debian 12: what is written for it is at least compiled against its interface.
@Suite struct LibraryVersionTests {
  static let compiler = ["/usr/bin/cc", "/usr/bin/gcc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    .enabled(if: compiler != nil, "there is no C compiler"),
    arguments: ["open.c", "version1.c", "version2.c"])
  func theShimCompilesAgainstTheInterfaceOfVersionTwo(_ file: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let shim = Checkout.root.appendingPathComponent("Sources/Shims/CGPIO")
    let directory = try TemporaryDirectory()
    let compilation = try ChildProcess(
      try #require(Self.compiler),
      [
        "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
        "-I", tests.appendingPathComponent("libgpiod2").path,
        "-I", shim.appendingPathComponent("include").path, shim.appendingPathComponent(file).path,
      ], log: directory.path(of: "log"))
    #expect(compilation.wait() == 0, "\(compilation.log)")
  }
}
