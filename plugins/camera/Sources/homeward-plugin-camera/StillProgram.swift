import CCamera
import Glibc
import PluginKit

/// Takes a still with a program of libcamera, for cameras that the kernel alone cannot read.
struct StillProgram {
  /// Where the programs of Raspberry Pi OS and Debian lie, the newer name first.
  static let usual = ["/usr/bin/rpicam-still", "/usr/bin/libcamera-still"]

  var settings: CameraSettings
  /// Folder for the program's own picture.
  var directory: String

  /// Takes a picture as JPEG; may wait.
  func take() throws(CameraFault) -> [UInt8] {
    let program = try find()
    let target = "\(directory)/.taking.jpg"
    _ = unlink(target)
    defer { _ = unlink(target) }
    try run(program, target)
    guard let bytes = FileBytes.read(target, atMost: 64 << 20) else {
      throw CameraFault(
        .programFailed,
        gettext(
          "{program} ended well, and there is no picture. Try it by hand.", ["program": program]))
    }
    return try Picture.rewrite(bytes)
  }

  private func find() throws(CameraFault) -> String {
    let candidates = settings.program.map { [$0] } ?? Self.usual
    if let program = candidates.first(where: { access($0, X_OK) == 0 }) { return program }
    throw CameraFault(
      .programMissing,
      gettext(
        "There is no {candidates}. Install rpicam-apps or "
          + "libcamera-apps, or set method: v4l2.",
        ["candidates": candidates.joined(separator: " and no ")]))
  }

  private func run(_ program: String, _ target: String) throws(CameraFault) {
    let words = [
      program, "--nopreview", "--immediate", "--timeout", "1000", "--encoding", "jpg", "--width",
      String(settings.width), "--height", String(settings.height), "--output", target,
    ]
    var complaint = [CChar](repeating: 0, count: 400)
    var status: Int32 = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let answer = homeward_run(
      program, &arguments, Int32(clamping: settings.timeoutMilliseconds), &status, &complaint,
      complaint.count)
    let problem = errno
    if answer != 0, problem == ETIMEDOUT {
      throw CameraFault(
        .timedOut,
        gettext(
          "{program} did not end within {seconds} s. Is the " + "camera's ribbon in its place?",
          ["program": program, "seconds": settings.timeoutMilliseconds / 1000]))
    }
    guard answer == 0 else {
      throw CameraFault(
        .programFailed,
        gettext(
          "{program} cannot be started (error {problem}).",
          ["program": program, "problem": problem]))
    }
    guard status == 0 else {
      let bytes = complaint.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let said = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).last
      throw CameraFault(
        .programFailed,
        gettext(
          "{program} failed: {said}.",
          ["program": program, "said": said.map(String.init) ?? gettext("it says nothing")]))
    }
  }
}

/// Whole files, for threads that may wait.
enum FileBytes {
  /// The content; nil when it cannot be read or is larger.
  static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= limit else { return nil }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  /// Writes a file that is there whole or not at all.
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let temporary = "\(path).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      start += count
    }
    let isWhole = start == bytes.count
    if close(descriptor) == 0, isWhole, rename(temporary, path) == 0 { return true }
    _ = unlink(temporary)
    return false
  }
}
