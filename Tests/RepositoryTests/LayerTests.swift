import Testing

@Suite("Layers")
struct LayerTests {
  /// What the modules of each layer may import beside the standard library; `Sources/README.md` draws the same picture.
  ///
  /// `Glibc` in a pure layer means its mathematics; ``SourceRuleTests`` keeps clocks and files out.
  static let below: [String: Set<String>] = [
    "Base": [],
    "Care": ["Base"],
    "Engines": ["Base", "Care"],
    "Formats": ["Base", "Care"],
    "Linux": ["Base", "Care", "Shims"],
    "Gateway": ["Base", "Care", "Engines", "Formats", "Linux"],
    "Drivers": ["Base", "Care", "Formats", "Linux", "Shims"],
    "Services": ["Base", "Care", "Formats", "Linux", "Shims"],
    "Kits": ["Base", "Care", "Formats", "Linux", "Shims"],
    "Programs": [
      "Base", "Care", "Engines", "Formats", "Linux", "Gateway", "Drivers", "Services", "Kits",
      "Shims",
    ],
    "plugins": ["Base", "Care", "Formats", "Linux", "Kits", "Shims"],
  ]

  /// Arrows that point elsewhere: all that there are.
  static let others: [String: Set<String>] = [
    // Values build on each other, in this order.
    "JSON": ["Bytes"],
    "Moments": ["Bytes", "JSON"],
    "CivilTime": ["Bytes", "Moments", "Texts"],
    "Recurrence": ["Bytes", "CivilTime", "JSON", "Moments", "Texts"],
    "PhoneNumbers": ["Texts"],
    // The translations are compiled in.
    "Texts": ["CCatalogues"],
    // The bus of the system and the web's connections are watched by the loop; what comes in passes the door; the runtime drives all.
    "DBus": ["Loop"],
    "WebServer": ["Loop"],
    // Buttons and lamps name a line alike.
    "GPIOLines": ["Configuration"],
    "Core": ["Door"],
    "Runtime": ["Core", "Door", "Ports", "Privacy"],
    // What meters say is readings, of which the engine of glucose is made.
    "GATTProfiles": ["GlucoseValues"],
    "GlucoseFigures": ["GlucoseValues"],
    "GlucoseCharts": ["Charts", "GlucoseFigures", "GlucoseValues"],
    "Glucose": ["GlucoseFigures", "GlucoseValues"], "Guidance": ["WalkingRoutes"],
    // A sound that people ask for by its name has to be there.
    "Room": ["Sounds"],
    // Names for how near a tag is, and its calibration, which an engine owns.
    "Bluetooth": ["Proximity"],
    // Tables are declared beside the engine that owns them.
    "Store": ["Glucose", "Notebook", "Reminders", "Tracking"],
    // Over HTTP programs ask what the door answers, which is written down once.
    "homeward-plugin-console": ["Door"], "ConsoleRequests": ["Door"],
  ]

  /// Of the gateway, what surrounds it sees its ports, what may leave the house, and the door.
  static let ports: Set<String> = ["Door", "Ports", "Privacy"]

  /// Where each module is: its layer, or `plugins`.
  private static func layers(_ files: [Repository.SourceFile]) -> [String: String] {
    var layers = Dictionary(files.map { ($0.module, $0.layer) }) { first, _ in first }
    for shim in Repository.entries("Sources/Shims") { layers[shim] = "Shims" }
    return layers
  }

  @Test("Every module imports only what stands in a layer below")
  func everyModule() throws {
    let files = try Repository.swiftFiles(below: ["Sources", "plugins"]).filter { !$0.isTest }
    let layers = Self.layers(files)
    #expect(Set(layers.values) == Set(Self.below.keys).union(["Shims"]))
    for file in files {
      let allowed = Self.below[file.layer] ?? []
      for imported in file.imports {
        // What is not ours, and what a plugin brings itself, is judged elsewhere.
        guard let layer = layers[imported], imported != file.module, layer != "plugins" else {
          continue
        }
        let isPort =
          ["Drivers", "Services"].contains(file.layer) && Self.ports.contains(imported)
        #expect(
          allowed.contains(layer) || isPort
            || Self.others[file.module]?.contains(imported) == true,
          "\(file.path) imports \(imported) of \(layer)")
      }
    }
  }

  @Test("Every exception is used, so that the list stays true")
  func exceptions() throws {
    let files = try Repository.swiftFiles(below: ["Sources", "plugins"]).filter { !$0.isTest }
    for (module, imported) in Self.others {
      let own = Set(files.filter { $0.module == module }.flatMap(\.imports))
      #expect(imported.isSubset(of: own), "\(module): \(imported.subtracting(own))")
    }
  }

  @Test("No module bears the name of one of its types, which nobody could then qualify")
  func names() throws {
    for file in try Repository.swiftFiles(below: ["Sources", "plugins"]) where !file.isTest {
      let declaration = try Regex(
        #"^(?:\w+ |@\w+ )*(?:struct|enum|class|actor|protocol|typealias) \#(file.module)\b"#)
      for line in file.codeLines where !file.module.contains("-") {
        #expect(!line.text.contains(declaration), "\(file.path):\(line.number)")
      }
    }
  }

  @Test("Only tests import Foundation")
  func noFoundation() throws {
    for file in try Repository.swiftFiles(below: ["Sources", "plugins"]) where !file.isTest {
      let foreign = file.imports.filter { $0.hasPrefix("Foundation") || $0 == "Dispatch" }
      #expect(foreign.isEmpty, "\(file.path) imports \(foreign)")
    }
  }

  @Test("The map of the sources names every layer")
  func map() throws {
    let map = try Repository.text("Sources/README.md")
    for layer in Self.below.keys where layer != "plugins" {
      #expect(map.contains("**\(layer)**"), "\(layer)")
    }
  }
}
