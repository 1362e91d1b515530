import Bytes
public import Care
import Glibc

/// A circle around a home, its centre displaced, within which all positions look alike.
///
/// The centre lies 80 through 402 m (0.05 through 0.25 mile) from the home in a direction that follows from the
/// gateway's secret seed alone, so that it is the same in every event and averaging many events finds the centre of the
/// disc, never the home. The radius does not depend on how far the centre was displaced.
public struct PrivacyDisc: Hashable, Sendable {
  /// The displaced centre, rounded to five decimals; what positions inside become.
  public let center: Coordinate
  /// Metres around ``center`` that look alike.
  public let radiusMeters: Double

  /// The least displacement: 0.05 mile.
  public static let leastOffsetMeters = 80.4672
  /// The greatest displacement: 0.25 mile.
  public static let greatestOffsetMeters = 402.336

  /// A disc by its displaced centre.
  public init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
  }

  /// The disc of one home.
  ///
  /// `reachMeters` is how far from the home positions must still be hidden: the safe zone's radius and exit margin, at
  /// least 150 m. `key` names the home and stays the same; `gatewaySeed` is secret and stays the same.
  public static func around(
    home: Coordinate, reachMeters: Double, key: String, gatewaySeed: UInt64
  ) -> PrivacyDisc {
    var generator = SplitMix64(seed: gatewaySeed ^ SplitMix64.digest(of: key))
    let least = leastOffsetMeters * leastOffsetMeters
    let greatest = greatestOffsetMeters * greatestOffsetMeters
    let offset = (least + generator.nextUnit() * (greatest - least)).squareRoot()
    let displaced = home.moved(meters: offset, bearingDegrees: generator.nextUnit() * 360)
    return PrivacyDisc(
      center: displaced.roundedToFiveDecimals,
      radiusMeters: greatestOffsetMeters + max(150, reachMeters) + 2)
  }

  /// The discs of all home zones, and of homes that were.
  ///
  /// Homes within 150 m of each other are one home and share a disc: two displaced centres of the same home would
  /// tell more than one. A home that moved has another displacement than before, so that who knows the old address finds
  /// nothing of the new one.
  public static func discs(
    of zones: [SafeZone], past: [PastHome] = [], gatewaySeed: UInt64
  ) -> [PrivacyDisc] {
    let current = zones.filter(\.isHome).map { zone in
      PastHome(
        zone: zone.id, generation: PastHome.nextGeneration(of: zone.id, after: past),
        center: zone.center, reachMeters: zone.radiusMeters + zone.exitMarginMeters)
    }
    var homes: [PastHome] = []
    let all = (past + current).sorted { ($0.zone, $0.generation) < ($1.zone, $1.generation) }
    for home in all {
      let shared = homes.firstIndex {
        $0.center.distanceMeters(to: home.center) <= PastHome.nearMeters
      }
      if let shared {
        homes[shared].reachMeters = max(
          homes[shared].reachMeters, home.reachMeters + PastHome.nearMeters)
      } else {
        homes.append(home)
      }
    }
    return homes.map { home in
      around(
        home: home.center, reachMeters: home.reachMeters, key: home.key, gatewaySeed: gatewaySeed)
    }
  }

  /// Whether a position is inside.
  public func contains(_ position: Coordinate) -> Bool {
    center.distanceMeters(to: position) <= radiusMeters
  }
}

extension Coordinate {
  fileprivate var roundedToFiveDecimals: Coordinate {
    let rounded = Coordinate(
      latitudeDegrees: (latitudeDegrees * 100_000).rounded() / 100_000,
      longitudeDegrees: (longitudeDegrees * 100_000).rounded() / 100_000)
    return rounded ?? self
  }
}

extension SplitMix64 {
  /// FNV-1a of the text's bytes, to give each name a sequence of its own.
  static func digest(of text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
