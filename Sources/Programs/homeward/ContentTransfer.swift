import Bytes
import ControlSocket
import Door
import JSON

/// Brings files to the gateway and fetches them, piece by piece.
enum ContentTransfer {
  private static let pieceBytes = 384 << 10

  /// The first bytes of a file, all of them where it is no larger.
  static func read(_ path: String, atMost limit: Int) throws(CommandFailure) -> [UInt8] {
    do throws(FileFailure) { return try FileText.bytes(path, limit: limit) } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be read: {reason}.", ["path": path, "reason": error.reason]))
    }
  }

  /// Writes a file, whole or not at all, for its owner alone.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    do throws(FileFailure) { try FileText.write(bytes: bytes, to: path, mode: 0o600) } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be written: {reason}.", ["path": path, "reason": error.reason]))
    }
  }

  /// Brings the bytes of a file by a route that takes pieces; what it answers to the last one.
  ///
  /// - Parameter members: what goes with each piece.
  static func bring(
    _ bytes: [UInt8], _ path: String, by route: Route, _ members: JSONValue, _ session: Session
  ) throws(CommandFailure) -> JSONValue {
    let upload = RandomIdentifier.uuid
    var offset = 0
    while true {
      let piece = bytes[offset..<min(offset + pieceBytes, bytes.count)]
      let isLast = offset + piece.count == bytes.count
      let params = members.setting("upload", to: .string(upload))
        .setting("offset", to: .integer(Int64(offset)))
        .setting("data", to: .string(String(decoding: Base64.encode(piece), as: UTF8.self)))
        .setting("isLast", to: .bool(isLast))
      let answer: JSONValue
      do throws(CommandFailure) { answer = try session.call(route, params) } catch {
        var failure = error
        failure.message = "\(path): \(error.message)"
        throw failure
      }
      offset += piece.count
      if isLast { return answer }
    }
  }

  /// The bytes of what a route answers piece by piece.
  static func fetch(
    _ id: String, by route: Route, _ session: Session
  ) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let answer = try session.call(
        route, ["id": .string(id), "offset": .integer(Int64(bytes.count))])
      guard let piece = answer["data"]?.stringContent.flatMap({ Base64.decode($0) }),
        let isLast = answer["isLast"]?.boolContent
      else { throw CommandFailure(DecodeError(.wrongType, at: 0)) }
      bytes += piece
      if isLast || piece.isEmpty { return bytes }
    }
  }
}
