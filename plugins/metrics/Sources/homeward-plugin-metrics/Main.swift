import PluginKit

@main
struct Main {
  static func main() {
    PluginMain.run(name: "metrics", version: "1.0.0") { link in MetricsPlugin(link) }
  }
}
