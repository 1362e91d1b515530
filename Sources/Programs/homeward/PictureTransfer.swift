import Bytes
import Care
import ControlSocket
import Door
import JSON

/// Brings pictures to the gateway and fetches them, piece by piece.
enum PictureTransfer {
  private static let pieceBytes = 384 << 10
  private static let fileAtMost = 10_000_000
  private static let picturesAtMost = 10

  /// Refuses files before anything is sent: too many, missing, too large.
  static func check(
    _ paths: [String], besides others: Int, _ command: CommandSpecification
  ) throws(CommandFailure) {
    guard paths.count + others <= picturesAtMost else {
      throw .usage(
        gettext("at most {limit} pictures belong to one.", ["limit": picturesAtMost]), command)
    }
    for path in paths { _ = try bytes(of: path) }
  }

  private static func bytes(of path: String) throws(CommandFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileFailure) { bytes = try FileText.bytes(path, limit: fileAtMost + 1) } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be read: {reason}.", ["path": path, "reason": error.reason]))
    }
    guard bytes.count <= fileAtMost else {
      throw CommandFailure(
        .failed, gettext("{path} is larger than 10 MB.", ["path": path]),
        hint: gettext("Make the picture smaller first."))
    }
    return bytes
  }

  /// Brings the files of `--picture`; their names at the gateway, in order.
  static func bring(
    for resident: ResidentID, _ session: Session
  ) throws(CommandFailure) -> [PictureID] {
    var pictures: [PictureID] = []
    for path in session.arguments.all("picture") {
      pictures.append(try bring(bytes(of: path), path, for: resident, session))
    }
    return pictures
  }

  private static func bring(
    _ bytes: [UInt8], _ path: String, for resident: ResidentID, _ session: Session
  ) throws(CommandFailure) -> PictureID {
    let upload = RandomIdentifier.uuid
    var offset = 0
    while true {
      let piece = bytes[offset..<min(offset + pieceBytes, bytes.count)]
      let isLast = offset + piece.count == bytes.count
      let params: JSONValue = [
        "resident": .string(resident.rawValue), "upload": .string(upload),
        "offset": .integer(Int64(offset)),
        "data": .string(String(decoding: Base64.encode(piece), as: UTF8.self)),
        "isLast": .bool(isLast), "keepPosition": .bool(session.arguments.has("keep-position")),
      ]
      let answer: JSONValue
      do throws(CommandFailure) { answer = try session.call(.pictureAdd, params) } catch {
        var failure = error
        failure.message = "\(path): \(error.message)"
        throw failure
      }
      offset += piece.count
      guard isLast else { continue }
      do throws(DecodeError) { return try Picture(json: answer).id } catch {
        throw CommandFailure(error)
      }
    }
  }

  /// A picture that the gateway has.
  static func fetch(_ id: PictureID, _ session: Session) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let answer = try session.call(
        .pictureGet, ["id": .string(id.rawValue), "offset": .integer(Int64(bytes.count))])
      guard let piece = answer["data"]?.stringContent.flatMap({ Base64.decode($0) }),
        let isLast = answer["isLast"]?.boolContent
      else { throw CommandFailure(DecodeError(.wrongType, at: 0)) }
      bytes += piece
      if isLast || piece.isEmpty { return bytes }
    }
  }

  /// Writes a picture into a file, whole or not at all.
  static func save(_ id: PictureID, to path: String, _ session: Session) throws(CommandFailure) {
    let bytes = try fetch(id, session)
    do throws(FileFailure) { try FileText.write(bytes: bytes, to: path, mode: 0o600) } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be written: {reason}.", ["path": path, "reason": error.reason]))
    }
    session.tell(
      ["picture": .string(id.rawValue), "bytes": .integer(Int64(bytes.count))],
      gettext("Saved as {path}.", ["path": path]))
  }
}
