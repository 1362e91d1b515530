import Testing

/// Where SwiftPM starts the tests of every target.
///
/// The file's name is one that SwiftPM looks for. Without it SwiftPM reads an index of the compiled tests in search of
/// classes of XCTest, of which there are none, and whoever builds must have made that index.
@main
struct Runner {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
