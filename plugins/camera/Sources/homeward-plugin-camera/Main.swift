import PluginKit

@main
struct Main {
  static func main() { run() }

  static func run() {
    PluginMain.run(name: "camera", version: "1.0.0") { link in CameraPlugin(link: link) }
  }
}
