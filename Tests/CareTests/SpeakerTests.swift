import Care
import Testing
import Texts

/// Who speaks where only a guardian is listened to.
@Suite("Who speaks") struct SpeakerTests {
  private static let house: House = {
    var house = House(residents: [
      Resident(id: "mary", name: "Mary", timeZone: "UTC"),
      Resident(id: "ben", name: "Ben", timeZone: "UTC"),
    ])
    house.put(
      Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+47 912 34 567"))
    house.put(
      Guardian(id: "anna-of-ben", resident: "ben", name: "Anna", phone: "004791234567"))
    house.put(Guardian(id: "bob", resident: "mary", name: "Bob", email: "Bob@example.org"))
    return house
  }()

  private func speakers(
    _ channel: Principal.Channel, _ name: String, by: String? = nil
  ) -> [GuardianID]? {
    let principal = Principal(channel: channel, name: name)
    return try? Self.house.guardians(speakingAs: principal, by: by).map(\.id)
  }

  private func fault(
    _ channel: Principal.Channel, _ name: String, by: String? = nil
  ) -> CommandReply.Refusal? {
    do throws(CommandReply.Refusal) {
      let principal = Principal(channel: channel, name: name)
      _ = try Self.house.guardians(speakingAs: principal, by: by)
      return nil
    } catch {
      return error
    }
  }

  @Test("A plugin's person is found by id, number or address, for everybody whom they guard")
  func people() {
    #expect(speakers(.plugin, "mqtt/anna") == ["anna"])
    #expect(speakers(.plugin, "sms-modem/+4791234567") == ["anna", "anna-of-ben"])
    #expect(speakers(.plugin, "email/bob@EXAMPLE.org") == ["bob"])
    #expect(speakers(.plugin, "bob") == ["bob"])
    #expect(speakers(.plugin, "mqtt/Bob") == nil)
    #expect(speakers(.plugin, "sms-modem/+4791234568") == nil)
    #expect(speakers(.plugin, "mqtt/") == nil)
  }

  @Test("A plugin's person may name themselves, and nobody else")
  func others() {
    #expect(
      speakers(.plugin, "sms-modem/+4791234567", by: "anna") == ["anna", "anna-of-ben"])
    #expect(fault(.plugin, "mqtt/bob", by: "anna")?.code == .forbidden)
    #expect(fault(.plugin, "mqtt/bob", by: "nobody")?.code == .forbidden)
    #expect(fault(.plugin, "mqtt/kiosk", by: "anna")?.code == .forbidden)
  }

  @Test("A keeper of this machine, and the gateway, say for whom they speak")
  func keepers() {
    for channel in [Principal.Channel.local, .gateway] {
      #expect(speakers(channel, "anna", by: "bob@example.org") == ["bob"])
      #expect(fault(channel, "anna")?.code == .invalid)
      #expect(fault(channel, "anna", by: "")?.code == .invalid)
      #expect(fault(channel, "anna", by: "nobody")?.code == .forbidden)
    }
  }

  @Test("Whoever is looked after takes charge of nothing, and is told so in words of their own")
  func residents() throws {
    let mary = try #require(fault(.plugin, "mqtt/mary"))
    let stranger = try #require(fault(.plugin, "mqtt/martha"))
    #expect(mary.code == .forbidden && stranger.code == .forbidden)
    #expect(mary.message.description.contains("may need help"))
    #expect(!stranger.message.description.contains("may need help"))
  }

  @Test("A plugin's principal tells the plugin from who stands behind it")
  func principals() {
    for (name, plugin, person) in [
      ("mqtt/anna", "mqtt", "anna"), ("mqtt", "mqtt", nil), ("mqtt/", "mqtt", nil),
      ("sms-modem/+47/9", "sms-modem", "+47/9"),
    ] as [(String, Substring, String?)] {
      let principal = Principal(channel: .plugin, name: name)
      #expect(principal.plugin == plugin && principal.person == person, "\(name)")
      let local = Principal(channel: .local, name: name)
      #expect(local.plugin == nil && local.person == nil, "\(name)")
    }
  }

  @Test("Only the gateway itself speaks for nobody")
  func ownWord() {
    let gateway = Principal(channel: .gateway, name: "upkeep")
    #expect(gateway.isItsOwnWord(by: nil) && gateway.isItsOwnWord(by: ""))
    #expect(!gateway.isItsOwnWord(by: "anna"))
    #expect(!Principal(channel: .local, name: "upkeep").isItsOwnWord(by: nil))
  }
}
