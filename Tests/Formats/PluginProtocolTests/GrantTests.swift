import PluginProtocol
import Testing

@Suite struct GrantTests {
  @Test(
    "A plugin has what its manifest asks for and the owner lists; a whole kind only where people speak by it",
    arguments: [
      (["network", "command:locate"], ["command:locate"]),
      (["command:*", "read:*"], []),
      (["accounts", "command:*"], ["accounts", "command:locate", "command:zone.put"]),
      (["accounts", "read:*"], ["accounts", "read:position"]),
      (["accounts", "service:*"], ["accounts", "service:speech"]), (["service:*"], []),
      (["accounts", "observe:*", "*"], ["accounts"]),
    ] as [([String], [String])])
  func granted(words: [String], expected: [String]) {
    let asked = [
      "accounts", "command:locate", "command:zone.put", "observe:fix", "read:position",
      "service:speech",
    ].compactMap { Grant(rawValue: $0) }
    #expect(Grant.granted(by: words, of: asked).map(\.rawValue).sorted() == expected)
  }

  @Test("Who speaks for people may ask as much at a time as they do")
  func pace() {
    #expect(PluginPace.granted(["network"]) == .ordinary)
    #expect(PluginPace.granted(["network", "accounts"]) == .ofAccounts)
  }
}
