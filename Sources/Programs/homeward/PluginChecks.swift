import Configuration
import JSON
import PluginProtocol

/// The enabled plugins and the broker.
struct PluginChecks {
  let configuration: GatewayConfiguration

  func all() -> [Finding] {
    let plugins = configuration.plugins.enabled
    if plugins.isEmpty {
      return [
        Finding(
          subject: "plugins", state: .warning,
          found: gettext("none is enabled: nobody outside learns of anything"),
          advice: gettext("enable one under plugins.enabled, or: homeward setup --broker HOST"))
      ]
    }
    return plugins.flatMap { plugin in
      let broker = plugin.name == "mqtt" ? [self.broker(plugin)] : []
      return [check(plugin)] + broker
    }
  }

  private func check(_ plugin: ConfiguredPlugin) -> Finding {
    let subject = "plugin/\(plugin.name)"
    let folders = configuration.plugins.directories.map { "\($0)/\(plugin.name)" }
    guard let folder = folders.first(where: { FileText.exists("\($0)/plugin.json") }) else {
      return Finding(
        subject: subject, state: .failed,
        found: gettext(
          "no plugin.json in {folders}", ["folders": folders.joined(separator: " or ")]),
        advice: gettext("install it, or correct plugins.directories"))
    }
    do {
      let bytes = try FileText.bytes(
        "\(folder)/plugin.json", limit: PluginManifest.maximumBytes + 1)
      let manifest = try PluginManifest(parsing: bytes)
      let faults = manifest.settings.validate(
        manifest.settings.applyingDefaults(to: plugin.settings))
      if !faults.isEmpty {
        let all = faults.map { $0.text(in: SpokenLanguage.current) }.joined(separator: "; ")
        return Finding(
          subject: subject, state: .failed,
          found: gettext("its settings are wrong: {all}", ["all": all]),
          advice: gettext("correct them below plugins.enabled; the plugin's README explains each"))
      }
      return Finding(
        subject: subject, state: .working,
        found: gettext("{version} in {folder}", ["version": manifest.version, "folder": folder]))
    } catch let error as FileFailure {
      return Finding(subject: subject, state: .failed, found: "\(error.path): \(error.reason)")
    } catch {
      return Finding(
        subject: subject, state: .failed,
        found: gettext("{folder}/plugin.json: {error}", ["folder": folder, "error": "\(error)"]),
        advice: gettext("try it: homeward plugin check {folder}", ["folder": folder]))
    }
  }

  private func manifest(of plugin: ConfiguredPlugin) -> PluginManifest? {
    let files = configuration.plugins.directories.map { "\($0)/\(plugin.name)/plugin.json" }
    guard let file = files.first(where: FileText.exists),
      let bytes = try? FileText.bytes(file, limit: PluginManifest.maximumBytes + 1)
    else { return nil }
    return try? PluginManifest(parsing: bytes)
  }

  private func broker(_ plugin: ConfiguredPlugin) -> Finding {
    let host = plugin.settings["host"]?.stringContent ?? "localhost"
    let isSecure = plugin.settings["tls"]?.objectContent != nil
    let standard: Int64 = isSecure ? 8883 : 1883
    let port = Int(clamping: plugin.settings["port"]?.integerContent ?? standard)
    let address = "\(host):\(port)"
    if ThisMachine.bears(host), let ports = manifest(of: plugin)?.loopback.map(Int.init),
      !(ports + plugin.loopback).contains(port)
    {
      let granted = (plugin.loopback + [port]).map(String.init).joined(separator: ", ")
      return Finding(
        subject: "broker", state: .failed,
        found: gettext("the plugin mqtt may not reach {address}", ["address": address]),
        advice: gettext(
          "write in its entry below plugins.enabled: loopback: [{ports}]", ["ports": granted]))
    }
    do throws(TCPProbe.Failure) {
      if isSecure {
        _ = try TCPProbe(host: host, port: port)
        return Finding(
          subject: "broker", state: .working,
          found: gettext(
            "{address} can be reached; the plugin checks its certificate", ["address": address]))
      }
      let user = plugin.settings["username"]?.stringContent
      let password = plugin.settings["password"].flatMap(Self.secret)
      switch try BrokerProbe.ask(host: host, port: port, username: user, password: password) {
      case .accepted:
        return Finding(
          subject: "broker", state: .working,
          found: gettext("{address} accepts", ["address": address]))
      case .refused(let reason):
        return Finding(
          subject: "broker", state: .warning,
          found: gettext("{address} answers: {reason}", ["address": address, "reason": reason]),
          advice: gettext("correct username and password of the plugin mqtt"))
      }
    } catch {
      return Finding(
        subject: "broker", state: .failed, found: "\(address): \(error.reason)",
        advice: gettext("events wait safely until it is back; is it running, and the network up?"))
    }
  }

  /// The secret of a marker that this user may read.
  private static func secret(_ marker: JSONValue) -> String? {
    if let text = marker.stringContent { return text }
    guard let path = marker["file"]?.stringContent, let text = try? FileText.read(path) else {
      return nil
    }
    return text.split(whereSeparator: \.isNewline).first.map(String.init)
  }
}
