@main
struct Main {
  static func main() { ButtonProbe.run() }
}
