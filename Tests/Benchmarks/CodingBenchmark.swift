import Care
import Foundation
import JSON
import TestSupport

/// What it costs to code values by hand, as everything here does, beside `Codable`: by a small coder of our own over JSON values,
/// and by Foundation's from and to bytes.
enum CodingBenchmark {
  private static let guardians = 20_000
  private static let rounds = 5

  static var parts: [BenchmarkPart] {
    [
      BenchmarkPart(name: "coding-by-hand") { try measure("by hand", byHand, &$0) },
      BenchmarkPart(name: "coding-over-codable") { try measure("over Codable", overCodable, &$0) },
      BenchmarkPart(name: "coding-by-foundation") {
        try measure("by Foundation", byFoundation, &$0)
      },
    ]
  }

  /// A guardian as `Codable` has it; what the hand-written one checks is checked here, too.
  struct CodableGuardian: Codable, Hashable {
    var id: String
    var resident: String
    var name: String
    var phone: String?
    var email: String?
    var push: String?
    var withoutChannels: [Channel]?
    var tier: Int
    var isCaregiver: Bool
    var language: String?

    enum Channel: String, Codable { case sms, voice, email, push }

    func checked() throws -> Self {
      guard (1...3).contains(tier) else { throw BenchmarkFailure("a tier of \(tier)") }
      return self
    }
  }

  private static func guardian(_ number: Int) -> Guardian {
    Guardian(
      id: GuardianID("anna-\(number)"), resident: "mary", name: "Anna Ås \(number)",
      phone: "+4791234567", email: "anna@example.org", withoutChannels: [.voice],
      tier: 1 + number % 3, isCaregiver: number.isMultiple(of: 2), language: "en")
  }

  /// There and back once, in bytes; the count of the bytes.
  private typealias Way = (_ guardian: Guardian) throws -> Int

  private static func byHand(_ guardian: Guardian) throws -> Int {
    let bytes = guardian.json.serializedBytes
    guard try Guardian(json: JSONValue(parsing: bytes)) == guardian else {
      throw BenchmarkFailure("it came back as another")
    }
    return bytes.count
  }

  private static func overCodable(_ guardian: Guardian) throws -> Int {
    let value = CodableGuardian(guardian)
    let bytes = try ValueCoder.encode(value).serializedBytes
    let back = try ValueCoder.decode(CodableGuardian.self, from: JSONValue(parsing: bytes))
      .checked()
    guard back == value else { throw BenchmarkFailure("it came back as another") }
    return bytes.count
  }

  private static func byFoundation(_ guardian: Guardian) throws -> Int {
    let value = CodableGuardian(guardian)
    let bytes = try JSONEncoder().encode(value)
    let back = try JSONDecoder().decode(CodableGuardian.self, from: bytes).checked()
    guard back == value else { throw BenchmarkFailure("it came back as another") }
    return bytes.count
  }

  /// Beside the way by hand in the same process, turn about, so that both have the same machine.
  private static func measure(_ name: String, _ way: Way, _ table: inout Table) throws {
    let all = (0..<guardians).map(guardian)
    var times: [Double] = []
    var ratios: [Double] = []
    for _ in 0..<rounds {
      let ours = try seconds(all, byHand)
      let theirs = try seconds(all, way)
      times.append(theirs / Double(guardians) * 1e6)
      ratios.append(theirs / ours)
    }
    let ratio = decimal(median(ratios), 1)
    table.add(
      "a guardian to bytes and back, \(name)",
      "\(decimal(median(times), 1)) µs, \(ratio) × the time by hand")
  }

  private static func seconds(_ all: [Guardian], _ way: Way) throws -> Double {
    let start = ContinuousClock.now
    var bytes = 0
    for guardian in all { bytes += try way(guardian) }
    guard bytes > 100 * all.count else { throw BenchmarkFailure("nothing was written") }
    return (ContinuousClock.now - start) / .seconds(1)
  }
}

extension CodingBenchmark.CodableGuardian {
  fileprivate init(_ guardian: Guardian) {
    self.init(
      id: guardian.id.rawValue, resident: guardian.resident.rawValue, name: guardian.name,
      phone: guardian.phone, email: guardian.email, push: guardian.push,
      withoutChannels: guardian.withoutChannels.sorted().compactMap {
        Channel(rawValue: $0.rawValue)
      }, tier: guardian.tier, isCaregiver: guardian.isCaregiver, language: guardian.language)
  }
}
