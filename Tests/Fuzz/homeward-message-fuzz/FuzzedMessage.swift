/// One kind of message that comes by Bluetooth, with whole samples and what is promised for any bytes.
struct FuzzedMessage {
  /// What became of some bytes.
  enum Verdict: Equatable {
    /// They were refused, as they should be when they are damaged.
    case refused
    /// They were read, and all promises held.
    case read
    /// A promise was broken.
    case broken(String)
  }

  /// The message, as the specification calls it.
  var name: String
  /// Messages that are read whole, captured or published ones before made-up ones.
  var samples: [[UInt8]]
  /// Puts lengths and checksums right, so that what was damaged besides is looked at, too.
  var mend: ([UInt8]) -> [UInt8] = { $0 }
  /// Reads bytes and checks the promises.
  var read: ([UInt8]) -> Verdict
}

extension FuzzedMessage {
  /// Every message that Homeward reads from a meter, a monitor, a tag or a Bluetooth controller.
  static func all() -> [FuzzedMessage] { meterMessages() + monitorMessages() + radioMessages() }
}
