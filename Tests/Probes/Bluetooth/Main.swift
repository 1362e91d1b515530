@main
struct Main {
  static func main() { BluetoothProbe.run() }
}
