import Bytes
import JSON
import PluginKit
import PluginProtocol

/// What the owner configured, checked beyond what the schema can say.
struct KeywordSettings: Hashable, Sendable {
  /// Whether it listens.
  var isEnabled: Bool
  /// The resident whom the SOS is for; empty only while it does not listen.
  var target: String
  /// Lower-case words with single spaces.
  var phrase: String
  /// The same, with which somebody asks to be shown the way home; empty for none.
  var homePhrase: String
  /// An ALSA device.
  var device: String
  /// How sure it must be, as a power of ten.
  var thresholdExponent: Int

  /// Reads the settings.
  ///
  /// - Throws: an error that names the setting and says what to change.
  init(json: JSONValue) throws(RPCError) {
    do { try self.init(reader: JSONReader(json)) } catch {
      throw Self.fault(gettext("the setting does not fit: {error}", ["error": error]))
    }
    if isEnabled, target.isEmpty {
      throw Self.fault(gettext("set target to the id of the resident whom the SOS is for"))
    }
    for each in [phrase] + (homeWords.map { _ in [homePhrase] } ?? []) {
      let words = each.split(separator: " ").count
      guard (2...8).contains(words) else {
        throw Self.fault(
          gettext("the phrase has {words} words; choose one of two through eight", ["words": words])
        )
      }
    }
    // One within the other is heard whenever the longer one is said.
    if homeWords != nil,
      " \(phrase) ".contains(" \(homePhrase) ")
        || " \(homePhrase) ".contains(" \(phrase) ")
    {
      throw Self.fault(gettext("phrase and homePhrase must not be said with the same words"))
    }
  }

  private init(reader: JSONReader) throws(DecodeError) {
    isEnabled = try reader.optionalBool("enabled") ?? false
    target = try reader.optionalString("target") ?? ""
    phrase = Self.plain(try reader.optionalString("phrase") ?? "help me please")
    homePhrase = Self.plain(try reader.optionalString("homePhrase") ?? "")
    device = try reader.optionalString("device") ?? "default"
    let exponent = try reader.optionalInteger("thresholdExponent") ?? -30
    guard (-60 ... -5).contains(exponent) else {
      throw reader.error(.outOfRange, "thresholdExponent")
    }
    thresholdExponent = Int(exponent)
  }

  private static func plain(_ phrase: String) -> String {
    phrase.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The words of the phrase for the way home; nil for none.
  var homeWords: [String]? {
    homePhrase.isEmpty ? nil : homePhrase.split(separator: " ").map(String.init)
  }

  /// The words of the phrase.
  var words: [String] { phrase.split(separator: " ").map(String.init) }

  static func fault(_ message: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: message)
  }
}
