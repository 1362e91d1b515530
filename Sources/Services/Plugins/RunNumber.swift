import Loop

/// Numbers the starts of plugins, for the whole process: the number marks what a plugin forked, and must not fit another.
@LoopActor
enum RunNumber {
  private static var last: UInt64 = 0

  static func next() -> UInt64 {
    last += 1
    return last
  }
}
