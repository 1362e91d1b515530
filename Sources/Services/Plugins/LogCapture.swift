import Bytes
import Moments
import PluginProtocol

/// Turns what a plugin writes on standard error into lines of bounded length and number, without secrets.
struct LogCapture {
  struct Line: Hashable {
    var level: PluginLogLevel
    var text: String
  }

  private let redactor: SecretRedactor
  /// Twice what is kept, so that a secret that goes over the cut is still recognised.
  private var framer = LineFramer(maximumBytes: 2 * PluginLimits.logLineBytes, excess: .isCut)
  private var bucket: TokenBucket
  private(set) var suppressed = 0

  init(redactor: SecretRedactor, now: Tick) {
    self.redactor = redactor
    bucket = TokenBucket(
      tokensPerSecond: PluginLimits.logLinesPerSecond, capacity: PluginLimits.logLinesPerSecond,
      now: now)
  }

  /// The lines that end in these bytes.
  mutating func lines(from bytes: some Collection<UInt8>, now: Tick) -> [Line] {
    framer.append(bytes)
    var lines: [Line] = []
    while let line = try? framer.next() {
      if !line.isEmpty { finish(line, into: &lines, now: now) }
    }
    return lines
  }

  /// What stands at the end without a newline.
  mutating func rest(now: Tick) -> [Line] { lines(from: [0x0A], now: now) }

  /// What was left out, once there is room to say so; nil when nothing was or there is none.
  mutating func notice(now: Tick) -> Line? {
    suppressed > 0 && bucket.take(now: now) ? takeNotice() : nil
  }

  private mutating func takeNotice() -> Line? {
    guard suppressed > 0 else { return nil }
    defer { suppressed = 0 }
    return Line(level: .warning, text: "\(suppressed) lines of log were left out")
  }

  private mutating func finish(_ line: [UInt8], into lines: inout [Line], now: Tick) {
    guard bucket.take(now: now) else {
      suppressed += 1
      return
    }
    if let notice = takeNotice() { lines.append(notice) }
    let text = redactor.redacted(String(decoding: line, as: UTF8.self))
    let cut = String(decoding: text.utf8.prefix(PluginLimits.logLineBytes), as: UTF8.self)
    lines.append(Self.levelled(cut.asPluginReason(limit: PluginLimits.logLineBytes)))
  }

  private static func levelled(_ text: String) -> Line {
    for level in PluginLogLevel.allCases where text.hasPrefix("\(level.rawValue):") {
      let rest = text.dropFirst(level.rawValue.count + 1).drop { $0 == " " }
      return Line(level: level, text: String(rest))
    }
    return Line(level: .info, text: text)
  }
}

/// Blacks secrets out of texts that people will read.
struct SecretRedactor: Sendable {
  private let secrets: [String]

  /// Secrets of several lines (keys) are also recognised line by line; those under four characters are not.
  init(secrets: [String]) {
    let lines = secrets.flatMap { secret in
      secret.split(whereSeparator: \.isNewline).map(String.init).filter { $0.count >= 12 }
    }
    self.secrets = Array(Set(secrets + lines)).filter { $0.count >= 4 }
      .sorted { $0.count > $1.count || ($0.count == $1.count && $0 < $1) }
  }

  func redacted(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: "[secret]") }
  }
}
