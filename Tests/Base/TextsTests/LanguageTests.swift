import Testing
import Texts

@Suite("Language")
struct LanguageTests {
  @Test(
    "A tag's first part decides, in any case",
    arguments: [
      ("en", Language.en), ("EN", .en), ("en-GB", .en), ("en_US.UTF-8", .en), ("zh", .zh),
      ("zh-Hans-CN", .zh), ("ZH_cn.utf8", .zh), ("zh@pinyin", .zh),
    ])
  func tags(tag: String, language: Language) { #expect(Language(tag: tag) == language) }

  @Test("Other tags are no language, and a person then gets English")
  func unknownTags() {
    let long = String(repeating: "zh", count: 100_000)
    for tag in ["", "-", "nb", "zhx", "z", "中文", "\u{0}", long, "C", "POSIX"] {
      #expect(Language(tag: tag) == nil, "\(tag.prefix(20))")
      #expect(Language(tag) == .en, "\(tag.prefix(20))")
    }
  }

  @Test(
    "The environment is read as gettext reads it",
    arguments: [
      ([:], Language.en),
      (["LANG": "zh_CN.UTF-8"], .zh),
      (["LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"], .zh),
      (["LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"], .en),
      (["LANG": "zh_CN.UTF-8", "LC_ALL": ""], .zh),
      (["LANG": "nb_NO.UTF-8", "LANGUAGE": "nb:zh:en"], .zh),
      (["LANG": "zh_CN.UTF-8", "LANGUAGE": "en:zh"], .en),
      (["LANG": "zh_CN.UTF-8", "LANGUAGE": "nb"], .zh),
      (["LANGUAGE": "zh"], .zh),
      (["LANGUAGE": "zh", "LC_ALL": "C"], .en),
      (["LANGUAGE": "zh", "LANG": "C.UTF-8"], .en),
      (["LANGUAGE": "zh", "LANG": "POSIX"], .en),
    ])
  func environment(variables: [String: String], language: Language) {
    #expect(Language(environment: { variables[$0] }) == language)
  }
}
