/// Lines on their way into a pipe, urgent ones first, none torn.
struct OutgoingQueue {
  private var current: [UInt8] = []
  private var offset = 0
  private var urgent: [[UInt8]] = []
  private var ordinary: [[UInt8]] = []
  /// Bytes that were appended and are not written yet.
  private(set) var bytes = 0

  var isEmpty: Bool { current.isEmpty && urgent.isEmpty && ordinary.isEmpty }

  mutating func append(_ line: [UInt8], isUrgent: Bool) {
    bytes += line.count
    if isUrgent { urgent.append(line) } else { ordinary.append(line) }
  }

  /// The bytes to write next, at most 256 KiB; nil when there are none.
  var next: ArraySlice<UInt8>? {
    mutating get {
      if current.isEmpty {
        offset = 0
        if !urgent.isEmpty {
          current = urgent.removeFirst()
        } else if !ordinary.isEmpty {
          current = ordinary.removeFirst()
        }
      }
      return current.isEmpty ? nil : current[offset...].prefix(256 << 10)
    }
  }

  /// Notes that so many of the bytes were written.
  mutating func advance(by count: Int) {
    offset += count
    bytes -= count
    if offset >= current.count { current = [] }
  }
}
