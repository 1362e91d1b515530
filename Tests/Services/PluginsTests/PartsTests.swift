import Bytes
import Care
import Foundation
import JSON
import Moments
import Ports
import TestSupport
import Testing

@testable import PluginProtocol
@testable import Plugins

@Suite("Where a plugin stands in a lane")
struct LaneLedgerTests {
  private static func row(_ sequence: Int64, _ subject: String) -> JournalRow {
    JournalRow(
      sequence: sequence, id: EventID("e\(sequence)"), type: .zoneLeft, subject: subject,
      lane: .record, body: [])
  }

  private static func letter(_ sequence: Int64) -> DeadLetter {
    DeadLetter(
      plugin: "p", lane: .record, sequence: sequence, event: EventID("e\(sequence)"), reason: "no",
      time: .seconds(0))
  }

  private static let now = Tick.seconds(100)

  private func ledger(at sequence: Int64 = 0) -> LaneLedger {
    LaneLedger(cursor: PluginCursor(plugin: "p", lane: .record, sequence: sequence))
  }

  /// Plans and settles rows with what the plugin answers.
  private func settle(
    _ rows: [JournalRow], _ outcomes: [EventOutcome], in ledger: inout LaneLedger
  ) -> [Int64] {
    let plan = ledger.plan(rows) { _ in .send }
    return ledger.settle(plan, outcomes: outcomes, now: Self.now, retrySecondMilliseconds: 1000)
      .map(\.row.sequence)
  }

  private static let later = EventOutcome.retry(afterSeconds: 60, reason: "busy")

  @Test("What is wanted later holds later events of its subject, and nobody else's")
  func held() {
    var ledger = ledger()
    let refused = settle(
      [Self.row(1, "mary"), Self.row(2, "tom"), Self.row(3, "mary")],
      [Self.later, .refused(reason: "no"), .accepted], in: &ledger)
    #expect(refused == [2])
    #expect(ledger.cursor.sequence == 3)
    #expect(ledger.cursor.exceptions == [.init(sequence: 1, subject: "mary", attempts: 1)])
    let plan = ledger.plan([Self.row(4, "mary"), Self.row(5, "tom")]) { _ in .send }
    #expect(plan.sent.map(\.sequence) == [5] && plan.held.map(\.sequence) == [4])
    #expect(plan.held.first?.attempts == 0 && plan.through == 5)
  }

  @Test("An exception is due when its time has come, and what waits behind it no earlier")
  func due() {
    var ledger = ledger()
    _ = settle([Self.row(1, "mary")], [Self.later], in: &ledger)
    _ = settle([Self.row(2, "mary"), Self.row(3, "tom")], [Self.later], in: &ledger)
    #expect(ledger.cursor.exceptions.map(\.sequence) == [1, 2, 3])
    let time = Self.now.advanced(byMilliseconds: 60_000)
    #expect(ledger.nextDue == time)
    #expect(ledger.due(at: time.advanced(byMilliseconds: -1), limit: 10).isEmpty)
    #expect(ledger.due(at: time, limit: 10) == [1, 2, 3])
    #expect(ledger.due(at: time, limit: 2) == [1, 2])
    ledger.forgetWaits()
    #expect(ledger.due(at: Self.now, limit: 10) == [1, 2, 3] && ledger.nextDue == nil)
  }

  @Test("Tried again it is settled, counted once more or, erased meanwhile, closed")
  func triedAgain() {
    var ledger = ledger()
    let rows = [Self.row(1, "mary"), Self.row(2, "tom"), Self.row(3, "eve"), Self.row(4, "ada")]
    _ = settle(rows, Array(repeating: Self.later, count: 4), in: &ledger)
    let refused = ledger.settleExceptions(
      Array(rows.prefix(3)), outcomes: [.accepted, Self.later, .refused(reason: "never")],
      missing: [4], now: Self.now, retrySecondMilliseconds: 1000)
    #expect(refused.map(\.row.sequence) == [3] && refused.first?.reason == "never")
    #expect(ledger.cursor.exceptions == [.init(sequence: 2, subject: "tom", attempts: 2)])
    #expect(ledger.cursor.sequence == 4)
  }

  @Test("With as many exceptions as there may be nothing new is sent, and the cursor waits")
  func full() {
    var ledger = ledger()
    let most = LaneLedger.maximumExceptions
    let rows = (1...most + 5).map { Self.row(Int64($0), "r\($0)") }
    let plan = ledger.plan(rows) { _ in .send }
    #expect(plan.sent.count == most && plan.through == Int64(most))
    _ = ledger.settle(
      plan, outcomes: Array(repeating: Self.later, count: most), now: Self.now,
      retrySecondMilliseconds: 1000)
    #expect(ledger.room == 0)
    let none = ledger.plan(Array(rows.dropFirst(most))) { _ in .send }
    #expect(none.sent.isEmpty && none.held.isEmpty && none.through == nil)
    let skipped = ledger.plan(Array(rows.dropFirst(most))) { _ in .skip }
    #expect(skipped.through == Int64(most + 5), "what is not wanted takes no room")
    #expect(ledger.reopen([(Self.letter(3), "r3")]).isEmpty)
  }

  @Test("Rows that the cursor has passed are not planned again")
  func passed() {
    let plan = ledger(at: 2).plan([Self.row(1, "a"), Self.row(2, "a"), Self.row(3, "a")]) { row in
      row.sequence == 3 ? .deadLetter(Self.letter(3)) : .send
    }
    #expect(plan.sent.isEmpty && plan.deadLetters.map(\.sequence) == [3] && plan.through == 3)
  }

  @Test(
    "Dead letters are opened again once each, in order, and none that the cursor has not reached")
  func reopened() {
    var ledger = ledger(at: 5)
    let opened = ledger.reopen([
      (Self.letter(4), "tom"), (Self.letter(2), "mary"), (Self.letter(2), "mary"),
      (Self.letter(6), "eve"),
    ])
    #expect(opened.map(\.sequence) == [4, 2, 2])
    #expect(ledger.cursor.exceptions.map(\.sequence) == [2, 4])
    #expect(ledger.due(at: Self.now, limit: 10) == [2, 4])
  }
}

@Suite("Bounds of what goes to a plugin and comes from it")
struct PluginBoundTests {
  @Test("A bucket gives so many at once, then so many a second, and no more after a long rest")
  func bucket() {
    var bucket = TokenBucket(tokensPerSecond: 10, capacity: 5, now: .seconds(0))
    func taken(_ bucket: inout TokenBucket, at milliseconds: Int64) -> Int {
      (0..<100).count { _ in bucket.take(now: .milliseconds(milliseconds)) }
    }
    #expect(taken(&bucket, at: 0) == 5)
    #expect(bucket.millisecondsUntilTokens == 100)
    #expect(taken(&bucket, at: 300) == 3)
    #expect(taken(&bucket, at: 3_600_000) == 5)
    #expect(taken(&bucket, at: 3_599_000) == 0, "time that goes back fills nothing")
  }

  @Test("What is larger than the bucket passes once and is paid for afterwards")
  func debt() {
    var bucket = TokenBucket(tokensPerSecond: 10, capacity: 5, now: .seconds(0))
    var taken = [bucket.take(25, now: .seconds(0))]
    #expect(bucket.millisecondsUntilTokens == 2100)
    for milliseconds: Int64 in [1900, 2200] {
      taken.append(bucket.take(now: .milliseconds(milliseconds)))
    }
    #expect(taken == [true, false, true])
  }

  @Test("Urgent lines overtake those that wait, and tear none that has begun")
  func queue() {
    var queue = OutgoingQueue()
    queue.append(Array("ordinary\n".utf8), isUrgent: false)
    queue.append(Array("second\n".utf8), isUrgent: false)
    #expect(queue.next.map { String(decoding: $0, as: UTF8.self) } == "ordinary\n")
    queue.advance(by: 3)
    queue.append(Array("urgent\n".utf8), isUrgent: true)
    #expect(queue.bytes == 6 + 7 + 7)
    var written = ""
    while let next = queue.next {
      written += String(decoding: next.prefix(4), as: UTF8.self)
      queue.advance(by: min(4, next.count))
    }
    #expect(written == "inary\nurgent\nsecond\n")
    #expect(queue.isEmpty && queue.bytes == 0)
  }

  @Test("A long line goes in pieces")
  func pieces() {
    var queue = OutgoingQueue()
    queue.append([UInt8](repeating: 0x78, count: 600 << 10), isUrgent: false)
    var sizes: [Int] = []
    while let next = queue.next {
      sizes.append(next.count)
      queue.advance(by: next.count)
    }
    #expect(sizes == [256 << 10, 256 << 10, 88 << 10])
  }
}

@Suite("What a plugin says on its standard error")
struct LogCaptureTests {
  private func capture(_ secrets: [String] = []) -> LogCapture {
    LogCapture(redactor: SecretRedactor(secrets: secrets), now: .seconds(0))
  }

  @Test(
    "A line begins with its level where it names one, and is clean",
    arguments: [
      ("error: no paper", .error, "no paper"), ("warning:hot", .warning, "hot"),
      ("error no paper", .info, "error no paper"), ("Error: x", .info, "Error: x"),
      ("plain \u{1B}[31mred", .info, "plain  [31mred"), ("info:   x", .info, "x"),
    ] as [(String, PluginLogLevel, String)])
  func levels(line: String, level: PluginLogLevel, text: String) {
    var capture = capture()
    #expect(
      capture.lines(from: Array("\(line)\n\n".utf8), now: .seconds(0))
        == [LogCapture.Line(level: level, text: text)])
  }

  @Test("More lines than a log bears are counted, and that is said once there is room")
  func flood() {
    var capture = capture()
    let flood = Array(String(repeating: "x\n", count: 250).utf8)
    #expect(capture.lines(from: flood, now: .seconds(0)).count == PluginLimits.logLinesPerSecond)
    #expect(capture.suppressed == 250 - PluginLimits.logLinesPerSecond)
    #expect(capture.notice(now: .seconds(0)) == nil)
    let after = capture.lines(from: Array("y\n".utf8), now: .seconds(1))
    #expect(after.map(\.text) == ["150 lines of log were left out", "y"])
    #expect(after.first?.level == .warning && capture.suppressed == 0)
    #expect(capture.notice(now: .seconds(2)) == nil)
  }

  @Test("A line that has no end yet waits for it; at the end of the program it is said as it is")
  func rest() {
    var capture = capture()
    #expect(capture.lines(from: Array("half".utf8), now: .seconds(0)).isEmpty)
    #expect(capture.lines(from: Array(" and half\nre".utf8), now: .seconds(0)).count == 1)
    #expect(capture.rest(now: .seconds(0)).map(\.text) == ["re"])
    #expect(capture.rest(now: .seconds(0)).isEmpty)
  }

  @Test("A secret is black also where the line is cut through it, and where it goes over lines")
  func secrets() {
    let key = "-----BEGIN KEY-----\nabcdefghijklmnop\nqrs\n-----END KEY-----"
    var capture = capture(["pass", "password1", "abc", key, "long secret of a broker"])
    func said(_ text: String) -> String? {
      capture.lines(from: Array("\(text)\n".utf8), now: .seconds(0)).first?.text
    }
    #expect(said("it is password1, not pass") == "it is [secret], not [secret]")
    #expect(said("abc and qrs") == "abc and qrs", "what is too short is in every text")
    #expect(said("key abcdefghijklmnop") == "key [secret]")
    let filler = String(repeating: "x", count: PluginLimits.logLineBytes - 6)
    let cut = said(filler + "long secret of a broker" + "tail")
    #expect(cut?.contains("long") == false)
    #expect(cut?.utf8.count ?? 0 <= PluginLimits.logLineBytes)
  }
}

@Suite("Secrets of a plugin's settings")
struct SecretReaderTests {
  private func read(_ content: [UInt8]) throws -> Result<String, SecretError> {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "secret")
    try Data(content).write(to: URL(fileURLWithPath: path))
    return read(.file(path))
  }

  private func read(_ source: SecretReference.Source) -> Result<String, SecretError> {
    let reference = SecretReference(path: [.member("broker"), .member("password")], source: source)
    return Result { () throws(SecretError) in try SecretReader.read(reference) }
  }

  @Test(
    "The end of the line is no part of a secret, and spaces are",
    arguments: [
      ("hunter2", "hunter2"), ("hunter2\n", "hunter2"), ("hunter2\r\n\n", "hunter2"),
      (" two words \n", " two words "), ("a\nb\n", "a\nb"), ("密码", "密码"),
    ])
  func whole(content: String, secret: String) throws {
    #expect(try read(Array(content.utf8)).get() == secret)
  }

  @Test("A secret has up to 64 KiB of UTF-8 text; what has not is refused and not repeated")
  func refused() throws {
    let most = SecretReader.maximumBytes
    #expect(try read([UInt8](repeating: 0x78, count: most)).get().utf8.count == most)
    for content in [
      [], [0x0A], [0x0D, 0x0A], [0x68, 0x75, 0xFF, 0x6E],
      [UInt8](repeating: 0x78, count: most + 1),
    ] as [[UInt8]] {
      guard case .failure(let error) = try read(content) else {
        Issue.record("\(content.prefix(4)) was read")
        continue
      }
      #expect(error.description.hasPrefix("broker.password: "))
      #expect(!error.description.contains("xxxx") && !error.description.contains("hu"))
    }
  }

  @Test("Where it is kept is named, and why it cannot be read")
  func missing() throws {
    guard case .failure(let none) = read(.file("/nowhere/secret")) else {
      Issue.record("there is no such file")
      return
    }
    #expect(
      none.description == "broker.password: /nowhere/secret cannot be read: it does not exist")
    let folder = try TemporaryDirectory()
    #expect(throws: SecretError.self) { try read(.file(folder.path)).get() }
    let pipe = folder.path(of: "pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: SecretError.self, "a pipe does not hold the gateway up") {
      try read(.file(pipe)).get()
    }
  }
}
