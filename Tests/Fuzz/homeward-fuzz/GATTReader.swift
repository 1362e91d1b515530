import Care
import GATTProfiles
import GlucoseValues
import JSON
import Moments

/// Characteristics of glucose meters and continuous monitors: the first byte says which, the rest is its value.
///
/// What is read must be the same when it is written and read again, and a collector fed with it must go on.
enum GATTReader {
  static func read(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let value = Array(bytes.dropFirst())
    switch kind % 12 {
    case 0: check(value, { try GlucoseMeasurement($0) }, \.octets)
    case 1: check(value, { try GlucoseContext($0) }, \.octets)
    case 2: check(value, { try GlucoseFeature($0) }, \.octets)
    case 3: check(value, { try RecordAccess($0) }, \.octets)
    case 4: check(value, { try CGMMeasurement.records(in: $0) }, { $0.flatMap(\.octets) })
    case 5: check(value, { try CGMFeature($0) }, \.octets)
    case 6: check(value, { try CGMStatus($0) }, \.octets)
    case 7: check(value, { try CGMSessionStart($0) }, \.octets)
    case 8: check(value, { try CGMSessionRunTime($0) }, \.octets)
    case 9: check(value, { try CGMControl.read($0, crc: .absent).message }, \.octets)
    case 10: readText(value)
    default: collect(value)
    }
  }

  private static func check<Message: Equatable>(
    _ bytes: [UInt8], _ read: ([UInt8]) throws -> Message, _ write: (Message) -> [UInt8]
  ) {
    guard let message = try? read(bytes) else { return }
    precondition((try? read(write(message))) == message, "a message changed when written")
    guard let record = message as? GlucoseMeasurement else { return }
    if let amount = GlucoseMeaning(record).amount {
      let milligrams = amount.double(in: .milligramsPerDecilitre)
      precondition((10...1000).contains(milligrams), "an absurd value became a reading")
    }
  }

  private static func readText(_ bytes: [UInt8]) {
    if let text = try? DeviceInformation.text(bytes) {
      precondition(text.utf8.count <= bytes.count)
    }
    _ = try? CurrentTime(bytes)
    _ = try? LocalTimeInformation(bytes)
    _ = try? BatteryLevel.percent(bytes)
    if let json = try? JSONValue(parsing: bytes) {
      if let bookmark = try? GlucoseBookmark(json: json) {
        precondition((try? GlucoseBookmark(json: bookmark.json)) == bookmark)
      }
      if let bookmark = try? CGMBookmark(json: json) {
        precondition((try? CGMBookmark(json: bookmark.json)) == bookmark)
      }
    }
  }

  /// Messages one after the other, each with its kind and its length in front.
  private static func collect(_ bytes: [UInt8]) {
    guard let address = BluetoothAddress(bits: 1) else { return }
    var meter = GlucoseCollector(meter: address, bookmark: GlucoseBookmark())
    var monitor = CGMCollector(monitor: address, bookmark: CGMBookmark())
    let zero = Moment(
      tick: Tick(nanoseconds: 0), utc: Timestamp(milliseconds: 1_800_000_000_000),
      quality: .synchronised)
    var seconds: Int64 = 0
    _ = meter.handle(
      .ready(hasContext: true, clocks: MeterClockReading(meter: nil, hub: nil)), at: zero)
    _ = monitor.handle(.ready(feature: nil, status: nil, start: nil, hasHistory: true), at: zero)
    var seen: Set<GlucoseRecordIdentity> = []
    var rest = bytes[...]
    while let kind = rest.popFirst(), let length = rest.popFirst() {
      let message = Array(rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
      seconds += Int64(kind >> 4)
      let now = zero.advanced(byMilliseconds: seconds * 1000)
      let inputs: (GlucoseCollectorInput, CGMCollectorInput) =
        switch kind & 7 {
        case 0, 1: (.measurement(message), .measurement(message))
        case 2: (.context(message), .time)
        case 3, 4: (.controlPoint(message), .controlPoint(message))
        case 5:
          (.writeRefused(attributeError: length), .writeRefused(attributeError: length))
        default: (.time, .time)
        }
      for case .records(let records) in meter.handle(inputs.0, at: now) {
        for record in records where !record.isUpdate {
          precondition(seen.insert(record.identity).inserted, "one record came twice")
        }
      }
      _ = monitor.handle(inputs.1, at: now)
    }
    precondition((try? GlucoseBookmark(json: meter.bookmark.json)) == meter.bookmark)
    precondition((try? CGMBookmark(json: monitor.bookmark.json)) == monitor.bookmark)
  }
}
