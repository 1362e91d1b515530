public import JSON
import Texts

/// Plugins and where to find them.
public struct PluginsSection: ConfigurationPart {
  /// Folders whose subfolders are plugins, searched in this order.
  public var directories = ["/usr/lib/homeward/plugins", "/usr/local/lib/homeward/plugins"]
  /// Plugins that run.
  public var enabled: [ConfiguredPlugin] = []

  /// The defaults.
  public init() {}

  /// Its keys.
  public static let field = ConfigurationField<Self>.group(
    "plugins",
    [
      .texts("directories", \.directories, fault: ConfigurationChecks.absolutePath),
      .items(plugin, \.enabled) { name, position in
        var plugin = ConfiguredPlugin(name: name)
        plugin.position = position
        return plugin
      },
    ])

  private static let plugin = ConfigurationSection<ConfiguredPlugin>(
    name: "enabled",
    fields: [
      .text("name", \.name, fault: ConfigurationChecks.pluginName),
      .texts("grants", \.grants),
      .texts("readPaths", \.readPaths, fault: ConfigurationChecks.absolutePath),
      .texts("devicePaths", \.devicePaths, fault: ConfigurationChecks.absolutePath),
      .integers("loopback", \.loopback, in: 1...65_535),
      .integer("memoryMegabytes", \.memoryMegabytes, in: 16...65_536),
      .free("settings") { node, plugin, log in
        if node.json == .null { return }
        guard case .mapping = node.content else {
          return log.add(
            Message("\"settings\" must be a group of keys; it is {kind}.", ["kind": node.kind]),
            at: node.position)
        }
        plugin.settings = node.json
      },
    ])

  /// Its section of the documented file.
  public static let documentation =
    """
    plugins:
      # Folders whose subfolders are plugins, searched in this order.
      directories:
        - /usr/lib/homeward/plugins
        - /usr/local/lib/homeward/plugins
      # Plugins that run; "homeward plugins" shows how they do. An entry:
      #
      #   - name: mqtt
      #     # What the plugin may do and see, out of what its manifest asks for (plugin.json, "grants"). Without "contacts",
      #     # "health", "messages", "notes", "places" or "position.precise" events reach it without what is of that kind.
      #     grants: [network, contacts, health, places]
      #     # Paths that it may read beside its own folder, such as certificates.
      #     readPaths: [/etc/ssl/certs]
      #     # Device files that it may read, write and control, such as a modem's serial port.
      #     devicePaths: [/dev/serial/by-id/usb-modem-if02]
      #     # Ports of this machine that it may reach besides those that its manifest names, such as a server of your own.
      #     # Others of this machine are closed to it.
      #     loopback: [8123]
      #     # Limit of its memory, 16 to 65536.
      #     memoryMegabytes: 256
      #     # Its own settings; see its README. Secrets stay out of this file: {file: /path} reads a file that only
      #     # root can read, {credential: name} a systemd credential.
      #     settings:
      #       host: broker.example.org
      #       password: {file: /etc/homeward/mqtt.password}
      enabled: []
    """
}

/// A plugin that runs.
public struct ConfiguredPlugin: Sendable, Hashable {
  /// The name of its folder and manifest.
  public var name: String
  /// What the owner allows out of what its manifest asks for.
  public var grants: [String] = []
  /// Paths that it may read beside its own.
  public var readPaths: [String] = []
  /// Device files that it may use, such as a modem's serial port.
  public var devicePaths: [String] = []
  /// Ports of this machine that it may reach besides those of its manifest, 1 through 65535.
  public var loopback: [Int] = []
  /// Limit of memory, 16 through 65,536.
  public var memoryMegabytes = 256
  /// Its settings, to be checked against its schema. `{"file": …}` and `{"credential": …}` stand for secrets.
  public var settings: JSONValue = .object([JSONMember]())
  /// Where its entry stands in the file.
  public var position: TextPosition?

  /// A plugin without grants and settings.
  public init(name: String) { self.name = name }
}

extension GatewayConfiguration {
  /// Plugins and where to find them.
  public var plugins: PluginsSection {
    get { self[PluginsSection.self] }
    set { self[PluginsSection.self] = newValue }
  }
}
