import Bytes
import Care

/// Which sentences are there, which must be, and which may go.
///
/// A file is named `<sentence>-<voice>.wav`. A sentence in another voice than the present one counts as lacking and is
/// played nevertheless until the present voice has spoken it.
struct SentenceIndex {
  /// How much may be there that nobody asked to keep.
  struct Limits: Hashable, Sendable {
    var files: Int
    var bytes: Int
  }

  /// One file's name in its parts.
  struct Name: Hashable, Sendable {
    /// 32 hexadecimal digits for text and language.
    var sentence: String
    /// 32 hexadecimal digits for the voice.
    var voice: String

    /// The name in the folder.
    var file: String { "\(sentence)-\(voice).wav" }

    init(sentence: String, voice: String) {
      self.sentence = sentence
      self.voice = voice
    }

    /// Reads a name; nil when it is none of ours.
    init?(file: String) {
      guard file.hasSuffix(".wav") else { return nil }
      let parts = file.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy(Self.isFingerprint) else { return nil }
      self.init(sentence: String(parts[0]), voice: String(parts[1]))
    }

    private static func isFingerprint(_ text: Substring) -> Bool {
      text.utf8.count == 32
        && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
  }

  private struct Entry {
    var bytes: Int
    var use: Int
  }

  private let voice: String
  private let limits: Limits
  private var entries: [Name: Entry] = [:]
  private var voices: [String: Set<String>] = [:]
  private var kept: [String: Sentence] = [:]
  private var keptOrder: [String] = []
  private var uses = 0

  /// An index for a voice; `voice` names it, with every setting that changes the sound.
  init(voice: String, limits: Limits) {
    self.voice = Fingerprint([voice]).hexadecimal
    self.limits = limits
  }

  /// The name that a sentence has in the present voice.
  func name(of sentence: Sentence) -> Name {
    Name(sentence: Self.key(sentence), voice: voice)
  }

  private static func key(_ sentence: Sentence) -> String {
    Fingerprint([sentence.language, sentence.text]).hexadecimal
  }

  // MARK: What is there

  /// Notes a file.
  mutating func add(_ name: Name, bytes: Int) {
    uses += 1
    entries[name] = Entry(bytes: bytes, use: uses)
    voices[name.sentence, default: []].insert(name.voice)
  }

  /// Forgets a file.
  mutating func remove(_ name: Name) {
    entries[name] = nil
    voices[name.sentence]?.remove(name.voice)
    if voices[name.sentence]?.isEmpty == true { voices[name.sentence] = nil }
  }

  /// The file to play for a sentence, in the present voice if possible; it counts as used now.
  mutating func use(_ sentence: Sentence) -> Name? {
    let key = Self.key(sentence)
    guard let there = voices[key] else { return nil }
    let chosen = there.contains(voice) ? voice : there.min() ?? voice
    let name = Name(sentence: key, voice: chosen)
    uses += 1
    entries[name]?.use = uses
    return name
  }

  /// Whether a sentence is there in the present voice.
  func hasCurrent(_ sentence: Sentence) -> Bool { entries[name(of: sentence)] != nil }

  /// Whether a sentence is there in any voice.
  func hasAny(_ sentence: Sentence) -> Bool { voices[Self.key(sentence)] != nil }

  // MARK: What must be there

  /// Keeps a sentence for as long as this value lives.
  mutating func keep(_ sentence: Sentence) {
    let key = Self.key(sentence)
    if kept.updateValue(sentence, forKey: key) == nil { keptOrder.append(key) }
  }

  /// Whether a sentence is kept.
  func isKept(_ sentence: Sentence) -> Bool { kept[Self.key(sentence)] != nil }

  /// Kept sentences that are not there in the present voice, in the order in which they were asked for.
  var lacking: [Sentence] { keptOrder.compactMap { kept[$0] }.filter { !hasCurrent($0) } }

  // MARK: What may go

  /// Takes out what is too much, the least recently used first, and what the present voice has replaced; answers it.
  ///
  /// Takes nothing before somebody has said what to keep: until then everything may be what an alarm needs.
  mutating func trim() -> [Name] {
    guard !kept.isEmpty else { return [] }
    let replaced = entries.keys.filter {
      $0.voice != voice && voices[$0.sentence]?.contains(voice) == true
    }
    for name in replaced { remove(name) }
    var loose = entries.filter { kept[$0.key.sentence] == nil }
      .sorted { $0.value.use < $1.value.use }[...]
    var bytes = loose.reduce(0) { $0 + $1.value.bytes }
    var removed = replaced
    while let oldest = loose.first, loose.count > limits.files || bytes > limits.bytes {
      bytes -= oldest.value.bytes
      remove(oldest.key)
      removed.append(oldest.key)
      loose = loose.dropFirst()
    }
    return removed.sorted { $0.file < $1.file }
  }
}
