/// Three numbers along the axes of a device: x to the right, y to its top, z out of its face.
struct Vector: Hashable, Sendable {
  var x: Double
  var y: Double
  var z: Double

  var length: Double { dot(self).squareRoot() }

  /// The direction alone; nil for none.
  var unit: Vector? {
    let length = length
    return length > 0 ? self * (1 / length) : nil
  }

  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Vector) -> Vector {
    Vector(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  static func + (left: Vector, right: Vector) -> Vector {
    Vector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  static func - (left: Vector, right: Vector) -> Vector { left + right * -1 }

  static func * (vector: Vector, factor: Double) -> Vector {
    Vector(x: vector.x * factor, y: vector.y * factor, z: vector.z * factor)
  }
}
