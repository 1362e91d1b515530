// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: warnings stop the build, imports say what they mean.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil,
  exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: path, exclude: exclude,
    resources: resources, swiftSettings: strict)
}

let package = Package(
  name: "Homeward",
  products: [
    .executable(name: "homewardd", targets: ["homewardd"]),
    .executable(name: "homeward", targets: ["homeward"]),
    .executable(name: "homeward-plugin-mqtt", targets: ["homeward-plugin-mqtt"]),
  ],
  targets: [
    // Layer 0: values.
    library("CareModel"),
    library("CivilTime", ["CareModel"]),

    // Layer 1: pure engines and codecs.
    library("Tracking", ["CareModel"]),
    library("TrackFiles", ["CareModel"]),
    library("PluginProtocol", ["CareModel"]),
    library("Privacy", ["CareModel"]),
    library("Outing", ["CareModel"]),

    // Layer 1b: the engines composed into one step.
    library("GatewayCore", ["CareModel", "Tracking"]),

    // The event loop and its isolation, which the ports speak of.
    library("EventLoop", ["CareModel", "CGatewayShims"]),

    // Layer 2: ports.
    library("GatewayPorts", ["CareModel", "EventLoop"]),

    // Layer 3: shell.
    library("GPSDSource", ["CareModel", "EventLoop", "GatewayPorts", "CGPS"]),
    library("SQLiteStore", ["CareModel", "EventLoop", "GatewayPorts", "CSQLite", "CGatewayShims"]),
    library(
      "PluginHost",
      ["CareModel", "EventLoop", "GatewayPorts", "PluginProtocol", "Privacy", "CGatewayShims"]),
    library("ControlSocket", ["CareModel", "EventLoop", "GatewayPorts", "CGatewayShims"]),
    library("OperationsEndpoint", ["CareModel", "EventLoop", "GatewayPorts", "CHTTPServer"]),
    library("Configuration", ["CareModel", "CYAML"]),
    library("SystemClock", ["CareModel", "EventLoop", "GatewayPorts", "CGatewayShims"]),

    // Layer 4: runtime.
    library("GatewayRuntime", ["CareModel", "EventLoop", "GatewayPorts", "GatewayCore"]),

    // Layer 5: main.
    .executableTarget(
      name: "homewardd",
      dependencies: [
        "CareModel", "EventLoop", "GatewayPorts", "GatewayCore", "GatewayRuntime", "GPSDSource",
        "SQLiteStore", "PluginHost", "ControlSocket", "OperationsEndpoint", "Configuration",
        "SystemClock", "PluginProtocol", "Privacy", "CSystemd", "CGatewayShims",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "homeward",
      dependencies: [
        "CareModel", "CivilTime", "Tracking", "TrackFiles", "Outing", "GatewayCore",
        "GatewayPorts", "GatewayRuntime", "EventLoop", "SQLiteStore", "PluginHost",
        "PluginProtocol", "ControlSocket", "Configuration", "GPSDSource", "CGatewayShims",
      ],
      swiftSettings: strict),

    // Plugins.
    library("PluginKit", ["CareModel", "EventLoop", "PluginProtocol", "CGatewayShims"]),
    .systemLibrary(
      name: "CMosquitto", path: "plugins/mqtt/Sources/CMosquitto", pkgConfig: "libmosquitto",
      providers: [.apt(["libmosquitto-dev"])]),
    .executableTarget(
      name: "homeward-plugin-mqtt",
      dependencies: ["CareModel", "EventLoop", "PluginKit", "PluginProtocol", "CMosquitto"],
      path: "plugins/mqtt/Sources/homeward-plugin-mqtt", swiftSettings: strict),

    // C libraries.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(
      name: "CGatewayShims",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "CGPS", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("gps")]),
    .target(
      name: "CHTTPServer", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("microhttpd")]),

    // Measurements against the budgets; built by `make bench`.
    .executableTarget(
      name: "homeward-bench",
      dependencies: [
        "CareModel", "EventLoop", "GatewayCore", "GatewayPorts", "SQLiteStore", "Outing",
        "TestSupport", "CSQLite",
      ],
      path: "Tests/Benchmarks", swiftSettings: strict),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["CareModel", "Outing", "CSanitizerShims"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "CSanitizerShims", path: "Tests/CSanitizerShims",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "CCrashVFS", dependencies: ["CSQLite"], path: "Tests/CCrashVFS",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    tests("CareModelTests", ["CareModel"]),
    tests("CivilTimeTests", ["CivilTime", "CareModel"], exclude: ["differential.py"]),
    tests("TrackingTests", ["Tracking", "TrackFiles", "CareModel"]),
    tests("TrackFilesTests", ["TrackFiles", "CareModel"]),
    tests("PluginProtocolTests", ["PluginProtocol", "CareModel"]),
    tests("PrivacyTests", ["Privacy", "CareModel"]),
    tests("OutingTests", ["Outing", "CareModel", "TrackFiles"]),
    tests("GatewayCoreTests", ["GatewayCore", "CareModel", "Tracking"]),
    tests("EventLoopTests", ["EventLoop", "CareModel"]),
    tests("GPSDSourceTests", ["GPSDSource", "EventLoop", "GatewayPorts", "CareModel", "CGPS"]),
    tests(
      "SQLiteStoreTests",
      ["SQLiteStore", "EventLoop", "GatewayPorts", "CareModel", "CSQLite", "CCrashVFS"]),
    tests(
      "PluginHostTests",
      ["PluginHost", "PluginProtocol", "Privacy", "EventLoop", "GatewayPorts", "CareModel"],
      exclude: ["Zoo"]),
    tests("PluginKitTests", ["PluginKit", "PluginProtocol", "EventLoop", "CareModel"]),
    tests(
      "MQTTPluginTests", ["homeward-plugin-mqtt", "PluginKit", "PluginProtocol", "CareModel"],
      path: "plugins/mqtt/Tests"),
    tests(
      "WebhookPluginTests", [], path: "plugins/webhook/Tests", exclude: ["test_webhook.py"]),
    tests("ControlSocketTests", ["ControlSocket", "EventLoop", "CareModel", "CGatewayShims"]),
    tests(
      "OperationsEndpointTests", ["OperationsEndpoint", "EventLoop", "GatewayPorts", "CareModel"]),
    tests("SystemClockTests", ["SystemClock", "CareModel"]),
    tests("ConfigurationTests", ["Configuration", "CareModel"]),
    tests(
      "CommandLineTests",
      ["homeward", "Configuration", "ControlSocket", "EventLoop", "CareModel"]),
    tests(
      "GatewayRuntimeTests",
      ["GatewayRuntime", "GatewayCore", "EventLoop", "GatewayPorts", "CareModel"]),
    tests(
      "SystemTests",
      [
        "homewardd", "homeward", "homeward-plugin-mqtt", "CareModel", "TrackFiles", "Outing",
        "SQLiteStore", "GatewayPorts", "GatewayCore", "EventLoop", "CSQLite",
      ], exclude: ["diskfault.c"]),
    tests("RepositoryTests", []),
  ],
  swiftLanguageModes: [.v6]
)

// Fuzzing needs libFuzzer in every module, so ordinary builds do not know these targets; see `make fuzz`.
if Context.environment["HOMEWARD_FUZZ"] == "1" {
  package.targets += [
    .target(name: "CFuzzDriver", path: "Tests/Fuzz/CFuzzDriver"),
    .executableTarget(
      name: "homeward-fuzz",
      dependencies: [
        "CareModel", "CivilTime", "Configuration", "PluginProtocol", "TrackFiles", "CFuzzDriver",
      ],
      path: "Tests/Fuzz/homeward-fuzz", swiftSettings: strict),
  ]
}
