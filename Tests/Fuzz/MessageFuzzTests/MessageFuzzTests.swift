import Bytes
import Testing

@testable import homeward_message_fuzz

@Suite("Damaged messages")
struct MessageFuzzTests {
  /// What the trial of one message found, as numbers that can be compared.
  private func numbers(_ report: Trial.Report) -> [Int] {
    [report.prefixes, report.mutations, report.read, report.refused]
  }

  @Test("Every sample of every message is read whole, and each has another name")
  func samples() {
    let messages = FuzzedMessage.all()
    #expect(messages.count == 17)
    #expect(Set(messages.map(\.name)).count == messages.count)
    for message in messages {
      #expect(!message.samples.isEmpty, "\(message.name)")
      for sample in message.samples {
        #expect(message.read(sample) == .read, "\(message.name): \(Hexadecimal.text(sample))")
      }
    }
  }

  @Test("2,000 mutations of every message break no promise, and some are read and some refused")
  func fewMutations() {
    for message in FuzzedMessage.all() {
      let report = Trial(message: message, mutations: 2_000, seed: 1).run()
      #expect(report.fault == nil, "\(message.name): \(String(describing: report.fault))")
      #expect(report.mutations == 2_000 && report.isTelling, "\(message.name)")
      #expect(report.prefixes == message.samples.reduce(0) { $0 + $1.count + 1 })
    }
  }

  @Test("The same seed gives the same bytes, another seed others")
  func seeds() {
    let messages = FuzzedMessage.all().filter { $0.name == "glucose measurement" }
    let found = ([7, 7, 8] as [UInt64]).map { seed in
      var mutator = Mutator(seed: seed)
      return messages.flatMap { message in (0..<100).map { _ in mutator.next(message) } }
    }
    #expect(found[0].count == 100 && found[0] == found[1] && found[0] != found[2])
  }

  @Test("A broken promise ends the trial and is told with its bytes")
  func brokenPromise() {
    let message = FuzzedMessage(name: "broken", samples: [[1, 2, 3]]) { bytes in
      bytes.contains(0xFF) ? .broken("never FF") : .read
    }
    let report = Trial(message: message, mutations: 100_000, seed: 1).run()
    #expect(report.fault?.promise == "never FF")
    #expect(report.fault?.bytes.contains(0xFF) == true && report.mutations < 100_000)
    #expect(!report.isTelling)
  }

  @Test("The check that is put right is the one that bthome.io publishes, and belongs to all bytes")
  func sealedFrames() throws {
    let published = try #require(Hexadecimal.bytes("1216d2fc41a47266c95f730011223378237214"))
    var spoiled = published
    spoiled[0] = 0
    spoiled[17] ^= 0x10
    #expect(SealedFrame.withCheck(spoiled) == published)
    spoiled = published
    spoiled[6] ^= 0x10
    let mended = SealedFrame.withCheck(spoiled)
    #expect(mended.suffix(4) != published.suffix(4))
    let message = try #require(FuzzedMessage.all().first { $0.name == "BTHome, encrypted" })
    #expect(message.read(spoiled) == .refused && message.read(mended) == .read)
  }

  @Test("What nobody knows is answered with the usage", arguments: [["-1"], ["x"], ["1", "x"]])
  func usage(arguments: [String]) {
    #expect(Main.run(arguments) == 2)
    #expect(Main.run(["1", "1", "no such message"]) == 2)
  }
}
