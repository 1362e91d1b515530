/// Cuts a stream of bytes into lines; one that is too long is passed over, and counted as broken.
struct HCILines {
  /// An advertisement of Bluetooth 5 has 1,650 bytes, which are 3,300 digits.
  static let mostBytes = 8192

  private var bytes: [UInt8] = []
  private var isPassingOver = false
  /// Lines that were too long so far.
  private(set) var overLong = 0

  /// Takes bytes, and gives the lines that are whole now, without their ends.
  mutating func take(_ added: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.append(contentsOf: added)
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      if isPassingOver {
        isPassingOver = false
      } else if end - start > Self.mostBytes {
        overLong += 1
      } else {
        lines.append(bytes[start..<end])
      }
      start = end + 1
    }
    bytes.removeFirst(start)
    if bytes.count > Self.mostBytes {
      if !isPassingOver { overLong += 1 }
      isPassingOver = true
    }
    if isPassingOver { bytes = [] }
    return lines
  }
}
