import Bytes
import Care
import Core
import JSON
import Loop
import Moments
import Ports
import Texts

/// Requests about the routine's due times, notes and messages.
extension GatewayRuntime {
  /// Answers a request about notes, messages or due times; false when it is none of them.
  func routeNotes(
    _ method: String, _ reader: JSONReader, _ principal: Principal, _ answer: @escaping Answer
  ) throws -> Bool {
    switch method {
    case "consents.list":
      answer(.success(.array(core.consents(of: try resident(in: reader)).map(\.json))))
    case "home.get": try getHome(reader, answer)
    case "picture.add": try addPicture(reader, principal, answer)
    case "picture.get": try getPicture(reader, answer)
    case "occurrences.query": try queryOccurrences(reader, answer)
    case "notes.query": try queryNotes(reader, answer)
    case "note.get": getNote(NoteID(try reader.string("id")), answer)
    case "messages.query": try queryMessages(reader, answer)
    default: return false
    }
    return true
  }

  /// A limit as somebody asks for it, within bounds.
  func limit(
    _ reader: JSONReader, usual: Int64, atMost: Int64
  ) throws(DecodeError) -> Int {
    Int(min(max(0, try reader.optionalInteger("limit") ?? usual), atMost))
  }

  private func queryOccurrences(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let resident = ResidentID(try reader.string("resident"))
    guard isKnown(resident, answer) else { return }
    let query = OccurrenceQuery(
      resident: resident, item: try reader.optionalString("item").map { RoutineItemID($0) },
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: try limit(reader, usual: 1000, atMost: 100_000))
    parts.store.occurrences(query) { found in
      answer(found.map { .array($0.map(\.json)) }.mapError(Self.refusal))
    }
  }

  private func queryNotes(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let resident = ResidentID(try reader.string("resident"))
    guard isKnown(resident, answer) else { return }
    let query = NoteQuery(
      resident: resident, kind: try reader.optionalWord("kind", as: Note.Kind.self),
      text: try reader.optionalString("text"), tag: try reader.optionalString("tag"),
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: try limit(reader, usual: 100, atMost: 10_000))
    parts.store.notes(query) { found in
      answer(found.map { .array($0.map(\.json)) }.mapError(Self.refusal))
    }
  }

  private func getNote(_ id: NoteID, _ answer: @escaping Answer) {
    parts.store.note(id) { found in
      switch found {
      case .success(let note?): answer(.success(note.json))
      case .success(nil):
        answer(
          .failure(
            CommandReply.Refusal(
              .unknownTarget,
              Message(
                "There is no note \"{id}\". List them with: homeward memo list, or homeward diary list",
                ["id": id]))))
      case .failure(let error): answer(.failure(Self.refusal(error)))
      }
    }
  }

  private func queryMessages(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let resident = try resident(in: reader)
    if let resident, !isKnown(resident, answer) { return }
    parts.store.messages(
      resident: resident, limit: try limit(reader, usual: 100, atMost: 10_000)
    ) { found in
      answer(found.map { .array($0.map(\.json)) }.mapError(Self.refusal))
    }
  }

  // MARK: A screen in the house

  private func getHome(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let id = ResidentID(try reader.string("resident"))
    guard isKnown(id, answer), let resident = core.residents.first(where: { $0.id == id }) else {
      return
    }
    let unread = core.unreadMessages(of: id).filter { $0.direction == .toResident }
    let caregivers = core.guardians(of: id).map { guardian -> JSONValue in
      .object([
        "id": .string(guardian.id.rawValue), "name": .string(guardian.name),
        "phone": guardian.phone.map { .string($0) },
      ])
    }
    let home = JSONValue.object([
      "resident": resident.json, "unread": .array(unread.map(\.json)),
      "caregivers": .array(caregivers),
    ])
    parts.store.notes(NoteQuery(resident: id, kind: .memo, limit: 1)) { [weak self] memos in
      self?.parts.store.occurrences(OccurrenceQuery(resident: id, limit: 200)) { found in
        answer(
          memos.flatMap { memos in
            found.map { occurrences in Self.home(home, memos.first, occurrences) }
          }.mapError(Self.refusal))
      }
    }
  }

  private static func home(
    _ home: JSONValue, _ memo: Note?, _ occurrences: [Occurrence]
  ) -> JSONValue {
    let done = occurrences.filter { $0.state == .done }.max { $0.changedAt < $1.changedAt }
    var home = home.setting(
      "due", to: .array(occurrences.filter { !$0.state.isFinal }.reversed().map(\.json)))
    if let memo { home = home.setting("lastMemo", to: memo.json) }
    if let done { home = home.setting("lastDone", to: done.json) }
    return home
  }

  // MARK: Pictures

  /// The most of a picture that goes in one piece, in bytes; a line holds 1 MiB, and Base64 takes a third more.
  static let pieceAtMost = 512 << 10

  private func addPicture(
    _ reader: JSONReader, _ principal: Principal, _ answer: @escaping Answer
  ) throws {
    let resident = ResidentID(try reader.string("resident"))
    guard isKnown(resident, answer) else { return }
    guard let bytes = Base64.decode(try reader.string("data")), bytes.count <= Self.pieceAtMost
    else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .invalid,
            Message(
              "A piece of a picture is Base64 of at most {limit} bytes.",
              ["limit": Self.pieceAtMost]))))
    }
    guard let keeper = parts.room.notePictures else { return answer(.failure(Self.noPictures)) }
    let piece = PicturePiece(
      resident: resident, upload: try reader.string("upload"),
      offset: try reader.integer("offset"), bytes: bytes, isLast: try reader.bool("isLast"),
      keepsPosition: try reader.optionalBool("keepPosition") ?? false)
    keeper.add(piece) { [weak self] outcome in
      switch outcome {
      case .success(.received(let count)): answer(.success(["received": .integer(count)]))
      case .success(.stored(let picture)): self?.keep(picture, broughtBy: principal, answer)
      case .failure(let failure):
        answer(.failure(CommandReply.Refusal(.invalid, failure.message)))
      }
    }
  }

  private static let noPictures = CommandReply.Refusal(
    .conflict, Message("This gateway keeps no pictures."))

  /// The file is safe; now notes may refer to it.
  private func keep(_ picture: Picture, broughtBy principal: Principal, _ answer: @escaping Answer)
  {
    localCommandCount += 1
    arrivingPictures.insert(picture.id)
    let command = Command(
      id: CommandID("picture-\(run)-\(localCommandCount)"),
      principal: Principal(channel: .gateway, name: "picture/\(principal.description)"),
      request: .note(.keepPicture(picture)))
    perform(command) { [weak self] reply in
      self?.arrivingPictures.remove(picture.id)
      switch reply {
      case .done(let result): answer(.success(result))
      case .refused(let refusal):
        self?.removeFiles(of: [picture.id])
        answer(.failure(refusal))
      }
    }
  }

  /// Removes files of pictures that nobody refers to, unless the picture came back meanwhile.
  func removeFiles(of pictures: [PictureID]) {
    for id in pictures {
      parts.room.notePictures?.remove(id) { [weak self] in
        guard let self else { return true }
        return core.picture(id) != nil || arrivingPictures.contains(id)
      }
    }
  }

  private func getPicture(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let id = PictureID(try reader.string("id"))
    let offset = try reader.optionalInteger("offset") ?? 0
    guard let picture = core.picture(id), let keeper = parts.room.notePictures else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .unknownTarget, Message("There is no picture \"{id}\" here.", ["id": id]))))
    }
    guard (0...picture.bytes).contains(offset) else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .invalid,
            Message(
              "The picture has {bytes} bytes, not {offset}.",
              ["bytes": picture.bytes, "offset": offset]))))
    }
    keeper.read(picture, offset: offset, count: Self.pieceAtMost) { outcome in
      switch outcome {
      case .success(let bytes):
        let end = offset + Int64(bytes.count)
        answer(
          .success(
            picture.json.setting("offset", to: .integer(offset))
              .setting("data", to: .string(String(decoding: Base64.encode(bytes), as: UTF8.self)))
              .setting("isLast", to: .bool(end >= picture.bytes || bytes.isEmpty))))
      case .failure(let failure):
        answer(.failure(CommandReply.Refusal(.unknownTarget, failure.message)))
      }
    }
  }
}
