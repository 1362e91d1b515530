import Bytes
import Glibc

/// Damages every message that comes by Bluetooth, a counted number of times:
/// `homeward-message-fuzz [MUTATIONS [SEED [MESSAGE]]]`.
///
/// The same numbers give the same bytes on every machine. A crash, a message without end and a broken promise are told
/// with the bytes that did it.
@main
struct Main {
  static func main() { exit(run(Array(CommandLine.arguments.dropFirst()))) }

  static let usualMutations = 10_000_000
  static let usualSeed: UInt64 = 20_261_120

  static func run(_ arguments: [String]) -> Int32 {
    let mutations = arguments.isEmpty ? usualMutations : Int(arguments[0]) ?? -1
    let seed = arguments.count < 2 ? usualSeed : UInt64(arguments[1])
    let messages = FuzzedMessage.all().filter { arguments.count < 3 || $0.name == arguments[2] }
    guard mutations >= 0, let seed, !messages.isEmpty, arguments.count < 4 else {
      let names = FuzzedMessage.all().map { "\"\($0.name)\"" }.joined(separator: ", ")
      print("usage: homeward-message-fuzz [MUTATIONS [SEED [MESSAGE]]]\nmessages: \(names)")
      return 2
    }
    LastInput.tellWhenDying()
    show(["message", "seed", "prefixes", "mutations", "read", "seconds"])
    let outcomes = messages.map { isFine($0, mutations, seed) }
    return outcomes.allSatisfy { $0 } ? 0 : 1
  }

  private static func isFine(_ message: FuzzedMessage, _ mutations: Int, _ seed: UInt64) -> Bool {
    let clock = ContinuousClock()
    let start = clock.now
    let report = Trial(message: message, mutations: mutations, seed: seed).run()
    let tenths = Int((clock.now - start) / .milliseconds(100))
    show([
      message.name, "\(seed)", "\(report.prefixes)", "\(report.mutations)", "\(report.read)",
      "\(tenths / 10).\(tenths % 10)",
    ])
    if let fault = report.fault {
      print("    \(fault.promise): \(Hexadecimal.text(fault.bytes))")
      return false
    }
    // A few mutations may all end the same way.
    guard report.isTelling || mutations < 1000 else {
      print("    all were read, or all were refused: that shows nothing")
      return false
    }
    return true
  }

  private static func show(_ columns: [String]) {
    let widths = [22, 10, 10, 12, 12, 10]
    let cells = zip(columns, widths).enumerated().map { place, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return place == 0 ? cell.0 + padding : padding + cell.0
    }
    print(cells.joined())
    fflush(nil)
  }
}
