import Testing
import Texts

@testable import PhoneNumbers

@Suite struct PhoneNumberTests {
  private func e164(_ text: String, _ country: String) throws -> String {
    try PhoneNumber(validating: text, country: country).e164
  }

  private func fault(_ text: String, _ country: String) -> PhoneNumberFault.Code? {
    do throws(PhoneNumberFault) {
      _ = try PhoneNumber(validating: text, country: country)
      return nil
    } catch { return error.code }
  }

  @Test(arguments: [
    ("+47 912 34 567", "", "+4791234567"), ("0047 912 34 567", "NO", "+4791234567"),
    ("0047 912 34 567", "", "+4791234567"), ("912 34 567", "NO", "+4791234567"),
    ("912.34.567", "no", "+4791234567"), ("(0) 912-34-567", "NO", "+4791234567"),
    ("+47 (0)912 34 567", "GB", "+4791234567"),
    ("\u{FF0B}47\u{A0}912\u{2011}34\u{2013}567", "", "+4791234567"),
    ("+44 (0)20 7946 0958", "NO", "+442079460958"), ("020 7946 0958", "GB", "+442079460958"),
    ("00 44 20 7946 0958", "IE", "+442079460958"), ("011 44 20 7946 0958", "US", "+442079460958"),
    ("(202) 555-0142", "US", "+12025550142"), ("1-202-555-0142", "CA", "+12025550142"),
    ("010 1 202 555 0142", "JP", "+12025550142"), ("0011 1 202 555 0142", "AU", "+12025550142"),
    ("001 1 202 555 0142", "SG", "+12025550142"), ("8~10 47 912 34 567", "RU", "+4791234567"),
    ("8 912 345-67-89", "RU", "+79123456789"), ("06 20 123 4567", "HU", "+36201234567"),
    ("8 612 34567", "LT", "+37061234567"), ("0612 34567", "LT", "+37061234567"),
    ("80 29 123-45-67", "BY", "+375291234567"), ("06 698 12345", "IT", "+390669812345"),
    ("+39 (0)6 698 12345", "", "+390669812345"), ("131 2345 6789", "CN", "+8613123456789"),
    ("010 1234 5678", "CN", "+861012345678"), ("１３１２３４５６７８９", "CN", "+8613123456789"),
    ("2123 4567", "HK", "+85221234567"), ("0912 345 678", "TW", "+886912345678"),
    ("090-1234-5678", "JP", "+819012345678"), ("010-1234-5678", "KR", "+821012345678"),
    ("081234 56789", "IN", "+918123456789"), ("8123 4567", "SG", "+6581234567"),
    ("(11) 91234-5678", "BR", "+5511912345678"), ("071 123 4567", "ZA", "+27711234567"),
    ("0412 345 678", "AU", "+61412345678"), ("021 123 4567", "NZ", "+64211234567"),
    ("٠٩١٢ ٣٤٥ ٦٧٨٩", "IR", "+989123456789"), ("22 33 44", "LU", "+352223344"),
  ]) func whatPeopleWriteBecomesE164(text: String, country: String, wanted: String) throws {
    #expect(try e164(text, country) == wanted)
    #expect(try e164(wanted, country) == wanted, "what was read is read again")
  }

  @Test(arguments: [
    ("", "NO", PhoneNumberFault.Code.empty), ("  - ", "NO", .empty), ("+", "", .empty),
    ("0800-HELP", "GB", .characterUnknown), ("91234567;1", "NO", .characterUnknown),
    ("912 34 567\u{1F600}", "NO", .characterUnknown), ("912\u{0}34567", "NO", .characterUnknown),
    ("tel:+4791234567", "NO", .characterUnknown), ("912 34 567 x12", "NO", .characterUnknown),
    ("47+91234567", "NO", .plusMisplaced), ("++4791234567", "NO", .plusMisplaced),
    ("912 34 567", "", .countryMissing), ("912 34 567", "UK", .countryUnknown),
    ("912 34 567", "Norway", .countryUnknown), ("+210 123456789", "", .callingCodeUnknown),
    ("+0 912 34 567", "", .callingCodeUnknown), ("00999 123 456 78", "NO", .callingCodeUnknown),
    ("912 34", "NO", .tooShort), ("+47 9123456", "", .tooShort), ("912 34 5678", "NO", .tooLong),
    ("4791234567", "NO", .tooLong), ("+1 202 555 014", "", .tooShort),
    ("0047 912 34 567", "US", .tooLong), ("+57 123 456 789", "", .lengthUnknown),
    ("+44 0044 123 4567", "", .zeroTwice), ("112", "NO", .emergency), ("1-1-2", "", .emergency),
    ("999", "GB", .emergency), ("911", "US", .emergency), ("+44 999", "", .emergency),
    ("000", "AU", .emergency), ("110", "CN", .emergency), ("101", "GB", .service),
    ("116 117", "DE", .service), ("+49 116117", "", .service), ("42", "", .service),
  ]) func whatReachesNobodyIsRefused(
    text: String, country: String, code: PhoneNumberFault.Code
  ) {
    #expect(fault(text, country) == code)
  }

  @Test func aTextOfAnyLengthIsAnsweredAtOnce() {
    #expect(fault(String(repeating: "1", count: 1_000_000), "NO") == .tooLong)
    #expect(fault(String(repeating: " ", count: 101), "NO") == .tooLong)
    #expect(fault("+" + String(repeating: "4", count: 99), "NO") == .tooLong)
  }

  @Test func everyFaultSaysWhatToDoAndNotTheNumber() {
    for code in PhoneNumberFault.Code.allCases {
      let message = PhoneNumberFault(code, about: "XY").message.description
      #expect(message.hasSuffix(".") || message.hasSuffix("--help"), "\(code)")
      #expect(message.split(separator: " ").count > 6, "\(code)")
    }
    for (text, country) in [("912 34", "NO"), ("4791234567", "NO"), ("+57 123 456 789", "")] {
      do throws(PhoneNumberFault) {
        _ = try PhoneNumber(validating: text, country: country)
        Issue.record("\(text) was taken")
      } catch {
        #expect(error.message.description.contains("digits, not"), "\(error)")
        #expect(!error.message.description.contains(text.filter(\.isNumber)), "\(error)")
      }
    }
  }

  @Test func theTableHoldsEveryCountryThatMattersAndEachOfItsLinesCanBeRead() {
    let lines = NumberingPlan.table.split(separator: "\n")
    #expect(lines.count > 240)
    var callingCodes: Set<String> = []
    for line in lines {
      let country = String(line.prefix(2))
      let plan = NumberingPlan.of(country: country)
      #expect(plan?.country == country, "\(line)")
      let lengths = plan?.lengths ?? []
      #expect(!lengths.isEmpty && lengths.allSatisfy { (4...13).contains($0) }, "\(line)")
      let longest = (plan?.callingCode.count ?? 0) + (lengths.max() ?? 0)
      #expect(longest <= 15, "\(line)")
      callingCodes.insert(plan?.callingCode ?? "")
    }
    // No calling code is the beginning of another one, or the first digits would not say the country.
    for code in callingCodes {
      let longer = callingCodes.filter { $0 != code && $0.hasPrefix(code) }
      #expect(longer.isEmpty, "\(code): \(longer)")
    }
    let wanted = """
      AL AD AT BY BE BA BG HR CY CZ DK EE FI FR DE GR HU IS IE IT XK LV LI LT LU MT MD MC ME NL MK NO \
      PL PT RO RU SM RS SK SI ES SE CH TR UA GB VA US CA AU NZ CN HK TW JP KR IN SG BR ZA
      """
    for country in wanted.split(separator: " ") {
      #expect(NumberingPlan.of(country: String(country)) != nil, "\(country)")
    }
  }
}
