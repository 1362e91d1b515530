import Advertisements
import Bytes
import Care
import CivilTime
import Configuration
import GATTProfiles
import Glucose
import GlucoseValues
import JSON
import MQTTTopics
import Moments
import PluginProtocol
import Recurrence
import RequestReaders
import Sounds
import Texts
import TrackFiles

/// The readers of bytes that come from outside.
///
/// Each must answer or throw for any input; what it accepted must also keep its own promises, which are checked by
/// preconditions so that a broken one counts as a crash.
enum Reader: String, CaseIterable {
  case json
  case iso8601
  case tzif
  case track
  case plugin
  case yaml
  case wav
  case rrule
  case advertisement
  case roomTopics = "room-topics"
  case gatt
  case glucoseTable = "glucose-table"
  case webTarget = "web-target"
  case webRequest = "web-request"
  case webCommand = "web-command"
  case webQuestion = "web-question"

  func read(_ bytes: [UInt8]) {
    switch self {
    case .json: readJSON(bytes)
    case .iso8601: readTimestamp(bytes)
    case .tzif: readZone(bytes)
    case .track: readTrack(bytes)
    case .plugin: readPluginLines(bytes)
    case .yaml: readConfiguration(bytes)
    case .wav: readSound(bytes)
    case .rrule: readRule(bytes)
    case .advertisement: readAdvertisement(bytes)
    case .roomTopics: readRoomTopics(bytes)
    case .gatt: GATTReader.read(bytes)
    case .glucoseTable: readGlucose(bytes)
    case .webTarget, .webRequest, .webCommand, .webQuestion: readWeb(bytes)
    }
  }

  /// What browsers send; the promises are those that the tests check.
  var web: RequestReader? { RequestReader(rawValue: rawValue) }

  private func readWeb(_ bytes: [UInt8]) {
    do throws(BrokenPromise) { try web?.check(bytes) } catch { preconditionFailure("\(error)") }
  }

  private func readJSON(_ bytes: [UInt8]) {
    for range in (try? JSONSlices.arrayElements(of: bytes)) ?? [] {
      precondition(range.upperBound <= bytes.count)
    }
    for member in (try? JSONSlices.members(of: bytes)) ?? [] {
      precondition(member.range.upperBound <= bytes.count)
    }
    guard let value = try? JSONValue(parsing: bytes) else { return }
    precondition(
      (try? JSONValue(parsing: value.serializedBytes)) == value, "a value changed when written")
  }

  private func readTimestamp(_ bytes: [UInt8]) {
    guard let moment = try? Timestamp(iso8601: String(decoding: bytes, as: UTF8.self)) else {
      return
    }
    // A year of four digits moved by its offset may need five; those are written, not read.
    guard (0...9999).contains(CivilDateTime(utc: moment).year) else { return }
    precondition((try? Timestamp(iso8601: moment.iso8601)) == moment, "a moment changed")
  }

  private func readSound(_ bytes: [UInt8]) {
    if let recording = try? RecordingFile(checking: bytes) {
      precondition(recording.bytes.count <= bytes.count, "a recording is longer than its file")
      let again = try? RecordingFile(checking: recording.bytes)
      precondition(again == recording, "a recording changed when written")
    }
    guard let sound = try? WAVSound(bytes) else { return }
    precondition(sound.frameCount <= bytes.count, "a sound is longer than its bytes")
    var player = WAVPlayer(sound, sampleRate: 48_000)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 480) { block in
      var blocks = 0
      while blocks < 1000, player.render(into: block) > 0 { blocks += 1 }
    }
  }

  /// A rule is read back from its own text, and a search for its times ends.
  private func readRule(_ bytes: [UInt8]) {
    guard let rule = try? RecurrenceRule(text: String(decoding: bytes, as: UTF8.self)) else {
      return
    }
    precondition((try? RecurrenceRule(text: rule.text)) == rule, "a rule changed when written")
    let start = CivilDateTime(year: 2024, month: 2, day: 29, hour: 8, minute: 30)
    for monthEnd in CalendarSchedule.MonthEnd.allCases {
      let schedule = CalendarSchedule(
        start: start, rule: rule, timeZone: "Etc/UTC", monthEnd: monthEnd)
      _ = ScheduleWords.sentence(for: schedule)
      guard let finder = try? OccurrenceFinder(schedule, zone: .utc) else { continue }
      let slots = Array(finder.slots.prefix(3))
      precondition(zip(slots, slots.dropFirst()).allSatisfy { $0.instant < $1.instant })
      if let last = slots.last {
        precondition(finder.latest(atOrBefore: last.instant) == last, "a slot is lost")
      }
    }
  }

  /// As an event and as bare structures; every place that is told lies within the bytes.
  private func readAdvertisement(_ bytes: [UInt8]) {
    let event = AdvertisingEvent(bytes)
    precondition((event.fault?.offset ?? 0) <= bytes.count, "a fault lies outside")
    var filter = BTHomePressFilter()
    for data in event.reports.map(\.data) + [AdvertisingData(bytes)] {
      let size = data.structures.reduce(0) { $0 + $1.body.count + 2 }
      precondition(size <= bytes.count, "structures are longer than their bytes")
      let reading = AdvertisementReading(data)
      precondition(reading.faults.allSatisfy { $0.offset <= bytes.count }, "a fault lies outside")
      precondition((try? JSONValue(parsing: data.json.serialized)) == data.json, "no JSON")
      for identity in reading.contents.compactMap(\.identity) {
        precondition((try? TagIdentity(identity.text)) == identity, "an identity changed")
      }
      if let frame = reading.bthome, let sender = BluetoothAddress(bits: 1) {
        _ = filter.presses(in: frame, from: sender, at: .seconds(1))
        precondition(filter.presses(in: frame, from: sender, at: .seconds(2)).isEmpty, "twice")
      }
    }
  }

  /// The first line is the topic, the rest the payload; what was read is written and read back.
  private func readRoomTopics(_ bytes: [UInt8]) {
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
    let topic = String(decoding: bytes[..<end], as: UTF8.self)
    let topics = RoomTopics()
    guard
      let message = try? topics.decode(topic: topic, payload: Array(bytes[end...].dropFirst()))
    else { return }
    switch message {
    case .status(let room, let isOnline):
      precondition((try? topics.encode(room: room, isOnline: isOnline)) != nil, "no way back")
    case .report(let report):
      let written = try? topics.encode(report)
      precondition(written?.count == 2, "a report that cannot be written")
      for publication in written ?? [] {
        let back = try? topics.decode(topic: publication.topic, payload: publication.payload)
        precondition(back != nil, "a report that cannot be read back")
      }
    }
  }

  /// Each line is a reading or is listed, and whatever was read can be reported.
  private func readGlucose(_ bytes: [UInt8]) {
    guard let table = try? GlucoseTable(bytes, in: .utc) else { return }
    let lines = table.rows.map(\.line) + table.faults.map(\.line)
    precondition(Set(lines).count == lines.count, "a line is a reading and a fault")
    for fault in table.faults { precondition(!fault.reason.message.text(in: .en).isEmpty) }
    let now = Timestamp.seconds(1_790_000_000)
    for sensor in GlucoseReading.Sensor.allCases {
      let readings = table.readings(of: "fuzz", sensor: sensor, at: now)
      for reading in readings {
        precondition((try? GlucoseReading(json: reading.json)) == reading, "a reading changed")
      }
      _ = GlucoseReport(readings, in: .utc, at: now).json.serializedBytes
    }
  }

  private func readZone(_ bytes: [UInt8]) {
    guard let zone = try? CivilTimeZone(name: "fuzz", tzif: bytes) else { return }
    for milliseconds in [Int64.min, -1, 0, 1_774_746_000_000, 4_102_444_800_000, .max] {
      let local = zone.local(at: Timestamp(milliseconds: milliseconds))
      _ = zone.resolve(local.civil)
    }
  }

  private func readTrack(_ bytes: [UInt8]) {
    guard let fixes = try? TrackFile.read(bytes) else { return }
    for fix in fixes { _ = fix.report }
  }

  /// The first byte chooses how the rest is cut into reads, as a pipe would.
  private func readPluginLines(_ bytes: [UInt8]) {
    _ = try? PluginManifest(parsing: bytes)
    if let json = try? JSONValue(parsing: bytes) {
      _ = try? SettingsSchema(json: json)
      _ = try? BatchOutcomes(json: json, count: 3)
      _ = try? InitializeAnswer(json: json)
      _ = try? CommandCall(json: json)
    }
    var framer = LineFramer(maximumBytes: 4096)
    var rest = bytes[...]
    let step = 1 + Int(bytes.first ?? 0)
    while !rest.isEmpty {
      framer.append(rest.prefix(step))
      rest = rest.dropFirst(step)
      while let line = try? framer.next() {
        if let message = try? RPCMessage(line: line) { _ = try? ReceivedBatch(message) }
      }
    }
  }

  private func readConfiguration(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      let schema = ConfigurationSchema(drivers: [])
      let file = try schema.read(text: text, path: "fuzz.yaml")
      _ = try schema.resolve(file: file, environment: [:], flags: [:])
    } catch {
      precondition(!error.problems.isEmpty, "an error without a problem")
    }
  }
}
