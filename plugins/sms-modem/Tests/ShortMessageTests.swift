import Bytes
import Moments
import ShortMessage
import TestSupport
import Testing

@Suite struct ShortMessageTests {
  /// From a public description of the format (dreamfabric, "SMS and the PDU format").
  private static let captured =
    "07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37"

  private func frame(_ digits: String) throws -> IncomingFrame {
    try IncomingFrame(octets: Hexadecimal.octets(digits.utf8))
  }

  @Test func aCapturedMessageIsRead() throws {
    guard case .deliver(let message) = try frame(Self.captured) else {
      Issue.record("it must be a message")
      return
    }
    #expect(message.text == "hellohello" && message.part == nil)
    #expect(message.sender.description == "27838890001")
    // 2099-03-29 15:16:59, zone +2:00.
    #expect(message.sentAt == .seconds(4_078_473_419))
  }

  @Test func everyPrefixIsAnErrorWithItsPlaceAndNeverATrap() throws {
    let octets = try Hexadecimal.octets(Self.captured.utf8)
    for count in 0..<octets.count {
      let error = #expect(throws: DecodeError.self) {
        try IncomingFrame(octets: Array(octets.prefix(count)))
      }
      #expect((error?.offset ?? -1) <= count && error?.offset ?? -1 >= 0)
    }
  }

  @Test func bitFlipsNeverTrap() throws {
    let octets = try Hexadecimal.octets(
      "0791448720003023440DD0E474D81C0EBB010000111011315214000BE474D81C0EBB5DE3771B".utf8)
    for bit in 0..<(octets.count * 8) {
      var flipped = octets
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? IncomingFrame(octets: flipped)
      _ = try? IncomingFrame(octets: flipped.reversed())
    }
  }

  @Test func aTextIsPackedAsInThePublicExample() throws {
    let number = try #require(PhoneAddress(number: "+46708251358"))
    let frames = SubmitFrame.frames(of: "hellohello", to: number, reference: 1, wantsReport: false)
    let digits = String(decoding: Hexadecimal.digits(frames[0].octets), as: UTF8.self)
    #expect(digits == "0011000B916407281553F80000A70AE8329BFD4697D9EC37")
    #expect(frames.count == 1 && frames[0].length == 23)
  }

  @Test func lengthsDecideOverParts() throws {
    let number = try #require(PhoneAddress(number: "+4791234567"))
    let counts = [
      (String(repeating: "a", count: 160), 1), (String(repeating: "a", count: 161), 2),
      (String(repeating: "a", count: 306), 2), (String(repeating: "a", count: 307), 3),
      (String(repeating: "€", count: 80), 1), (String(repeating: "€", count: 81), 2),
      (String(repeating: "帮", count: 70), 1), (String(repeating: "帮", count: 71), 2), ("", 1),
      (String(repeating: "a", count: 100_000), SubmitFrame.maximumParts),
    ]
    for (text, count) in counts {
      let frames = SubmitFrame.frames(of: text, to: number, reference: 7, wantsReport: true)
      #expect(frames.count == count)
      #expect(frames.allSatisfy { $0.length <= 176 })
    }
  }

  @Test func partsAreJoinedInAnyOrderAndWaitWithinLimits() {
    var reassembly = Reassembly()
    let sender = PhoneAddress(kind: .international, text: "4791234567")
    func part(_ number: UInt8, _ reference: UInt16 = 3) -> DeliverFrame {
      DeliverFrame(
        sender: sender, sentAt: nil, text: "\(number)",
        part: MessagePart(reference: reference, total: 3, number: number, isWide: true))
    }
    let now = Tick.seconds(0)
    #expect(reassembly.take(part(3), place: 9, at: now) == nil)
    #expect(reassembly.take(part(3), place: 9, at: now) == nil)
    #expect(reassembly.take(part(1), place: 2, at: now) == nil)
    let whole = reassembly.take(part(2), place: nil, at: now)
    #expect(whole?.text == "123" && whole?.places == [2, 9])
    for reference in 0..<UInt16(100) { _ = reassembly.take(part(1, reference), place: 1, at: now) }
    #expect(reassembly.giveUp(at: now).count == 80)
    #expect(reassembly.giveUp(at: .seconds(3600)).count == Reassembly.maximumOpen)
    #expect(reassembly.openCount == 0)
  }

  @Test func onlyTheHolderOfANumberIsRecognised() throws {
    let number = "+4791234567"
    #expect(try #require(PhoneAddress(number: number)).isHolder(of: number))
    #expect(try #require(PhoneAddress(number: "91234567")).isHolder(of: number))
    #expect(!(try #require(PhoneAddress(number: "234567")).isHolder(of: number)))
    #expect(!(try #require(PhoneAddress(number: "+4691234567")).isHolder(of: number)))
    #expect(!PhoneAddress(kind: .name, text: "4791234567").isHolder(of: number))
  }
}
