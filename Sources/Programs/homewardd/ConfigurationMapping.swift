import Configuration
import Glibc
import Plugins

extension LogSection.Level {
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

extension GatewayConfiguration {
  /// The enabled plugins with the folder that each is found in.
  var pluginConfigurations: [PluginHost.PluginConfiguration] {
    plugins.enabled.map { plugin in
      PluginHost.PluginConfiguration(
        name: plugin.name, directory: directory(of: plugin.name), grants: Set(plugin.grants),
        settings: plugin.settings, readPaths: plugin.readPaths,
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
