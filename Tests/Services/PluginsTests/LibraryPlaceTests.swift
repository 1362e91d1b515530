import Foundation
import Plugins
import TestSupport
import Testing

/// Where a program looks for Swift's runtime, which its plugins may read.
@Suite struct LibraryPlaceTests {
  @Test("It lies beside the programs where they were built, or in the folder of an installation")
  func places() throws {
    let folder = try TemporaryDirectory()
    let (bin, lib) = (folder.path(of: "bin"), folder.path(of: "lib/homeward"))
    for place in [bin, lib] {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    #expect(PluginHost.Environment.libraries(of: bin) == [])
    _ = try folder.write("", to: "lib/homeward/libswiftCore.so")
    #expect(PluginHost.Environment.libraries(of: bin) == ["\(bin)/../lib/homeward"])
    _ = try folder.write("", to: "bin/libswiftCore.so")
    #expect(PluginHost.Environment.libraries(of: bin).first == bin)
  }
}
