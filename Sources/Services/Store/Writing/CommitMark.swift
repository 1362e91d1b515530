import Bytes
import Care
import Glibc
import JSON
import Loop
import Moments

/// How far the database had come with its newest commit, so that a database that has less is known to have lost something.
///
/// SQLite leaves out what it cannot read of its write-ahead log, and everything after it, and says nothing.
struct CommitMark: Hashable, Sendable {
  /// Counts the marks, so that the newest of a file is known.
  var number: Int64 = 0
  /// The number of the newest event of the journal.
  var sequence: Int64
  /// Its id.
  var event: String
  /// When it happened.
  var time: Timestamp
  /// The number of the last change of the emergency card; nil when there was none.
  var card: Int64?
  /// How much of the write-ahead log was in use; nil when that could not be told.
  var log: LogIndex?
}

/// How much of a write-ahead log is in use, as SQLite's index of the log says.
///
///     offset  12     16.....19   32.....39  40.....47
///     field   ready  last frame  salts      checksum
///
/// The numbers are in the order of the machine.
///
/// - Source: https://www.sqlite.org/walformat.html, section 2.1.
struct LogIndex: Hashable, Sendable {
  /// Two numbers of which both are others whenever the log begins anew.
  var salts: [UInt32]
  /// Pages in it.
  var pages: UInt32

  /// Reads the first bytes of an open index; nil when they are none.
  init?(_ descriptor: Int32) {
    var words = [UInt32](repeating: 0, count: 12)
    let count = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == 48 else { return nil }
    (salts, pages) = (Array(words[8..<10]), words[4])
  }

  init(salts: [UInt32], pages: UInt32) {
    (self.salts, self.pages) = (salts, pages)
  }

  /// Whether this is the same log as an earlier one and has less; one damaged salt does not make it another.
  func hasLost(since earlier: LogIndex) -> Bool {
    zip(salts, earlier.salts).contains { $0 == $1 && $0 != 0 } && pages < earlier.pages
  }
}

extension CommitMark {
  /// Takes an event that was written.
  mutating func take(_ newest: (sequence: Int64, event: EncodedEvent)) {
    sequence = newest.sequence
    event = newest.event.id.rawValue
    time = newest.event.moment.utc
  }

  static func path(_ options: SQLiteStore.Options) -> String { options.carePath + ".mark" }

  /// The newest mark in a file; nil when there is none that is whole.
  static func newest(in path: String) -> CommitMark? {
    let descriptor = Files.openForReading(path, O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: CommitMarkFile.slotBytes * 2)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count == buffer.count else { return nil }
    return [buffer.prefix(CommitMarkFile.slotBytes), buffer.suffix(CommitMarkFile.slotBytes)]
      .compactMap { CommitMark(slot: $0) }.max { $0.number < $1.number }
  }

  /// Reads a slot: eight digits of a checksum, a space, an object, spaces and a line feed.
  init?(slot: ArraySlice<UInt8>) {
    let body = slot.dropFirst(9)
    guard slot.prefix(8).elementsEqual(Self.checksum(of: body)),
      let json = try? JSONValue(parsing: Array(body)), let reader = try? JSONReader(json),
      let number = try? reader.integer("number"),
      let sequence = try? reader.integer("sequence"), let event = try? reader.string("event"),
      let time = try? Timestamp(iso8601: reader.string("time"))
    else { return nil }
    self.init(number: number, sequence: sequence, event: event, time: time)
    card = try? reader.optionalInteger("card")
    let salts = (json["salts"]?.arrayContent ?? []).compactMap {
      $0.integerContent.flatMap { UInt32(exactly: $0) }
    }
    if salts.count == 2, let pages = json["pages"]?.integerContent {
      log = LogIndex(salts: salts, pages: UInt32(clamping: pages))
    }
  }

  /// The mark as a slot; nil when it does not fit.
  var slot: [UInt8]? {
    let json = JSONValue.object([
      "number": .integer(number), "sequence": .integer(sequence), "event": .string(event),
      "time": .string(time.iso8601),
      "card": card.map { .integer($0) },
      "salts": log.map { .array($0.salts.map { .integer(Int64($0)) }) },
      "pages": log.map { .integer(Int64($0.pages)) },
    ])
    let bytes = json.serializedBytes
    let room = CommitMarkFile.slotBytes - 10 - bytes.count
    guard room >= 0 else { return nil }
    let body = bytes + [UInt8](repeating: 0x20, count: room) + [0x0A]
    return Self.checksum(of: body[...]) + [0x20] + body
  }

  private static func checksum(of body: ArraySlice<UInt8>) -> [UInt8] {
    var checksum = RowChecksum()
    body.withUnsafeBytes { checksum.add($0) }
    return Array(Hexadecimal.text((0..<4).map { UInt8(checksum.sum >> (24 - 8 * $0) & 0xFF) }).utf8)
  }
}

/// The file beside the database that holds the mark, in two places by turns, so that one is always whole.
///
/// It is written after each commit and never synchronised: the kernel puts it on the disk within half a minute, one page
/// for all commits of that time, and a crash of the daemon loses nothing. After a power cut it may be older than the
/// database, never newer. Used on the writer's thread only.
final class CommitMarkFile {
  static let slotBytes = 512

  private let path: String
  private let carePath: String
  private var descriptor: Int32 = -1
  private var number: Int64 = 0
  private var last: CommitMark?
  /// Until then the mark of the run before stands, so that what it shows to be lost is told again after a crash.
  private let standsUntil: Tick

  /// - Parameter hasLoss: whether something is lost that nobody has been told of yet.
  init(_ options: SQLiteStore.Options, hasLoss: Bool, at now: Tick) {
    path = CommitMark.path(options)
    carePath = options.carePath
    standsUntil = hasLoss ? now.advanced(byMilliseconds: 60_000) : now
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Notes a commit; what the disk refuses is left out, for the database itself is what counts.
  func write(_ mark: CommitMark, at now: Tick) {
    guard now >= standsUntil, open() else { return }
    var mark = mark
    mark.log = IndexDescriptors.index(of: carePath)
    mark.number = number
    guard mark != last else { return }
    number += 1
    mark.number = number
    last = mark
    guard let slot = mark.slot else { return }
    _ = slot.withUnsafeBytes {
      pwrite(descriptor, $0.baseAddress, $0.count, off_t(number % 2) * off_t(Self.slotBytes))
    }
  }

  private func open() -> Bool {
    if descriptor >= 0 { return true }
    number = CommitMark.newest(in: path)?.number ?? 0
    if Files.isOther(path) { Files.remove(path) }
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return false }
    // Both places are there from the beginning.
    if Files.size(path) < Self.slotBytes * 2 { ftruncate(descriptor, off_t(Self.slotBytes * 2)) }
    return true
  }

  /// Puts the mark on the disk for good, with a clean stop.
  func synchronise() { if descriptor >= 0 { fdatasync(descriptor) } }
}
