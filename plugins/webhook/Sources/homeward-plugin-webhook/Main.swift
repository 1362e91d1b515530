import PluginKit

@main
struct Main {
  static func main() { run() }

  static func run() {
    PluginMain.run(name: "webhook", version: "2.0.0") { link in WebhookPlugin(link: link) }
  }
}
