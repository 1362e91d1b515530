import Loop

/// A magnetometer and an accelerometer of this machine, as the kernel shows them.
///
/// - Source: Linux, Documentation/ABI/testing/sysfs-bus-iio: `in_magn_x_raw` with `scale` and `offset` in gauss,
///   `in_accel_x_raw` in metres per second squared, `mount_matrix` from the chip's axes to those of the device.
struct Magnetometer: Hashable, Sendable {
  private let field: Triad
  private let acceleration: Triad

  /// The first magnetometer of a folder of the kernel's form, with the accelerometer of the same chip or else the first; nil
  /// where one of the two is missing: without it nobody knows what is level.
  init?(in folder: String) {
    let devices = Folder.entries(of: folder).filter { $0.hasPrefix("iio:device") }
      .map { "\(folder)/\($0)" }
    guard let magnetic = devices.first(where: { Triad("magn", of: $0).read() != nil }) else {
      return nil
    }
    let candidates = [magnetic] + devices.filter { $0 != magnetic }
    guard let inertial = candidates.first(where: { Triad("accel", of: $0).read() != nil }) else {
      return nil
    }
    field = Triad("magn", of: magnetic)
    acceleration = Triad("accel", of: inertial)
  }

  /// What both measure now; nil where one does not answer. The bus may take its time: never on the loop.
  func read() -> MagneticHeading.Sample? {
    guard let field = field.read(), let acceleration = acceleration.read() else { return nil }
    return MagneticHeading.Sample(field: field, acceleration: acceleration)
  }
}

/// The three axes of one kind of measurement.
private struct Triad: Hashable, Sendable {
  let kind: String
  let folder: String

  init(_ kind: String, of folder: String) {
    self.kind = kind
    self.folder = folder
  }

  func read() -> Vector? {
    guard let x = read("x"), let y = read("y"), let z = read("z") else { return nil }
    return turned(Vector(x: x, y: y, z: z))
  }

  private func read(_ axis: String) -> Double? {
    guard let raw = number("in_\(kind)_\(axis)_raw") else { return nil }
    let offset = number("in_\(kind)_\(axis)_offset") ?? number("in_\(kind)_offset") ?? 0
    let scale = number("in_\(kind)_\(axis)_scale") ?? number("in_\(kind)_scale") ?? 1
    return (raw + offset) * scale
  }

  private func number(_ name: String) -> Double? {
    KernelFile.word("\(folder)/\(name)").flatMap { Double($0) }
  }

  /// By the axes of the device that the chip is in; `"0, 1, 0; 1, 0, 0; 0, 0, 1"` is the kernel's way to write a matrix.
  private func turned(_ vector: Vector) -> Vector {
    let names = ["in_\(kind)_mount_matrix", "in_mount_matrix", "mount_matrix"]
    guard let text = names.lazy.compactMap({ KernelFile.word("\(folder)/\($0)") }).first else {
      return vector
    }
    let rows = text.split(separator: ";").map { row in
      row.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
    }
    guard rows.count == 3, rows.allSatisfy({ $0.count == 3 }) else { return vector }
    let along = rows.map { vector.dot(Vector(x: $0[0], y: $0[1], z: $0[2])) }
    return Vector(x: along[0], y: along[1], z: along[2])
  }
}
