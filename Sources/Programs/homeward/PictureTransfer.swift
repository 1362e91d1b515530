import Bytes
import Care
import ControlSocket
import Door
import JSON

/// Brings pictures to the gateway and fetches them, piece by piece.
enum PictureTransfer {
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
    let bytes = try ContentTransfer.read(path, atMost: fileAtMost + 1)
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
    let answer = try ContentTransfer.bring(
      bytes, path, by: .pictureAdd,
      [
        "resident": .string(resident.rawValue),
        "keepPosition": .bool(session.arguments.has("keep-position")),
      ], session)
    do throws(DecodeError) { return try Picture(json: answer).id } catch {
      throw CommandFailure(error)
    }
  }

  /// A picture that the gateway has.
  static func fetch(_ id: PictureID, _ session: Session) throws(CommandFailure) -> [UInt8] {
    try ContentTransfer.fetch(id.rawValue, by: .pictureGet, session)
  }

  /// Writes a picture into a file, whole or not at all.
  static func save(_ id: PictureID, to path: String, _ session: Session) throws(CommandFailure) {
    let bytes = try fetch(id, session)
    try ContentTransfer.write(bytes, to: path)
    session.tell(
      ["picture": .string(id.rawValue), "bytes": .integer(Int64(bytes.count))],
      gettext("Saved as {path}.", ["path": path]))
  }
}
