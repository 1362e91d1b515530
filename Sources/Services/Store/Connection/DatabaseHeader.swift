import Glibc

/// The first bytes of a database file as they lie on the disk.
///
///     offset  0..15               16.17      18     19    20        21..23    68..71
///     field   "SQLite format 3\0"  page size  write  read  reserved  fractions  application id
///     bytes   53 51 …             10 00      02     02    00        40 20 20  48 6f 6d 65
///
/// - Source: https://www.sqlite.org/fileformat2.html, section 1.3. Bytes above: a `care.db`.
struct DatabaseHeader {
  private let bytes: [UInt8]

  /// Reads the header of a file; nothing where it cannot be read.
  init(_ path: String) {
    let descriptor = Files.openForReading(path)
    guard descriptor >= 0 else {
      bytes = []
      return
    }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = read(descriptor, &buffer, buffer.count)
    bytes = Array(buffer.prefix(max(0, count)))
  }

  /// Whether the file does not even begin like a database.
  var isMissing: Bool {
    bytes.count < 100 || !bytes.prefix(16).elementsEqual(Array("SQLite format 3".utf8) + [0])
  }

  /// Whether SQLite has to refuse a file of ours for its header.
  func isDamaged(of applicationID: Int64) -> Bool {
    guard !isMissing else { return false }
    let application = bytes[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return application == applicationID && !hasKnownFormat
  }

  /// Whether page size, versions and fractions are such as SQLite reads and writes.
  private var hasKnownFormat: Bool {
    let pageBytes = Int(bytes[16]) << 8 | Int(bytes[17])
    let isPageSize = pageBytes == 1 || pageBytes >= 512 && pageBytes & (pageBytes - 1) == 0
    return isPageSize && (1...2).contains(bytes[18]) && (1...2).contains(bytes[19])
      && bytes[20] == 0 && bytes[21..<24].elementsEqual([64, 32, 32])
  }
}
