import Care
import Configuration
import GPSD
import Glibc
import JSON
import Plugins

extension GatewayConfiguration.Log.Level {
  /// The syslog priority of the level.
  var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }
}

extension GatewayConfiguration.GPSReceiver {
  /// The options of the source that reads the receiver.
  var sourceOptions: GPSDSource.Options {
    GPSDSource.Options(
      id: SourceID(name), host: host, port: port, device: device, noReportSeconds: noReportSeconds,
      sampling: sampling == .economy ? .economy(intervalSeconds: intervalSeconds) : .continuous)
  }
}

extension GatewayConfiguration {
  /// The enabled plugins with the folder that each is found in.
  ///
  /// - Parameter refused: residents for whom no microphone listens, whatever the owner's file says.
  func pluginConfigurations(
    withoutMicrophone refused: Set<ResidentID>
  ) -> [PluginHost.PluginConfiguration] {
    plugins.enabled.map { plugin in
      let target = plugin.settings["target"]?.stringContent.map { ResidentID($0) }
      let isDeaf = plugin.name == "keyword" && target.map(refused.contains) ?? false
      return PluginHost.PluginConfiguration(
        name: plugin.name, directory: directory(of: plugin.name), grants: Set(plugin.grants),
        settings: isDeaf ? plugin.settings.setting("enabled", to: false) : plugin.settings,
        readPaths: plugin.readPaths,
        devicePaths: plugin.devicePaths, loopback: plugin.loopback.map { UInt16(clamping: $0) },
        memoryLimitBytes: UInt64(plugin.memoryMegabytes) << 20, isEnabled: true)
    }
  }

  /// The first plugin folder of that name; the first directory's when there is none, so that the error names a place.
  private func directory(of plugin: String) -> String {
    let candidates = plugins.directories.map { "\($0)/\(plugin)" }
    return candidates.first { access("\($0)/plugin.json", R_OK) == 0 } ?? candidates.first
      ?? plugin
  }
}

extension PluginLogLevel {
  /// The syslog priority of the level.
  var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }
}
