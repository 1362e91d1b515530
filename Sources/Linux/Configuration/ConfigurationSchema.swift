import JSON
import Texts

/// The tables of keys, one for each section.
enum ConfigurationSchema {
  static let root = ConfigurationSection<GatewayConfiguration>(
    name: "",
    fields: [
      .section(gateway, \.gateway),
      .items(gps, \.gps) { name, _ in .init(name: name) },
      .items(button, \.buttons, fault: \.fault) { name, _ in .init(name: name) },
      .section(lamp, \.lamp, fault: \.fault),
      .section(bluetooth, \.bluetooth),
      .section(tracking, \.trackingDefaults),
      .section(clock, \.clock), .section(store, \.store), .section(plugins, \.plugins),
      .section(heartbeat, \.heartbeat),
      .section(sound, \.sound), .section(log, \.log),
      .retired(
        "operations", \.retired,
        Message("The plugin metrics shows figures and health now; see its README.")),
    ])

  private static let gateway = ConfigurationSection<GatewayConfiguration.Gateway>(
    name: "gateway",
    fields: [
      .text("name", \.name, fault: ConfigurationChecks.name),
      .text("state", \.state, fault: ConfigurationChecks.absolutePath),
      .text("runtime", \.runtime, fault: ConfigurationChecks.absolutePath),
      .optionalText("timeZone", \.timeZone, fault: ConfigurationChecks.timeZone),
      .optionalText("pages", \.pages, fault: ConfigurationChecks.webAddress),
      .word("signUp", \.signUp), .word("language", \.language),
    ])

  private static let gps = ConfigurationSection<GatewayConfiguration.GPSReceiver>(
    name: "gps",
    fields: [
      .text("name", \.name, fault: ConfigurationChecks.name),
      .text("host", \.host, fault: ConfigurationChecks.numericAddress),
      .integer("port", \.port, in: 1...65_535),
      .optionalText("device", \.device, fault: ConfigurationChecks.absolutePath),
      .word("sampling", \.sampling),
      .integer("intervalSeconds", \.intervalSeconds, in: 1...3600),
      .integer("noReportSeconds", \.noReportSeconds, in: 5...3600),
    ])

  private static let button = ConfigurationSection<GatewayConfiguration.Button>(
    name: "buttons",
    fields: [
      .text("name", \.name, fault: ConfigurationChecks.name),
      .section(line("gpio"), \.gpio),
      .section(input, \.input),
      .section(sender, \.bluetooth),
      .integer("holdSeconds", \.holdSeconds, in: 2...5),
      .optionalText("resident", \.resident, fault: ConfigurationChecks.name),
      .optionalText("caregiver", \.caregiver, fault: ConfigurationChecks.name),
      .word("press", \.press), .word("double", \.double), .word("triple", \.triple),
    ])

  private static let input = ConfigurationSection<GatewayConfiguration.Button.Input>(
    name: "input",
    fields: [
      .optionalText("device", \.device, fault: ConfigurationChecks.device),
      .texts("keys", \.keys, fault: ConfigurationChecks.key),
    ])

  private static let sender = ConfigurationSection<GatewayConfiguration.Button.Sender>(
    name: "bluetooth",
    fields: [
      .optionalText("address", \.address, fault: ConfigurationChecks.bluetoothAddress),
      .optionalText("key", \.key, fault: ConfigurationChecks.key128),
    ])

  private static let bluetooth = ConfigurationSection<GatewayConfiguration.Bluetooth>(
    name: "bluetooth",
    fields: [
      .word("source", \.source),
      .texts("adapters", \.adapters, fault: ConfigurationChecks.name),
      .text("hciSocket", \.hciSocket, fault: ConfigurationChecks.absolutePath),
      .optionalText("room", \.room, fault: ConfigurationChecks.device),
      .texts("rooms", \.rooms, fault: ConfigurationChecks.device),
      .integer("offsetDB", \.offsetDB, in: -30...30),
    ])

  private static let lamp = ConfigurationSection<GatewayConfiguration.Lamp>(
    name: "lamp",
    fields: [
      .section(line("gpio"), \.gpio),
      .optionalText("led", \.led, fault: ConfigurationChecks.light),
      .section(line("buzzer"), \.buzzer),
    ])

  private static func line(_ name: String) -> ConfigurationSection<GatewayConfiguration.Line> {
    ConfigurationSection(
      name: name,
      fields: [
        .optionalText("chip", \.chip, fault: ConfigurationChecks.device),
        .optionalText("line", \.line, fault: ConfigurationChecks.device),
        .truth("activeLow", \.isActiveLow), .word("bias", \.bias),
      ])
  }

  private static let tracking = ConfigurationSection<[GatewayConfiguration.TrackingDefault]>(
    name: "tracking",
    fields: [
      .free("defaults") { node, defaults, log in
        if node.json == .null { return }
        guard case .mapping(let entries) = node.content else {
          return log.add(
            Message("\"defaults\" must be a group of settings; it is {kind}.", ["kind": node.kind]),
            at: node.position)
        }
        defaults = entries.map {
          .init(name: $0.key, value: $0.node.json, position: $0.keyPosition)
        }
      }
    ])

  private static let clock = ConfigurationSection<GatewayConfiguration.Clock>(
    name: "clock", fields: [.word("trust", \.trust)])

  private static let store = ConfigurationSection<GatewayConfiguration.Store>(
    name: "store",
    fields: [
      .integer(
        "backupEveryHours", \.backupEveryHours, in: 1...168, zeroMeans: Message("no backups")),
      .integer("backupsKept", \.backupsKept, in: 1...1000),
      .integer("minimumFreeMegabytes", \.minimumFreeMegabytes, in: 10...1_000_000),
      .section(retention, \.retention),
    ])

  private static let retention = ConfigurationSection<GatewayConfiguration.Store.Retention>(
    name: "retention",
    fields: [
      .integer("trackDays", \.trackDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("seriesDays", \.seriesDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("locationDays", \.locationDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("alarmDays", \.alarmDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("auditDays", \.auditDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("inputDays", \.inputDays, in: 1...36_500, zeroMeans: Message("ever")),
    ])

  private static let plugins = ConfigurationSection<GatewayConfiguration.Plugins>(
    name: "plugins",
    fields: [
      .texts("directories", \.directories, fault: ConfigurationChecks.absolutePath),
      .items(plugin, \.enabled) { name, position in
        var plugin = GatewayConfiguration.Plugin(name: name)
        plugin.position = position
        return plugin
      },
    ])

  private static let plugin = ConfigurationSection<GatewayConfiguration.Plugin>(
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

  private static let heartbeat = ConfigurationSection<GatewayConfiguration.Heartbeat>(
    name: "heartbeat",
    fields: [.integer("everyMinutes", \.everyMinutes, in: 1...1440, zeroMeans: Message("none"))])

  private static let sound = ConfigurationSection<GatewayConfiguration.Sound>(
    name: "sound",
    fields: [
      .truth("enabled", \.isEnabled),
      .text("device", \.device, fault: ConfigurationChecks.soundName),
      .optionalText("mixerCard", \.mixerCard, fault: ConfigurationChecks.soundName),
      .texts("mixerElements", \.mixerElements, fault: ConfigurationChecks.soundName),
      .integer("emergencyLevelPercent", \.emergencyLevelPercent, in: 10...100),
      .truth("selfTest", \.playsSelfTest),
    ])

  private static let log = ConfigurationSection<GatewayConfiguration.Log>(
    name: "log", fields: [.word("level", \.level)])
}
