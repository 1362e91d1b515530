public import Care
import Glibc
public import Loop
import PictureFiles
public import Ports
import Texts

/// Keeps the pictures of notes as files in one folder, named by the SHA-256 of their content.
///
///     <root>/2cf24d….jpg     a picture, checked and stripped, mode 0600
///     <root>/.upload-<name>  a file that is being brought
///
/// One thing after the other, off the loop: a piece that comes while the last one is written waits for it. A picture is
/// there whole or not at all, and on the disk before anybody is told its name.
@LoopActor
public final class NotePictureFolder: NotePictureKeeper {
  /// Uploads that may be unfinished at once; the one that rested longest gives way.
  public nonisolated static let uploadsAtMost = 8

  private nonisolated let root: String
  private var waiting: [@LoopActor () -> Void] = []
  private var isBusy = false

  /// Pictures in a folder, an absolute path, which is made when it is needed.
  public init(root: String) { self.root = root }

  // MARK: One thing after the other

  /// Runs a job on a thread of its own when those before it are done, and hands over what it answers.
  private func perform<Answer: Sendable>(
    _ job: @escaping @Sendable () -> Answer,
    then: @escaping @LoopActor @Sendable (Answer) -> Void
  ) {
    waiting.append { [weak self] in
      SystemThread.run(name: "homeward-images") {
        let answer = job()
        EventLoop.current.post {
          then(answer)
          self?.goOn()
        }
      }
    }
    if !isBusy { goOn() }
  }

  private func goOn() {
    isBusy = !waiting.isEmpty
    if isBusy { waiting.removeFirst()() }
  }

  // MARK: Bringing

  /// Takes one piece; the last one is answered with the picture.
  public func add(
    _ piece: PicturePiece,
    completion: @escaping @LoopActor @Sendable (Result<PictureProgress, ServiceFailure>) -> Void
  ) {
    perform({ [root] in Upload(root: root, piece: piece).take() }, then: completion)
  }

  // MARK: Reading and removing

  /// Reads part of a picture's file.
  public func read(
    _ picture: Picture, offset: Int64, count: Int,
    completion: @escaping @LoopActor @Sendable (Result<[UInt8], ServiceFailure>) -> Void
  ) {
    let path = Self.path(of: picture.id, mediaType: picture.mediaType, in: root)
    perform(
      {
        guard let path, let bytes = PictureIO.read(path, offset: offset, count: count) else {
          return .failure(
            ServiceFailure(
              isMissing: true,
              message: Message(
                "The file of this picture is missing. Was a backup restored without it?")))
        }
        return .success(bytes)
      }, then: completion)
  }

  /// Removes the file of a picture, when what was asked before is done.
  public func remove(_ id: PictureID, unless isWanted: @escaping @LoopActor @Sendable () -> Bool) {
    perform(
      {},
      then: { [root] in
        guard !isWanted(), Self.isContentName(id.rawValue) else { return }
        for kind in PictureFile.Kind.allCases { unlink("\(root)/\(id).\(kind.fileExtension)") }
      })
  }

  /// Removes files of no known picture, and unfinished uploads.
  public func sweep(keeping known: Set<PictureID>) {
    perform(
      { [root] in
        for name in PictureIO.entries(root) {
          let id = PictureID(String(name.prefix { $0 != "." }))
          if !known.contains(id) { unlink("\(root)/\(name)") }
        }
      }, then: { _ in })
  }

  nonisolated static func isContentName(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  nonisolated static func path(
    of id: PictureID, mediaType: String, in root: String
  ) -> String? {
    guard isContentName(id.rawValue), let kind = PictureFile.Kind(rawValue: mediaType) else {
      return nil
    }
    return "\(root)/\(id).\(kind.fileExtension)"
  }
}

/// One piece on its way to the disk; used on a thread of its own.
struct Upload: Sendable {
  let root: String
  let piece: PicturePiece

  private static let prefix = ".upload-"
  private var path: String { "\(root)/\(Self.prefix)\(piece.upload)" }

  func take() -> Result<PictureProgress, ServiceFailure> {
    guard isName(piece.upload) else {
      return failure(
        Message("An upload is named by 1 through 64 lower-case letters, digits and hyphens."))
    }
    // Made by the gateway; the state directory above it exists.
    mkdir(root, 0o700)
    if piece.offset == 0 { makeRoom() }
    let received = PictureIO.size(path) ?? 0
    guard piece.offset == 0 || piece.offset == received else {
      return failure(
        Message(
          "This piece begins at {offset}, but {received} bytes are here. Go on there.",
          ["offset": piece.offset, "received": received]))
    }
    let size = piece.offset + Int64(piece.bytes.count)
    guard size <= Int64(PictureFile.bytesAtMost) else {
      unlink(path)
      return failure(
        Message(
          "The picture is larger than {limit} MB. Make it smaller first.",
          ["limit": PictureFile.bytesAtMost / 1_000_000]))
    }
    guard PictureIO.append(piece.bytes, to: path, isNew: piece.offset == 0) else {
      let reason = PictureIO.reason
      unlink(path)
      return failure(Message("The picture could not be kept: {reason}", ["reason": reason]))
    }
    guard piece.isLast else { return .success(.received(size)) }
    defer { unlink(path) }
    return finish(size)
  }

  private func finish(_ size: Int64) -> Result<PictureProgress, ServiceFailure> {
    guard let file = PictureIO.read(path, offset: 0, count: Int(size)), file.count == Int(size)
    else {
      return failure(Message("The picture could not be read back from the disk. Try again."))
    }
    let checked: PictureFile
    do { checked = try PictureFile(checking: file, keepsPosition: piece.keepsPosition) } catch {
      return failure(error.message)
    }
    let picture = Picture(
      id: checked.id, resident: piece.resident, mediaType: checked.kind.rawValue,
      bytes: Int64(checked.bytes.count), width: Int64(checked.width),
      height: Int64(checked.height))
    guard
      let target = NotePictureFolder.path(of: picture.id, mediaType: picture.mediaType, in: root)
    else { return failure(Message("The picture has no usable name.")) }
    // The same content is there already.
    if PictureIO.size(target) == picture.bytes { return .success(.stored(picture)) }
    let partial = "\(root)/.part-\(piece.upload)"
    guard PictureIO.append(checked.bytes, to: partial, isNew: true, isDurable: true),
      rename(partial, target) == 0, PictureIO.synchronise(root)
    else {
      let reason = PictureIO.reason
      unlink(partial)
      return failure(Message("The picture could not be kept: {reason}", ["reason": reason]))
    }
    return .success(.stored(picture))
  }

  /// The uploads that rested longest give way to a new one.
  private func makeRoom() {
    let others = PictureIO.entries(root).filter { $0.hasPrefix(Self.prefix) }
      .map { "\(root)/\($0)" }.filter { $0 != path }
    guard others.count >= NotePictureFolder.uploadsAtMost else { return }
    let oldestFirst = others.sorted { PictureIO.changedAt($0) < PictureIO.changedAt($1) }
    for path in oldestFirst.prefix(others.count - NotePictureFolder.uploadsAtMost + 1) {
      unlink(path)
    }
  }

  private func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  private func failure(_ message: Message) -> Result<PictureProgress, ServiceFailure> {
    .failure(ServiceFailure(isMissing: false, message: message))
  }
}

/// Files of pictures.
enum PictureIO {
  /// What the system said went wrong last, as one plain sentence.
  static var reason: Message {
    switch errno {
    case ENOSPC, EDQUOT: Message("the disk is full. Free some space, then try again.")
    case EROFS: Message("the disk can only be read. Check the memory card.")
    default: Message("{error}. Check the memory card.", ["error": String(cString: strerror(errno))])
    }
  }

  static func size(_ path: String) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  static func changedAt(_ path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
  }

  static func read(_ path: String, offset: Int64, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
          off_t(offset) + off_t(filled))
      }
      guard got >= 0 else { return nil }
      if got == 0 { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }

  static func append(
    _ bytes: [UInt8], to path: String, isNew: Bool, isDurable: Bool = false
  ) -> Bool {
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (isNew ? O_TRUNC : O_APPEND)
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return false }
    defer { keepingError { close(descriptor) } }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      guard count > 0 else { return false }
      written += count
    }
    return !isDurable || fsync(descriptor) == 0
  }

  static func synchronise(_ folder: String) -> Bool {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { keepingError { close(descriptor) } }
    return fsync(descriptor) == 0
  }

  private static func keepingError(_ body: () -> Int32) {
    let before = errno
    _ = body()
    errno = before
  }

  static func entries(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
