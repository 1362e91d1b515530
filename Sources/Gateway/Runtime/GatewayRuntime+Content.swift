import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Notebook
import Ports
import Texts

/// What is brought and fetched in pieces: the pictures of notes, and recordings.
extension GatewayRuntime {
  /// The most of a file that goes in one piece, in bytes; a line holds 1 MiB, and Base64 takes a third more.
  static let pieceAtMost = 512 << 10

  private static let noPictures = CommandReply.Refusal(
    .conflict, Message("This gateway keeps no pictures."))
  private static let noRecordings = CommandReply.Refusal(
    .conflict, Message("This gateway keeps no recordings."))

  // MARK: Pictures

  func addPicture(_ asked: Asked, _ answer: @escaping Answer) throws {
    try add(asked, to: parts.room.notePictures, orElse: Self.noPictures, answer) {
      runtime, picture in
      runtime.arrivingPictures.insert(picture.id)
      runtime.keep(
        .keepPicture(picture), named: "picture", broughtBy: asked.principal, answer
      ) { runtime, isKept in
        runtime.arrivingPictures.remove(picture.id)
        if !isKept { runtime.removeFiles(of: [picture.id]) }
      }
    }
  }

  func getPicture(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = PictureID(try asked.reader.string("id"))
    guard let picture = core.picture(id), asked.concerns(picture.resident),
      let keeper = parts.room.notePictures
    else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .unknownTarget, Message("There is no picture \"{id}\" here.", ["id": id]))))
    }
    try get(asked, picture, of: picture.bytes, from: keeper, told: picture.json, answer)
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

  // MARK: Recordings

  func addRecording(_ asked: Asked, _ answer: @escaping Answer) throws {
    try add(asked, to: parts.room.recordings, orElse: Self.noRecordings, answer) {
      runtime, recording in
      runtime.arrivingRecordings.insert(recording.id)
      runtime.keep(
        .keepRecording(recording), named: "recording", broughtBy: asked.principal, answer
      ) { runtime, isKept in
        runtime.arrivingRecordings.remove(recording.id)
        if !isKept { runtime.removeFiles(of: [recording.id]) }
      }
    }
  }

  func getRecording(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = RecordingID(try asked.reader.string("id"))
    guard let recording = core.recording(id), asked.concerns(recording.resident),
      let keeper = parts.room.recordings
    else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .unknownTarget,
            Message("There is no recording \"{id}\" here, or not any more.", ["id": id]))))
    }
    try get(asked, recording, of: recording.bytes, from: keeper, told: recording.json, answer)
  }

  /// Removes files of recordings that are not kept any more, unless the recording came back meanwhile.
  func removeFiles(of recordings: [RecordingID]) {
    for id in recordings {
      parts.room.recordings?.remove(id) { [weak self] in
        guard let self else { return true }
        return core.recording(id) != nil || arrivingRecordings.contains(id)
      }
    }
  }

  // MARK: Both

  /// Removes the files that a durable step leaves to nobody: of who was erased, of pictures that nothing refers to, and of
  /// recordings that are not kept any more.
  func removeFiles(after record: StepRecord) {
    for change in record.changes {
      if case .eraseResident(let resident) = change { parts.room.pictures?.erase(resident) }
    }
    removeFiles(of: record.changes.compactMap(\.removedPicture))
    removeFiles(of: record.changes.compactMap(\.removedRecording))
  }

  /// Takes one piece; after the last one `store` goes on.
  private func add<Content: Hashable & Sendable>(
    _ asked: Asked, to keeper: (any ContentKeeper<Content>)?, orElse none: CommandReply.Refusal,
    _ answer: @escaping Answer,
    store: @escaping @LoopActor @Sendable (GatewayRuntime, Content) -> Void
  ) throws {
    let (reader, resident) = (asked.reader, try asked.wholeResident())
    guard isKnown(resident, answer) else { return }
    guard let bytes = Base64.decode(try reader.string("data")), bytes.count <= Self.pieceAtMost
    else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .invalid,
            Message(
              "A piece is Base64 of at most {limit} bytes.", ["limit": Self.pieceAtMost]))))
    }
    guard let keeper else { return answer(.failure(none)) }
    let piece = UploadPiece(
      resident: resident, upload: try reader.string("upload"),
      offset: try reader.integer("offset"), bytes: bytes, isLast: try reader.bool("isLast"),
      keepsPosition: try reader.optionalBool("keepPosition") ?? false)
    keeper.add(piece) { [weak self] outcome in
      switch outcome {
      case .success(.received(let count)): answer(.success(["received": .integer(count)]))
      case .success(.stored(let content)): if let self { store(self, content) }
      case .failure(let failure):
        answer(.failure(CommandReply.Refusal(.invalid, failure.message)))
      }
    }
  }

  /// The file is safe; now it may be referred to.
  private func keep(
    _ request: NoteRequest, named kind: String, broughtBy principal: Principal,
    _ answer: @escaping Answer,
    then settle: @escaping @LoopActor @Sendable (GatewayRuntime, Bool) -> Void
  ) {
    let command = Command(
      id: localIDs.next(kind),
      principal: Principal(channel: .gateway, name: "\(kind)/\(principal.description)"),
      request: .note(request))
    perform(command) { [weak self] reply in
      switch reply {
      case .done(let result):
        if let self { settle(self, true) }
        answer(.success(RouteAnswer(result)))
      case .refused(let refusal):
        if let self { settle(self, false) }
        answer(.failure(refusal))
      }
    }
  }

  /// Answers with part of a file.
  private func get<Content: Hashable & Sendable>(
    _ asked: Asked, _ content: Content, of count: Int64, from keeper: any ContentKeeper<Content>,
    told: JSONValue, _ answer: @escaping Answer
  ) throws {
    let offset = try asked.reader.optionalInteger("offset") ?? 0
    guard (0...count).contains(offset) else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .invalid,
            Message(
              "The file has {bytes} bytes, not {offset}.", ["bytes": count, "offset": offset]))))
    }
    keeper.read(content, offset: offset, count: Self.pieceAtMost) { outcome in
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
}
