import Foundation
import JSON
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_speech

@Suite("Text for speech")
struct SpokenTextTests {
  private func runs(_ text: String, _ language: SpokenLanguage) throws -> [String] {
    try SpokenText(text, language: language).runs.map { "\($0.language.rawValue)|\($0.text)" }
  }

  @Test("The voice changes with the writing, and numbers stay with the language of the text")
  func changes() throws {
    #expect(try runs("Anna 3 点来", .mandarin) == ["en|Anna ", "zh|3 点来"])
    #expect(try runs("Mr 王 is here at 3.", .english) == ["en|Mr ", "zh|王 ", "en|is here at 3."])
    #expect(try runs("请坐下。", .mandarin) == ["zh|请坐下。"])
  }

  @Test("Control characters and runs of white space become one space")
  func cleaned() throws {
    #expect(try runs("\u{1B}[2J  a\r\n\tb\u{0} ", .english) == ["en|[2J a b"])
  }

  @Test("2,000 characters are spoken and one more is refused")
  func length() throws {
    _ = try SpokenText(String(repeating: "a", count: 2000), language: .english)
    #expect(throws: SpokenText.Fault.tooLong(scalars: 2001)) {
      try SpokenText(String(repeating: "a", count: 2001), language: .english)
    }
    // One character to people, many to a machine.
    let stack = "e" + String(repeating: "\u{301}", count: 5000)
    #expect(throws: SpokenText.Fault.tooLong(scalars: 5001)) {
      try SpokenText(stack, language: .english)
    }
  }

  @Test(
    "A text without letters and numbers is empty", arguments: ["", " \n", "!?…", "。，", "\u{1F600}"])
  func empty(text: String) {
    #expect(throws: SpokenText.Fault.empty) { try SpokenText(text, language: .english) }
  }

  @Test(
    "A language is known by its first part", arguments: ["en", "en-GB", "EN-us", "zh", "zh-CN"])
  func tags(tag: String) { #expect(SpokenLanguage(tag: tag) != nil) }

  @Test("Other languages are not", arguments: ["", "e", "english", "fr", "-en", "zho"])
  func otherTags(tag: String) { #expect(SpokenLanguage(tag: tag) == nil) }
}

@Suite("Settings of speech")
struct SpeechSettingsTests {
  @Test(
    "A setting out of range or no voice's name is refused by its name",
    arguments: [
      ("rate", 79), ("rate", 301), ("pitch", -1), ("pitch", 100), ("gap", 501),
      ("cacheFiles", 9), ("cacheMegabytes", 19), ("voice", "../../etc/passwd"), ("voice", ""),
      ("mandarinVoice", "a b"), ("rate", "fast"),
    ] as [(String, JSONValue)])
  func refused(name: String, content: JSONValue) {
    let error = #expect(throws: RPCError.self) {
      try SpeechSettings(json: .object([name: content]))
    }
    #expect(error?.message.contains(name) == true)
  }

  @Test("Without settings the voice is British and speaks 155 words a minute")
  func defaults() throws {
    let settings = try SpeechSettings(json: .object([]))
    #expect(settings.voice == "en-gb" && settings.rateWordsPerMinute == 155)
  }
}

@Suite("Cache of speech")
struct WaveCacheTests {
  private let directory: TemporaryDirectory
  private var folder: String { directory.path(of: "sentences") }

  init() throws { directory = try TemporaryDirectory() }

  private func cache(files: Int = 3, bytes: Int = 1000) throws -> WaveCache {
    try WaveCache(folder: folder, limits: WaveCache.Limits(files: files, bytes: bytes))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("The least recently used file goes when there are too many")
  func count() throws {
    var cache = try cache()
    for name in ["a", "b", "c"] { _ = try cache.store([1, 2], as: name) }
    #expect(cache.file("a") != nil)
    _ = try cache.store([1], as: "d")
    #expect(try names() == ["a.wav", "c.wav", "d.wav"])
    #expect(cache.file("b") == nil)
  }

  @Test("Files go when they take too much space, but never the newest")
  func bytes() throws {
    var cache = try cache()
    _ = try cache.store([UInt8](repeating: 1, count: 600), as: "a")
    _ = try cache.store([UInt8](repeating: 1, count: 600), as: "b")
    #expect(try names() == ["b.wav"])
    _ = try cache.store([UInt8](repeating: 1, count: 5000), as: "c")
    #expect(try names() == ["c.wav"])
    #expect(cache.totalBytes == 5000)
  }

  @Test("After a restart the files are there and their order of use too")
  func restart() throws {
    var first = try cache()
    for name in ["a", "b", "c"] { _ = try first.store([1, 2], as: name) }
    for (name, seconds) in [("a", 30.0), ("b", 10), ("c", 20)] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)],
        ofItemAtPath: "\(folder)/\(name).wav")
    }
    var second = try cache(files: 2)
    #expect(try names() == ["a.wav", "c.wav"])
    _ = try second.store([1], as: "d")
    #expect(try names() == ["a.wav", "d.wav"])
  }

  @Test("Remains of an interrupted write are removed, and a file that vanished is noticed")
  func remains() throws {
    var first = try cache()
    _ = try first.store([1], as: "a")
    try directory.write("half", to: "sentences/new")
    var second = try cache()
    #expect(try names() == ["a.wav"])
    try FileManager.default.removeItem(atPath: "\(folder)/a.wav")
    #expect(second.file("a") == nil)
    #expect(second.count == 0)
  }

  @Test("A folder that cannot be made or written is a fault with its number")
  func noFolder() throws {
    try directory.write("", to: "file")
    #expect(throws: SpeechFault.disk(ENOTDIR)) {
      try WaveCache(
        folder: directory.path(of: "file/x"), limits: WaveCache.Limits(files: 1, bytes: 1))
    }
    var cache = try cache()
    try FileManager.default.removeItem(atPath: folder)
    #expect(throws: SpeechFault.disk(ENOENT)) { try cache.store([1], as: "a") }
  }
}

@Suite("WAV files")
struct WaveFileTests {
  @Test("The header is the one that players expect")
  func header() {
    let file = Speech(samples: [1, -2], sampleRate: 22_050).waveFile
    let expected: [UInt8] =
      Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
      + [0x22, 0x56, 0, 0, 0x44, 0xAC, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [4, 0, 0, 0]
      + [1, 0, 0xFE, 0xFF]
    #expect(file == expected)
  }

  @Test("Silence alone is trimmed to nothing")
  func silence() {
    let silent = Speech(samples: [Int16](repeating: 5, count: 9000), sampleRate: 22_050)
    #expect(silent.trimmed.samples.isEmpty)
    let extreme = Speech(samples: [.min, .max], sampleRate: 22_050)
    #expect(extreme.trimmed == extreme)
  }
}
