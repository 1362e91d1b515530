public import Care
import Glibc

/// Directions on the ground, in degrees clockwise from true north.
public enum Angle {
  /// How far somebody turns who changes from one direction to another: -180 through 180, clockwise positive.
  public static func turn(from before: Double, to after: Double) -> Double {
    let difference = (after - before).truncatingRemainder(dividingBy: 360)
    if difference > 180 { return difference - 360 }
    return difference <= -180 ? difference + 360 : difference
  }

  /// The direction from one place to another, 0..<360; 0 where they are the same.
  ///
  /// On the plane that touches the ground at the first: for places up to some tens of kilometres apart.
  public static func bearing(from: Coordinate, to: Coordinate) -> Double {
    let (east, north) = to.planeOffset(from: from)
    let degrees = atan2(east, north) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }
}
