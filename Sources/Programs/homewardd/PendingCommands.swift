import Care
import Glibc
import JSON
import Loop
import Runtime

/// Commands that `homeward setup` left for the next start, one JSON object a line.
@LoopActor
enum PendingCommands {
  static let fileName = "pending-commands.jsonl"

  /// Performs what is waiting; the file goes away when every command has been answered durably.
  static func apply(in directory: String, to runtime: GatewayRuntime) {
    let path = "\(directory)/\(fileName)"
    guard access(path, F_OK) == 0 else { return }
    guard let text = try? ConfigurationText.read(path: path) else {
      return Log.error("\(path) cannot be read; run homeward setup again.")
    }
    let lines = text.split(separator: "\n")
    let progress = Progress(waiting: lines.count)
    for (index, line) in lines.enumerated() {
      guard let command = try? Command(json: JSONValue(parsing: String(line))) else {
        Log.error("\(path), line \(index + 1) is no command; run homeward setup again.")
        progress.waiting -= 1
        continue
      }
      runtime.perform(command) { reply in
        if case .refused(let refusal) = reply {
          Log.error("\(path), line \(index + 1): \(refusal.message)")
        }
        progress.waiting -= 1
        if progress.waiting == 0 { unlink(path) }
      }
    }
  }

  private final class Progress {
    var waiting: Int
    init(waiting: Int) { self.waiting = waiting }
  }
}
