import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Ports
import Texts

/// What people bring and fetch in pieces: the pictures of notes, and recordings.
protocol BroughtFile: Hashable, Sendable {
  var id: Identifier<Self> { get }
  /// Whose it is.
  var resident: ResidentID { get }
  /// Size of the stored file.
  var bytes: Int64 { get }
  var json: JSONValue { get }

  /// One word for what it is, by which commands about it are known.
  static var kind: String { get }
  /// That nothing keeps such files here.
  static var noKeeper: Message { get }
  /// That a file is not here.
  static func missing(_ id: Identifier<Self>) -> Message
  /// What the core knows of a file; nil for nothing.
  static func known(_ id: Identifier<Self>, to core: GatewayCore) -> Self?

  /// Has the core know that its file is there.
  var keeping: NoteRequest { get }
}

extension Picture: BroughtFile {
  static let kind = "picture"
  static let noKeeper = Message("This gateway keeps no pictures.")

  static func missing(_ id: PictureID) -> Message {
    Message("There is no picture \"{id}\" here.", ["id": id])
  }

  static func known(_ id: PictureID, to core: GatewayCore) -> Picture? { core.notebook.picture(id) }

  var keeping: NoteRequest { .keepPicture(self) }
}

extension Recording: BroughtFile {
  static let kind = "recording"
  static let noKeeper = Message("This gateway keeps no recordings.")

  static func missing(_ id: RecordingID) -> Message {
    Message("There is no recording \"{id}\" here, or not any more.", ["id": id])
  }

  static func known(_ id: RecordingID, to core: GatewayCore) -> Recording? {
    core.notebook.recording(id)
  }

  var keeping: NoteRequest { .keepRecording(self) }
}

extension UploadPiece {
  /// The most of a file that goes in one piece, in bytes; a line holds 1 MiB, and Base64 takes a third more.
  static let bytesAtMost = 512 << 10
}

/// The files of one kind that people bring and fetch, and those of which the core is about to hear.
@LoopActor
final class BroughtFiles<File: BroughtFile> {
  private let view: CoreView
  /// Nil for none: then nothing can be brought.
  private let keeper: (any ContentKeeper<File>)?
  private let commands: LocalCommands
  private let perform: CommandPerformer
  /// Files that are there and of which the core is about to hear.
  private var arriving: Set<Identifier<File>> = []

  init(
    _ view: CoreView, keeper: (any ContentKeeper<File>)?, commands: LocalCommands,
    perform: @escaping CommandPerformer
  ) {
    self.view = view
    self.keeper = keeper
    self.commands = commands
    self.perform = perform
  }

  /// Takes one piece; with the last one the core hears of the file.
  func add(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, resident) = (asked.reader, try asked.wholeResident())
    guard view.isKnown(resident, answer) else { return }
    guard let bytes = Base64.decode(try reader.string("data")),
      bytes.count <= UploadPiece.bytesAtMost
    else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .invalid,
            Message(
              "A piece is Base64 of at most {limit} bytes.", ["limit": UploadPiece.bytesAtMost]))))
    }
    guard let keeper else {
      return answer(.failure(CommandReply.Refusal(.conflict, File.noKeeper)))
    }
    let piece = UploadPiece(
      resident: resident, upload: try reader.string("upload"),
      offset: try reader.integer("offset"), bytes: bytes, isLast: try reader.bool("isLast"),
      keepsPosition: try reader.optionalBool("keepPosition") ?? false)
    keeper.add(piece) { [weak self] outcome in
      switch outcome {
      case .success(.received(let count)): answer(.success(["received": .integer(count)]))
      case .success(.stored(let file)): self?.keep(file, broughtBy: asked.principal, answer)
      case .failure(let failure):
        answer(.failure(CommandReply.Refusal(.invalid, failure.message)))
      }
    }
  }

  /// The file is safe; now it may be referred to.
  private func keep(_ file: File, broughtBy principal: Principal, _ answer: @escaping Answer) {
    arriving.insert(file.id)
    let command = Command(
      id: commands.nextID(File.kind),
      principal: Principal(channel: .gateway, name: "\(File.kind)/\(principal.description)"),
      request: .note(file.keeping))
    perform(command, nil) { [weak self] reply in
      switch reply {
      case .done(let result):
        self?.arriving.remove(file.id)
        answer(.success(RouteAnswer(result)))
      case .refused(let refusal):
        self?.arriving.remove(file.id)
        self?.remove([file.id])
        answer(.failure(refusal))
      }
    }
  }

  /// Answers with part of a file.
  func get(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = Identifier<File>(try asked.reader.string("id"))
    guard let file = File.known(id, to: view.core), asked.concerns(file.resident), let keeper
    else {
      return answer(.failure(CommandReply.Refusal(.unknownTarget, File.missing(id))))
    }
    let offset = try asked.reader.optionalInteger("offset") ?? 0
    let (count, told) = (file.bytes, file.json)
    guard (0...count).contains(offset) else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .invalid,
            Message(
              "The file has {bytes} bytes, not {offset}.", ["bytes": count, "offset": offset]))))
    }
    keeper.read(file, offset: offset, count: UploadPiece.bytesAtMost) { outcome in
      switch outcome {
      case .success(let bytes):
        let end = offset + Int64(bytes.count)
        answer(
          .success(
            RouteAnswer(
              told.setting("offset", to: .integer(offset))
                .setting(
                  "data", to: .string(String(decoding: Base64.encode(bytes), as: UTF8.self))
                )
                .setting("isLast", to: .bool(end >= count || bytes.isEmpty)))))
      case .failure(let failure):
        answer(.failure(CommandReply.Refusal(.unknownTarget, failure.message)))
      }
    }
  }

  /// Removes files that nothing refers to any more, unless one came back meanwhile.
  func remove(_ files: [Identifier<File>]) {
    for id in files {
      keeper?.remove(id) { [weak self] in
        guard let self else { return true }
        return File.known(id, to: view.core) != nil || arriving.contains(id)
      }
    }
  }
}
