import Bytes
import Glibc
public import Texts

/// Reads zones of the system's time-zone database; the only place of this module that touches a file.
public enum TimeZoneFile {
  /// Where Debian's package tzdata puts the database.
  public static let systemDirectory = "/usr/share/zoneinfo"

  /// The largest file that is read, in bytes; the largest zone has about 4,000.
  private static let maximumBytes = 256 * 1024

  /// Reads a zone by its name, such as `Europe/Madrid`.
  ///
  /// - Throws: ``TimeZoneFileError`` when the name is not one, the zone does not exist or its file is damaged.
  public static func load(
    name: String, directory: String = systemDirectory
  ) throws(TimeZoneFileError) -> CivilTimeZone {
    let bytes = try contents(name: name, directory: directory)
    do {
      return try CivilTimeZone(name: name, tzif: bytes)
    } catch {
      throw .damaged(name, error)
    }
  }

  /// The bytes of a zone's file, for whoever keeps them beside what was decided by them.
  ///
  /// - Throws: ``TimeZoneFileError`` when the name is not one or the zone does not exist.
  public static func contents(
    name: String, directory: String = systemDirectory
  ) throws(TimeZoneFileError) -> [UInt8] {
    guard isWellFormed(name) else { throw .invalidName(name) }
    return try read("\(directory)/\(name)", name: name)
  }

  /// Whether a name is made of words of letters, digits, `_`, `+` and `-` between slashes, and so stays in the directory.
  static func isWellFormed(_ name: String) -> Bool {
    let words = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count <= 128
      && words.allSatisfy { word in
        word.first != UInt8(ascii: "-") && !word.isEmpty && word.allSatisfy(isNameByte)
      }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: false
    }
  }

  private static func read(
    _ path: String, name: String
  ) throws(TimeZoneFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(name, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(name, errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumBytes else {
      throw .notAZone(name)
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unreadable(name, count < 0 ? errno : EIO) }
      filled += count
    }
    return bytes
  }
}

/// Why a zone could not be had, in one sentence that says what to do next.
public struct TimeZoneFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failure.
  public enum Code: String, Hashable, Sendable {
    /// The text is no name of a zone.
    case invalidName = "invalid-name"
    /// The database has no such zone.
    case missing
    /// The file cannot be read.
    case unreadable
    /// The file is no time-zone file, or is damaged.
    case damaged
    /// The zone counts leap seconds, which UTC on this machine does not.
    case leapSeconds = "leap-seconds"
  }

  /// The kind.
  public var code: Code
  /// The sentence.
  public var message: Message

  /// The sentence.
  public var description: String { message.description }

  static func invalidName(_ name: String) -> TimeZoneFileError {
    let shown = name.unicodeScalars.prefix(40).map { $0.escaped(asASCII: true) }.joined()
    return TimeZoneFileError(
      code: .invalidName,
      message: Message(
        "\"{shown}\" is no time zone. Use a name such as Europe/Madrid.", ["shown": shown]))
  }

  static func unreadable(_ name: String, _ errorNumber: Int32) -> TimeZoneFileError {
    guard errorNumber != ENOENT, errorNumber != ENOTDIR else {
      return TimeZoneFileError(
        code: .missing,
        message:
          Message(
            "There is no time zone {name} on this machine. Check the spelling, or install the package tzdata.",
            ["name": name])
      )
    }
    return TimeZoneFileError(
      code: .unreadable,
      message:
        Message(
          "The time zone {name} cannot be read: {reason}. Check the permissions of {directory}.",
          [
            "name": name, "reason": String(cString: strerror(errorNumber)),
            "directory": TimeZoneFile.systemDirectory,
          ])
    )
  }

  static func notAZone(_ name: String) -> TimeZoneFileError {
    TimeZoneFileError(
      code: .missing,
      message: Message(
        "{name} is a region, not a time zone. Use a name such as Europe/Madrid.", ["name": name]))
  }

  static func damaged(_ name: String, _ error: DecodeError) -> TimeZoneFileError {
    if error.field == TZifDecoder.leapSecondsField {
      return TimeZoneFileError(
        code: .leapSeconds,
        message: Message(
          "The time zone {name} counts leap seconds. Use the one without \"right/\".",
          ["name": name]))
    }
    return TimeZoneFileError(
      code: .damaged,
      message:
        Message(
          "The file of the time zone {name} is damaged ({error}). Install the package tzdata again.",
          ["name": name, "error": error])
    )
  }
}
