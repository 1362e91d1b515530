import Care
import Foundation
import Loop
import LoopTestSupport
import Moments
import TestSupport
import Testing

@testable import Compass

@Suite("A compass of the kernel's", .inVirtualTime) @LoopActor
struct CompassSourceTests {
  /// A folder of the kernel's form, with what came from it.
  private final class Bench {
    let directory: TemporaryDirectory
    private(set) var headings: [HeadingReport] = []
    private(set) lazy var source = CompassSource(movingWith: "gps", folder: directory.path)

    init() throws { directory = try TemporaryDirectory() }

    /// A magnetometer in counts of a milligauss, and an accelerometer in counts of a thousandth.
    func write(_ device: TurnedDevice, accelerometer: String = "iio:device0") throws {
      let sample = device.sample
      try write(sample.field * 1000, "magn", scale: "0.001", to: "iio:device0")
      try write(sample.acceleration * 1000, "accel", scale: "0.001", to: accelerometer)
    }

    private func write(
      _ vector: Vector, _ kind: String, scale: String, to device: String
    ) throws {
      let folder = directory.path(of: device)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (axis, value) in [("x", vector.x), ("y", vector.y), ("z", vector.z)] {
        try directory.write("\(Int(value.rounded()))\n", to: "\(device)/in_\(kind)_\(axis)_raw")
      }
      try directory.write("\(scale)\n", to: "\(device)/in_\(kind)_scale")
    }

    @LoopActor func start() {
      source.start { [weak self] observation in
        if case .heading(let report) = observation { self?.headings.append(report) }
      }
    }

    @LoopActor func burst(seconds: Int64) {
      source.sampleBurst(until: EventLoop.now.advanced(byMilliseconds: seconds * 1000))
    }
  }

  @Test("It is read once a second while it is asked to, and never else")
  func bursts() async throws {
    let bench = try Bench()
    try bench.write(TurnedDevice(heading: 90))
    bench.start()
    defer { bench.source.stop() }
    await EventLoop.pass(milliseconds: 5_000)
    #expect(bench.headings.isEmpty)
    bench.burst(seconds: 5)
    bench.burst(seconds: 10)
    await EventLoop.pass(milliseconds: 60_000)
    #expect((9...11).contains(bench.headings.count))
    let all = bench.headings.map { degreesApart(90, $0.degrees) }
    #expect(all.allSatisfy { $0 < 1 })
    #expect(bench.headings.allSatisfy { $0.receiver == "gps" })
  }

  @Test("An accelerometer of another chip does, and how a chip is turned in the device counts")
  func chips() async throws {
    let bench = try Bench()
    try bench.write(TurnedDevice(heading: 200), accelerometer: "iio:device3")
    bench.start()
    defer { bench.source.stop() }
    bench.burst(seconds: 2)
    await EventLoop.pass(milliseconds: 3_000)
    #expect(bench.headings.last.map { degreesApart(200, $0.degrees) < 1 } == true)
    // The chips call x what is the device's y: it looks a quarter further to the right than they do.
    for device in ["iio:device0/in_mount_matrix", "iio:device3/mount_matrix"] {
      try bench.directory.write("0, -1, 0; 1, 0, 0; 0, 0, 1\n", to: device)
    }
    bench.burst(seconds: 2)
    await EventLoop.pass(milliseconds: 3_000)
    #expect(bench.headings.last.map { degreesApart(290, $0.degrees) < 2 } == true)
  }

  @Test("One that is missing, is pulled or lies says nothing, and is found again")
  func gone() async throws {
    let bench = try Bench()
    bench.start()
    defer { bench.source.stop() }
    bench.burst(seconds: 600)
    await EventLoop.pass(milliseconds: 30_000)
    #expect(bench.headings.isEmpty)
    try bench.write(TurnedDevice(heading: 10))
    await EventLoop.pass(milliseconds: 70_000)
    let found = bench.headings.count
    #expect(found > 20)
    try bench.directory.write("\n", to: "iio:device0/in_magn_x_raw")
    await EventLoop.pass(milliseconds: 30_000)
    #expect(bench.headings.count - found <= 1)
    let silent = bench.headings.count
    try bench.write(TurnedDevice(heading: 10))
    await EventLoop.pass(milliseconds: 70_000)
    #expect(bench.headings.count > silent)
    try bench.directory.write("nonsense\n", to: "iio:device0/in_accel_z_raw")
    let last = bench.headings.count
    await EventLoop.pass(milliseconds: 10_000)
    #expect(bench.headings.count - last <= 1)
  }
}
