public import Care
import Glibc
public import Loop
public import Ports
import Texts

/// The pictures of notes, as files.
public typealias NotePictureFolder = ContentFolder<Picture>
/// Recordings, as files.
public typealias RecordingFolder = ContentFolder<Recording>

/// Keeps what people bring as files in one folder, named by a digest of their content.
///
///     <root>/2cf24d….jpg     a picture, checked and stripped, mode 0600
///     <root>/.upload-<name>  a file that is being brought
///
/// One thing after the other, off the loop: a piece that comes while the last one is written waits for it. A file is
/// there whole or not at all, and on the disk before anybody is told its name.
@LoopActor
public final class ContentFolder<Content: StoredContent>: ContentKeeper {
  /// Uploads that may be unfinished at once; the one that rested longest gives way.
  public nonisolated static var uploadsAtMost: Int { 8 }

  private nonisolated let root: String
  private var waiting: [@LoopActor () -> Void] = []
  private var isBusy = false

  /// Files in a folder, an absolute path, which is made when it is needed.
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

  /// Takes one piece; the last one is answered with what was stored.
  public func add(
    _ piece: UploadPiece,
    completion:
      @escaping @LoopActor @Sendable (Result<UploadProgress<Content>, ServiceFailure>) ->
      Void
  ) {
    perform({ [root] in Upload<Content>(root: root, piece: piece).take() }, then: completion)
  }

  // MARK: Reading and removing

  /// Reads part of a file.
  public func read(
    _ content: Content, offset: Int64, count: Int,
    completion: @escaping @LoopActor @Sendable (Result<[UInt8], ServiceFailure>) -> Void
  ) {
    let path = path(of: content)
    perform(
      {
        guard let path, let bytes = FileIO.read(path, offset: offset, count: count) else {
          return .failure(
            ServiceFailure(isMissing: true, message: Content.missing))
        }
        return .success(bytes)
      }, then: completion)
  }

  /// The absolute path of a file; nil where it has no usable name.
  public func path(of content: Content) -> String? { Self.path(of: content, in: root) }

  /// Removes a file, when what was asked before is done.
  public func remove(
    _ id: Identifier<Content>, unless isWanted: @escaping @LoopActor @Sendable () -> Bool
  ) {
    perform(
      {},
      then: { [root] in
        guard !isWanted(), Self.isContentName(id.rawValue) else { return }
        for ending in Content.fileExtensions { unlink("\(root)/\(id).\(ending)") }
      })
  }

  /// Removes files that nobody knows, and unfinished uploads.
  public func sweep(keeping known: Set<Identifier<Content>>) {
    perform(
      { [root] in
        for name in FileIO.entries(root) {
          let id = Identifier<Content>(String(name.prefix { $0 != "." }))
          if !known.contains(id) { unlink("\(root)/\(name)") }
        }
      }, then: { _ in })
  }

  nonisolated static func isContentName(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  nonisolated static func path(of content: Content, in root: String) -> String? {
    guard isContentName(content.id.rawValue), let ending = content.fileExtension else { return nil }
    return "\(root)/\(content.id).\(ending)"
  }
}

/// One piece on its way to the disk; used on a thread of its own.
struct Upload<Content: StoredContent>: Sendable {
  let root: String
  let piece: UploadPiece

  private static var prefix: String { ".upload-" }
  private var path: String { "\(root)/\(Self.prefix)\(piece.upload)" }

  func take() -> Result<UploadProgress<Content>, ServiceFailure> {
    guard isName(piece.upload) else {
      return failure(
        Message("An upload is named by 1 through 64 lower-case letters, digits and hyphens."))
    }
    // Made by the gateway; the state directory above it exists.
    mkdir(root, 0o700)
    if piece.offset == 0 { makeRoom() }
    let received = FileIO.size(path) ?? 0
    guard piece.offset == 0 || piece.offset == received else {
      return failure(
        Message(
          "This piece begins at {offset}, but {received} bytes are here. Go on there.",
          ["offset": piece.offset, "received": received]))
    }
    let size = piece.offset + Int64(piece.bytes.count)
    guard size <= Int64(Content.bytesAtMost) else {
      unlink(path)
      return failure(Content.tooLarge)
    }
    guard FileIO.append(piece.bytes, to: path, isNew: piece.offset == 0) else {
      let reason = FileIO.reason
      unlink(path)
      return failure(Message("The file could not be kept: {reason}", ["reason": reason]))
    }
    guard piece.isLast else { return .success(.received(size)) }
    defer { unlink(path) }
    return finish(size)
  }

  private func finish(_ size: Int64) -> Result<UploadProgress<Content>, ServiceFailure> {
    guard let file = FileIO.read(path, offset: 0, count: Int(size)), file.count == Int(size)
    else {
      return failure(Message("The file could not be read back from the disk. Try again."))
    }
    let (content, bytes): (Content, [UInt8])
    do throws(ServiceFailure) { (content, bytes) = try Content.check(file, from: piece) } catch {
      return .failure(error)
    }
    guard let target = ContentFolder.path(of: content, in: root) else {
      return failure(Message("The file has no usable name."))
    }
    // The same content is there already.
    if FileIO.size(target) == content.bytes { return .success(.stored(content)) }
    let partial = "\(root)/.part-\(piece.upload)"
    guard FileIO.append(bytes, to: partial, isNew: true, isDurable: true),
      rename(partial, target) == 0, FileIO.synchronise(root)
    else {
      let reason = FileIO.reason
      unlink(partial)
      return failure(Message("The file could not be kept: {reason}", ["reason": reason]))
    }
    return .success(.stored(content))
  }

  /// The uploads that rested longest give way to a new one.
  private func makeRoom() {
    let others = FileIO.entries(root).filter { $0.hasPrefix(Self.prefix) }
      .map { "\(root)/\($0)" }.filter { $0 != path }
    guard others.count >= ContentFolder<Content>.uploadsAtMost else { return }
    let oldestFirst = others.sorted { FileIO.changedAt($0) < FileIO.changedAt($1) }
    for path in oldestFirst.prefix(others.count - ContentFolder<Content>.uploadsAtMost + 1) {
      unlink(path)
    }
  }

  private func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  private func failure(_ message: Message) -> Result<UploadProgress<Content>, ServiceFailure> {
    .failure(ServiceFailure(isMissing: false, message: message))
  }
}
