import Bytes
import JSON
import PluginKit
import PluginProtocol

/// What the owner configured, checked beyond what the schema can say.
struct SpeechSettings: Hashable, Sendable {
  /// The English voice, as espeak-ng names it.
  var voice: String
  /// The Mandarin voice.
  var mandarinVoice: String
  /// Words a minute.
  var rateWordsPerMinute: Int32
  /// 0 through 99.
  var pitch: Int32
  /// Extra silence between words.
  var gapMilliseconds: Int32
  /// What the cache may hold.
  var cacheLimits: WaveCache.Limits

  /// Reads the settings.
  ///
  /// - Throws: an error that names the setting and says what to change.
  init(json: JSONValue) throws(RPCError) {
    do { try self.init(reader: JSONReader(json)) } catch {
      throw Self.fault(gettext("the setting does not fit: {error}", ["error": error]))
    }
    for (name, voice) in [("voice", voice), ("mandarinVoice", mandarinVoice)]
    where !Self.isVoiceName(voice) {
      throw Self.fault(
        gettext(
          "{name} must be a name of letters, digits and - + _, such as en-gb; see espeak-ng --voices",
          ["name": name])
      )
    }
  }

  private init(reader: JSONReader) throws(DecodeError) {
    voice = try reader.optionalString("voice") ?? "en-gb"
    mandarinVoice = try reader.optionalString("mandarinVoice") ?? "cmn-latn-pinyin"
    rateWordsPerMinute = try Self.number(reader, "rate", 80...300) ?? 155
    pitch = try Self.number(reader, "pitch", 0...99) ?? 45
    gapMilliseconds = try Self.number(reader, "gap", 0...500) ?? 0
    cacheLimits = WaveCache.Limits(
      files: Int(try Self.number(reader, "cacheFiles", 10...5000) ?? 500),
      bytes: Int(try Self.number(reader, "cacheMegabytes", 20...1024) ?? 100) << 20)
  }

  private static func number(
    _ reader: JSONReader, _ name: String, _ range: ClosedRange<Int64>
  ) throws(DecodeError) -> Int32? {
    guard let number = try reader.optionalInteger(name) else { return nil }
    guard range.contains(number) else { throw reader.error(.outOfRange, name) }
    return Int32(number)
  }

  /// The voice's name becomes a part of a path inside of espeak-ng.
  private static func isVoiceName(_ name: String) -> Bool {
    (1...40).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }

  private static func fault(_ message: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: message)
  }

  /// Everything beside the words that changes how they sound.
  var soundKey: String {
    "\(voice) \(mandarinVoice) \(rateWordsPerMinute) \(pitch) \(gapMilliseconds)"
  }
}
