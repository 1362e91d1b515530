import Glibc

/// The command line of Homeward.
@main
struct Main {
  static func main() { CommandLineTool.runAndExit() }
}
