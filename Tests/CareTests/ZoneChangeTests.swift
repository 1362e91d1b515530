import Care
import Testing

/// How a change of a zone is told, and where a zone can be.
@Suite("Zones that change") struct ZoneChangeTests {
  private static func zone() throws -> SafeZone {
    SafeZone(
      id: "home", resident: "mary", name: "Home",
      area: .circle(center: try RequestSamples.place(60, 10), radiusMeters: 100))
  }

  private static func border(_ width: Double) throws -> SafeZone.Area {
    let corners = try [
      RequestSamples.place(60, 10), RequestSamples.place(60, 10 + width),
      RequestSamples.place(60.01, 10 + width),
    ]
    return .polygon(try Polygon(exterior: corners))
  }

  @Test("The most telling difference is told, and words alone are none")
  func changes() throws {
    let old = try Self.zone()
    let elsewhere = try RequestSamples.place(60.1, 10)
    let changes: [((inout SafeZone) throws -> Void, ZoneEdit.Change?)] = [
      ({ _ in }, nil), ({ $0.name = "House" }, nil),
      ({ $0.area = .circle(center: $0.center, radiusMeters: 99) }, .shrunk),
      ({ $0.area = .circle(center: $0.center, radiusMeters: 101) }, .enlarged),
      ({ $0.area = .circle(center: elsewhere, radiusMeters: 50) }, .moved),
      ({ $0.area = try Self.border(0.01) }, .reshaped),
      ({ $0.exitMarginMeters = 40 }, .marginChanged),
      ({ $0.hours = DailyHours("08:00-20:00") }, .hoursChanged),
      ({ $0.alarmsOnLeaving = true }, .alarmOnLeaving),
      (
        {
          $0.alarmsOnLeaving = true
          $0.hours = DailyHours("08:00-20:00")
          $0.exitMarginMeters = 10
        }, .marginChanged
      ),
    ]
    for (index, (change, expected)) in changes.enumerated() {
      var new = old
      try change(&new)
      #expect(ZoneEdit.Change(from: old, to: new) == expected, "change \(index)")
    }
    #expect(ZoneEdit.Change(from: nil, to: old) == .added)
    var alarming = old
    alarming.alarmsOnLeaving = true
    #expect(ZoneEdit.Change(from: alarming, to: old) == .noAlarmOnLeaving)
  }

  @Test("Another border is another shape, and a border in the place of a circle as well")
  func shapes() throws {
    var (narrow, wide) = (try Self.zone(), try Self.zone())
    narrow.area = try Self.border(0.01)
    wide.area = try Self.border(0.02)
    #expect(ZoneEdit.Change(from: narrow, to: wide) == .reshaped)
    #expect(ZoneEdit.Change(from: narrow, to: narrow) == nil)
    #expect(try ZoneEdit.Change(from: narrow, to: Self.zone()) == .reshaped)
  }

  // MARK: Boxes

  /// Positions all over the earth, its edges and poles among them.
  private static let latitudes = [-90.0, -89.999, -60, -0.5, 0, 24.5, 51, 89.95, 90]
  private static let longitudes = [-180.0, -179.995, -90, 0, 0.001, 133.25, 179.999, 180]

  @Test("The boxes around a place hold all that is near", arguments: [0.0, 1, 500, 20_000])
  func near(meters: Double) throws {
    for latitude in Self.latitudes {
      for longitude in Self.longitudes {
        let place = try RequestSamples.place(latitude, longitude)
        let boxes = place.boxes(within: meters)
        #expect((1...2).contains(boxes.count))
        for box in boxes {
          #expect(box.west <= box.east && box.south <= box.north)
          #expect(box.west >= -180 && box.east <= 180 && box.south >= -90 && box.north <= 90)
        }
        for bearing in stride(from: 0.0, to: 360, by: 15) {
          // Going is spherical, which is 0.6 % at most beside the ellipsoid.
          let there = place.moved(meters: 0.99 * meters, bearingDegrees: bearing)
          #expect(
            meters == 0 || boxes.contains { $0.contains(there) }, "\(place) \(bearing) \(there)")
        }
        #expect(boxes.contains { $0.contains(place) })
      }
    }
  }

  @Test("A box across the antimeridian is two, one around a pole goes all the way around")
  func edges() throws {
    let across = try RequestSamples.place(0, 179.99).boxes(within: 5000)
    #expect(across.count == 2)
    for (longitude, isNear) in [(-179.98, true), (179.96, true), (-179.9, false), (0, false)] {
      let place = try RequestSamples.place(0, longitude)
      #expect(across.contains { $0.contains(place) } == isNear, "\(longitude)")
    }
    let polar = try RequestSamples.place(89.99, 10).boxes(within: 5000)
    #expect(polar.count == 1 && polar.first?.north == 90)
    #expect(polar.first?.west == -180 && polar.first?.east == 180)
    #expect(polar.first.map { $0.south < 89.96 && $0.south > 89.9 } == true)
  }

  @Test(
    "Boxes meet where they have a point in common, edges and corners included",
    arguments: [
      ([0, 0, 1, 1], true), ([1, 1, 2, 2], true), ([-1, 0.5, 0, 0.6], true),
      ([0.2, 0.2, 0.3, 0.3], true), ([-5, -5, 5, 5], true), ([1.01, 0, 2, 1], false),
      ([0, 1.01, 1, 2], false), ([-2, -2, -0.01, 5], false),
    ] as [([Double], Bool)])
  func meeting(edges: [Double], meet: Bool) {
    let box = DegreeBox(south: 0, west: 0, north: 1, east: 1)
    let other = DegreeBox(south: edges[0], west: edges[1], north: edges[2], east: edges[3])
    #expect(box.meets(other) == meet && other.meets(box) == meet)
    let both = box.union(other)
    #expect(both == other.union(box) && both.meets(box) && both.meets(other))
    #expect(both.south == min(0, edges[0]) && both.east == max(1, edges[3]))
  }
}
