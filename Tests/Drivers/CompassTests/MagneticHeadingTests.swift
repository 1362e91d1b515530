import Glibc
import Testing

@testable import Compass

/// A device in the field of the Earth, which is turned and tilted.
struct TurnedDevice {
  /// Where its top looks when it lies, in degrees clockwise from magnetic north.
  var heading = 0.0
  /// How far its top is lifted, and its right side lowered, in degrees.
  var pitch = 0.0
  var roll = 0.0
  /// The field at the place, and how far it points into the ground.
  var gauss = 0.48
  var dip = 64.0
  /// What of the device itself is magnetic.
  var iron = Vector(x: 0, y: 0, z: 0)

  /// What it measures, with its axes as east, north and up see them.
  var sample: MagneticHeading.Sample {
    let (h, p, r, d) = (radians(heading), radians(pitch), radians(roll), radians(dip))
    let level = Vector(x: cos(h), y: -sin(h), z: 0)
    let flat = Vector(x: sin(h), y: cos(h), z: 0)
    let up = Vector(x: 0, y: 0, z: 1)
    let top = flat * cos(p) + up * sin(p)
    let face = up * cos(p) - flat * sin(p)
    let right = level * cos(r) - face * sin(r)
    let out = face * cos(r) + level * sin(r)
    func seen(_ what: Vector) -> Vector {
      Vector(x: what.dot(right), y: what.dot(top), z: what.dot(out))
    }
    let field = Vector(x: 0, y: cos(d), z: -sin(d)) * gauss
    return MagneticHeading.Sample(field: seen(field) + iron, acceleration: seen(up * 9.81))
  }

  private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}

/// By how much two directions differ, 0 through 180 degrees.
func degreesApart(_ one: Double, _ other: Double) -> Double {
  abs((one - other).remainder(dividingBy: 360))
}

@Suite("Headings from a magnetometer and an accelerometer")
struct MagneticHeadingTests {
  private func off(_ device: TurnedDevice, by compass: inout MagneticHeading) -> Double? {
    compass.take(device.sample).map { degreesApart(device.heading, $0) }
  }

  @Test("A device that lies tells where its top looks, however it is tilted, here and in the south")
  func tilted() throws {
    for (dip, gauss) in [(64.0, 0.48), (0, 0.35), (-66, 0.6)] {
      for heading in stride(from: 0.0, to: 360, by: 30) {
        for (pitch, roll) in [(0.0, 0.0), (30, 0), (-30, 20), (0, -40), (35, 35)] {
          var compass = MagneticHeading()
          let device = TurnedDevice(
            heading: heading, pitch: pitch, roll: roll, gauss: gauss, dip: dip)
          let error = try #require(off(device, by: &compass))
          #expect(error < 0.5, "\(device)")
        }
      }
    }
  }

  @Test("A device that stands tells where its back looks, as somebody who holds it up does")
  func upright() throws {
    for heading in stride(from: 0.0, to: 360, by: 45) {
      var compass = MagneticHeading()
      let error = try #require(off(TurnedDevice(heading: heading, pitch: 85), by: &compass))
      #expect(error < 0.5, "\(heading)")
    }
  }

  @Test("Iron in the tracker itself is found out once it has been turned around")
  func iron() throws {
    var compass = MagneticHeading()
    var device = TurnedDevice()
    device.iron = Vector(x: 0.25, y: -0.1, z: 0.02)
    let before = try #require(off(device, by: &compass))
    for heading in stride(from: 0.0, to: 360, by: 10) {
      device.heading = heading
      _ = compass.take(device.sample)
    }
    for heading in stride(from: 5.0, to: 360, by: 50) {
      device.heading = heading
      let after = try #require(off(device, by: &compass))
      #expect(after < 3, "\(heading), \(before) before")
    }
    #expect(before > 20)
  }

  @Test("No heading comes beside a magnet, near a pole, in a fall, or of nothing")
  func nothing() {
    var device = TurnedDevice()
    var compass = MagneticHeading()
    device.gauss = 1.4
    #expect(compass.take(device.sample) == nil, "a magnet")
    device.gauss = 0.02
    #expect(compass.take(device.sample) == nil, "no field")
    (device.gauss, device.dip) = (0.6, 88)
    #expect(compass.take(device.sample) == nil, "a pole")
    compass = MagneticHeading()
    var sample = TurnedDevice().sample
    sample.acceleration = sample.acceleration * 0.1
    #expect(compass.take(sample) == nil, "a fall")
    let none = Vector(x: 0, y: 0, z: 0)
    #expect(compass.take(MagneticHeading.Sample(field: none, acceleration: none)) == nil)
    #expect(compass.take(TurnedDevice().sample) != nil)
  }
}
