import Testing
import WebServer

@Suite struct RequestTargetTests {
  @Test(
    "A target is its path and its fields, decoded",
    arguments: [
      ("/", [], []), ("/a", ["a"], []), ("/a/b", ["a", "b"], []), ("/a/", ["a"], []),
      ("/a%20b", ["a b"], []), ("/%E5%A5%B6", ["奶"], []), ("/a+b", ["a+b"], []),
      ("/a?x=1&y=2", ["a"], ["x=1", "y=2"]), ("/?x", [], ["x="]), ("/?x=a+b%2B", [], ["x=a b+"]),
      ("/?x=1=2&&y", [], ["x=1=2", "y="]), ("/a?x=%2Fetc/..", ["a"], ["x=/etc/.."]),
    ] as [(String, [String], [String])])
  func read(text: String, path: [String], fields: [String]) throws {
    let target = try #require(RequestTarget(text))
    #expect(target.path == path)
    #expect(target.fields.map { "\($0.name)=\($0.value)" } == fields)
    #expect(target.endsWithSlash == (text != "/" && text.hasSuffix("/")))
  }

  @Test(
    "What two readers could understand differently is none",
    arguments: [
      "", "a", "*", "http://example.org/", "//a", "/a//b", "/.", "/..", "/a/../b", "/%2e%2E/etc",
      "/a%2Fb", "/a%5Cb", "/a%", "/a%2", "/a%GG", "/%00", "/a%0Ab", "/%FF", "/%C0%AF", "/a#b",
      "/a b", "/ä", "/?x=%00", "/?x=%FF", "/?%0D=1", "/" + String(repeating: "a", count: 8000),
    ])
  func refused(text: String) { #expect(RequestTarget(text) == nil) }

  @Test("A field that came twice is none")
  func twice() throws {
    let target = try #require(RequestTarget("/?a=1&b=2&a=3"))
    #expect(target["a"] == nil)
    #expect(target["b"] == "2")
    #expect(target["c"] == nil)
  }

  @Test("What is encoded is read back", arguments: ["", "a b", "奶奶", "/?&=#%+", "a~-._"])
  func encoded(text: String) throws {
    let target = try #require(RequestTarget("/x?x=\(RequestTarget.encoded(text))"))
    #expect(target["x"] == text)
  }
}
