import CGatewayShims
import Configuration
import Glibc
import JSON
import Loop
import Texts

/// Starts the daemon from the command line and stops it on a signal.
enum Launch {
  /// Exit codes of the daemon.
  enum ExitCode: Int32 {
    /// Stopped as asked.
    case stopped = 0
    /// Could not start or had to stop.
    case failed = 1
    /// The command line or configuration is wrong.
    case usage = 2
  }

  /// Runs until SIGTERM or SIGINT; never returns.
  static func run() -> Never {
    ignoreSignals()
    let signals = blockSignals()
    let options = parseOrExit()
    if options.isCheck { exit(check(options).rawValue) }
    let configuration = configurationOrExit(options)
    if let problem = LaunchLimits.problem() {
      Log.error(problem.text(in: LaunchOptions.language))
      exit(ExitCode.failed.rawValue)
    }
    Log.level = configuration.log.level.priority
    for notice in configuration.retired {
      Log.warning(notice.text(in: configuration.gateway.language))
    }
    EventLoop.shared.post {
      do { try Daemon.start(configuration, options: options) } catch {
        Log.error("\(error)")
        exit(ExitCode.failed.rawValue)
      }
    }
    waitForSignals(signals, options)
  }

  /// Signals that end a program unless it says otherwise, and that nobody sends for a reason of the gateway's: of a closed
  /// connection, of a limit on the size of files or on processor time that somebody set from outside, of a descriptor
  /// that changed owners. What fails then says so by its error. Programs that are started get all of them back.
  private static func ignoreSignals() {
    for number in [SIGPIPE, SIGXFSZ, SIGXCPU, SIGIO, SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
  }

  /// Blocks the signals that the main thread waits for, before any other thread starts and inherits the mask.
  private static func blockSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return signals
  }

  private static func waitForSignals(_ signals: sigset_t, _ options: LaunchOptions) -> Never {
    var signals = signals
    while true {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { continue }
      if number == SIGHUP {
        reload(options)
      } else {
        EventLoop.shared.post { Daemon.stop { exit(ExitCode.stopped.rawValue) } }
      }
    }
  }

  private static func reload(_ options: LaunchOptions) {
    do {
      let configuration = try configuration(options)
      EventLoop.shared.post { Daemon.reload(configuration) }
    } catch {
      Log.error(error.text(in: LaunchOptions.language))
      Log.error("The gateway goes on with the configuration it has.")
    }
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
    } catch {
      Log.error(error.message.text(in: LaunchOptions.language))
      exit(ExitCode.usage.rawValue)
    }
  }

  /// Says what is wrong with the configuration, or what counts.
  private static func check(_ options: LaunchOptions) -> ExitCode {
    let language = LaunchOptions.language
    do {
      let configuration = try configuration(options)
      let retired = configuration.retired.map { $0.text(in: language) }
      if options.wantsJSON {
        let answer: JSONValue = [
          "configuration": DriverList.schema.json(of: configuration),
          "retired": .array(retired.map { .string($0) }),
        ]
        Log.print(answer.serialized + "\n")
      } else {
        for notice in retired { Log.warning(notice) }
        Log.print(gettext("The configuration is right.", in: language) + "\n")
      }
      return .stopped
    } catch {
      let problems = error.problems.map { $0.text(in: language) }
      if options.wantsJSON {
        Log.print(
          (["problems": .array(problems.map { .string($0) })] as JSONValue).serialized + "\n")
      } else {
        for problem in problems { Log.error(problem) }
      }
      return .usage
    }
  }

  private static func configurationOrExit(_ options: LaunchOptions) -> GatewayConfiguration {
    do { return try configuration(options) } catch {
      Log.error(error.text(in: LaunchOptions.language))
      exit(ExitCode.usage.rawValue)
    }
  }

  private static func configuration(
    _ options: LaunchOptions
  ) throws(ConfigurationError) -> GatewayConfiguration {
    var file: ConfigurationFile?
    if let text = try ConfigurationText.read(path: options.configurationPath) {
      file = try DriverList.schema.read(text: text, path: options.configurationPath ?? "")
    }
    return try DriverList.schema.resolve(
      file: file, environment: Environment.all, flags: options.settings)
  }
}
