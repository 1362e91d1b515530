import Advertisements
import Bytes
import Care
import JSON
import Testing

extension VectorTests {
  func eddystoneURL(_ vector: PublishedAdvertisement) throws {
    guard case .eddystone(.url(let url, let power)) = try vector.reading().contents.first else {
      Issue.record("no address")
      return
    }
    #expect(url == vector.expected["url"]?.stringContent)
    #expect(Int64(power) == vector.expected["tx_power_0m"]?.integerContent)
    let structures = (vector.expected["ad_structures"]?.arrayContent ?? []).compactMap(
      \.stringContent)
    #expect(
      try vector.data().structures.map {
        Hexadecimal.text([UInt8($0.body.count + 1), $0.type] + $0.body).uppercased()
      } == structures)
  }

  func eddystoneUID(_ vector: PublishedAdvertisement) throws {
    guard case .eddystone(.identity(let id, let power)) = try vector.reading().contents.first
    else {
      Issue.record("no number")
      return
    }
    #expect(Hexadecimal.text(id.namespace) == vector.expected["namespace"]?.stringContent)
    #expect(Hexadecimal.text(id.instance) == vector.expected["instance"]?.stringContent)
    #expect(Int64(power) == vector.expected["tx_power_0m"]?.integerContent)
  }

  func telemetry(_ vector: PublishedAdvertisement) throws {
    guard case .eddystone(.telemetry(let state)) = try vector.reading().contents.first else {
      Issue.record("no state")
      return
    }
    let expected = vector.expected
    #expect(Int64(state.advertisementCount) == expected["adv_count"]?.integerContent)
    if let mac = expected["mac"]?.stringContent {
      // The one that can tell neither its battery nor its temperature.
      let report = try #require(try vector.report())
      #expect(report.address?.text.filter { $0 != ":" } == mac)
      #expect(report.rssiDBm.map { Int64($0) } == expected["rssi"]?.integerContent)
      #expect(state.batteryMillivolts == nil && state.celsius == nil)
    } else {
      #expect(state.batteryMillivolts.map { Int64($0) } == expected["battery_mV"]?.integerContent)
      #expect(Int64(state.uptimeTenths) == expected["uptime_0.1s"]?.integerContent)
      #expect(state.celsius == 23)
    }
  }

  /// Readings of a frame in the words of ble_monitor.
  func bthomeOfMonitor(_ vector: PublishedAdvertisement) throws {
    let sensor = try #require(vector.expected["sensor"])
    let report = try #require(try vector.report())
    let frame = try #require(try vector.reading().bthome)
    #expect(frame.fault == nil)
    #expect(report.rssiDBm.map { Int64($0) } == sensor["rssi"]?.integerContent)
    #expect(report.address?.text.filter { $0 != ":" } == sensor["mac"]?.stringContent)
    #expect(frame.packetID.map { Int64($0) } == sensor["packet"]?.integerContent)
    let known = ["firmware", "type", "mac", "packet", "rssi"]
    let members = (sensor.objectContent ?? []).filter { !known.contains($0.key) }
    // Of several that are alike ble_monitor keeps the last.
    let readings = frame.readings.enumerated().filter { place, reading in
      reading.name != "packet-id"
        && !frame.readings.dropFirst(place + 1).contains { $0.name == reading.name }
    }.map(\.element)
    #expect(members.map { $0.key.replacing(" ", with: "-") } == readings.map(\.name))
    for (member, reading) in zip(members, readings) {
      switch reading.content {
      case .number(let number): #expect(number == member.value.doubleContent)
      case .flag(let isSet): #expect(isSet == (member.value == 1))
      case .button(let button):
        #expect(button.word.replacing("_", with: " ") == member.value.stringContent)
      case .moment(let seconds): #expect(seconds == 1_684_093_277 && member.value == .null)
      case .dimmer, .command, .text, .raw, .version: Issue.record("not expected")
      }
    }
  }

  /// Readings of a frame as Home Assistant's library names them: a number is added where several are alike.
  func bthomeOfOracle(_ vector: PublishedAdvertisement) throws {
    let expected = try #require(vector.content["oracle"]?["bthome-ble 3.25.0"])
    let sensors = expected["sensors"]?.objectContent ?? []
    let events = expected["events"]?.objectContent ?? []
    guard let frame = try vector.reading().bthome else {
      #expect(sensors.isEmpty && events.isEmpty)
      #expect(try vector.reading().faults.count == 1, "what is refused is told")
      return
    }
    var numbers: [Double] = []
    var names: [String] = []
    for reading in frame.readings {
      guard case .number(let number) = reading.content else { continue }
      numbers.append(number)
      names.append(reading.name.replacing("-", with: "_"))
    }
    #expect(numbers == sensors.compactMap(\.value.doubleContent))
    #expect(names == sensors.map { $0.key.replacing(/_\d$/, with: "") })
    #expect(
      (frame.fault != nil) == (vector.id.contains("invalid")), "only damaged ones have a fault")
    let words: [String] = frame.readings.compactMap { reading in
      switch reading.content {
      case .button(let button): button == .none ? nil : button.word
      case .dimmer(let steps): steps < 0 ? "rotate_left \(-steps)" : "rotate_right \(steps)"
      case .number, .flag, .command, .moment, .text, .raw, .version: nil
      }
    }
    let told: [String] = events.compactMap { event in
      guard let parts = event.value.arrayContent, let word = parts.first?.stringContent else {
        return nil
      }
      return parts.last?["steps"]?.integerContent.map { "\(word) \($0)" } ?? word
    }
    #expect(words == told)
    // The number behind a button's name is its place.
    for event in events {
      guard let place = event.key.split(separator: "_").last.flatMap({ Int($0) }) else { continue }
      #expect(frame.buttons[place - 1].word == event.value.arrayContent?.first?.stringContent)
    }
  }

  func button(_ vector: PublishedAdvertisement) throws {
    let frame = try #require(try vector.reading().bthome)
    #expect(frame.fault == nil)
    #expect(frame.packetID.map { Int64($0) } == vector.expected["packet"]?.integerContent)
    #expect(frame.batteryPercent.map { Int64($0) } == vector.expected["batt"]?.integerContent)
    let words: [Int64: String] = [1: "press", 3: "triple_press"]
    let code = try #require(vector.expected["button"]?.integerContent)
    #expect(frame.buttons.map(\.word) == [words[code]])
  }

  func sealedButton(_ vector: PublishedAdvertisement) throws {
    let sealed = try #require(try vector.reading().bthome?.sealed)
    #expect(Hexadecimal.text(sealed.cipherText) == vector.expected["cipher"]?.stringContent)
    #expect(Hexadecimal.text(sealed.check) == vector.expected["mic"]?.stringContent)
    let counter = (0..<4).map { UInt8(truncatingIfNeeded: sealed.counter >> (8 * $0)) }
    #expect(Hexadecimal.text(counter) == vector.expected["ctr"]?.stringContent)
  }
}
