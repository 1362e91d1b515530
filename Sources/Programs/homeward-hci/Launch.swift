// SPDX-License-Identifier: GPL-2.0-or-later
import CHCI
import Glibc
import Loop
import Texts

/// Starts the program from the command line and stops it on a signal.
enum Launch {
  /// Exit codes.
  enum ExitCode: Int32 {
    /// Stopped as asked.
    case stopped = 0
    /// Could not start.
    case failed = 1
    /// The command line is wrong.
    case usage = 2
  }

  @LoopActor private static var service: Service?

  /// Runs until SIGTERM or SIGINT; never returns.
  static func run() -> Never {
    signal(SIGPIPE, SIG_IGN)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT] { sigaddset(&signals, number) }
    // Before any other thread starts and inherits the mask.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let options = parseOrExit()
    if options.switchesOn { switchOn(options) }
    EventLoop.shared.post { start(options) }
    while true {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { continue }
      EventLoop.shared.post { service?.stop() }
    }
  }

  @LoopActor
  private static func start(_ options: LaunchOptions) {
    let made = Service(options: options)
    service = made
    do { try made.start() } catch { fail(error.message) }
  }

  private static func parseOrExit() -> LaunchOptions {
    do throws(LaunchOptions.Fault) {
      if let fault = GivenArguments.fault { throw LaunchOptions.Fault(message: fault) }
      let options = try LaunchOptions(arguments: Array(CommandLine.arguments.dropFirst()))
      if let text = options.textToPrint {
        Log.print(text)
        exit(ExitCode.stopped.rawValue)
      }
      return options
    } catch { fail(error.message, .usage) }
  }

  private static func switchOn(_ options: LaunchOptions) -> Never {
    if homeward_hci_switch_on(Int32(options.adapter)) == 0 { exit(ExitCode.stopped.rawValue) }
    let reason = String(cString: strerror(errno))
    fail(
      Message(
        "The adapter {name} cannot be switched on ({reason}).",
        ["name": options.adapterName, "reason": reason]))
  }

  private static func fail(_ message: Message, _ code: ExitCode = .failed) -> Never {
    Log.write(message.text(in: LaunchOptions.language))
    exit(code.rawValue)
  }
}

/// Lines on standard error, for which nothing waits. Addresses of devices never come here.
enum Log {
  private static let writer = LogWriter(descriptor: STDERR_FILENO, prefix: "homeward-hci: ")
    .drainingAtExit()

  static func write(_ message: String) { writer.write("homeward-hci: \(message)\n") }

  /// Writes text to standard output, for `--help` and `--version`.
  static func print(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }
}
