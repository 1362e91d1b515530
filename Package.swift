// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings of every Swift target: warnings stop the build, imports say what they mean.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
let strictC: [CSetting] = [
  .define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"]),
]

/// The last part of a path, which most targets are named after.
func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// The targets that words name.
func targets(_ words: String) -> [Target.Dependency] {
  words.split(whereSeparator: \.isWhitespace).map { .byName(name: String($0)) }
}

/// What lies in a folder of Swift and is none: scripts, captures, pages.
func others(in folder: String) -> [String] {
  let root = "\(Context.packageDirectory)/\(folder)"
  let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
  return Set(files.map { String($0.prefix { $0 != "/" }) }).filter { entry in
    !files.contains { ($0 == entry || $0.hasPrefix("\(entry)/")) && $0.hasSuffix(".swift") }
  }.sorted()
}

/// A library below Sources, or elsewhere.
func module(_ path: String, in folder: String = "Sources", _ needs: String = "") -> Target {
  .target(
    name: last(path), dependencies: targets(needs), path: "\(folder)/\(path)",
    exclude: others(in: "\(folder)/\(path)"), swiftSettings: strict)
}

/// A program below Sources, or one that tests and `make` start.
func program(
  _ path: String, named name: String? = nil, in folder: String = "Sources", _ needs: String
)
  -> Target
{
  .executableTarget(
    name: name ?? last(path), dependencies: targets(needs), path: "\(folder)/\(path)",
    exclude: others(in: "\(folder)/\(path)"), swiftSettings: strict)
}

/// A plugin's program; every one is made with the kit.
func plugin(_ name: String, _ needs: String = "") -> Target {
  program(
    "homeward-plugin-\(name)", in: "plugins/\(name)/Sources",
    "CareModel EventLoop JSON Moments PluginKit PluginProtocol \(needs)")
}

/// C of our own, which may link a library of the system.
func shim(
  _ name: String, in folder: String = "Sources", links library: String? = nil,
  _ needs: String = "", flags: [String] = []
) -> Target {
  .target(
    name: name, dependencies: targets(needs), path: "\(folder)/\(name)",
    cSettings: strictC + (flags.isEmpty ? [] : [.unsafeFlags(flags)]),
    linkerSettings: library.map { [.linkedLibrary($0)] })
}

/// A library of the system that comes with a description of itself.
func system(_ name: String, in folder: String = "Sources", _ config: String, debian: String)
  -> Target
{
  .systemLibrary(
    name: name, path: "\(folder)/\(name)", pkgConfig: config, providers: [.apt([debian])])
}

/// The tests of a module, which may import what the module may, and others.
@MainActor func tests(
  _ path: String, of module: String? = nil, in folder: String? = nil, plus needs: String = ""
) -> Target {
  let tested = shipped.first { $0.name == module ?? last(path) }
  let own = tested.map { [.byName(name: $0.name)] + $0.dependencies } ?? []
  let folder = folder ?? "Tests/\(path)Tests"
  return .testTarget(
    name: "\(last(path))Tests", dependencies: own + targets("TestSupport \(needs)"),
    path: folder, exclude: others(in: folder), swiftSettings: strict)
}

/// The tests of several modules that need nothing else.
@MainActor func tests(each names: String, in folder: String = "") -> [Target] {
  names.split(whereSeparator: \.isWhitespace).map { tests(folder + $0) }
}

/// The tests of a plugin.
@MainActor func tests(plugin: String, named name: String, plus needs: String = "") -> Target {
  tests(
    "\(name)Plugin", of: "homeward-plugin-\(plugin)", in: "plugins/\(plugin)/Tests", plus: needs)
}

/// The program around each plugin, in plain C and linked whole: there is one of it for each plugin that runs.
let warden = Target.executableTarget(
  name: "homeward-warden", path: "Sources/homeward-warden",
  cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Os", "-Wall", "-Wextra", "-Werror"])],
  linkerSettings: [
    // No Swift in it, whose runtime every executable gets otherwise; sanitizers, in debug builds, need the loader.
    .unsafeFlags(["-static-stdlib", "-nostartfiles"]),
    .unsafeFlags(["-Xclang-linker", "-static"], .when(configuration: .release)),
  ])

/// The translations, which are compiled in.
let translations = Target.target(
  name: "CCatalogues", path: "Sources/Texts/Catalogues", exclude: ["homeward.pot", "zh_CN.po"],
  cSettings: strictC + [.unsafeFlags(["-std=c23"])])

/// What ships.
let shipped: [Target] = [
  // Base. Values that know nothing of care.
  module("Texts", "CCatalogues"),
  module("Bytes"),
  module("JSON"),
  module("Moments", "JSON"),
  module("CivilTime", "JSON Moments Texts"),
  module("Recurrence", "CivilTime JSON Moments Texts"),
  module("PhoneNumbers", "Texts"),

  // Care. What every feature speaks of.
  module("CareModel", "Bytes CivilTime JSON Moments Recurrence Texts"),

  // Engines. Pure: a folder is a feature.
  module("Absences", "CareModel CivilTime JSON Moments Recurrence Texts"),
  module("Alarms", "Bytes CareModel JSON Moments PhoneNumbers Texts"),
  module("FakeCall", "CareModel JSON Moments Texts"),
  module("Glucose", "Bytes CareModel CivilTime JSON Moments Texts"),
  module("Notebook", "CareModel JSON Moments Texts"),
  module("Proximity", "Bytes CareModel JSON Moments Texts"),
  module("Reminders", "CareModel CivilTime JSON Moments Recurrence Texts"),
  module("ResidentGuide", "Texts"),
  module("Tracking", "CareModel JSON Moments Texts"),

  // Formats. Pure: bytes and files of others.
  module("Advertisements", "Bytes CareModel JSON Moments Texts"),
  module("Calendars", "Bytes CareModel CivilTime Moments Recurrence Texts"),
  module("GATTProfiles", "CareModel JSON Moments Texts"),
  module("Gestures", "CareModel Moments"),
  module("PictureFiles", "Bytes CareModel Texts"),
  module("PluginProtocol", "CareModel JSON Moments Texts"),
  module("Sounds", "JSON Texts"),
  module("TrackFiles", "CareModel JSON Moments"),

  // Linux. What the system gives.
  module("Configuration", "Bytes CYAML CareModel JSON Texts"),
  module("EventLoop", "CGatewayShims Moments Texts"),
  module("GPIOLines", "CGPIO Texts"),
  module("MessageBus", "CSystemd EventLoop"),

  // Gateway. One step, what it needs, and what drives it.
  module(
    "GatewayCore",
    """
    Absences Alarms Bytes CareModel CivilTime FakeCall Glucose JSON Moments Notebook
    PhoneNumbers Proximity Reminders ResidentGuide Sounds Texts Tracking
    """),
  module("GatewayPorts", "CareModel CivilTime EventLoop JSON Moments Texts"),
  module("GatewayRuntime", "Bytes CareModel EventLoop GatewayCore GatewayPorts JSON Moments Texts"),
  module("Privacy", "Bytes CareModel JSON"),

  // Drivers. Devices.
  module(
    "ALSASpeaker", "CALSA CGatewayShims CareModel EventLoop GatewayPorts Moments Sounds Texts"),
  module("AdvertisementCrypto", "Advertisements Bytes CMbedCrypto"),
  module("BlueZSource", "CGatewayShims CareModel EventLoop GatewayPorts MessageBus Moments Texts"),
  module(
    "BluetoothCentral",
    """
    Advertisements Bytes CareModel CivilTime EventLoop GATTProfiles GatewayPorts JSON Moments
    Proximity Texts
    """),
  module(
    "ButtonSource", "CEvdev CareModel EventLoop GPIOLines GatewayPorts Gestures Moments Texts"),
  module("GPSDSource", "CGPS CareModel EventLoop GatewayPorts JSON Moments Texts"),
  module(
    "HCISource",
    """
    Advertisements Bytes CGatewayShims CareModel EventLoop GatewayPorts JSON Moments Texts
    """),
  module("PowerSupply", "CareModel EventLoop GatewayPorts Moments Texts"),
  module("StatusLamp", "CareModel EventLoop GPIOLines GatewayPorts Moments Texts"),
  module("SystemClock", "CGatewayShims CareModel EventLoop GatewayPorts Moments"),

  // Services. What keeps, and what others talk to.
  module("ControlSocket", "CGatewayShims CareModel EventLoop JSON Moments Texts"),
  module("Credentials", "CCrypt CareModel EventLoop GatewayPorts"),
  module("OperationsEndpoint", "CHTTPServer EventLoop GatewayPorts JSON Texts"),
  module("Pictures", "CareModel EventLoop GatewayPorts PictureFiles Texts"),
  module(
    "PluginHost",
    """
    Bytes CGatewayShims CareModel EventLoop GatewayPorts JSON Moments PluginProtocol Privacy
    Texts
    """),
  module(
    "SQLiteStore", "Bytes CGatewayShims CSQLite CareModel EventLoop GatewayPorts JSON Moments Texts"
  ),
  module("SpokenSentences", "Bytes CareModel CivilTime EventLoop GatewayPorts JSON Moments Texts"),

  // Kits. What plugins and demonstrations are made of.
  module("CurlTransfer", "CCurl EventLoop Texts"),
  module("Outing", "Bytes CareModel Moments"),
  module("PluginKit", "CGatewayShims CareModel EventLoop JSON Moments PluginProtocol Texts"),

  // Programs; raw HCI under the GPL has one of its own.
  program(
    "homewardd",
    """
    ALSASpeaker AdvertisementCrypto BlueZSource BluetoothCentral ButtonSource Bytes
    CGatewayShims CSystemd CareModel CivilTime Configuration ControlSocket Credentials EventLoop
    GPIOLines GPSDSource GatewayCore GatewayPorts GatewayRuntime Gestures HCISource JSON Moments
    OperationsEndpoint Pictures PluginHost PluginProtocol PowerSupply Privacy SQLiteStore
    SpokenSentences StatusLamp SystemClock Texts
    """),
  program(
    "homeward",
    """
    AdvertisementCrypto Advertisements Bytes CGatewayShims Calendars CareModel CivilTime
    Configuration ControlSocket EventLoop GATTProfiles GatewayCore GatewayPorts Glucose JSON
    Moments Outing PhoneNumbers PluginHost PluginProtocol Proximity Recurrence Reminders
    ResidentGuide SQLiteStore Sounds Texts TrackFiles Tracking
    """),
  program(
    "homeward-hci", "Advertisements Bytes CGatewayShims CHCI CareModel EventLoop JSON Moments Texts"
  ),
  warden,

  // Plugins, and libraries of theirs.
  plugin("camera", "CCamera CGatewayShims"),
  plugin("email", "Bytes CurlTransfer Texts"),
  plugin("keyword", "Bytes CKeyword"),
  module("RoomTopics", in: "plugins/mqtt/Sources", "CareModel JSON"),
  plugin("mqtt", "CMosquitto RoomTopics"),
  module("ShortMessage", in: "plugins/sms-modem/Sources", "Bytes JSON Moments"),
  plugin("sms-modem", "Bytes CALSA CGatewayShims MessageBus ShortMessage Texts"),
  plugin("speech", "Bytes CEspeak"),
  plugin("webhook", "Bytes CurlTransfer Texts"),
]

/// C, ours and the system's.
let shims: [Target] = [
  translations,
  shim("CGatewayShims"),
  shim("CALSA", links: "asound"),
  shim("CCamera", in: "plugins/camera/Sources", links: "jpeg"),
  shim("CCrypt", links: "crypt"),
  shim("CCurl", links: "curl"),
  shim("CEvdev", links: "evdev", flags: ["-I/usr/include/libevdev-1.0"]),
  shim("CGPIO", links: "gpiod"),
  shim("CGPS", links: "gps"),
  shim("CHCI", links: "bluetooth"),
  shim("CHTTPServer", links: "microhttpd"),
  shim("CKeyword", in: "plugins/keyword/Sources", links: "asound", "CPocketSphinx"),
  shim("CMbedCrypto", links: "mbedcrypto"),
  system("CEspeak", in: "plugins/speech/Sources", "espeak-ng", debian: "libespeak-ng-dev"),
  system("CMosquitto", in: "plugins/mqtt/Sources", "libmosquitto", debian: "libmosquitto-dev"),
  system(
    "CPocketSphinx", in: "plugins/keyword/Sources", "pocketsphinx", debian: "libpocketsphinx-dev"),
  system("CSQLite", "sqlite3", debian: "libsqlite3-dev"),
  system("CSystemd", "libsystemd", debian: "libsystemd-dev"),
  system("CYAML", "yaml-0.1", debian: "libyaml-dev"),
  shim("CCrashVFS", in: "Tests", "CSQLite"),
  shim("CSanitizerShims", in: "Tests"),
]

/// What helps tests, and programs that they and `make` start.
let helpers: [Target] = [
  module("TestSupport", in: "Tests", "Moments Outing CSanitizerShims"),
  module(
    "PluginTestSupport", in: "Tests",
    "CareModel EventLoop GatewayPorts JSON Moments PluginHost Privacy TestSupport Texts"),
  program(
    "Benchmarks", named: "homeward-bench", in: "Tests",
    """
    ALSASpeaker AdvertisementCrypto Advertisements ButtonSource Bytes CGatewayShims CSQLite
    CareModel CivilTime EventLoop GatewayCore GatewayPorts GatewayRuntime Gestures JSON Moments
    Outing PluginHost Privacy Proximity Recurrence Reminders SQLiteStore SystemClock TestSupport
    Texts
    """),
  program(
    "ButtonProbe", named: "homeward-button-probe", in: "Tests",
    "ButtonSource CareModel EventLoop Gestures"),
  program(
    "BluetoothProbe", named: "homeward-bluetooth-probe", in: "Tests",
    "BlueZSource Bytes CareModel EventLoop GatewayPorts Texts"),
  program("Walls", named: "homeward-walls", in: "Tests", "EventLoop PluginTestSupport"),
  program(
    "homeward-message-fuzz", in: "Tests/Fuzz",
    "AdvertisementCrypto Advertisements Bytes CareModel GATTProfiles JSON Moments"),
]

let suites: [Target] =
  tests(
    each: """
      Bytes PhoneNumbers Texts CareModel Absences Alarms FakeCall Notebook ResidentGuide
      Advertisements PictureFiles TrackFiles Configuration EventLoop GatewayRuntime ALSASpeaker
      GPSDSource PowerSupply StatusLamp SystemClock ControlSocket Credentials OperationsEndpoint
      Pictures CurlTransfer PluginKit
      """)
  + [
    tests("CivilTime", plus: "Bytes"),
    tests("JSON", plus: "Bytes"),
    tests("Moments", plus: "Bytes CareModel"),
    tests("Recurrence", plus: "Bytes"),
    tests("Glucose", plus: "Alarms"),
    tests("Proximity", plus: "Tracking"),
    tests("Reminders", plus: "Bytes"),
    tests("Tracking", plus: "Bytes TrackFiles"),
    tests("Calendars", plus: "JSON"),
    tests("GATTProfiles", plus: "Bytes"),
    tests("Gestures", plus: "Bytes"),
    tests("PluginProtocol", plus: "Bytes"),
    tests("Sounds", plus: "Bytes"),
    tests("GatewayCore", plus: "Privacy Recurrence"),
    tests("Privacy", plus: "Moments"),
    tests("AdvertisementCrypto", plus: "CareModel Moments"),
    tests("BlueZSource", plus: "Bytes JSON"),
    tests("BluetoothCentral", plus: "AdvertisementCrypto"),
    tests("ButtonSource", plus: "homeward-button-probe"),
    tests("HCISource", plus: "homeward-hci"),
    tests("PluginHost", plus: "PluginTestSupport"),
    tests("SQLiteStore", plus: "CCrashVFS Recurrence"),
    tests("SpokenSentences", plus: "PluginTestSupport homeward-plugin-speech"),
    tests("Outing", plus: "TrackFiles"),
    tests("Benchmarks", plus: "homeward-bench"),
    tests(
      "CommandLine",
      plus: """
        Bytes CareModel CivilTime Configuration ControlSocket EventLoop JSON Moments Recurrence
        Sounds Texts homeward
        """),
    tests("GoldenReplay", plus: "CareModel GatewayCore JSON Moments"),
    tests("MessageFuzz", plus: "Bytes homeward-message-fuzz"),
    tests("Repository"),
    tests(
      "System",
      plus: """
        Bytes CSQLite CareModel ControlSocket EventLoop GatewayCore GatewayPorts JSON Moments Outing
        Recurrence SQLiteStore Texts homeward homeward-hci homeward-plugin-mqtt homewardd
        """),
    tests(plugin: "camera", named: "Camera"),
    tests(plugin: "email", named: "Email"),
    tests(plugin: "keyword", named: "Keyword", plus: "PluginTestSupport Texts"),
    tests(plugin: "mqtt", named: "MQTT", plus: "Bytes Recurrence"),
    tests(
      plugin: "sms-modem", named: "SMSModem",
      plus: "GatewayPorts PluginTestSupport homeward-plugin-speech"),
    tests(plugin: "speech", named: "Speech", plus: "GatewayPorts PluginTestSupport Texts"),
    tests(plugin: "webhook", named: "Webhook"),
  ]

let package = Package(
  name: "Homeward",
  products: shipped.filter { $0.type == .executable }.map {
    .executable(name: $0.name, targets: [$0.name])
  },
  targets: shipped + shims + helpers + suites, swiftLanguageModes: [.v6])

// Fuzzing needs libFuzzer in every module, so ordinary builds do not know these targets; see `make fuzz`.
if Context.environment["HOMEWARD_FUZZ"] == "1" {
  package.targets += [
    .target(name: "CFuzzDriver", path: "Tests/Fuzz/CFuzzDriver"),
    program(
      "homeward-fuzz", in: "Tests/Fuzz",
      """
      Advertisements CFuzzDriver CareModel CivilTime Configuration GATTProfiles Glucose JSON
      Moments PluginProtocol Recurrence RoomTopics Sounds Texts TrackFiles
      """),
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
