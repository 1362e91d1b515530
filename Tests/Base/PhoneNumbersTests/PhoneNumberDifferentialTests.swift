import Foundation
import TestSupport
import Testing

@testable import PhoneNumbers

/// One number as another program judges it.
private struct Judgement {
  var country: String
  var text: String
  /// Nil where it is no possible number of a person.
  var e164: String?
  /// `plus`, `prefix`, `national`, `guessed` or `unreadable…`.
  var source: String

  init?(_ line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 4 else { return nil }
    (country, text, source) = (fields[0], fields[1], fields[3])
    e164 = fields[2] == "-" ? nil : fields[2]
  }
}

@Suite("Agreement with libphonenumber")
struct PhoneNumberDifferentialTests {
  private static let python = "/usr/bin/python3"

  private static func run(_ arguments: [String]) throws -> ProgramOutput {
    try ProgramOutput(python, arguments)
  }

  /// Whether the Debian package python3-phonenumbers is there.
  private static let isThere: Bool =
    (try? run(["-c", "import phonenumbers"]).exitCode == 0) ?? false

  @Test(
    "Numbers of all countries are read alike",
    .enabled(if: isThere, "python3-phonenumbers is absent"))
  func everyCountry() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("differential.py")
    let outcome = try Self.run([script.path, "20261120"])
    #expect(outcome.exitCode == 0)
    var compared = 0
    var accepted = 0
    var excepted: [String: Int] = [:]
    for line in outcome.text.split(separator: "\n") {
      let judgement = try #require(Judgement(line))
      let ours = try? PhoneNumber(validating: judgement.text, country: judgement.country)
      compared += 1
      if ours != nil { accepted += 1 }
      guard ours?.e164 != judgement.e164 else { continue }
      let exception = Self.exceptions.first { $0.covers(judgement, ours?.e164) }
      #expect(exception != nil, "\(line): \(ours?.e164 ?? "refused")")
      excepted[exception?.reason ?? "", default: 0] += 1
    }
    #expect(compared > 20_000 && accepted > 8000)
    // Exceptions are few, and none has lost its reason.
    #expect(excepted.values.reduce(0, +) < compared / 30, "\(excepted)")
    #expect(excepted.count == Self.exceptions.count, "\(excepted)")
  }
}

extension PhoneNumberDifferentialTests {
  /// Where Homeward decides otherwise, and why.
  fileprivate struct Exception {
    var reason: String
    var covers: (Judgement, _ ours: String?) -> Bool
  }

  /// Calling codes of countries whose numbers changed after the release that Debian 12 has (8.12.57, of 2022).
  fileprivate static let changedSince: [String: String] = [
    "229": "Benin: ten digits", "243": "Congo: eight and ten digits too",
    "57": "Colombia: eight digits too", "220": "Gambia: nine digits too",
    "39": "Italy: twelve digits too", "856": "Laos: nine digits too",
    "52": "Mexico: no more 1 in front of mobile numbers", "234": "Nigeria: always ten digits",
    "508": "Saint Pierre and Miquelon: nine digits too", "998": "Uzbekistan: no trunk prefix",
    "383": "Kosovo: more digits", "263": "Zimbabwe: always nine digits",
  ]

  /// Countries with forms of their own, which are refused, or read the plainer way.
  fileprivate static let oddities: [String: String] = [
    "AR": "15 within a mobile number is refused: +54 9 says it", "BR": "carriers are not cut out",
    "KR": "carriers are not cut out", "SG": "carriers are not cut out",
    "SC": "carriers are not cut out", "UY": "carriers are not cut out",
    "CI": "only a zero in parentheses is taken for a slip",
    "GG": "the zero of the United Kingdom falls away here too",
    "IM": "the zero of the United Kingdom falls away here too",
    "WS": "00 is taken for an international prefix, as everywhere",
    "JE": "the zero of the United Kingdom falls away here too",
  ]

  fileprivate static var exceptions: [Exception] {
    [
      Exception(reason: "the plan has changed since") { judgement, ours in
        let digits = (judgement.e164 ?? ours ?? "").dropFirst()
        return NumberingPlan.beginning(String(digits)).map {
          changedSince[$0.callingCode] != nil
        } ?? false
      },
      Exception(reason: "a calling code without + is not guessed") { judgement, ours in
        judgement.source == "guessed" && ours?.contains(judgement.e164 ?? "-") != true
      },
      Exception(reason: "an area begins with no zero where zero is the trunk prefix") {
        judgement, ours in
        guard ours == nil, let (plan, national) = parts(judgement.e164) else { return false }
        return plan.trunkPrefixes.contains("0") && national.hasPrefix("0")
      },
      Exception(reason: "fewer digits than telephones of people have") { judgement, ours in
        guard ours == nil, let (plan, national) = parts(judgement.e164) else { return false }
        return national.utf8.count < (plan.lengths.min() ?? 0)
      },
      Exception(reason: "no area code is added") { judgement, ours in
        guard ours == nil, let (_, national) = parts(judgement.e164) else { return false }
        let wanted = judgement.source == "plus" ? judgement.e164?.dropFirst().count : national.count
        return judgement.text.filter(\.isNumber).count < wanted ?? 0
      },
      Exception(reason: "the international prefix is believed, also before no country") {
        judgement, ours in
        guard ours == nil, let plan = NumberingPlan.of(country: judgement.country) else {
          return false
        }
        let digits = judgement.text.filter(\.isNumber)
        return plan.internationalPrefixes.contains { digits.hasPrefix($0) }
      },
      Exception(reason: "a way of writing of one country") { judgement, _ in
        oddities[judgement.country] != nil
      },
    ]
  }

  fileprivate static func parts(_ e164: String?) -> (NumberingPlan, String)? {
    guard let digits = e164?.dropFirst(), let plan = NumberingPlan.beginning(String(digits)) else {
      return nil
    }
    return (plan, String(digits.dropFirst(plan.callingCode.count)))
  }
}
