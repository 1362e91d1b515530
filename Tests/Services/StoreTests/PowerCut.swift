import CCrashVFS
import Foundation

/// What a disk held and had promised while a recorded workload ran, and what a power cut could leave of it.
///
/// The model: bytes of a file are durable with the file's next sync, and until then each unsynced write may have
/// reached the disk whole, in part (any of its sectors of 512 bytes), or not at all, in any order; so may a
/// truncation. Entries of the directory (files made and deleted) are durable once the directory was synced, which
/// SQLite does with the first sync of a new journal or log, and the store does for its databases.
struct PowerCut {
  /// How unkind the cut is.
  enum Kind: CaseIterable {
    /// Nothing that was not synced arrived.
    case dropsAll
    /// Everything arrived.
    case keepsAll
    /// Each unsynced write arrived or not.
    case dropsSome
    /// Each sector of each unsynced write arrived or not.
    case tears
  }

  private struct DiskFile {
    var durable: [UInt8] = []
    var pending: [crash_operation] = []
    var wasSynced = false
  }

  private let vfs: OpaquePointer
  private var files: [Int32: DiskFile] = [:]
  private var names: [Int32: String] = [:]
  private var entries: [String: Int32] = [:]
  private var durableEntries: [String: Int32] = [:]
  /// Operations that have happened.
  private(set) var position = 0

  init(log vfs: OpaquePointer) { self.vfs = vfs }

  /// Positions of all syncs in a log.
  static func syncs(in vfs: OpaquePointer) -> [Int] {
    (0..<crash_vfs_count(vfs)).filter { operation(vfs, $0)?.kind == crash_sync }
  }

  private static func operation(_ vfs: OpaquePointer, _ number: Int) -> crash_operation? {
    var operation = crash_operation()
    return crash_vfs_operation(vfs, number, &operation) ? operation : nil
  }

  /// Lets the workload go on until so many operations have happened.
  mutating func advance(to target: Int) {
    while position < target, let operation = Self.operation(vfs, position) {
      happen(operation)
      position += 1
    }
  }

  private mutating func happen(_ operation: crash_operation) {
    let number = operation.file
    switch operation.kind {
    case crash_create:
      let path = crash_vfs_file_name(vfs, number).map { String(cString: $0) } ?? ""
      names[number] = path
      files[number] = DiskFile()
      entries[path] = number
      if path.hasSuffix(".db") { durableEntries[path] = number }
    case crash_sync:
      guard var file = files[number] else { return }
      for write in file.pending { Self.apply(write, to: &file.durable) }
      file.pending = []
      let isNewLog = !file.wasSynced && names[number]?.hasSuffix(".db") == false
      file.wasSynced = true
      files[number] = file
      if isNewLog { durableEntries = entries }
    case crash_delete:
      guard let path = names[number] else { return }
      entries[path] = nil
      if operation.size == 1 { durableEntries[path] = nil }
    default: files[number]?.pending.append(operation)
    }
  }

  private static func apply(_ operation: crash_operation, to bytes: inout [UInt8]) {
    let offset = Int(operation.offset)
    if operation.kind == crash_truncate {
      grow(&bytes, to: offset)
      bytes.removeLast(bytes.count - offset)
    } else {
      write(operation, from: 0, count: Int(operation.size), to: &bytes)
    }
  }

  private static func grow(_ bytes: inout [UInt8], to count: Int) {
    if bytes.count < count { bytes += [UInt8](repeating: 0, count: count - bytes.count) }
  }

  private static func write(
    _ operation: crash_operation, from start: Int, count: Int, to bytes: inout [UInt8]
  ) {
    guard count > 0, let source = operation.bytes else { return }
    let target = Int(operation.offset) + start
    grow(&bytes, to: target + count)
    bytes.withUnsafeMutableBytes {
      $0.baseAddress?.advanced(by: target).copyMemory(
        from: source.advanced(by: start), byteCount: count)
    }
  }

  /// Writes into `directory` what a cut at this position leaves.
  func materialise(
    _ kind: Kind, into directory: String, using random: inout some RandomNumberGenerator
  ) throws {
    var survivors = durableEntries
    for path in Set(entries.keys).union(durableEntries.keys).sorted()
    where entries[path] != durableEntries[path] && survivesUnsynced(kind, &random) {
      survivors[path] = entries[path]
    }
    for (path, number) in survivors {
      guard let file = files[number] else { continue }
      var bytes = file.durable
      for operation in file.pending { leave(operation, kind, on: &bytes, &random) }
      let name = URL(fileURLWithPath: path).lastPathComponent
      try Data(bytes).write(to: URL(fileURLWithPath: directory).appendingPathComponent(name))
    }
  }

  private func survivesUnsynced(
    _ kind: Kind, _ random: inout some RandomNumberGenerator
  ) -> Bool {
    switch kind {
    case .dropsAll: false
    case .keepsAll: true
    case .dropsSome, .tears: Bool.random(using: &random)
    }
  }

  private func leave(
    _ operation: crash_operation, _ kind: Kind, on bytes: inout [UInt8],
    _ random: inout some RandomNumberGenerator
  ) {
    guard kind == .tears, operation.kind == crash_write else {
      if survivesUnsynced(kind, &random) { Self.apply(operation, to: &bytes) }
      return
    }
    let size = Int(operation.size)
    for start in stride(from: 0, to: size, by: 512) where Bool.random(using: &random) {
      Self.write(operation, from: start, count: min(512, size - start), to: &bytes)
    }
  }
}

/// A directory in memory where the system has one, because a thousand images need no real disk.
final class MemoryDirectory {
  let path: String

  init() throws {
    let memory = "/dev/shm"
    let base =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    path = "\(base)/homeward-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
