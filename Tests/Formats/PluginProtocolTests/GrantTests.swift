import Care
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

  @Test("A grant is one of the words of the protocol, in small letters")
  func words() {
    let whole = [
      "network", "bus.system", "position.precise", "content.personal", "contacts", "health",
      "messages", "notes", "places", "accounts",
    ]
    let named = ["observe:fix", "command:zone.put", "service:speech-2", "read:push", "command:*"]
    for word in whole + named {
      #expect(Grant(rawValue: word)?.description == word)
    }
    for word in [
      "", "Network", "network ", " network", "admin", "command", "observe:", "command:",
      "service:", "read:", "read:secrets", "read:health.all", "observe:Fix", "service:a b",
      "service:a/b", "service:ä", "service:a\n", "command:**", "read:*", "observe:*", "service:*",
      "*", "networks",
    ] {
      #expect(Grant(rawValue: word) == nil, "\(word)")
    }
    #expect([Grant.systemBus, .network, .accounts].sorted() == [.accounts, .systemBus, .network])
  }

  @Test("Whatever can be asked or done has a grant, and each grant to read lets ask something")
  func permissions() {
    for rule in CommandRule.all { #expect(Grant(rawValue: rule.grant)?.isToRead == false) }
    let readable = Set(Permission.allCases.compactMap(\.grant))
    #expect(readable == Set(Grant.readable.map { Grant.read($0).rawValue }))
    for word in readable { #expect(Grant(rawValue: word)?.isToRead == true, "\(word)") }
  }

  @Test("Only the grant itself makes a plugin one for people")
  func ordinary() {
    for words in [[], ["read:account"], ["command:accounts"], ["Accounts"], ["accounts "]] {
      #expect(PluginPace.granted(words) == .ordinary, "\(words)")
    }
    #expect(PluginPace.ofAccounts.openRequests > PluginPace.ordinary.openRequests)
    #expect(PluginPace.ordinary.messageBurst >= PluginPace.ordinary.messagesPerSecond)
  }
}
