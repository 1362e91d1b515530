import Foundation

/// What the kernel keeps of files in memory.
enum PageCache {
  /// Has the programs and libraries in a folder read from the disk when they start next, as after a boot.
  ///
  /// Of a file that was just built, the kernel holds all in large pieces and maps more around each page that is used: up to
  /// 1.5 MB of a gateway counted that no home sees.
  static func forget(filesIn folder: String) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: folder) {
      let path = "\(folder)/\(name)"
      var isFolder: ObjCBool = false
      guard files.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
        continue
      }
      guard files.isExecutableFile(atPath: path) || name.hasSuffix(".so") else { continue }
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw BenchmarkFailure("\(path) cannot be opened") }
      defer { close(descriptor) }
      // What is not on the disk yet stays.
      guard fsync(descriptor) == 0, posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
        throw BenchmarkFailure("\(path) stays in memory")
      }
    }
  }
}
