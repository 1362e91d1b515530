import PluginKit

@main
struct SMSModemMain {
  static func main() { run() }

  private static func run() {
    PluginMain.run(name: "sms-modem", version: "1.0.0") { link in SMSModemPlugin(link: link) }
  }
}
