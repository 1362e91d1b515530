import PluginKit

@main
struct Main {
  static func main() { run() }

  static func run() {
    PluginMain.run(name: "keyword", version: "1.0.0") { link in KeywordPlugin(link: link) }
  }
}
