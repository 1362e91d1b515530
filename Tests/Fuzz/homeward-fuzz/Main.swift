import CFuzzDriver
import Glibc
import RequestReaders

/// Feeds one reader of outside bytes: `homeward-fuzz READER [libFuzzer's flags and folders]`; or writes what it begins with,
/// where the program knows it: `homeward-fuzz READER --samples FOLDER`.
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
  if CommandLine.arguments.count == 4, CommandLine.arguments[2] == "--samples" {
    return writeSamples(below: CommandLine.arguments[3])
  }
  var count = CommandLine.argc - 1
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
  return LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    chosenReader?.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }
}

let chosenReader = CommandLine.arguments.dropFirst().first.flatMap(Reader.init(rawValue:))

func writeSamples(below folder: String) -> Int32 {
  for (number, sample) in (chosenReader?.web?.samples ?? []).enumerated() {
    guard let file = fopen("\(folder)/sample-\(number)", "w") else { return 1 }
    fwrite(sample, 1, sample.count, file)
    fclose(file)
  }
  return 0
}
