import JSON
import PluginProtocol
import Texts

/// A plugin's settings as it gets them: complete, checked, and with each secret in its place.
struct ResolvedSettings {
  let settings: JSONValue
  /// Every secret among them, to be kept out of logs.
  let secrets: [String]

  /// Checks the owner's settings against the manifest and reads the secrets.
  ///
  /// - Parameter refused: what residents refused of what the plugin needs them for; its switches are off.
  /// - Throws: every mistake at once, or the first secret that cannot be read.
  init(
    of manifest: PluginManifest, from configuration: PluginHost.PluginConfiguration,
    refused: [ConsentNeed], language: Language
  ) throws(LaunchError) {
    var complete = manifest.settings.applyingDefaults(to: configuration.settings)
    for need in refused { complete = complete.setting(need.switchSetting, to: false) }
    let errors = manifest.settings.validate(complete)
    guard errors.isEmpty else {
      throw LaunchError(
        message:
          Message(
            "its settings need a change: {errors}",
            ["errors": errors.map { $0.text(in: language) }.joined(separator: "; ")]))
    }
    var secrets: [String] = []
    do throws(SecretError) {
      settings = try manifest.settings.resolvingSecrets(in: complete) {
        (reference) throws(SecretError) in
        let secret = try SecretReader.read(reference)
        secrets.append(secret)
        return secret
      }
    } catch {
      throw LaunchError(
        message: Message("a secret cannot be read: {error}", ["error": error.message]))
    }
    self.secrets = secrets
  }
}
