import Bytes
import JSON
import PluginKit
import PluginProtocol

/// What the owner configured.
struct CameraSettings: Hashable, Sendable {
  /// How pictures are taken.
  enum Method: String, Hashable, Sendable {
    /// From the kernel's video device.
    case v4l2
    /// By a program of libcamera.
    case libcamera
  }

  var method: Method
  var device: String
  var program: String?
  var width: Int
  var height: Int
  var warmUpFrames: Int
  var timeoutMilliseconds: Int64
  var keep: Int

  /// Reads the settings.
  ///
  /// - Throws: an error that names the setting and says what to change.
  init(json: JSONValue) throws(RPCError) {
    do throws(DecodeError) { try self.init(reader: JSONReader(json)) } catch {
      throw Self.fault(gettext("the setting does not fit: {error}", ["error": error]))
    }
    for (name, path) in [("device", device), ("program", program ?? "/")]
    where !path.hasPrefix("/") {
      throw Self.fault(
        gettext(
          "{name} must be an absolute path, such as /dev/video0, not \"{path}\"",
          ["name": name, "path": path]))
    }
  }

  private init(reader: JSONReader) throws(DecodeError) {
    method = try reader.optionalWord("method", as: Method.self) ?? .v4l2
    device = try reader.optionalString("device") ?? "/dev/video0"
    program = try reader.optionalString("program")
    width = try Self.number(reader, "width", 160...4096) ?? 1280
    height = try Self.number(reader, "height", 120...4096) ?? 720
    warmUpFrames = try Self.number(reader, "warmUpFrames", 0...60) ?? 8
    timeoutMilliseconds = Int64(try Self.number(reader, "timeoutSeconds", 1...25) ?? 8) * 1000
    keep = try Self.number(reader, "keep", 1...200) ?? 20
  }

  private static func number(
    _ reader: JSONReader, _ name: String, _ range: ClosedRange<Int64>
  ) throws(DecodeError) -> Int? {
    guard let number = try reader.optionalInteger(name) else { return nil }
    guard range.contains(number) else { throw reader.error(.outOfRange, name) }
    return Int(number)
  }

  private static func fault(_ message: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: message)
  }
}
