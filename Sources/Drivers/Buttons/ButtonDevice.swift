public import Texts

/// A change of a button's contact with the kernel's stamp.
public struct ButtonEdge: Hashable, Sendable {
  /// Whether the contact closed.
  public var isDown: Bool
  /// The kernel's stamp in nanoseconds: of the monotonic clock, or of the wall clock before Linux 5.7.
  public var stampNanoseconds: Int64

  /// An edge from its parts.
  public init(isDown: Bool, stampNanoseconds: Int64) {
    self.isDown = isDown
    self.stampNanoseconds = stampNanoseconds
  }
}

/// Why a button cannot be watched.
public struct ButtonTrouble: Error, Hashable, Sendable {
  /// A stable word for the reason, the code of the health report.
  public var code: String
  /// One plain sentence that says what to do next.
  public var message: Message

  /// A trouble from its parts.
  public init(code: String, message: Message) {
    self.code = code
    self.message = message
  }
}

/// An open button; let go when the value goes away.
///
/// Nothing here waits. A thrown trouble means that the device is gone.
public protocol ButtonDevice: AnyObject {
  /// Readable when an edge waits, hung up when the device went.
  var descriptor: Int32 { get }
  /// Takes waiting edges; none when nothing waits.
  func readEdges() throws(ButtonTrouble) -> [ButtonEdge]
  /// Whether the contact is closed now.
  func isDown() throws(ButtonTrouble) -> Bool
}

/// Opens a button, again and again when it comes and goes.
public protocol ButtonOpener: Sendable {
  /// Opens the device.
  ///
  /// - Throws: why not; it is tried again.
  func open() throws(ButtonTrouble) -> any ButtonDevice
  /// Paths or folders where the device shows up when it is plugged in.
  var places: [String] { get }
}
