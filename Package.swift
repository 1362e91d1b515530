// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings of every Swift target: warnings stop the build, imports say what they mean.
let strict: [SwiftSetting] =
  ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].map {
    .enableUpcomingFeature($0)
  } + [.treatAllWarnings(as: .error)]
/// For what everything computes with: tests replay months of it, far faster where a build for debugging is optimised, too.
/// What it asserts is checked all the same. Engines are not: to optimise them took five times as long to build.
let optimised: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]
let strictC: [CSetting] = [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

/// The last part of a path, which most targets are named after.
func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// The targets that words name.
func targets(_ words: [String]) -> [Target.Dependency] {
  words.flatMap { $0.split(separator: " ") }.map { .byName(name: String($0)) }
}

/// The names of what a target depends on.
func names(_ needs: [Target.Dependency]) -> [String] {
  needs.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
}

/// What lies in a folder of Swift and is none: scripts, captures, pages.
func rest(of folder: String) -> [String] {
  let files = FileManager.default.subpaths(atPath: "\(Context.packageDirectory)/\(folder)") ?? []
  func first(_ file: String) -> String { String(file.prefix { $0 != "/" }) }
  let swift = files.filter { $0.hasSuffix(".swift") }.map(first)
  return Set(files.map(first)).subtracting(swift).sorted()
}

/// A library below Sources, or elsewhere.
func module(_ path: String, in folder: String = "Sources", _ needs: String...) -> Target {
  .target(
    name: last(path), dependencies: targets(needs), path: "\(folder)/\(path)",
    exclude: rest(of: "\(folder)/\(path)"),
    swiftSettings: strict + (path.hasPrefix("Base/") ? optimised : []))
}

/// A program below Sources, from whose folder leads a way to Swift's runtime, or one that tests and `make` start, which has the
/// toolchain's.
func program(
  _ path: String, named name: String? = nil, in folder: String = "Sources",
  runtime: String = "../lib/homeward", _ needs: String...
) -> Target {
  .executableTarget(
    name: name ?? last(path), dependencies: targets(needs), path: "\(folder)/\(path)",
    exclude: rest(of: "\(folder)/\(path)"), swiftSettings: strict,
    linkerSettings: [
      .unsafeFlags(
        folder.hasPrefix("Tests")
          ? [] : ["-no-toolchain-stdlib-rpath", "-Xlinker", "-rpath=$ORIGIN/\(runtime)"],
        .when(configuration: .release))
    ])
}

/// A plugin's program; every one is made with the kit.
func plugin(_ name: String, _ needs: String = "") -> Target {
  program(
    "homeward-plugin-\(name)", in: "plugins/\(name)/Sources", runtime: "../..",
    "Care JSON Loop PluginKit PluginProtocol \(needs)")
}

/// C of our own, which may link a library of the system.
func shim(
  _ name: String, in folder: String = "Sources/Shims", links library: String? = nil,
  _ needs: String..., flags: [String] = []
) -> Target {
  .target(
    name: name, dependencies: targets(needs), path: "\(folder)/\(name)",
    cSettings: strictC + (flags.isEmpty ? [] : [.unsafeFlags(flags)]),
    linkerSettings: library.map { [.linkedLibrary($0)] })
}

/// A library of the system that comes with a description of itself.
func system(
  _ name: String, in folder: String = "Sources/Shims", _ config: String, _ package: String
) -> Target {
  .systemLibrary(
    name: name, path: "\(folder)/\(name)", pkgConfig: config, providers: [.apt([package])])
}

/// The tests of a target, which may import it, what it may, values for their samples, and others.
@MainActor func tests(
  _ path: String, of target: String? = nil, in folder: String? = nil, plus others: String = ""
) -> Target {
  let tested = shipped.first { $0.name == target ?? last(path) }
  let values = "TestSupport LoopTestSupport Bytes Care CivilTime JSON Moments Recurrence Texts"
  let own = targets([values, tested?.name ?? "", others]) + (tested?.dependencies ?? [])
  let folder = folder ?? "Tests/\(path)Tests"
  return .testTarget(
    name: "\(last(path))Tests", dependencies: Set(names(own)).sorted().map { .byName(name: $0) },
    path: folder, exclude: rest(of: folder), swiftSettings: strict)
}

/// The tests of a plugin.
@MainActor func tests(plugin: String, _ name: String, _ others: String = "") -> Target {
  tests(
    "\(name)Plugin", of: "homeward-plugin-\(plugin)", in: "plugins/\(plugin)/Tests", plus: others)
}

/// What ships.
let shipped: [Target] = [
  // Base. Values that know nothing of care.
  module("Base/Texts", "CCatalogues"), module("Base/PhoneNumbers", "Texts"), module("Base/Bytes"),
  module("Base/Moments", "Bytes JSON"), module("Base/CivilTime", "Bytes Moments Texts"),
  module("Base/JSON", "Bytes"), module("Base/Recurrence", "Bytes CivilTime JSON Moments Texts"),
  // Care. What every feature speaks of.
  module("Care", "Bytes CivilTime JSON Moments PhoneNumbers Recurrence Texts"),
  // Engines. Pure: a folder is a feature.
  module("Engines/Absences", "Bytes Care CivilTime JSON Moments Recurrence Texts"),
  module("Engines/Accounts", "Bytes Care JSON Moments PhoneNumbers Texts"),
  module("Engines/Alarms", "Bytes Care JSON Moments Texts"),
  module(
    "Engines/Glucose", "Bytes Care CivilTime GlucoseFigures GlucoseValues JSON Moments Texts"),
  module("Engines/Guidance", "Bytes Care JSON Moments Texts WalkingRoutes"),
  module("Engines/Households", "Care JSON Moments PhoneNumbers Texts"),
  module("Engines/Notebook", "Bytes Care JSON Moments Texts"),
  module("Engines/Proximity", "Bytes Care JSON Moments Texts"),
  module("Engines/Profiles", "Bytes Care CivilTime JSON Moments Texts"),
  module("Engines/Protection", "Bytes Care JSON Moments Texts"),
  module("Engines/Reminders", "Bytes Care CivilTime JSON Moments Recurrence Texts"),
  module("Engines/Reports", "Bytes Care CivilTime JSON Moments Texts"),
  module("Engines/Room", "Bytes Care JSON Moments Sounds Texts"),
  module("Engines/Tracking", "Bytes Care CivilTime JSON Moments Texts"),
  module("Engines/Upkeep", "Care JSON Moments Texts"),
  // Formats. Pure: bytes and files of others.
  module("Formats/Advertisements", "Bytes Care JSON Moments Texts"),
  module("Formats/Calendars", "Bytes Care CivilTime Moments Recurrence Texts"),
  module("Formats/GATTProfiles", "Bytes Care GlucoseValues JSON Moments Texts"),
  module("Formats/Gestures", "Care Moments"), module("Formats/PictureFiles", "Bytes Care Texts"),
  module("Formats/Charts", "Bytes JSON"),
  module("Formats/GlucoseCharts", "Charts CivilTime GlucoseFigures GlucoseValues Moments Texts"),
  module("Formats/GlucoseFigures", "CivilTime GlucoseValues JSON Moments Texts"),
  module("Formats/GlucoseValues", "Bytes Care JSON Moments Texts"),
  module("Formats/PluginProtocol", "Bytes Care JSON Moments Texts"),
  module("Formats/Sounds", "Bytes Texts"), module("Formats/WalkingRoutes", "Bytes Care JSON"),
  module("Formats/TrackFiles", "Bytes Care JSON Moments"),
  // Linux. What the system gives.
  module("Linux/Configuration", "Bytes CYAML Care JSON Texts"),
  module("Linux/DBus", "CSystemd Loop Moments"),
  module("Linux/GPIOLines", "CGPIO Configuration Texts"),
  module("Linux/Loop", "CGatewayShims Moments Texts"),
  module("Linux/WebServer", "CHTTPServer Loop"),
  // Gateway. One step, what it needs, and what drives it.
  module(
    "Gateway/Core", "Absences Accounts Alarms Bytes Care CivilTime Door Glucose GlucoseValues",
    "Guidance Households JSON Moments Notebook Profiles Protection Proximity Reminders Reports Room Texts Tracking",
    "Upkeep"),
  module("Gateway/Ports", "Bytes Care CivilTime Configuration JSON Loop Moments Texts"),
  module("Gateway/Door", "Bytes Care JSON Moments Texts"),
  module("Gateway/Privacy", "Bytes Care JSON"),
  module(
    "Gateway/Runtime",
    "Accounts Bytes Care Core Door GlucoseValues JSON Loop Moments Notebook Ports Privacy Texts"),
  // Drivers. Devices.
  module("Drivers/BlueZ", "CGatewayShims Care DBus Loop Moments Ports Texts"),
  module(
    "Drivers/Bluetooth", "Advertisements Bytes Care CivilTime Configuration GATTProfiles",
    "GlucoseValues JSON Loop Moments Ports Proximity Texts"),
  module("Drivers/BluetoothKeys", "Advertisements Bytes CMbedCrypto"),
  module(
    "Drivers/Buttons",
    "Bytes CEvdev Care Configuration GPIOLines Gestures Loop Moments Ports Texts"),
  module("Drivers/Compass", "Care Loop Moments Ports"),
  module("Drivers/GPSD", "CGPS Care Configuration JSON Loop Moments Ports Texts"),
  module("Drivers/HCI", "Advertisements Bytes CGatewayShims Care JSON Loop Moments Ports Texts"),
  module("Drivers/Lamps", "Care Configuration GPIOLines Loop Moments Ports Texts"),
  module(
    "Drivers/Loudspeaker",
    "CALSA CGatewayShims Care Configuration Loop Moments Ports Sounds Texts"),
  module("Drivers/MachineClock", "CGatewayShims Care Configuration Loop Moments Ports"),
  module("Drivers/PowerSupply", "Care Loop Moments Ports Texts"),
  // Services. What keeps, and what others talk to.
  module("Services/ControlSocket", "Bytes CGatewayShims Care Door JSON Loop Moments Texts"),
  module("Services/Credentials", "CCrypt CSodium Loop Ports"),
  module(
    "Services/PictureStore", "Bytes Care Loop Moments PictureFiles Ports Sounds Texts"),
  module(
    "Services/Plugins",
    "Bytes CGatewayShims Care Door JSON Loop Moments PluginProtocol Ports Privacy Texts"),
  module("Services/SpokenSentences", "Bytes Care CivilTime JSON Loop Moments Ports Texts"),
  module(
    "Services/Store", "Bytes CGatewayShims CSQLite Care Glucose GlucoseValues JSON Loop Moments",
    "Notebook Ports Reminders Texts Tracking"),
  // Kits. What plugins and demonstrations are made of.
  module(
    "Kits/CareReports",
    "Bytes Care Charts CivilTime GlucoseCharts GlucoseFigures GlucoseValues JSON Moments Texts"),
  module("Kits/Certificates", "Bytes JSON Loop Moments Texts"),
  module("Kits/CurlTransfer", "CCurl Loop Texts"),
  module("Kits/Gazetteer", "Bytes CSQLite Care JSON Loop Texts WalkingRoutes"),
  module("Kits/PluginKit", "Bytes CGatewayShims Care JSON Loop Moments PluginProtocol Texts"),
  module("Kits/WalkSimulator", "Bytes Care Moments"),
  // Programs; raw HCI under the GPL has one of its own.
  program(
    "Programs/homewardd", "BlueZ Bluetooth BluetoothKeys Buttons Bytes CGatewayShims CSystemd Care",
    "CivilTime Compass Configuration ControlSocket Core Credentials Door GPSD",
    "HCI JSON Lamps Loop Loudspeaker MachineClock Moments PictureStore PluginProtocol",
    "Plugins Ports PowerSupply Privacy Runtime SpokenSentences Store Texts"),
  program(
    "Programs/homeward", "Accounts Advertisements BluetoothKeys Bytes CGatewayShims CQRCode",
    "Calendars Care CareReports Certificates Charts CivilTime Configuration ControlSocket Core Door",
    "GATTProfiles",
    "Gazetteer Glucose GlucoseFigures GlucoseValues Guidance JSON Loop Moments PhoneNumbers",
    "PluginProtocol Plugins Ports Proximity Recurrence Reminders Reports Sounds Store Texts TrackFiles",
    "Tracking WalkSimulator WalkingRoutes"),
  program(
    "Programs/homeward-hci",
    "Advertisements Bytes CGatewayShims CHCI Care JSON Loop Moments Texts"),
  // Around each plugin that runs, so in plain C and linked whole, without the runtime of Swift that
  // every executable gets otherwise; sanitizers, in debug builds, need the loader.
  .executableTarget(
    name: "homeward-warden", path: "Sources/Programs/homeward-warden",
    cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Os", "-Wall", "-Wextra", "-Werror"])],
    linkerSettings: [
      .unsafeFlags(["-static-stdlib", "-nostartfiles"]),
      .unsafeFlags(["-Xclang-linker", "-static"], .when(configuration: .release)),
    ]),
  // Libraries of plugins, and the plugins.
  module("MQTTTopics", in: "plugins/mqtt/Sources", "Bytes Care JSON"),
  module(
    "ConsoleRequests", in: "plugins/console/Sources", "Bytes Door JSON Texts WebServer"),
  module("ShortMessage", in: "plugins/sms-modem/Sources", "Bytes Moments"),
  plugin(
    "console",
    "Bytes CDeflate CGatewayShims CQRCode CareReports Certificates Charts CivilTime ConsoleRequests Door GlucoseCharts GlucoseFigures GlucoseValues Moments Recurrence Texts WebServer"
  ),
  plugin("camera", "Bytes CCamera CGatewayShims Moments"),
  plugin("keyword", "Bytes CKeyword Moments"),
  plugin("email", "Bytes CurlTransfer Moments Texts"),
  plugin("webhook", "Bytes CurlTransfer Moments Texts"),
  plugin("mqtt", "Bytes CMosquitto GlucoseValues MQTTTopics Moments"),
  plugin("metrics", "WebServer"), plugin("places", "Bytes Gazetteer Texts WalkingRoutes"),
  plugin("report", "Bytes CPango CareReports Charts PictureFiles Texts"),
  plugin("speech", "Bytes CEspeak Moments"),
  plugin("sms-modem", "Bytes CALSA CGatewayShims DBus Moments ShortMessage Texts"),
]

/// C, ours and the system's; first the translations.
let shims: [Target] = [
  .target(
    name: "CCatalogues", path: "Sources/Base/Texts/Catalogues",
    exclude: ["zh_CN.po"],
    cSettings: strictC + [
      .unsafeFlags(["-std=c23"]),
      // The programs of a release share it; others, which run where they were built, have it inside.
      .define("HOMEWARD_SHARED_TEXTS", .when(configuration: .release)),
    ]),
  shim("CGatewayShims"), shim("CEvdev", links: "evdev", flags: ["-I/usr/include/libevdev-1.0"]),
  shim("CALSA", links: "asound"), shim("CCrypt", links: "crypt"), shim("CCurl", links: "curl"),
  shim("CGPIO", links: "gpiod"), shim("CGPS", links: "gps"), shim("CHCI", links: "bluetooth"),
  shim("CHTTPServer", links: "microhttpd"), shim("CMbedCrypto", links: "mbedcrypto"),
  shim("CDeflate", in: "plugins/console/Sources", links: "z"),
  shim("CCamera", in: "plugins/camera/Sources", links: "jpeg"),
  shim("CKeyword", in: "plugins/keyword/Sources", links: "asound", "CPocketSphinx"),
  system("CEspeak", in: "plugins/speech/Sources", "espeak-ng", "libespeak-ng-dev"),
  system("CMosquitto", in: "plugins/mqtt/Sources", "libmosquitto", "libmosquitto-dev"),
  system("CPango", in: "plugins/report/Sources", "pangocairo", "libpango1.0-dev"),
  system("CPocketSphinx", in: "plugins/keyword/Sources", "pocketsphinx", "libpocketsphinx-dev"),
  system("CSQLite", "sqlite3", "libsqlite3-dev"), system("CYAML", "yaml-0.1", "libyaml-dev"),
  system("CQRCode", "libqrencode", "libqrencode-dev"),
  system("CSodium", "libsodium", "libsodium-dev"),
  system("CSystemd", "libsystemd", "libsystemd-dev"),
  shim("CCrashVFS", in: "Tests/Support", "CSQLite"), shim("CSanitizerShims", in: "Tests/Support"),
]

/// What helps tests, and programs that they and `make` start.
let helpers: [Target] = [
  module(
    "Support/TestSupport", in: "Tests",
    "CSanitizerShims Care CivilTime GlucoseValues JSON Moments WalkSimulator"),
  module("Support/LoopTestSupport", in: "Tests", "Loop Moments"),
  module(
    "Support/ReportTestSupport", in: "Tests",
    "CareReports CivilTime GlucoseFigures GlucoseValues JSON Moments TestSupport Texts"),
  module(
    "Support/PluginTestSupport", in: "Tests",
    "Care Core JSON Loop Moments Plugins Ports Privacy TestSupport Texts"),
  program(
    "Benchmarks", named: "homeward-bench", in: "Tests",
    "Advertisements BluetoothKeys Buttons Bytes CGatewayShims CSQLite Care CivilTime Core",
    "Credentials Door Gazetteer Gestures JSON Loop Loudspeaker MachineClock Moments Plugins Ports Privacy",
    "Proximity Recurrence Reminders Runtime Store TestSupport Texts WalkSimulator WalkingRoutes"),
  program(
    "Probes/Buttons", named: "homeward-button-probe", in: "Tests", "Buttons Care Gestures Loop"),
  program(
    "Probes/Bluetooth", named: "homeward-bluetooth-probe", in: "Tests",
    "BlueZ Bytes Care Loop Ports Texts"),
  program("Probes/Walls", named: "homeward-walls", in: "Tests", "Loop PluginTestSupport"),
  program(
    "Probes/Walkers", named: "homeward-walker-probe", in: "Tests",
    "Bytes Care Gazetteer Guidance JSON Moments WalkingRoutes"),
  program(
    "homeward-message-fuzz", in: "Tests/Fuzz",
    "Advertisements BluetoothKeys Bytes Care GATTProfiles GlucoseValues Moments"),
  module(
    "Fuzz/RequestReaders", in: "Tests",
    "Bytes Care ConsoleRequests Door JSON PluginProtocol Texts WebServer"),
]

/// Modules without tests of their own: those of what uses them show that they work.
let untested: Set = ["ConsoleRequests", "GPIOLines", "MQTTTopics", "Ports", "ShortMessage"]

/// What the tests of a module need besides.
let besides = [
  "Bluetooth": "BluetoothKeys", "HCI": "homeward-hci", "WalkSimulator": "TrackFiles",
  "Buttons": "homeward-button-probe", "Runtime": "Store WalkSimulator", "Tracking": "TrackFiles",
  "Core": "Privacy", "Privacy": "Core", "Door": "Accounts GlucoseValues Guidance Profiles Reports",
  "Glucose": "Alarms",
  "Proximity": "Tracking", "Store": "CCrashVFS",
  "CareReports": "ReportTestSupport", "Plugins": "Core PluginTestSupport",
  "SpokenSentences": "PluginTestSupport homeward-plugin-speech",
]

/// Tests, in the place below Tests that their module has below Sources; and those of more than one.
let suites: [Target] =
  shipped.filter { $0.type == .regular && !untested.contains($0.name) }.map {
    tests("\($0.path?.dropFirst("Sources/".count) ?? "")", plus: besides[$0.name] ?? "")
  } + [
    tests("Gateway/GoldenReplay", plus: "Core"), tests("Programs/CommandLine", of: "homeward"),
    tests("Repository"), tests("Benchmarks", plus: "homeward-bench"),
    tests("Fuzz/MessageFuzz", plus: "homeward-message-fuzz"),
    tests("Fuzz/RequestFuzz", plus: "RequestReaders"), tests(plugin: "webhook", "Webhook"),
    tests(
      "System", of: "homewardd",
      plus: "CSQLite GlucoseValues WalkSimulator homeward homeward-hci homeward-plugin-console "
        + "homeward-plugin-metrics homeward-plugin-mqtt"),
    tests(plugin: "console", "Console", "Core Privacy"),
    tests(plugin: "keyword", "Keyword", "PluginTestSupport"),
    tests(plugin: "metrics", "Metrics", "PluginTestSupport"), tests(plugin: "mqtt", "MQTT"),
    tests(plugin: "report", "Report", "PluginTestSupport Ports ReportTestSupport"),
    tests(plugin: "places", "Places", "PluginTestSupport"), tests(plugin: "email", "Email"),
    tests(plugin: "speech", "Speech", "PluginTestSupport Ports"), tests(plugin: "camera", "Camera"),
    tests(plugin: "sms-modem", "SMSModem", "PluginTestSupport Ports homeward-plugin-speech"),
  ]

let programs = shipped.filter { $0.type == .executable }.map(\.name)
let package = Package(
  name: "Homeward", products: programs.map { .executable(name: $0, targets: [$0]) },
  targets: shipped + shims + helpers + suites, swiftLanguageModes: [.v6])

// Fuzzing needs libFuzzer in every module, so only `make fuzz` knows these targets.
if Context.environment["HOMEWARD_FUZZ"] == "1" {
  package.targets += [
    .target(name: "CFuzzDriver", path: "Tests/Fuzz/CFuzzDriver"),
    program(
      "homeward-fuzz", in: "Tests/Fuzz",
      "Advertisements Bytes CFuzzDriver Care CivilTime Configuration GATTProfiles Glucose",
      "GlucoseValues JSON MQTTTopics Moments PluginProtocol Recurrence RequestReaders Sounds Texts",
      "TrackFiles"),
  ]
}

// Some targets and what they need, in one go: the tests that the thread sanitizer watches, the programs of a release.
if let watched = Context.environment["HOMEWARD_TARGETS"] {
  var needed = Set(names(targets([watched])))
  for _ in package.targets {
    let known = package.targets.filter { needed.contains($0.name) }
    needed.formUnion(known.flatMap { names($0.dependencies) })
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}
