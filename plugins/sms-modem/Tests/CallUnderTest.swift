import Care
import Foundation
import JSON
import PluginProtocol
import TestSupport
import Testing

/// The plugin with a sound card that writes down what it hears, and tones in place of spoken words.
final class CallUnderTest {
  /// What is said, as the tone that stands for it, in hertz.
  enum Words: Int, CaseIterable {
    case alarm = 400
    case prompt = 700
    case thanks = 1100
    case sorry = 1500
  }

  static let anna = "+4791234567"
  private static let cardRate = 48_000

  let plugin: ModemUnderTest
  private let sounds: TemporaryDirectory

  init(
    prepare: [[String: Any]] = [], settings: JSONValue = .object([]),
    voice: JSONValue = .object([]), clipSeconds: Double = 0.5
  ) throws {
    sounds = try TemporaryDirectory()
    for words in Words.allCases {
      let file = Self.waveFile(hertz: words.rawValue, seconds: clipSeconds)
      try file.write(to: URL(fileURLWithPath: sounds.path(of: "\(words.rawValue).wav")))
    }
    let device = "file:\(sounds.path(of: "line.raw")),raw"
    plugin = try ModemUnderTest(
      settings: settings.setting(
        "voice", to: voice.setting("playbackDevice", to: .string(device))),
      prepare: prepare, grants: ["service:speech"])
  }

  // MARK: What the host does

  func notify(
    attempt: Int64 = 1, to number: String = anna, guardian: String = "anna", asks: Bool = true
  ) throws -> String {
    let message = AlarmMessage(
      alarm: "alarm-1", tag: "A7K2", notice: asks ? .alarm : .acknowledged,
      guardian: GuardianID(guardian), channel: .voice, address: number, attempt: attempt,
      text: "SOS", spokenText: "Mary Smith needs help.", language: "en",
      asksForAcknowledgement: asks)
    return try plugin.outcome(plugin.call(PluginMethod.notify, message.json))
  }

  func emergency(_ number: String = "112") throws -> String {
    let params: JSONValue = [
      "id": "e-1", "resident": "mary", "mode": "call", "number": .string(number), "text": "help",
    ]
    return try plugin.outcome(plugin.call("service.emergency", params))
  }

  /// Answers the requests for the sentences of one call with tones; gives the sentences.
  @discardableResult
  func speak(_ words: [Words] = Words.allCases) throws -> [String] {
    try words.map { word in
      let (id, params) = try speechRequest()
      let path = sounds.path(of: "\(word.rawValue).wav")
      try plugin.process.write(RPCLine.result(id: id, ["path": .string(path)]))
      return params["text"]?.stringContent ?? ""
    }
  }

  func speechRequest() throws -> (RPCID, JSONValue) {
    let request = try plugin.message("a request for speech") { message in
      guard case .request(_, PluginMethod.callService) = message.kind else { return false }
      return true
    }
    guard case .request(let id, _) = request.kind else { throw CocoaError(.coderReadCorrupt) }
    let call = try ServiceCall(json: request.payload())
    return (id, call.params)
  }

  // MARK: What the network and the card saw

  func calls() throws -> [[String: Any]] {
    try plugin.control(["do": "calls"]) as? [[String: Any]] ?? []
  }

  func isCalling() throws -> Bool {
    (try plugin.control(["do": "state"]) as? [String: Any])?["calling"] as? Bool ?? true
  }

  func expectTheLineToBeFree() throws {
    #expect(try Eventually.holds(withinSeconds: 20) { try !isCalling() })
  }

  /// What was said, in order, each as often as it was begun.
  func said() throws -> [Words] {
    let bytes = [UInt8](
      (try? Data(contentsOf: URL(fileURLWithPath: sounds.path(of: "line.raw")))) ?? Data())
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Double(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
    }
    var said: [Words?] = []
    let window = Self.cardRate / 20
    for start in stride(from: 0, to: max(0, samples.count - window), by: window) {
      let heard = Self.words(in: samples[start..<(start + window)])
      if said.isEmpty || said.last != heard { said.append(heard) }
    }
    return said.compactMap { $0 }
  }

  /// The tone in a twentieth of a second; nil for silence and for what holds two.
  private static func words(in samples: ArraySlice<Double>) -> Words? {
    let powers = Words.allCases.map { (words: $0, level: level(samples, hertz: $0.rawValue)) }
    guard let loudest = powers.max(by: { $0.level < $1.level }), loudest.level > 4000 else {
      return nil
    }
    return loudest.words
  }

  private static func level(_ samples: ArraySlice<Double>, hertz: Int) -> Double {
    let (first, second) = samples.enumerated().reduce((0.0, 0.0)) { sum, sample in
      let angle = 2 * Double.pi * Double(hertz) * Double(sample.offset) / Double(cardRate)
      return (sum.0 + sample.element * cos(angle), sum.1 + sample.element * sin(angle))
    }
    return 2 * (first * first + second * second).squareRoot() / Double(samples.count)
  }

  static func waveFile(hertz: Int, seconds: Double, rate: Int = 22_050) -> Data {
    let samples = (0..<Int(seconds * Double(rate))).map {
      Int16(10_000 * sin(2 * Double.pi * Double(hertz) * Double($0) / Double(rate)))
    }
    var file = Data()
    func add(_ text: String) { file.append(contentsOf: text.utf8) }
    func add(_ number: Int, _ count: Int) {
      file.append(contentsOf: (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) })
    }
    add("RIFF")
    add(36 + 2 * samples.count, 4)
    add("WAVEfmt ")
    for (number, count) in [(16, 4), (1, 2), (1, 2), (rate, 4), (2 * rate, 4), (2, 2), (16, 2)] {
      add(number, count)
    }
    add("data")
    add(2 * samples.count, 4)
    for sample in samples { add(Int(UInt16(bitPattern: sample)), 2) }
    return file
  }
}
