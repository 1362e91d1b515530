import Glibc
import Loop

/// Runs a plugin over standard input and output.
///
///     @main struct Example {
///       static func main() { run() }
///       static func run() {
///         PluginMain.run(name: "example", version: "1.0.0") { link in ExamplePlugin(link) }
///       }
///     }
///
/// `main` holds nothing but the call: closures written inside it would belong to the main thread.
public enum PluginMain {
  /// Answers the host until it asks for the end or goes away, then ends the process.
  ///
  /// - Parameters:
  ///   - name: the plugin's name, as in its manifest.
  ///   - version: the plugin's version, as in its manifest.
  ///   - make: makes the plugin, on the event loop.
  public static func run(
    name: String, version: String, make: @escaping @LoopActor @Sendable (HostLink) -> any Plugin
  ) -> Never {
    _ = signal(SIGPIPE, SIG_IGN)
    letTerminationThrough()
    for descriptor in [STDIN_FILENO, STDOUT_FILENO] where isatty(descriptor) == 0 {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    EventLoop.shared.post {
      let session = PluginSession(
        name: name, version: version, input: STDIN_FILENO, output: STDOUT_FILENO, make: make
      ) { exit($0) }
      guard session.start() else {
        PluginLog.write(.error, "standard input must be a pipe; the gateway starts plugins so")
        exit(1)
      }
    }
    while true { pause() }
  }

  /// Undoes what the starting program may have set: the host ends with SIGTERM what does not end by itself.
  private static func letTerminationThrough() {
    _ = signal(SIGTERM, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
