@main
struct Main {
  static func main() { Launch.run() }
}
