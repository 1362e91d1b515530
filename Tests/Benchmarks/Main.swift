import Glibc

@main
struct Main {
  static func main() {
    // As the daemon does: a plugin that is gone must not take the measurement with it.
    signal(SIGPIPE, SIG_IGN)
    exit(Benchmarks.run(Array(CommandLine.arguments.dropFirst())))
  }
}
