import Bytes
import CareReports
import Glibc
import JSON
import PluginKit
import Texts

@main
struct Main {
  static func main() {
    if CommandLine.arguments.dropFirst().first == "--draw" { exit(draw()) }
    run()
  }

  static func run() {
    PluginMain.run(name: "report", version: "1.0.0") { link in ReportPlugin(link) }
  }

  /// Draws what comes on standard input, a parcel, to standard output: `homeward report` does it so.
  private static func draw() -> Int32 {
    do throws(DrawingFault) {
      let drawn = try Drawings.drawn(from: read())
      var left = drawn.pdf[...]
      while !left.isEmpty {
        let count = left.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { return EX_IOERR }
        left = left.dropFirst(count)
      }
      return EX_OK
    } catch {
      PluginLog.write(.error, error.message.text(in: .en))
      return EX_DATAERR
    }
  }

  private static func read() -> [UInt8] {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while bytes.count <= ReportParcel.bytesAtMost {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
