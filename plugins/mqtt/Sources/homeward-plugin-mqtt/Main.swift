import PluginKit

@main
struct Main {
  static func main() { run() }

  static func run() {
    PluginMain.run(name: "mqtt", version: "1.4.0") { link in MQTTPlugin(link: link) }
  }
}
