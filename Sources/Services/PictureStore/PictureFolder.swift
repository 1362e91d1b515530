public import Care
import Glibc
public import Loop
public import Ports
import Texts

/// Keeps the photographs of alarms as files, a folder for each resident, copied off the loop.
///
/// A picture is there whole or not at all. The oldest go when a resident has more than ``picturesAtMost``.
@LoopActor
public final class PictureFolder: PictureKeeper {
  /// The largest picture that is taken, in bytes.
  public nonisolated static let bytesAtMost = 8 << 20
  /// Pictures kept for one resident.
  public nonisolated static let picturesAtMost = 200

  private nonisolated let root: String
  private var lastNumber = 0

  /// Pictures below a folder, an absolute path, which is made when it is needed.
  public init(root: String) { self.root = root }

  /// Copies a JPEG file; its name is that of the alarm and a number.
  public func keep(
    _ path: String, alarm: AlarmID, resident: ResidentID,
    completion: @escaping @LoopActor (Result<String, ServiceFailure>) -> Void
  ) {
    guard Self.isName(alarm.rawValue), Self.isName(resident.rawValue) else {
      return completion(
        .failure(.init(isMissing: false, message: Message("the alarm has no usable name"))))
    }
    lastNumber += 1
    let folder = "\(root)/\(resident)"
    let name = "\(alarm)-\(getpid())-\(lastNumber).jpg"
    SystemThread.run(name: "homeward-images") { [root] in
      let outcome = Self.copy(path, root: root, folder: folder, name: name)
      Self.thin(folder)
      EventLoop.current.post { completion(outcome) }
    }
  }

  /// Reads part of a photograph that was kept here.
  public func read(
    _ path: String, offset: Int64, count: Int,
    completion: @escaping @LoopActor (Result<[UInt8], ServiceFailure>) -> Void
  ) {
    let gone = ServiceFailure(
      isMissing: true, message: Message("The photograph is not here any more."))
    let parts = path.dropFirst(root.utf8.count + 1).split(separator: "/")
    guard path.hasPrefix("\(root)/"), parts.count == 2, !parts.contains(".."), offset >= 0 else {
      return completion(.failure(gone))
    }
    SystemThread.run(name: "homeward-images") {
      let bytes = FileIO.read(path, offset: offset, count: count)
      EventLoop.current.post {
        completion(bytes.map { .success($0) } ?? .failure(gone))
      }
    }
  }

  /// Removes every photograph of a resident, before this returns.
  public func erase(_ resident: ResidentID) {
    guard Self.isName(resident.rawValue) else { return }
    let folder = "\(root)/\(resident)"
    for name in FileIO.entries(folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  // MARK: Files

  private nonisolated static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  private nonisolated static func copy(
    _ path: String, root: String, folder: String, name: String
  ) -> Result<String, ServiceFailure> {
    guard let picture = read(path) else {
      return .failure(
        ServiceFailure(
          isMissing: false, message: Message("the picture cannot be read or is too large")))
    }
    guard picture.starts(with: [0xFF, 0xD8, 0xFF]), picture.suffix(2) == [0xFF, 0xD9] else {
      return .failure(ServiceFailure(isMissing: false, message: Message("the picture is no JPEG")))
    }
    mkdir(root, 0o750)
    mkdir(folder, 0o750)
    let target = "\(folder)/\(name)"
    guard write(picture, to: "\(target).part"), rename("\(target).part", target) == 0 else {
      unlink("\(target).part")
      return .failure(
        ServiceFailure(
          isMissing: false, message: Message("the picture could not be kept on the disk")))
    }
    return .success(target)
  }

  private nonisolated static func read(_ path: String) -> [UInt8]? {
    // No link leads elsewhere, and a pipe must not hold the thread.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (4...bytesAtMost).contains(Int(status.st_size))
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      guard count > 0 else { return nil }
      filled += count
    }
    return bytes
  }

  private nonisolated static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      guard count > 0 else { return false }
      written += count
    }
    return fsync(descriptor) == 0
  }

  /// Names sort by time, for alarms' ids do.
  private nonisolated static func thin(_ folder: String) {
    for name in FileIO.entries(folder).dropLast(picturesAtMost) { unlink("\(folder)/\(name)") }
  }
}
