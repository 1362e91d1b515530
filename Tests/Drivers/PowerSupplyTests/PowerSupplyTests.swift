import Care
import Foundation
import Loop
import LoopTestSupport
import TestSupport
import Testing
import Texts

@testable import PowerSupply

@Suite("The batteries that the gateway runs on", .inVirtualTime) @LoopActor
struct PowerSupplyTests {
  /// A folder of the kernel's form, with what came from it.
  private final class Bench {
    let directory: TemporaryDirectory
    private(set) var reports: [HealthReport] = []
    private(set) lazy var source = PowerSupplySource(folder: directory.path)

    init() throws { directory = try TemporaryDirectory() }

    func write(_ name: String, _ figures: [String: String]) throws {
      for (figure, text) in figures {
        let folder = directory.path(of: name)
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        try directory.write("\(text)\n", to: "\(name)/\(figure)")
      }
    }

    @LoopActor func start() {
      source.start { [weak self] observation in
        if case .health(let report) = observation { self?.reports.append(report) }
      }
    }

    var last: String? {
      reports.last.map { "\($0.component) \($0.state) \($0.code)" }
    }
  }

  @Test(
    "A battery that runs down is told at 20 percent, and again well from 25 on or on its charger")
  func runningDown() throws {
    let bench = try Bench()
    try bench.write("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "21"])
    bench.start()
    defer { bench.source.stop() }
    #expect(bench.last == "power/BAT0 working ")
    let story = [
      ("20", "Discharging", "failed battery-low"), ("24", "Discharging", "failed battery-low"),
      ("25", "Discharging", "working "), ("24", "Discharging", "working "),
      ("5", "Not charging", "failed battery-low"), ("6", "Charging", "working "),
      ("100", "Full", "working "), ("0", "Unknown", "failed battery-low"),
    ]
    for (capacity, status, expected) in story {
      try bench.write("BAT0", ["status": status, "capacity": capacity])
      bench.source.look()
      #expect(bench.last == "power/BAT0 \(expected)", "\(capacity) \(status)")
    }
    #expect(bench.reports.last?.detail.description.contains("down to 0 %") == true)
  }

  @Test("A battery is looked at every minute, and one that was not there is found within ten")
  func looks() async throws {
    let bench = try Bench()
    bench.start()
    defer { bench.source.stop() }
    await EventLoop.pass(milliseconds: 599_000)
    try bench.write("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "50"])
    #expect(bench.last == nil)
    await EventLoop.pass(milliseconds: 1000)
    #expect(bench.last == "power/BAT0 working ")
    try bench.write("BAT0", ["capacity": "10"])
    await EventLoop.pass(milliseconds: 59_999)
    #expect(bench.last == "power/BAT0 working ")
    await EventLoop.pass(milliseconds: 1)
    #expect(bench.last == "power/BAT0 failed battery-low")
  }

  @Test("A UPS that gives no figure is believed when it says that it is low")
  func withoutFigure() throws {
    let bench = try Bench()
    try bench.write(
      "ups", ["type": "UPS", "status": "Discharging", "capacity_level": "Critical"])
    bench.start()
    defer { bench.source.stop() }
    #expect(bench.last == "power/ups failed battery-low")
    try FileManager.default.removeItem(atPath: bench.directory.path(of: "ups"))
    bench.source.look()
    #expect(bench.last == "power/ups unused gone")
  }

  @Test("What is no battery of the gateway, and what cannot be read, is nothing")
  func others() throws {
    let bench = try Bench()
    try bench.write("AC", ["type": "Mains", "online": "1"])
    try bench.write(
      "mouse", ["type": "Battery", "scope": "Device", "capacity": "3", "status": "Discharging"])
    try bench.write("BAT1", ["type": "Battery", "present": "0", "capacity": "0"])
    try bench.write("odd", ["capacity": "1"])
    try bench.write("BAT2", ["type": "Battery", "status": "Discharging", "capacity": "900"])
    bench.start()
    defer { bench.source.stop() }
    #expect(bench.reports.map(\.component) == ["power/BAT2"])
    #expect(bench.last == "power/BAT2 working ")
    let none = PowerSupplySource(folder: "/nonexistent")
    none.start { _ in Issue.record("something was reported of nothing") }
    none.stop()
  }
}
