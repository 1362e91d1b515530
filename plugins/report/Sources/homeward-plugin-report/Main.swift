import Bytes
import CareReports
import Glibc
import JSON
import PluginKit
import Texts

@main
struct Main {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "--draw" { exit(draw(words.dropFirst())) }
    run()
  }

  static func run() {
    PluginMain.run(name: "report", version: "1.0.0") { link in ReportPlugin(link) }
  }

  /// Draws a file that holds a parcel to standard output: `homeward report` does it so.
  private static func draw(_ words: ArraySlice<String>) -> Int32 {
    guard let path = words.first, words.count == 1 else {
      PluginLog.write(.error, "give a file: --draw PARCEL.json >REPORT.pdf")
      return EX_USAGE
    }
    do throws(DrawingFault) {
      try write(try Drawings.drawn(from: try contents(of: path)).pdf)
      return EX_OK
    } catch {
      PluginLog.write(.error, error.message.text(in: PluginLanguage.current))
      return EX_DATAERR
    }
  }

  private static func contents(of path: String) throws(DrawingFault) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while bytes.count <= ReportParcel.bytesAtMost {
      let count = read(file, &buffer, buffer.count)
      guard count >= 0 else {
        throw DrawingFault(Message("The file {path} cannot be read.", ["path": path]))
      }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8]) throws(DrawingFault) {
    var left = bytes[...]
    while !left.isEmpty {
      let count = left.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else {
        throw DrawingFault(Message("Standard output cannot be written."))
      }
      left = left.dropFirst(count)
    }
  }
}
