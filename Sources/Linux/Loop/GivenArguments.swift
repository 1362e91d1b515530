import CGatewayShims
public import Texts

/// The arguments that the process was started with.
public enum GivenArguments {
  /// Why they cannot be known; nil when they can.
  ///
  /// A library that is loaded before the program can take them from the Swift runtime, and a program without its
  /// arguments does something else than it was told.
  public static var fault: Message? {
    guard homeward_argument_count() > CommandLine.arguments.count else { return nil }
    return Message(
      "The arguments were lost on the way to the program. Start it without preloaded libraries (LD_PRELOAD, /etc/ld.so.preload)."
    )
  }
}
