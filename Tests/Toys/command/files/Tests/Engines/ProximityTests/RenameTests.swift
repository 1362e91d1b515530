import Care
import JSON
import Moments
import Testing

@testable import Proximity

@Suite("Another name for a tag")
struct RenameTests {
  private static let world = World(
    now: House.start, house: Care.House(residents: [House.mary]), boot: "boot-1")

  private func asked(_ request: BluetoothRequest) -> Input {
    let local = Principal(channel: .local, name: "anna")
    return .asked(
      Command(id: "c", principal: local, request: .bluetooth(request)), sent: House.start.tick)
  }

  private func engineWithKeys() throws -> ProximityEngine {
    var engine = ProximityEngine(stored: StoredState(), seed: 1, in: Self.world)
    let identity = try TagIdentity("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:1:2")
    _ = try engine.handle(
      asked(.putTag(House.tag(.keys), identities: [identity])), in: Self.world)
    return engine
  }

  @Test("The tag has the new name, and stays what it is otherwise")
  func renamed() throws {
    var engine = try engineWithKeys()
    let known = engine.knownTags.first?.identities
    let outcome = try engine.handle(asked(.renameTag("keys", name: "大门钥匙")), in: Self.world)
    #expect(engine.tag("keys")?.name == "大门钥匙")
    #expect(engine.knownTags.first?.identities == known && known?.count == 1)
    #expect(outcome?.events.first?.type == .recordChanged)
    #expect(outcome?.events.first?.facts["action"] == "tag.rename")
    let request = Command.Request.bluetooth(.renameTag("keys", name: "大门钥匙"))
    #expect(try Command.Request(json: request.json) == request)
    #expect(engine.resident(concernedBy: request) == "mary")
  }

  @Test("A tag that nobody knows and a name that is none are refused, and nothing changes")
  func refused() throws {
    var engine = try engineWithKeys()
    for (request, code) in [
      (.renameTag("wallet", name: "Wallet"), .unknownTarget),
      (.renameTag("keys", name: " "), .invalid),
    ] as [(BluetoothRequest, CommandReply.Refusal.Code)] {
      do {
        _ = try engine.handle(asked(request), in: Self.world)
        Issue.record("\(request) was taken")
      } catch { #expect(error.code == code) }
    }
    #expect(engine.tag("keys") == House.tag(.keys))
  }
}
