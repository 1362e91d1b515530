import CFuzzDriver
import Glibc

/// Feeds one reader of outside bytes: `homeward-fuzz READER [libFuzzer's flags and folders]`.
@main
struct Main {
  static func main() { exit(run()) }
}

func run() -> Int32 {
  guard chosenReader != nil else {
    let names = Reader.allCases.map(\.rawValue).joined(separator: ", ")
    print("usage: homeward-fuzz READER [flags of libFuzzer] [folders]\nreaders: \(names)")
    return 2
  }
  var count = CommandLine.argc - 1
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
  return LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    chosenReader?.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }
}

let chosenReader = CommandLine.arguments.dropFirst().first.flatMap(Reader.init(rawValue:))
