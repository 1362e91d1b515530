import Care
import Foundation
import Gazetteer
import JSON
import TestSupport
import Testing
import Texts
import WalkingRoutes

@Suite("Finding by position", .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
struct ReverseTests {
  private func moved(_ place: Coordinate, north: Double, east: Double) throws -> Coordinate {
    let wide = 111_195 * cos(place.latitudeDegrees * .pi / 180)
    return try #require(
      Coordinate(
        latitudeDegrees: place.latitudeDegrees + north / 111_195,
        longitudeDegrees: place.longitudeDegrees + east / wide))
  }

  @Test("A position in front of a house has its address", arguments: [InventedTown.house, "安静路 3"])
  func house(text: String) throws {
    let gazetteer = try ImportedTown.index()
    let house = try #require(try gazetteer.search(text).first)
    let found = try #require(
      try gazetteer.reverse(moved(house.coordinate, north: 2, east: -3)))
    #expect(found.address == house.address && found.coordinate == house.coordinate)
  }

  @Test("Beyond all houses the street is told, with the point of it that is nearest")
  func street() throws {
    let gazetteer = try ImportedTown.index()
    let bridge = try #require(try gazetteer.search("Brücke 5").first)
    let beside = try moved(bridge.coordinate, north: -100, east: 60)
    let found = try #require(try gazetteer.reverse(beside))
    #expect(found.name == "Brücke 5")
    #expect(abs(found.coordinate.distanceMeters(to: beside) - 60) < 3)
  }

  @Test("In the fields the nearest settlement or street is told, and in the sea nothing")
  func nothing() throws {
    let gazetteer = try ImportedTown.index()
    let village = try #require(try gazetteer.search("Velmbach").first)
    let field = try moved(village.coordinate, north: 1500, east: 0)
    let near = try #require(try gazetteer.reverse(field))
    #expect(["Am Anger", "Velmbach"].contains(near.name))
    for (latitude, longitude) in [(30.5, -40.0), (0, 0), (90, 0), (-90, 180), (30, 140), (30, 180)]
    {
      let sea = try #require(
        Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
      #expect(try gazetteer.reverse(sea) == nil)
    }
  }
}

@Suite("What is seen on the way", .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
struct LandmarkTests {
  @Test(
    "A turn beside a shop with a name has it as its landmark, and other points of the way have none"
  )
  func marked() throws {
    let gazetteer = try ImportedTown.index()
    func coordinate(_ text: String) throws -> Coordinate {
      try #require(try gazetteer.search(text).first).coordinate
    }
    let line = try [
      coordinate("Untere Mühlstraße 10"), coordinate("Café Möwe"), coordinate("Gartenweg 17"),
      coordinate("Drei-Tannen-Apotheke"),
    ]
    let route = try #require(
      WalkingRoute(
        line: line,
        maneuvers: [
          Maneuver(.start, at: 0), Maneuver(.left, at: 1, street: "Lindengasse"),
          Maneuver(.right, at: 2), Maneuver(.arrive, at: 3),
        ], seconds: 600))
    let marked = try gazetteer.marked(route)
    #expect(marked.maneuvers.map(\.landmark?.name) == [nil, "Café Möwe", nil, nil])
    #expect(marked.maneuvers.map(\.turn) == route.maneuvers.map(\.turn))
    #expect(marked.line == route.line && marked.seconds == route.seconds)
  }
}

@Suite("The folder of an import", .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
struct FolderTests {
  @Test("It tells what was imported, and its JSON is read again as the same")
  func about() throws {
    let about = try ImportedTown.places().about
    #expect(about.extract == "invented.osm" && about.attribution == "An invented town")
    #expect(about.counts["address"] == 539 && about.counts["street"] == 18)
    let bounds = try #require(about.bounds)
    #expect(bounds.south < 30 && bounds.north > 30 && bounds.west < -40 && bounds.east > -40)
    #expect(about.json["counts"]?["address"]?.integerContent == 539)
  }

  @Test("Squares of the map hold lines with their names; where nothing is, there is none")
  func squares() throws {
    let tiles = try MapTiles(ImportedTown.places())
    #expect(tiles.zooms == [11, 13, 15])
    // The square in which 30.001° north, 39.999° west lies, by the formula of slippy maps.
    let square = try #require(try tiles.square(zoom: 15, column: 12743, row: 13519))
    #expect(square.prefix(1) == [0x78])
    #expect(try tiles.square(zoom: 15, column: 0, row: 0) == nil)
    #expect(try tiles.square(zoom: -1, column: .max, row: .min) == nil)
  }

  @Test("An empty folder has nothing, and a damaged one says what to do")
  func damaged() throws {
    let directory = try TemporaryDirectory()
    #expect(try PlaceFolder(in: directory.path) == nil)
    #expect(try PlaceFolder(in: directory.path(of: "missing")) == nil)
    try directory.write("{\"extract\"", to: "set-1/about.json")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path(of: "current"), withDestinationPath: "set-1")
    let fault = #expect(throws: PlaceIndex.Fault.self) { try PlaceFolder(in: directory.path) }
    #expect(fault?.message.description.contains("homeward places import") == true)
  }

  @Test(
    "Addresses that are missing, cut off or of another form say what to do",
    arguments: ["missing", "empty", "cut off", "of another form"])
  func unreadable(kind: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path(of: "places.db")
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: "\(ImportedTown.places().path)/places.db"))
    switch kind {
    case "missing": break
    case "empty": try Data().write(to: URL(fileURLWithPath: path))
    case "cut off": try whole.prefix(3000).write(to: URL(fileURLWithPath: path))
    default:
      try whole.write(to: URL(fileURLWithPath: path))
      let database = try ChildProcess(
        "sqlite3", [path, "UPDATE meta SET content = '99' WHERE name = 'format'"],
        log: directory.path(of: "log"))
      #expect(database.wait() == 0)
    }
    let fault = #expect(throws: PlaceIndex.Fault.self) { try PlaceIndex(path: path) }
    #expect(fault?.message.description.contains("homeward places import") == true)
  }

  @Test(
    "Whoever has a set open goes on with it while another takes its place, and the next one gets the new one"
  )
  func swap() throws {
    let directory = try TemporaryDirectory()
    try InventedTown.makeImport(in: directory.path)
    let before = try #require(try PlaceFolder(in: directory.path))
    let gazetteer = try before.index()
    let files = FileManager.default
    try files.copyItem(atPath: before.path, toPath: directory.path(of: "set-other"))
    try files.createSymbolicLink(
      atPath: directory.path(of: "current.new"), withDestinationPath: "set-other")
    #expect(rename(directory.path(of: "current.new"), directory.path(of: "current")) == 0)
    try files.removeItem(atPath: before.path)
    #expect(try gazetteer.search(InventedTown.house).first?.title == InventedTown.house)
    let after = try #require(try PlaceFolder(in: directory.path))
    #expect(after.path.hasSuffix("/set-other"))
    #expect(try after.index().search(InventedTown.house).first?.title == InventedTown.house)
  }

  @Test("What was removed is gone whole, and the folder stays for whoever was let into it")
  func remove() throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path(of: "places")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try InventedTown.makeImport(in: folder)
    #expect(PlaceFolder.remove(in: folder))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(try PlaceFolder(in: folder) == nil)
  }
}
