import Bytes
import Care
import GlucoseValues
import JSON
import Moments
import Testing
import Texts

@Suite("Glucose readings")
struct GlucoseReadingTests {
  private func level(_ text: String, _ unit: GlucoseUnit) -> Result<
    GlucoseConcentration, GlucoseLevelFault
  > {
    do throws(GlucoseLevelFault) {
      return .success(try GlucoseConcentration(text: text, unit: unit))
    } catch { return .failure(error) }
  }

  @Test(
    "A level keeps its digits as they were received",
    arguments: [
      ("5.6", "5.6", 5.6), ("5,6", "5.6", 5.6), ("7.0", "7.0", 7.0), ("05.60", "5.60", 5.6),
      ("0.9", "0.9", 0.9), ("16", "16", 16), ("16.75", "16.75", 16.75),
    ])
  func digits(text: String, shown: String, number: Double) throws {
    let level = try GlucoseConcentration(text: text, unit: .millimolesPerLitre)
    #expect(level.digits == shown && level.number == number)
    #expect(level.text() == "\(shown) mmol/L")
  }

  @Test("What is no number is never a level")
  func noNumber() {
    for text in [
      "", ".", "5.", ".5", "5.6.7", "-5", "+5", "5 6", "NaN", "inf", "1e2", "٥", "1,234",
    ] {
      #expect(level(text, .millimolesPerLitre) == .failure(.notANumber), "\(text)")
    }
    #expect(level("1234567890", .milligramsPerDecilitre) == .failure(.notANumber))
    #expect(level("0", .milligramsPerDecilitre) == .failure(.zero))
    #expect(level("0.0", .millimolesPerLitre) == .failure(.zero))
    for text in ["HI", "Hi", "0Hi", "high", "HI600"] {
      #expect(level(text, .milligramsPerDecilitre) == .failure(.beyondRange(.high)), "\(text)")
    }
    for text in ["LO", "0Lo", "low"] {
      #expect(level(text, .milligramsPerDecilitre) == .failure(.beyondRange(.low)), "\(text)")
    }
  }

  @Test("What nobody can have is refused, and the unit that is likely meant is named")
  func implausible() {
    let (mass, moles) = (GlucoseUnit.milligramsPerDecilitre, GlucoseUnit.millimolesPerLitre)
    #expect(level("5.6", mass) == .failure(.implausible(unit: mass, meant: moles)))
    #expect(level("110", moles) == .failure(.implausible(unit: moles, meant: mass)))
    #expect(level("5000", mass) == .failure(.implausible(unit: mass, meant: nil)))
    #expect(level("0.1", moles) == .failure(.implausible(unit: moles, meant: nil)))
    #expect((try? level("10", mass).get()) != nil && (try? level("1000", mass).get()) != nil)
    #expect((try? level("1000.1", mass).get()) == nil && (try? level("9.9", mass).get()) == nil)
    for fault in [
      GlucoseLevelFault.notANumber, .zero, .beyondRange(.high), .beyondRange(.low), .noUnit,
      .implausible(unit: mass, meant: moles), .implausible(unit: moles, meant: nil),
    ] {
      let sentence = fault.message.text(in: .en)
      #expect(!sentence.contains("{") && sentence.hasSuffix("."), "\(sentence)")
    }
  }

  @Test("Digits and an exponent, as meters send them, are the same level as the written number")
  func significands() throws {
    // 0.00111 kg/L and 0.0062 mol/L as the meter counts them.
    let mass = try GlucoseConcentration(
      significand: 111, exponent: 0, unit: .milligramsPerDecilitre)
    #expect(mass.digits == "111")
    let tens = try GlucoseConcentration(
      significand: 11, exponent: 1, unit: .milligramsPerDecilitre)
    #expect(tens == (try GlucoseConcentration(text: "110", unit: .milligramsPerDecilitre)))
    let moles = try GlucoseConcentration(
      significand: 62, exponent: -1, unit: .millimolesPerLitre)
    #expect(moles.digits == "6.2" && moles.wholeMilligramsPerDecilitre == 112)
    for (significand, exponent) in [
      (Int64.max, 0), (.min, 0), (1, 4), (1, -9), (1, .max), (1, .min), (-5, 0),
    ] {
      #expect(
        (try? GlucoseConcentration(
          significand: significand, exponent: exponent, unit: .milligramsPerDecilitre)) == nil)
    }
  }

  @Test("A limit in one unit is, in the other, what a meter shows")
  func limits() throws {
    let pairs = [("54", "3.0"), ("70", "3.9"), ("180", "10.0"), ("250", "13.9"), ("300", "16.7")]
    for (mass, moles) in pairs {
      let limit = try GlucoseConcentration(text: mass, unit: .milligramsPerDecilitre)
      let shown = try GlucoseConcentration(text: moles, unit: .millimolesPerLitre)
      #expect(limit.limit(for: .millimolesPerLitre) == shown.number)
      #expect(limit.text(in: .millimolesPerLitre) == "\(moles) mmol/L")
      #expect(!shown.isBelow(limit) && !shown.isAbove(limit))
    }
    let low = try GlucoseConcentration(withUnit: "3.9 mmol/L")
    #expect(try GlucoseConcentration(text: "69", unit: .milligramsPerDecilitre).isBelow(low))
    #expect(!(try GlucoseConcentration(text: "70", unit: .milligramsPerDecilitre).isBelow(low)))
  }

  @Test("A number without a unit is no limit")
  func units() throws {
    for text in ["70", "3.9", "70 mg", "mg/dL", "70 mg/dL now", "", "70 % "] {
      #expect((try? GlucoseConcentration(withUnit: text)) == nil, "\(text)")
    }
    #expect(try GlucoseConcentration(withUnit: "70mg/dl").digits == "70")
    #expect(GlucoseUnit(written: " MMOL / L ") == .millimolesPerLitre)
    #expect(GlucoseUnit(written: "mg") == nil)
  }

  @Test("One constant turns one unit of glucose into the other, there and back")
  func constant() {
    #expect(GlucoseUnit.millimolesPerLitre.convert(5, to: .milligramsPerDecilitre) == 90.078)
    for value in stride(from: 10.0, through: 600, by: 1) {
      let back = GlucoseUnit.millimolesPerLitre.convert(
        GlucoseUnit.milligramsPerDecilitre.convert(value, to: .millimolesPerLitre),
        to: .milligramsPerDecilitre)
      #expect(abs(back - value) < 1e-9)
      #expect(
        GlucoseUnit.milligramsPerDecilitre.convert(value, to: .milligramsPerDecilitre) == value)
    }
  }

  @Test("One decimal of mmol/L and back is never further off than half of it")
  func conversion() throws {
    for whole in 10...1000 {
      let level = try GlucoseConcentration(
        significand: Int64(whole), exponent: 0, unit: .milligramsPerDecilitre)
      let shown = try #require(level.text(in: .millimolesPerLitre).split(separator: " ").first)
      let back = try GlucoseConcentration(text: String(shown), unit: .millimolesPerLitre)
      #expect(abs(back.milligramsPerDecilitre - Double(whole)) <= 0.0501 * 18.0156, "\(whole)")
    }
  }

  @Test("A reading goes to JSON and back, whatever it holds")
  func roundTrip() throws {
    for source in GlucoseReading.Source.allCases {
      for sample in GlucoseReading.Sample.allCases.map(Optional.some) + [nil] {
        for tag in [GlucoseTag.listed(.fasting), .own("after the walk"), nil] {
          let reading = GlucoseReading(
            id: "r1", resident: "mary",
            level: try GlucoseConcentration(text: "7.0", unit: .millimolesPerLitre), tag: tag,
            time: .seconds(1_790_000_000), receivedAt: .seconds(1_790_000_060), source: source,
            origin: "Meter 1", timeDoubts: [.future, .meterClock, .future],
            sensor: .continuous, sample: sample, revision: 3)
          #expect(try GlucoseReading(json: reading.json) == reading)
          #expect(reading.timeDoubts == [.meterClock, .future])
          for request in [
            GlucoseRequest.put(reading, revision: 2), .remove("r1", revision: nil),
            .showing(.low, of: "mary", time: Timestamp(milliseconds: 0), by: "Anna"),
          ] {
            #expect(try GlucoseRequest(json: request.json) == request)
          }
        }
      }
    }
    #expect(throws: DecodeError.self) {
      try GlucoseRequest(json: ["action": "note.remove", "target": "x"])
    }
  }

  @Test("A request and what the store holds go through a command as JSON and back")
  func command() throws {
    let reading = GlucoseReading(
      id: "r1", resident: "mary",
      level: try GlucoseConcentration(text: "101", unit: .milligramsPerDecilitre),
      time: .seconds(1_790_000_000), receivedAt: .seconds(1_790_000_060), source: .hand)
    let requests: [(GlucoseRequest, target: String)] = [
      (.put(reading, revision: 2), "r1"), (.remove("r1", revision: nil), "r1"),
      (.showing(.low, of: "mary", time: Timestamp(milliseconds: 0), by: "Anna"), "mary"),
      (.add([reading], to: "mary"), "mary"),
    ]
    for (request, target) in requests {
      let command = Command(
        id: "c", principal: Principal(channel: .local, name: "anna"), request: .glucose(request),
        stored: .glucose(reading))
      let again = try Command(json: JSONValue(parsing: command.json.serializedBytes))
      #expect(again == command && again.json == command.json, "\(request)")
      #expect(again.request.target == target && again.request.action == request.action)
      #expect(try GlucoseRequest(again.request) == request && again.storedReading == reading)
    }
    #expect(try GlucoseRequest(.locate(resident: "mary")) == nil)
  }

  @Test("A request that does not fit is refused when its feature looks into it")
  func unfit() throws {
    let json: JSONValue = ["action": "glucose.put", "reading": ["id": "r1"]]
    let request = try Command.Request(json: json)
    #expect(request.target == "r1" && request.action == "glucose.put" && request.json == json)
    #expect(throws: DecodeError.self) { try GlucoseRequest(request) }
    #expect(throws: DecodeError.self) { try Command.Request(json: ["action": "glucoses.put"]) }
  }

  @Test("What a meter brought goes through an observation as JSON and back")
  func report() throws {
    let report = MeterReport(
      meter: try #require(BluetoothAddress("C0:11:22:33:44:55", kind: .random)),
      beyondRange: [MeterReport.BeyondRange(end: .high, time: .seconds(1_790_000_000))],
      bookmark: ["glucose": 1])
    let observation = Observation.meter(report)
    let again = try Observation(json: JSONValue(parsing: observation.json.serializedBytes))
    #expect(again == observation && again.json == observation.json)
    guard case .meter(let value) = again else {
      Issue.record("it is no meter's any more")
      return
    }
    #expect(try value.value(as: MeterReport.self) == report)
    #expect(throws: DecodeError.self) { try value.value(as: GlucoseReading.self) }
  }

  @Test("A reading that misses something or holds something impossible is refused by name")
  func damaged() throws {
    let whole: JSONValue = [
      "id": "r1", "resident": "mary", "level": "101", "unit": "mg/dL", "tag": "bedtime",
      "time": "2026-11-20T07:30:00Z", "receivedAt": "2026-11-20T07:31:00Z", "source": "hand",
    ]
    let reading = try GlucoseReading(json: whole)
    #expect(reading.tag == .listed(.bedtime) && reading.sensor == .fingerStick)
    for name in ["id", "resident", "level", "unit", "time", "receivedAt", "source"] {
      #expect(throws: DecodeError.self, "\(name)") {
        try GlucoseReading(json: whole.setting(name, to: .null))
      }
    }
    for (name, content) in [
      ("level", JSONValue.string("HI")), ("level", 101), ("level", "5.6"), ("unit", "mg"),
      ("tag", ""), ("tag", "a\nb"), ("timeDoubts", ["odd"]), ("timeDoubts", [1]),
      ("source", "control-solution"), ("sample", "control-solution"), ("sensor", "nose"),
    ] {
      do throws(DecodeError) {
        _ = try GlucoseReading(json: whole.setting(name, to: content))
        Issue.record("\(name) \(content) was taken")
      } catch { #expect(error.field == name, "\(error)") }
    }
  }

  @Test("Tags of the list are found however they are written; one's own are kept")
  func tags() {
    for listed in GlucoseTag.Listed.allCases {
      let spaced = listed.rawValue.uppercased().replacing("-", with: " ")
      #expect(GlucoseTag(written: " \(spaced) ") == .listed(listed))
      #expect(GlucoseTag(word: listed.rawValue) == .listed(listed))
    }
    #expect(GlucoseTag(written: " After the walk ") == .own("After the walk"))
    #expect(GlucoseTag(written: "  ") == nil && GlucoseTag(written: "a\u{7}") == nil)
    #expect(GlucoseTag(written: String(repeating: "x", count: 51)) == nil)
    #expect(GlucoseTag.own("before dinner out").mealRelation == nil)
    let before = GlucoseTag.Listed.allCases.filter {
      GlucoseTag.listed($0).mealRelation == .before
    }
    #expect(
      before == [.fasting, .beforeBreakfast, .beforeLunch, .beforeDinner, .beforeMeal])
  }
}
