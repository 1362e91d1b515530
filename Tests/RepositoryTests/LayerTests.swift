import Testing

@Suite("Layers")
struct LayerTests {
  /// What each module may import beside the standard library; arrows point down, never sideways.
  ///
  /// `Glibc` in a pure module means its mathematics; ``PurityTests`` keeps clocks and files out.
  static let allowed: [String: Set<String>] = [
    // Layer 0: values.
    "Texts": ["CCatalogues"],
    "Bytes": [],
    "JSON": ["Glibc"],
    "Moments": ["JSON"],
    "CivilTime": ["JSON", "Moments", "Glibc"],
    "Recurrence": ["CivilTime", "JSON", "Moments"],
    "PhoneNumbers": [],
    "CareModel": ["Bytes", "JSON", "Moments", "CivilTime", "Recurrence", "Glibc"],
    // Layer 1: pure engines and codecs.
    "Tracking": ["CareModel", "Glibc"],
    "Proximity": ["CareModel", "Glibc"],
    "TrackFiles": ["CareModel", "Glibc"],
    "GATTProfiles": ["CareModel"],
    "PluginProtocol": ["CareModel"],
    "Privacy": ["CareModel", "Glibc"],
    "Outing": ["CareModel", "Glibc"],
    "Alarms": ["CareModel", "Glibc"],
    "FakeCall": ["CareModel"],
    "Absences": ["CareModel", "CivilTime", "Recurrence"],
    "Notebook": ["CareModel"],
    "PictureFiles": ["CareModel"],
    "Reminders": ["CareModel", "CivilTime", "Recurrence"],
    "Gestures": ["CareModel"],
    "Sounds": ["CareModel", "Glibc"],
    "ResidentGuide": [],
    "Calendars": ["CareModel", "CivilTime", "Recurrence"],
    "Advertisements": ["CareModel"],
    "Glucose": ["CareModel", "CivilTime", "Glibc"],
    // Layer 1b: the engines composed.
    "GatewayCore": [
      "Absences", "CareModel", "CivilTime", "Tracking", "Alarms", "FakeCall", "Glucose", "Notebook",
      "Proximity", "Reminders", "Sounds", "ResidentGuide",
    ],
    // The event loop, and layer 2: ports.
    "EventLoop": ["CareModel", "CGatewayShims", "Glibc", "Synchronization"],
    "MessageBus": ["EventLoop", "CSystemd", "Glibc"],
    "GatewayPorts": ["CareModel", "CivilTime", "EventLoop"],
    // Layer 3: shell. Ports, values, its own codec and shim.
    "GPSDSource": ["CGPS"],
    "BlueZSource": ["MessageBus", "CGatewayShims"],
    "BluetoothCentral": ["Advertisements", "CivilTime", "GATTProfiles", "Proximity"],
    "HCISource": ["Advertisements", "CGatewayShims"],
    "GPIOLines": ["CGPIO"],
    "ButtonSource": ["Gestures", "GPIOLines", "CEvdev"],
    "StatusLamp": ["GPIOLines"],
    "PowerSupply": [],
    "SQLiteStore": ["CSQLite", "CGatewayShims"],
    "PluginHost": ["PluginProtocol", "Privacy", "CGatewayShims"],
    "ControlSocket": ["CGatewayShims"],
    "OperationsEndpoint": ["CHTTPServer"],
    "Configuration": ["CYAML"],
    "AdvertisementCrypto": ["Advertisements", "CMbedCrypto"],
    "SystemClock": ["CGatewayShims"],
    "Credentials": ["CCrypt"],
    "Pictures": ["PictureFiles"],
    "SpokenSentences": ["CivilTime"],
    // The plugins' side: the kit's companion for those that speak HTTP and SMTP.
    "CurlTransfer": ["EventLoop", "CCurl", "Glibc"],
    "ALSASpeaker": ["CALSA", "CGatewayShims", "Sounds"],
    // A program of its own, under the GPL; nothing else may import its shim.
    "homeward-hci": ["Advertisements", "CareModel", "EventLoop", "CHCI", "CGatewayShims", "Glibc"],
    // Layer 4: runtime.
    "GatewayRuntime": ["GatewayCore"],
  ]

  /// What whoever speaks of care may speak of.
  static let values: Set<String> = [
    "Bytes", "JSON", "Moments", "CivilTime", "Recurrence", "PhoneNumbers",
  ]
  static let shell: Set<String> = [
    "BlueZSource", "BluetoothCentral", "HCISource", "GPSDSource", "SQLiteStore", "PluginHost",
    "ControlSocket", "OperationsEndpoint",
    "Configuration", "SystemClock", "Credentials", "Pictures", "GatewayRuntime",
    "AdvertisementCrypto",
    "SpokenSentences", "GPIOLines", "ButtonSource", "StatusLamp", "ALSASpeaker",
    "PowerSupply",
  ]
  static let shellCommon: Set<String> = [
    "CareModel", "EventLoop", "GatewayPorts", "Glibc", "Synchronization",
  ]
  /// Layer 5 and the plugins' kit, which wire.
  static let wiring: Set<String> = ["homewardd", "homeward", "homeward-bench", "PluginKit"]

  @Test("Every module imports only what its layer allows")
  func everyModule() throws {
    let files = try Repository.swiftFiles(below: ["Sources"])
    #expect(files.count > 20)
    for file in files where !Self.wiring.contains(file.module) {
      guard var allowed = Self.allowed[file.module] else {
        Issue.record("\(file.path): give module \(file.module) a layer in LayerTests.allowed")
        continue
      }
      if !Self.values.contains(file.module) { allowed.formUnion(Self.values) }
      if Self.shell.contains(file.module) { allowed.formUnion(Self.shellCommon) }
      // Whoever says something to people says it in their language.
      if file.module != "Texts" { allowed.insert("Texts") }
      let foreign = file.imports.filter { !allowed.contains($0) }
      #expect(foreign.isEmpty, "\(file.path) imports \(foreign)")
    }
  }

  @Test("A plugin imports the kit, the protocol, values, its own shim and nothing of the daemon")
  func plugins() throws {
    let daemon = Set(Self.allowed.keys).subtracting([
      "Texts", "CareModel", "EventLoop", "PluginProtocol", "CurlTransfer", "MessageBus",
    ]).subtracting(Self.values)
    for file in try Repository.swiftFiles(below: ["plugins"]) where !file.path.contains("/Tests/") {
      let foreign = file.imports.filter { daemon.contains($0) }
      #expect(foreign.isEmpty, "\(file.path) imports \(foreign)")
    }
  }

  @Test("Only tests import Foundation")
  func noFoundation() throws {
    for file in try Repository.swiftFiles(below: ["Sources", "plugins"])
    where !file.path.contains("/Tests/") {
      let foreign = file.imports.filter { $0.hasPrefix("Foundation") || $0 == "Dispatch" }
      #expect(foreign.isEmpty, "\(file.path) imports \(foreign)")
    }
  }
}
