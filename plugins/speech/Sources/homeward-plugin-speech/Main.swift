import PluginKit

@main
struct Main {
  static func main() { run() }

  static func run() {
    PluginMain.run(name: "speech", version: "1.0.0") { link in SpeechPlugin(link: link) }
  }
}
