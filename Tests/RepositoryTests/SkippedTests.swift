import TestSupport
import Testing

@Suite("What is skipped")
struct SkippedTests {
  @Test("Whoever may be skipped says why")
  func reasons() throws {
    var count = 0
    for file in try Repository.swiftFiles(below: ["Tests", "plugins"]) {
      for match in file.text.matches(of: /\.(?:en|dis)abled\(/) {
        let arguments = Self.untilClosed(file.text[match.range.upperBound...])
        #expect(arguments.contains(/,\s*"[^"]+"\s*$/), "\(file.path): \(arguments)")
        count += 1
      }
    }
    #expect(count > 50)
  }

  /// What stands before the parenthesis that closes one before the text.
  private static func untilClosed(_ text: Substring) -> Substring {
    var depth = 1
    return text.prefix { character in
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      return depth > 0
    }
  }

  @Test(
    "At the end of a run what was skipped is named by its reason, in Swift and in Python",
    .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
  func end() throws {
    let folder = try TemporaryDirectory()
    let log = try folder.write(
      """
      \u{1B}[90m◇\u{1B}[0m Test "A disk is full" started.
      skipped: mounting is not permitted here
      \u{1B}[92m✔\u{1B}[0m Test "A disk is full" passed after 0.001 seconds.
      ◇ Test case passing 1 argument n → 1 to f(n:) started.
      \u{1B}[90m➜\u{1B}[0m Test agrees() skipped: "promtool is not installed"
      \u{1B}[90m➜\u{1B}[0m Test agrees() skipped: "promtool is not installed"
      ➜ Suite "A bus" skipped: "dbus-daemon is not installed"
      ➜ Test f(n:) skipped.
      test_owner (test_places.Tests.test_owner) ... skipped 'only root makes folders for others'
      test_way (test_places.Tests.test_way)
      A way is found. ... skipped "there's no map"
      test_noise (test_places.Tests.test_noise) ... a warning
      skipped "there's no map"
      test_other (test_places.Tests.test_other) ... ok
      """, to: "log")
    let program = Checkout.path(".ci/skipped-tests")
    let found = try ProgramOutput(PythonPeer.program, [program, "find", log])
    let told = try ProgramOutput(
      PythonPeer.program, [program, "tell", try folder.write(found.text, to: "found")])
    #expect(
      told.text == """
        8 tests were skipped:
        - dbus-daemon is not installed
            all of "A bus"
        - mounting is not permitted here
            "A disk is full"
        - no reason is given
            f(n:)
        - only root makes folders for others
            test_places.Tests.test_owner
        - promtool is not installed
            agrees(), 2 times
        - there's no map
            A way is found.
            test_places.Tests.test_noise

        """)
    let none = try ProgramOutput(PythonPeer.program, [program, "tell"])
    #expect(none.text == "No test was skipped.\n")
  }
}
