import Foundation

/// How much of a long test runs: a part of it as a rule, all of it with `make test WHOLE=1`.
public enum TestSize {
  /// Whether long tests run whole.
  public static var isWhole: Bool {
    ProcessInfo.processInfo.environment["HOMEWARD_WHOLE_TESTS"] == "1"
  }

  /// The whole number, or the usual part of it.
  public static func count(whole: Int, usual: Int) -> Int { isWhole ? whole : usual }
}
