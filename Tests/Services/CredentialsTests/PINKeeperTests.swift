import Care
import Loop
import Testing

@testable import Credentials

@Suite("PINs") @LoopActor
struct PINKeeperTests {
  private func hash(_ pin: String, by keeper: PINKeeper) async -> String? {
    await withCheckedContinuation { continuation in
      keeper.hash(pin) { continuation.resume(returning: $0) }
    }
  }

  private func verdict(
    _ pin: String, okay: String?, duress: String?, by keeper: PINKeeper
  ) async -> PINVerdict {
    await withCheckedContinuation { continuation in
      keeper.judge(pin, okay: okay, duress: duress) { continuation.resume(returning: $0) }
    }
  }

  @Test("A PIN is known again by its hash, the duress PIN by its own, and another one is wrong")
  func verdicts() async throws {
    let keeper = PINKeeper()
    let okay = try #require(await hash("1234", by: keeper))
    let duress = try #require(await hash("9876", by: keeper))
    #expect(okay.hasPrefix("$y$") && !okay.contains("1234"))
    #expect(await verdict("1234", okay: okay, duress: duress, by: keeper) == .correct)
    #expect(await verdict("9876", okay: okay, duress: duress, by: keeper) == .duress)
    #expect(await verdict("0000", okay: okay, duress: duress, by: keeper) == .wrong)
    #expect(await verdict("", okay: okay, duress: nil, by: keeper) == .wrong)
    #expect(await verdict("9876", okay: nil, duress: duress, by: keeper) == .duress)
    #expect(await verdict("1234", okay: nil, duress: nil, by: keeper) == .notSet)
  }

  @Test("The same PIN has another hash each time")
  func salted() async {
    let keeper = PINKeeper()
    let first = await hash("1234", by: keeper)
    let second = await hash("1234", by: keeper)
    #expect(first != nil && first != second)
  }

  @Test("A damaged hash opens nothing")
  func damaged() async {
    let keeper = PINKeeper()
    for hash in ["", "*0", "$y$", "1234", "$y$j9T$short$x"] {
      #expect(await verdict("1234", okay: hash, duress: nil, by: keeper) == .wrong)
    }
  }

  @Test(
    "A flood of guesses is answered, the ones too many as wrong, and the right one is right again after it"
  )
  func flood() async throws {
    let keeper = PINKeeper()
    let okay = try #require(await hash("1234", by: keeper))
    var verdicts: [PINVerdict] = []
    await withCheckedContinuation { continuation in
      for _ in 0..<40 {
        keeper.judge("1234", okay: okay, duress: nil) {
          verdicts.append($0)
          if verdicts.count == 40 { continuation.resume() }
        }
      }
    }
    #expect(verdicts.contains(.correct) && verdicts.contains(.wrong))
    #expect(await verdict("1234", okay: okay, duress: nil, by: keeper) == .correct)
  }
}
