import Bytes
import JSON
import PluginKit
import PluginProtocol

/// What the owner configured for calls.
struct VoiceSettings: Hashable, Sendable {
  /// Whether calls are made where the modem can.
  var isOn = true
  /// The ALSA device whose sound the modem takes to whom it called; nil when there is none.
  var playbackDevice: String?
  /// How long it may ring.
  var ringMilliseconds: Int64 = 25_000
  /// How long a key is waited for after somebody answered.
  var keyMilliseconds: Int64 = 30_000
  /// The key that says yes.
  var acceptKey: Character = "5"

  static let keys = Set("0123456789*#")

  /// Everything as it is when nothing is set.
  init() {}

  /// Reads the settings below `voice`; nil stands for none.
  ///
  /// - Throws: an error that names the setting and says what to change.
  init(json: JSONValue?) throws(RPCError) {
    guard let json else { return }
    do throws(DecodeError) {
      let reader = try JSONReader(json)
      let mode = try reader.optionalString("mode") ?? "auto"
      guard ["auto", "off"].contains(mode) else { throw reader.error(.unknownWord, "mode") }
      isOn = mode == "auto"
      playbackDevice = try reader.optionalString("playbackDevice")
      ringMilliseconds = try Self.milliseconds(reader, "ringSeconds", 10...60) ?? ringMilliseconds
      keyMilliseconds = try Self.milliseconds(reader, "keySeconds", 10...120) ?? keyMilliseconds
      let key = try reader.optionalString("acceptKey") ?? "5"
      guard key.count == 1, let sign = key.first, Self.keys.contains(sign) else {
        throw reader.error(.unknownWord, "acceptKey")
      }
      acceptKey = sign
    } catch {
      throw RPCError(
        code: RPCError.invalidParametersCode,
        message: gettext(
          "the setting voice does not fit: {error}; mode is auto or off, ringSeconds 10 "
            + "through 60, keySeconds 10 through 120, acceptKey one of 0 through 9, * and #",
          ["error": error]))
    }
  }

  private static func milliseconds(
    _ reader: JSONReader, _ name: String, _ range: ClosedRange<Int64>
  ) throws(DecodeError) -> Int64? {
    guard let seconds = try reader.optionalInteger(name) else { return nil }
    guard range.contains(seconds) else { throw reader.error(.outOfRange, name) }
    return seconds * 1000
  }
}
