import Care
import Testing

@Suite struct ResidentGuideTests {
  private let english = ResidentGuide.text(language: "en")
  private let chinese = ResidentGuide.text(language: "zh")

  @Test func bothLanguagesSayTheSameNumberOfThings() {
    #expect(english.count == chinese.count)
    #expect(english.count >= 10)
    #expect(ResidentGuide.languages == ["en", "zh"])
  }

  @Test func everySentenceIsShortAndOneOnly() {
    for sentence in english {
      #expect(sentence.hasSuffix(".") && sentence.filter { $0 == "." }.count == 1, "\(sentence)")
      #expect(sentence.split(separator: " ").count <= 13, "\(sentence)")
    }
    for sentence in chinese {
      #expect(sentence.hasSuffix("。") && sentence.filter { $0 == "。" }.count == 1, "\(sentence)")
      #expect(sentence.count <= 20, "\(sentence)")
    }
  }

  @Test func chineseIsWrittenInChineseAndEnglishInLatinLetters() {
    for sentence in chinese + [ResidentGuide.title(language: "zh")] {
      #expect(
        sentence.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic || $0.value >= 0x4E00 })
    }
    for sentence in english { #expect(sentence.utf8.allSatisfy { $0 < 0x80 }, "\(sentence)") }
  }

  @Test func nobodyIsBlamedOrAskedToRemember() {
    for word in ["forget", "forgot", "remember", "must", "wrong", "never press"] {
      #expect(!english.contains { $0.lowercased().contains(word) }, "\(word)")
    }
    for word in ["忘", "记得", "必须", "错"] {
      #expect(!chinese.contains { $0.contains(word) }, "\(word)")
    }
  }

  @Test func aRegionOfALanguageCountsAndAnUnknownLanguageIsEnglish() {
    #expect(ResidentGuide.text(language: "zh-Hans-CN") == chinese)
    #expect(ResidentGuide.text(language: "ZH") == chinese)
    #expect(ResidentGuide.text(language: "nb") == english)
    #expect(ResidentGuide.text(language: "") == english)
    #expect(ResidentGuide.title(language: "en") != ResidentGuide.title(language: "zh"))
  }
}
