import Advertisements
import JSON
import TestSupport
import Testing

/// Advertisements of every kind that `Tests/Captures` makes, each with what is to be read in it.
@Suite("Tags, beacons and buttons of every kind")
struct CapturedTagTests {
  /// Kinds of content, and how many advertisements hold each.
  private static let kinds: [String: Int] = [
    "ibeacon": 1, "altbeacon": 1, "eddystone-uid": 1, "eddystone-url": 4, "eddystone-tlm": 2,
    "eddystone-etlm": 1, "eddystone-eid": 1, "bthome": 14, "battery": 1, "itag": 1,
    "apple-find-my": 2, "apple-continuity": 1, "google-find-hub": 2, "tile": 2,
    "samsung-smarttag": 3, "chipolo": 1, "pebblebee": 1,
  ]

  @Test(
    "What is said of each is what its generator put in",
    arguments: Capture.all(["tags.json"], others: []))
  func everyAdvertisement(capture: Capture) throws {
    let vectors = try #require(JSONValue(parsing: capture.bytes())["vectors"]?.arrayContent)
    var found: [String: Int] = [:]
    for vector in vectors {
      let bytes = try Samples.bytes(try #require(vector["hex"]?.stringContent))
      let expected = try #require(vector["expected"])
      let said =
        expected["reports"] == nil ? AdvertisingData(bytes).json : AdvertisingEvent(bytes).json
      #expect(said.difference(from: expected) == nil, "\(vector["id"] ?? .null)")
      for content in said["contents"]?.arrayContent ?? [] {
        found[content["kind"]?.stringContent ?? "", default: 0] += 1
      }
    }
    #expect(found == Self.kinds)
  }
}
