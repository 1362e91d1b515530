import Bytes
import Care
import JSON
import Testing

@Suite("Units of a medicine, and what a dose in words takes of them")
struct DoseTextTests {
  @Test(
    "What leaves no doubt is understood",
    arguments: [
      ("1 tablet", 100), ("2 tablets", 200), ("2 Tablets of 5 mg", 200), ("½ tablet", 50),
      ("1½ tablets", 150), ("1 1/2 tablets", 150), ("1/2 tablet", 50), ("0.5 tablet", 50),
      ("0,5 tablet", 50), ("half a tablet", 50), ("a quarter of a tablet", nil),
      ("one capsule", 100), ("Two puffs", 200), ("2tablets", 200), ("1 tablet with water", 100),
      ("2 pills (5mg)", 200), ("两片", 200), ("2片", 200), ("2 片", 200), ("半片", 50),
      ("一片半", 150), ("每次2粒", 200), ("一次两片", 200), ("1 tablet, after breakfast", 100),
    ] as [(String, Int64?)])
  func understood(text: String, hundredths: Int64?) {
    #expect(DoseText.units(in: text)?.hundredths == hundredths, "\(text)")
  }

  @Test(
    "What may mean something else is not",
    arguments: [
      "", "500 mg", "10 ml", "20 drops", "1-2 tablets", "1 or 2 tablets", "1 to 2 tablets",
      "1 tablet in the morning, 2 in the evening", "1 tablet in the morning and one at night",
      "tablet", "tablets", "2 x 1 tablet", "two", "10 units", "1/3 tablet", "as the doctor said",
      "一日三次，一次两片", "一两片", "早1片晚2片", "10毫升", "1.255 tablets",
    ])
  func doubtful(text: String) { #expect(DoseText.units(in: text) == nil, "\(text)") }

  @Test(
    "Counts are exact, as people write them",
    arguments: [
      ("60", "60"), ("2.5", "2.5"), ("2,25", "2.25"), ("½", "0.5"), ("1½", "1.5"), ("0.05", "0.05"),
      (" 3 ", "3"), ("1 1/4", "1.25"),
    ])
  func counts(text: String, shown: String) throws {
    let count = try #require(UnitCount(text: text))
    #expect("\(count)" == shown)
    #expect(try UnitCount(json: count.json) == count)
  }

  @Test(
    "No count is no count",
    arguments: ["", "-1", "many", "1,000", "1.2.3", "1/0", "1 2", "1e5", "½½", "1000000000000"])
  func noCount(text: String) { #expect(UnitCount(text: text) == nil, "\(text)") }

  @Test("A whole count is a whole number for backends, a part a fraction")
  func json() throws {
    let stock = Stock(units: UnitCount(hundredths: 1950), unitsPerDose: UnitCount(hundredths: 50))
    #expect(stock.json["units"] == .number(19.5) && stock.json["unitsPerDose"] == .number(0.5))
    #expect(try Stock(json: stock.json) == stock)
    #expect(try Stock(json: ["units": 20]) == Stock(units: 20, unitsPerDose: 1))
    #expect(throws: DecodeError.self) { try Stock(json: ["units": "20"]) }
  }
}
