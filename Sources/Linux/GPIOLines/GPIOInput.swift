/// A change of a line with the kernel's stamp.
public struct GPIOEdge: Hashable, Sendable {
  /// Whether the line became active: pressed, by the line's polarity.
  public var isActive: Bool
  /// The kernel's stamp in nanoseconds: of the monotonic clock, or of the wall clock before Linux 5.7.
  public var stampNanoseconds: Int64

  /// An edge from its parts.
  public init(isActive: Bool, stampNanoseconds: Int64) {
    self.isActive = isActive
    self.stampNanoseconds = stampNanoseconds
  }
}

/// An input line whose edges are told; let go when the value goes away.
public final class GPIOInput {
  private let handle: GPIOHandle

  /// Takes the line.
  ///
  /// - Throws: ``GPIOError`` with a sentence that says what to do.
  public init(_ line: GPIOLine) throws(GPIOError) { handle = try GPIOHandle(line, isOutput: false) }

  /// Readable when an edge waits.
  public var descriptor: Int32 { handle.descriptor }

  /// Takes waiting edges, at most 16; none when nothing waits.
  public func readEdges() throws(GPIOError) -> [GPIOEdge] { try handle.readEdges() }

  /// Whether the line is active now.
  public func isActive() throws(GPIOError) -> Bool { try handle.isActive() }
}

/// An output line, inactive at first; let go when the value goes away.
public final class GPIOOutput {
  private let handle: GPIOHandle

  /// Takes the line.
  ///
  /// - Throws: ``GPIOError`` with a sentence that says what to do.
  public init(_ line: GPIOLine) throws(GPIOError) { handle = try GPIOHandle(line, isOutput: true) }

  /// Makes the line active or inactive.
  public func set(_ isActive: Bool) throws(GPIOError) { try handle.set(isActive) }
}
