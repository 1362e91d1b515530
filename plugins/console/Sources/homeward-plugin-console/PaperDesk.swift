import Bytes
import CareReports
import JSON
import Loop
import PluginProtocol
import Texts

/// A file that the gateway has: a picture, or a recording.
struct FileBytes: Hashable, Sendable {
  var type: String
  var bytes: [UInt8]
}

/// What is too large for a line: files from the gateway, and reports to whoever draws them.
extension GatewayDesk {
  private static let fileBytesAtMost = 10 << 20
  /// What each question answers with; the first where an answer does not say it itself.
  private static let types = [
    "picture.get": ["image/jpeg", "image/png"], "alarm.photograph": ["image/jpeg"],
    "recording.get": ["audio/wav"],
  ]
  /// In Base64, with what stands around it, less than a line may have.
  private static let pieceBytes = 720_000

  /// A file, put together from its pieces.
  ///
  /// - Parameter onlyItsBeginning: whether it is only asked for to know whether it may be seen.
  func file(
    _ route: String, _ id: String, onlyItsBeginning: Bool = false, _ begun: [UInt8] = [],
    for visitor: Visitor,
    completion: @escaping @LoopActor (Result<FileBytes, Refusal>) -> Void
  ) {
    let params: JSONValue = ["id": .string(id), "offset": .integer(Int64(begun.count))]
    ask([Question(route, params)], for: visitor) { answers in
      if let refusal = answers.refusal(route) { return completion(.failure(refusal)) }
      let piece = answers[route]
      let types = Self.types[route] ?? []
      let type = piece["mediaType"]?.stringContent ?? types.first ?? ""
      guard let bytes = piece["data"]?.stringContent.flatMap({ Base64.decode($0) }),
        begun.count + bytes.count <= Self.fileBytesAtMost, types.contains(type)
      else {
        let words = Message("There is nothing here.").text(in: visitor.language)
        return completion(.failure(Refusal(code: "unknown-target", words: words)))
      }
      let whole = begun + bytes
      if onlyItsBeginning || piece["isLast"]?.boolContent == true {
        return completion(.success(FileBytes(type: type, bytes: whole)))
      }
      self.file(route, id, whole, for: visitor, completion: completion)
    }
  }

  /// The pictures of a report, as far as there are any that whoever asks may see.
  func pictures(
    of document: ReportDocument, for visitor: Visitor,
    completion: @escaping @LoopActor ([String: [UInt8]]) -> Void
  ) {
    let names = document.parts.compactMap { part -> String? in
      guard case .picture(let id, _) = part else { return nil }
      return id
    }
    gather(names[...], [:], for: visitor, completion: completion)
  }

  private func gather(
    _ names: ArraySlice<String>, _ known: [String: [UInt8]], for visitor: Visitor,
    completion: @escaping @LoopActor ([String: [UInt8]]) -> Void
  ) {
    guard let name = names.first else { return completion(known) }
    file("picture.get", name, for: visitor) { picture in
      var known = known
      known[name] = try? picture.get().bytes
      self.gather(names.dropFirst(), known, for: visitor, completion: completion)
    }
  }

  /// Has a report drawn.
  func draw(
    _ parcel: ReportParcel, for visitor: Visitor,
    completion: @escaping @LoopActor (Result<[UInt8], Refusal>) -> Void
  ) {
    // Whoever knows the name can fetch what is drawn.
    let name = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    let drawing = "report-\(name)-\(visitor.language.rawValue)"
    bring(Array(parcel.json.serialized.utf8), from: 0, as: drawing) { answer in
      guard case .failure(let error) = answer else {
        return self.fetch(drawing, [], for: visitor, completion: completion)
      }
      completion(.failure(self.refusal(error, for: visitor)))
    }
  }

  private func bring(
    _ bytes: [UInt8], from offset: Int, as drawing: String,
    completion: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    let piece = bytes[offset..<min(bytes.count, offset + Self.pieceBytes)]
    let isLast = piece.endIndex == bytes.count
    let params: JSONValue = [
      "drawing": .string(drawing), "offset": .integer(Int64(offset)),
      "piece": .string(String(decoding: Base64.encode(piece), as: UTF8.self)),
      "isLast": .bool(isLast),
    ]
    call("report.draw", params) { answer in
      guard case .success = answer, !isLast else { return completion(answer) }
      self.bring(bytes, from: piece.endIndex, as: drawing, completion: completion)
    }
  }

  private func fetch(
    _ drawing: String, _ begun: [UInt8], for visitor: Visitor,
    completion: @escaping @LoopActor (Result<[UInt8], Refusal>) -> Void
  ) {
    let params: JSONValue = [
      "drawing": .string(drawing), "offset": .integer(Int64(begun.count)),
    ]
    call("report.read", params) { answer in
      switch answer {
      case .failure(let error): completion(.failure(self.refusal(error, for: visitor)))
      case .success(let piece):
        let isLast = piece["isLast"]?.boolContent == true
        // What cannot be read, or never ends, is no paper.
        guard let bytes = piece["piece"]?.stringContent.flatMap({ Base64.decode($0) }),
          isLast || !bytes.isEmpty
        else {
          let words = Message("The report could not be drawn: {reason}", ["reason": "PDF"])
          return completion(
            .failure(Refusal(code: "not-now", words: words.text(in: visitor.language))))
        }
        let whole = begun + bytes
        if isLast { return completion(.success(whole)) }
        self.fetch(drawing, whole, for: visitor, completion: completion)
      }
    }
  }

  /// What people are told when nothing was drawn.
  private func refusal(_ error: RPCError, for visitor: Visitor) -> Refusal {
    guard [RPCError.noServiceCode, RPCError.notGrantedCode].contains(error.code) else {
      return Refusal(error)
    }
    let words = Message(
      "This gateway draws nothing on paper: whoever keeps it has not switched on the plugin “report”, or not for these pages. The page itself can be printed."
    )
    return Refusal(code: "not-now", words: words.text(in: visitor.language))
  }
}
