import PluginKit

@main struct Main {
  static func main() { run() }
  static func run() {
    PluginMain.run(name: "console", version: "1.0.0") { link in ConsolePlugin(link) }
  }
}
