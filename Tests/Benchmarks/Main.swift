@main
struct Main {
  static func main() { Benchmarks.run() }
}
