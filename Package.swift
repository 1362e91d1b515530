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
    .executable(name: "homeward-hci", targets: ["homeward-hci"]),
    .executable(name: "homeward-warden", targets: ["homeward-warden"]),
    .executable(name: "homeward-plugin-mqtt", targets: ["homeward-plugin-mqtt"]),
    .executable(name: "homeward-plugin-speech", targets: ["homeward-plugin-speech"]),
    .executable(name: "homeward-plugin-keyword", targets: ["homeward-plugin-keyword"]),
    .executable(name: "homeward-plugin-webhook", targets: ["homeward-plugin-webhook"]),
    .executable(name: "homeward-plugin-email", targets: ["homeward-plugin-email"]),
    .executable(name: "homeward-plugin-sms-modem", targets: ["homeward-plugin-sms-modem"]),
    .executable(name: "homeward-plugin-camera", targets: ["homeward-plugin-camera"]),
  ],
  targets: [
    // Layer 0: values.
    .target(
      name: "Texts", dependencies: ["CCatalogues"], exclude: ["Catalogues"], swiftSettings: strict),
    library("CareModel", ["Texts"]),
    library("CivilTime", ["CareModel", "Texts"]),
    library("Recurrence", ["CareModel", "CivilTime", "Texts"]),

    // Layer 1: pure engines and codecs.
    library("Tracking", ["CareModel", "Texts"]),
    library("Proximity", ["CareModel", "Texts"]),
    library("TrackFiles", ["CareModel"]),
    library("GATTProfiles", ["CareModel", "Texts"]),
    library("PluginProtocol", ["CareModel", "Texts"]),
    library("Privacy", ["CareModel"]),
    library("Outing", ["CareModel"]),
    library("Alarms", ["CareModel", "Texts"]),
    library("FakeCall", ["CareModel", "Texts"]),
    library("Reminders", ["CareModel", "CivilTime", "Recurrence", "Texts"]),
    library("Absences", ["CareModel", "CivilTime", "Recurrence", "Texts"]),
    library("Notebook", ["CareModel", "Texts"]),
    library("PictureFiles", ["CareModel", "Texts"]),
    library("Gestures", ["CareModel"]),
    library("Sounds", ["CareModel", "Texts"]),
    library("ResidentGuide", ["Texts"]),
    library("Calendars", ["CareModel", "CivilTime", "Recurrence", "Texts"]),
    library("Advertisements", ["CareModel", "Texts"]),
    library("Glucose", ["CareModel", "CivilTime", "Texts"]),

    // Layer 1b: the engines composed into one step.
    library(
      "GatewayCore",
      [
        "Absences", "CareModel", "CivilTime", "Tracking", "Alarms", "FakeCall", "Glucose",
        "Notebook", "Proximity", "Reminders", "Sounds", "ResidentGuide", "Texts",
      ]),

    // The event loop and its isolation, which the ports speak of.
    library("EventLoop", ["CareModel", "CGatewayShims", "Texts"]),

    // The system's D-Bus on the event loop, for the shell and for plugins.
    library("MessageBus", ["EventLoop", "CSystemd"]),

    // Layer 2: ports.
    library("GatewayPorts", ["CareModel", "CivilTime", "EventLoop", "Texts"]),

    // Layer 3: shell.
    library("GPSDSource", ["CareModel", "EventLoop", "GatewayPorts", "CGPS", "Texts"]),
    library(
      "BlueZSource",
      ["CareModel", "EventLoop", "GatewayPorts", "MessageBus", "CGatewayShims", "Texts"]),
    library(
      "BluetoothCentral",
      [
        "CareModel", "CivilTime", "EventLoop", "GatewayPorts", "Advertisements", "GATTProfiles",
        "Proximity", "Texts",
      ]),
    library(
      "HCISource",
      ["Advertisements", "CareModel", "EventLoop", "GatewayPorts", "CGatewayShims", "Texts"]),
    library("GPIOLines", ["CGPIO", "Texts"]),
    library(
      "ButtonSource",
      ["CareModel", "EventLoop", "GatewayPorts", "Gestures", "GPIOLines", "CEvdev", "Texts"]),
    library("StatusLamp", ["CareModel", "EventLoop", "GatewayPorts", "GPIOLines", "Texts"]),
    library("PowerSupply", ["CareModel", "EventLoop", "GatewayPorts", "Texts"]),
    library(
      "SQLiteStore",
      ["CareModel", "EventLoop", "GatewayPorts", "CSQLite", "CGatewayShims", "Texts"]),
    library(
      "PluginHost",
      [
        "CareModel", "EventLoop", "GatewayPorts", "PluginProtocol", "Privacy", "CGatewayShims",
        "Texts",
      ]),
    library("ControlSocket", ["CareModel", "EventLoop", "GatewayPorts", "CGatewayShims", "Texts"]),
    library(
      "OperationsEndpoint", ["CareModel", "EventLoop", "GatewayPorts", "CHTTPServer", "Texts"]),
    library("Configuration", ["CareModel", "CYAML", "Texts"]),
    library("AdvertisementCrypto", ["Advertisements", "CareModel", "CMbedCrypto"]),
    library("Credentials", ["CareModel", "EventLoop", "GatewayPorts", "CCrypt", "Texts"]),
    library("Pictures", ["CareModel", "EventLoop", "GatewayPorts", "PictureFiles", "Texts"]),
    library("SystemClock", ["CareModel", "EventLoop", "GatewayPorts", "CGatewayShims"]),
    library("SpokenSentences", ["CareModel", "CivilTime", "EventLoop", "GatewayPorts", "Texts"]),
    library(
      "ALSASpeaker",
      ["CareModel", "EventLoop", "GatewayPorts", "Sounds", "CALSA", "CGatewayShims", "Texts"]),

    // Layer 4: runtime.
    library("GatewayRuntime", ["CareModel", "EventLoop", "GatewayPorts", "GatewayCore", "Texts"]),

    // Layer 5: main.
    .executableTarget(
      name: "homewardd",
      dependencies: [
        "CareModel", "EventLoop", "GatewayPorts", "GatewayCore", "GatewayRuntime", "GPSDSource",
        "SQLiteStore", "PluginHost", "ControlSocket", "OperationsEndpoint", "Configuration",
        "SystemClock", "PluginProtocol", "Privacy", "CSystemd", "CGatewayShims", "CivilTime",
        "Credentials", "Pictures", "SpokenSentences", "ALSASpeaker",
        "ButtonSource", "StatusLamp", "GPIOLines", "Gestures", "Texts", "BluetoothCentral",
        "BlueZSource", "HCISource", "AdvertisementCrypto", "PowerSupply",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "homeward",
      dependencies: [
        "CareModel", "CivilTime", "Recurrence", "Proximity", "Tracking", "TrackFiles", "Outing",
        "GatewayCore", "GatewayPorts", "GatewayRuntime", "EventLoop", "SQLiteStore", "PluginHost",
        "PluginProtocol", "ControlSocket", "Configuration", "GPSDSource", "Sounds",
        "CGatewayShims", "Alarms", "ResidentGuide", "Texts", "Calendars", "Reminders",
        "Advertisements", "AdvertisementCrypto", "GATTProfiles", "Glucose",
      ],
      swiftSettings: strict),

    // Raw HCI under the GPL, in a program of its own.
    .executableTarget(
      name: "homeward-hci",
      dependencies: [
        "Advertisements", "CareModel", "EventLoop", "CHCI", "CGatewayShims", "Texts",
      ],
      exclude: ["LICENSE"], swiftSettings: strict),

    // The program around each plugin, in plain C and linked whole: there is one of it for each plugin that runs.
    .executableTarget(
      name: "homeward-warden",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Os", "-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [
        // No Swift in it, whose runtime every executable gets otherwise; sanitizers, in debug builds, need the loader.
        .unsafeFlags(["-static-stdlib", "-nostartfiles"]),
        .unsafeFlags(["-Xclang-linker", "-static"], .when(configuration: .release)),
      ]),

    // Plugins.
    library("PluginKit", ["CareModel", "EventLoop", "PluginProtocol", "CGatewayShims", "Texts"]),
    .systemLibrary(
      name: "CMosquitto", path: "plugins/mqtt/Sources/CMosquitto", pkgConfig: "libmosquitto",
      providers: [.apt(["libmosquitto-dev"])]),
    .target(
      name: "RoomTopics", dependencies: ["CareModel"], path: "plugins/mqtt/Sources/RoomTopics",
      swiftSettings: strict),
    .executableTarget(
      name: "homeward-plugin-mqtt",
      dependencies: [
        "CareModel", "EventLoop", "PluginKit", "PluginProtocol", "CMosquitto", "RoomTopics",
        "Texts",
      ],
      path: "plugins/mqtt/Sources/homeward-plugin-mqtt", swiftSettings: strict),
    library("CurlTransfer", ["EventLoop", "CCurl", "Texts"]),
    .executableTarget(
      name: "homeward-plugin-webhook",
      dependencies: [
        "CareModel", "EventLoop", "PluginKit", "PluginProtocol", "CurlTransfer", "Texts",
      ],
      path: "plugins/webhook/Sources/homeward-plugin-webhook", swiftSettings: strict),
    .executableTarget(
      name: "homeward-plugin-email",
      dependencies: [
        "CareModel", "EventLoop", "PluginKit", "PluginProtocol", "CurlTransfer", "Texts",
      ],
      path: "plugins/email/Sources/homeward-plugin-email", swiftSettings: strict),

    .systemLibrary(
      name: "CEspeak", path: "plugins/speech/Sources/CEspeak", pkgConfig: "espeak-ng",
      providers: [.apt(["libespeak-ng-dev"])]),
    .executableTarget(
      name: "homeward-plugin-speech",
      dependencies: ["CareModel", "EventLoop", "PluginKit", "PluginProtocol", "CEspeak", "Texts"],
      path: "plugins/speech/Sources/homeward-plugin-speech", swiftSettings: strict),
    .systemLibrary(
      name: "CPocketSphinx", path: "plugins/keyword/Sources/CPocketSphinx",
      pkgConfig: "pocketsphinx", providers: [.apt(["libpocketsphinx-dev"])]),
    .target(
      name: "CKeyword", dependencies: ["CPocketSphinx"], path: "plugins/keyword/Sources/CKeyword",
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("asound")]),
    .executableTarget(
      name: "homeward-plugin-keyword",
      dependencies: ["CareModel", "EventLoop", "PluginKit", "PluginProtocol", "CKeyword", "Texts"],
      path: "plugins/keyword/Sources/homeward-plugin-keyword", swiftSettings: strict),

    .target(
      name: "ShortMessage", dependencies: ["CareModel"],
      path: "plugins/sms-modem/Sources/ShortMessage", swiftSettings: strict),
    .executableTarget(
      name: "homeward-plugin-sms-modem",
      dependencies: [
        "CareModel", "EventLoop", "PluginKit", "PluginProtocol", "ShortMessage", "CALSA",
        "CGatewayShims", "MessageBus", "Texts",
      ],
      path: "plugins/sms-modem/Sources/homeward-plugin-sms-modem", swiftSettings: strict),

    .target(
      name: "CCamera", path: "plugins/camera/Sources/CCamera",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("jpeg")]),
    .executableTarget(
      name: "homeward-plugin-camera",
      dependencies: [
        "CareModel", "EventLoop", "PluginKit", "PluginProtocol", "CCamera", "CGatewayShims",
        "Texts",
      ],
      path: "plugins/camera/Sources/homeward-plugin-camera", swiftSettings: strict),

    // The translations, which are compiled in.
    .target(
      name: "CCatalogues", path: "Sources/Texts/Catalogues", exclude: ["homeward.pot", "zh_CN.po"],
      cSettings: [.unsafeFlags(["-std=c23", "-Wall", "-Wextra", "-Werror"])]),
    // C libraries.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(
      name: "CGatewayShims",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "CCrypt", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("crypt")]),
    .target(
      name: "CMbedCrypto", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("mbedcrypto")]),
    .target(
      name: "CGPS", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("gps")]),
    .target(
      name: "CGPIO",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("gpiod")]),
    .target(
      name: "CEvdev",
      cSettings: [
        .define("_GNU_SOURCE"),
        .unsafeFlags(["-I/usr/include/libevdev-1.0", "-Wall", "-Wextra", "-Werror"]),
      ],
      linkerSettings: [.linkedLibrary("evdev")]),
    .target(
      name: "CHCI",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("bluetooth")]),
    .target(
      name: "CALSA", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("asound")]),
    .target(
      name: "CHTTPServer", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("microhttpd")]),
    .target(
      name: "CCurl", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("curl")]),

    // Measurements against the budgets; built by `make bench`.
    .executableTarget(
      name: "homeward-bench",
      dependencies: [
        "CareModel", "EventLoop", "GatewayCore", "GatewayPorts", "SQLiteStore", "Outing",
        "ALSASpeaker", "TestSupport", "CSQLite", "ButtonSource", "Gestures", "GatewayRuntime",
        "PluginHost", "Privacy", "SystemClock", "CivilTime", "Recurrence", "Texts", "Reminders",
        "Advertisements", "AdvertisementCrypto", "Proximity", "CGatewayShims",
      ],
      path: "Tests/Benchmarks", swiftSettings: strict),

    // Tests.
    .executableTarget(
      name: "homeward-button-probe",
      dependencies: ["ButtonSource", "CareModel", "EventLoop", "Gestures"],
      path: "Tests/ButtonProbe", swiftSettings: strict),
    .executableTarget(
      name: "homeward-message-fuzz",
      dependencies: ["AdvertisementCrypto", "Advertisements", "CareModel", "GATTProfiles"],
      path: "Tests/Fuzz/homeward-message-fuzz", swiftSettings: strict),
    .executableTarget(
      name: "homeward-bluetooth-probe",
      dependencies: ["BlueZSource", "CareModel", "EventLoop", "GatewayPorts", "Texts"],
      path: "Tests/BluetoothProbe", swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["CareModel", "Outing", "CSanitizerShims"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "PluginTestSupport",
      dependencies: [
        "CareModel", "EventLoop", "GatewayPorts", "PluginHost", "Privacy", "TestSupport", "Texts",
      ],
      path: "Tests/PluginTestSupport", swiftSettings: strict),
    .target(
      name: "CSanitizerShims", path: "Tests/CSanitizerShims",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "CCrashVFS", dependencies: ["CSQLite"], path: "Tests/CCrashVFS",
      cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .executableTarget(
      name: "homeward-walls", dependencies: ["EventLoop", "PluginTestSupport"], path: "Tests/Walls",
      swiftSettings: strict),
    tests("TextsTests", ["Texts"]),
    tests("CareModelTests", ["CareModel", "Texts"], exclude: ["phonenumbers_differential.py"]),
    tests("CivilTimeTests", ["CivilTime", "CareModel", "Texts"], exclude: ["differential.py"]),
    tests(
      "RecurrenceTests", ["Recurrence", "CivilTime", "CareModel", "Texts"],
      exclude: ["differential.py"]),
    tests(
      "CalendarsTests", ["Calendars", "Recurrence", "CivilTime", "CareModel", "Texts"],
      exclude: ["cases.json", "differential.py"]),
    tests("AdvertisementsTests", ["Advertisements", "CareModel", "Texts"]),
    tests("AdvertisementCryptoTests", ["AdvertisementCrypto", "Advertisements", "CareModel"]),
    tests("TrackingTests", ["Tracking", "TrackFiles", "CareModel", "Texts"]),
    tests("ProximityTests", ["Proximity", "Tracking", "CareModel", "Texts"]),
    tests("TrackFilesTests", ["TrackFiles", "CareModel"]),
    tests("GATTProfilesTests", ["GATTProfiles", "CareModel", "Texts"]),
    tests("MessageFuzzTests", ["homeward-message-fuzz", "CareModel"]),
    tests("PluginProtocolTests", ["PluginProtocol", "CareModel", "Texts"]),
    tests("PrivacyTests", ["Privacy", "CareModel"]),
    tests("GesturesTests", ["Gestures", "CareModel"]),
    tests("FakeCallTests", ["FakeCall", "CareModel", "Texts"]),
    tests("RemindersTests", ["Reminders", "Recurrence", "CivilTime", "CareModel", "Texts"]),
    tests("AbsencesTests", ["Absences", "CivilTime", "CareModel", "Texts"]),
    tests("NotebookTests", ["Notebook", "CareModel", "Texts"]),
    tests("PictureFilesTests", ["PictureFiles", "CareModel", "Texts"], exclude: ["studio.py"]),
    tests("ResidentGuideTests", ["ResidentGuide", "Texts"]),
    tests("OutingTests", ["Outing", "CareModel", "TrackFiles"]),
    tests("AlarmsTests", ["Alarms", "CareModel", "Texts"]),
    tests(
      "GlucoseTests", ["Glucose", "Alarms", "CivilTime", "CareModel", "Texts"],
      exclude: ["differential.py"]),
    tests(
      "GatewayCoreTests",
      ["GatewayCore", "CareModel", "Privacy", "Proximity", "Texts", "Tracking"]),
    tests(
      "GoldenReplayTests", ["GatewayCore", "CareModel"],
      exclude: ["record.py", "recording.py", "Digests"]),
    tests(
      "BluetoothCentralTests",
      [
        "BluetoothCentral", "Advertisements", "AdvertisementCrypto", "CareModel", "CivilTime",
        "EventLoop", "GATTProfiles", "GatewayPorts", "Texts",
      ]),
    tests("EventLoopTests", ["EventLoop", "CareModel"]),
    tests(
      "GPSDSourceTests", ["GPSDSource", "EventLoop", "GatewayPorts", "CareModel", "CGPS", "Texts"]),
    tests(
      "BlueZSourceTests",
      ["BlueZSource", "MessageBus", "EventLoop", "GatewayPorts", "CareModel", "Texts"],
      exclude: ["bluez.py"]),
    tests(
      "HCISourceTests",
      [
        "HCISource", "homeward-hci", "Advertisements", "EventLoop", "GatewayPorts", "CareModel",
        "Texts",
      ], exclude: ["controller.c"]),
    tests(
      "ButtonSourceTests",
      [
        "ButtonSource", "GPIOLines", "Gestures", "EventLoop", "GatewayPorts", "CareModel",
        "homeward-button-probe", "Texts",
      ],
      exclude: ["libgpiod2"]),
    tests("PowerSupplyTests", ["PowerSupply", "EventLoop", "CareModel", "Texts"]),
    tests("StatusLampTests", ["StatusLamp", "GPIOLines", "EventLoop", "CareModel", "Texts"]),
    tests(
      "SQLiteStoreTests",
      [
        "SQLiteStore", "EventLoop", "GatewayPorts", "CareModel", "CGatewayShims", "CSQLite",
        "CCrashVFS", "Texts",
      ]),
    tests(
      "PluginHostTests",
      [
        "PluginHost", "PluginProtocol", "Privacy", "EventLoop", "GatewayPorts", "CareModel",
        "PluginTestSupport", "Texts",
      ],
      exclude: ["Zoo"]),
    tests("PluginKitTests", ["PluginKit", "PluginProtocol", "EventLoop", "CareModel", "Texts"]),
    tests(
      "MQTTPluginTests",
      [
        "homeward-plugin-mqtt", "PluginKit", "PluginProtocol", "RoomTopics", "CareModel", "Texts",
      ],
      path: "plugins/mqtt/Tests", exclude: ["home_assistant"]),
    tests("CurlTransferTests", ["CurlTransfer"]),
    tests(
      "SpeechPluginTests",
      [
        "homeward-plugin-speech", "CareModel", "EventLoop", "GatewayPorts", "PluginProtocol",
        "PluginTestSupport", "Texts",
      ],
      path: "plugins/speech/Tests"),
    tests(
      "KeywordPluginTests",
      [
        "homeward-plugin-keyword", "CareModel", "EventLoop", "PluginProtocol", "PluginTestSupport",
        "Texts",
      ],
      path: "plugins/keyword/Tests", exclude: ["measure.py"]),
    tests(
      "WebhookPluginTests", ["homeward-plugin-webhook", "CareModel", "Texts"],
      path: "plugins/webhook/Tests", exclude: ["test_webhook.py", "receiver.py"]),
    tests(
      "EmailPluginTests", ["homeward-plugin-email", "PluginProtocol", "CareModel", "Texts"],
      path: "plugins/email/Tests", exclude: ["test_email.py"]),
    tests(
      "SMSModemPluginTests",
      [
        "homeward-plugin-sms-modem", "homeward-plugin-speech", "ShortMessage", "PluginKit",
        "PluginProtocol", "EventLoop", "MessageBus",
        "CareModel", "GatewayPorts", "PluginTestSupport", "Texts",
      ], path: "plugins/sms-modem/Tests", exclude: ["modem_manager.py"]),
    tests(
      "CameraPluginTests",
      ["homeward-plugin-camera", "CCamera", "PluginKit", "PluginProtocol", "CareModel", "Texts"],
      path: "plugins/camera/Tests"),
    tests(
      "ControlSocketTests", ["ControlSocket", "EventLoop", "CareModel", "CGatewayShims", "Texts"]),
    tests(
      "OperationsEndpointTests",
      ["OperationsEndpoint", "EventLoop", "GatewayPorts", "CareModel", "Texts"]),
    tests("CredentialsTests", ["Credentials", "EventLoop", "GatewayPorts", "CareModel", "Texts"]),
    tests(
      "PicturesTests",
      ["Pictures", "PictureFiles", "EventLoop", "GatewayPorts", "CareModel", "Texts"]),
    tests(
      "SpokenSentencesTests",
      [
        "SpokenSentences", "homeward-plugin-speech", "CareModel", "CivilTime", "EventLoop",
        "GatewayPorts", "PluginTestSupport", "Texts",
      ]),
    tests("SoundsTests", ["Sounds", "CareModel", "Texts"]),
    tests(
      "ALSASpeakerTests",
      ["ALSASpeaker", "Sounds", "EventLoop", "GatewayPorts", "CareModel", "Texts"],
      exclude: ["card.c"]),
    tests("SystemClockTests", ["SystemClock", "CareModel"]),
    tests("ConfigurationTests", ["Configuration", "CareModel", "Texts"]),
    tests(
      "CommandLineTests",
      ["homeward", "Configuration", "ControlSocket", "EventLoop", "Sounds", "CareModel", "Texts"]),
    tests(
      "GatewayRuntimeTests",
      ["GatewayRuntime", "GatewayCore", "EventLoop", "GatewayPorts", "CareModel", "Texts"]),
    tests(
      "SystemTests",
      [
        "homewardd", "homeward", "homeward-hci", "homeward-plugin-mqtt", "CareModel", "TrackFiles",
        "Outing",
        "SQLiteStore", "GatewayPorts", "GatewayCore", "EventLoop", "CSQLite", "ControlSocket",
        "Texts",
      ], exclude: ["diskfault.c", "liar.py", "phone.py"]),
    tests("RepositoryTests", []),
    tests("BenchmarksTests", ["homeward-bench"]),
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
        "Advertisements", "CFuzzDriver", "CareModel", "CivilTime", "Configuration", "GATTProfiles",
        "Glucose", "PluginProtocol", "Recurrence", "RoomTopics", "Sounds", "Texts", "TrackFiles",
      ],
      path: "Tests/Fuzz/homeward-fuzz", swiftSettings: strict),
  ]
}

// The thread sanitizer builds everything anew, so it gets the tests that it watches and what these
// need, and no more; see `make tsan`.
if let watched = Context.environment["HOMEWARD_TESTS"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var open = watched.split(separator: " ").map(String.init)
  while let name = open.popLast() {
    guard needed.insert(name).inserted, let target = targets[name] else { continue }
    for case .byNameItem(let dependency, _) in target.dependencies { open.append(dependency) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
