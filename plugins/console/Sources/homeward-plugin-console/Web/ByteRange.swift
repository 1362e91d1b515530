/// The one part of a file that somebody asks for.
///
/// - Source: RFC 9110, 14.1.2; of several parts, and of what is none, the whole file is the answer (14.2).
struct ByteRange: Hashable, Sendable {
  /// Which bytes; none where the file ends before.
  let bounds: Range<Int>
  /// How many bytes the file has.
  let count: Int

  var isEmpty: Bool { bounds.isEmpty }

  /// What `Content-Range` says of it.
  var contentRange: String {
    isEmpty ? "bytes */\(count)" : "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(count)"
  }

  /// Reads `Range`; nil where the whole file is meant.
  init?(_ header: String?, of count: Int) {
    guard let header, header.hasPrefix("bytes="), header.utf8.count < 64 else { return nil }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let (first, last) = (Int(ends[0]), Int(ends[1]))
    // What no number holds is none.
    guard ends[0].isEmpty == (first == nil), ends[1].isEmpty == (last == nil) else { return nil }
    self.count = count
    switch (first, last) {
    case (nil, let last?): bounds = max(0, count - last)..<count
    case (let first?, nil): bounds = min(first, count)..<count
    case (let first?, let last?):
      guard first <= last else { return nil }
      bounds = min(first, count)..<min(last, count - 1) + 1
    case (nil, nil): return nil
    }
  }
}
