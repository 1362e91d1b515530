import Care
import Loop
import Ports
import Testing

@testable import Credentials

@Suite("Passwords and PINs") @LoopActor
struct SecretHasherTests {
  /// The PIN 1234 as version 0.1.0 kept it, by `crypt(3)`.
  private static let old =
    "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$Ep4SUX.oXxnq/KKEBY/E3tIknDNDS9Tu.RwGhF8ZCzA"

  private func hash(_ secret: String, by hasher: SecretHasher) async -> String? {
    await withCheckedContinuation { continuation in
      hasher.hash([secret]) { continuation.resume(returning: $0?.first) }
    }
  }

  private func isRight(_ secret: String, _ hash: String, by hasher: SecretHasher) async -> Bool? {
    await withCheckedContinuation { continuation in
      hasher.check([CredentialGuess(secret, hash: hash)]) {
        continuation.resume(returning: $0?.first)
      }
    }
  }

  private func verdict(
    _ pin: String, okay: String?, duress: String?, by hasher: SecretHasher
  ) async -> PINVerdict {
    await withCheckedContinuation { continuation in
      hasher.judge(pin, okay: okay, duress: duress) { continuation.resume(returning: $0) }
    }
  }

  @Test("A PIN is known again by its hash, the duress PIN by its own, and another one is wrong")
  func verdicts() async throws {
    let hasher = SecretHasher()
    let okay = try #require(await hash("1234", by: hasher))
    let duress = try #require(await hash("9876", by: hasher))
    #expect(!okay.contains("1234"))
    #expect(await verdict("1234", okay: okay, duress: duress, by: hasher) == .correct)
    #expect(await verdict("9876", okay: okay, duress: duress, by: hasher) == .duress)
    #expect(await verdict("0000", okay: okay, duress: duress, by: hasher) == .wrong)
    #expect(await verdict("", okay: okay, duress: nil, by: hasher) == .wrong)
    #expect(await verdict("9876", okay: nil, duress: duress, by: hasher) == .duress)
    #expect(await verdict("1234", okay: nil, duress: nil, by: hasher) == .notSet)
  }

  @Test("A hash is argon2id's with 32 MiB and three passes, and another each time")
  func salted() async throws {
    let hasher = SecretHasher()
    let first = try #require(await hash("seven red boats", by: hasher))
    let second = try #require(await hash("seven red boats", by: hasher))
    #expect(first.hasPrefix("$argon2id$v=19$m=32768,t=3,p=1$") && first != second)
  }

  @Test("A password in any script and of any length is one, and only its own letters are right")
  func scripts() async throws {
    let hasher = SecretHasher()
    for secret in ["пять красных лодок", "七只红色的小船", "🚤🚤🚤🚤", String(repeating: "x", count: 200)] {
      let hash = try #require(await hash(secret, by: hasher))
      #expect(await isRight(secret, hash, by: hasher) == true)
      #expect(await isRight(secret + " ", hash, by: hasher) == false)
      #expect(await isRight(String(secret.dropLast()), hash, by: hasher) == false)
    }
  }

  @Test("A PIN that an earlier version kept is known again")
  func old() async {
    let hasher = SecretHasher()
    #expect(await verdict("1234", okay: Self.old, duress: nil, by: hasher) == .correct)
    #expect(await verdict("1235", okay: Self.old, duress: nil, by: hasher) == .wrong)
  }

  @Test("A damaged hash opens nothing")
  func damaged() async {
    let hasher = SecretHasher()
    let damaged = [
      "", "*0", "$y$", "1234", "$y$j9T$short$x", "$argon2id$", "$argon2id$v=19$m=32768,t=3,p=1$",
      "$argon2id$v=19$m=1048576,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$AAAA",
    ]
    for hash in damaged {
      #expect(await verdict("1234", okay: hash, duress: nil, by: hasher) == .wrong)
    }
  }

  @Test("Several are looked at together, and each has its own answer")
  func several() async throws {
    let hasher = SecretHasher()
    let hashes = await withCheckedContinuation { continuation in
      hasher.hash(["Rex", "Bergen"]) { continuation.resume(returning: $0) }
    }
    let (dog, town) = (try #require(hashes?.first), try #require(hashes?.last))
    let answers = await withCheckedContinuation { continuation in
      hasher.check([
        CredentialGuess("Rex", hash: dog), CredentialGuess("Rex", hash: town),
        CredentialGuess("Bergen", hash: town),
      ]) { continuation.resume(returning: $0) }
    }
    #expect(answers == [true, false, true])
  }

  @Test("Random bytes are as many as asked for, and others each time")
  func random() {
    let hasher = SecretHasher()
    #expect(hasher.randomBytes(32).count == 32)
    #expect(hasher.randomBytes(32) != hasher.randomBytes(32))
  }

  @Test(
    "A flood of guesses is answered, the ones too many as wrong, and the right one is right again after it"
  )
  func flood() async throws {
    let hasher = SecretHasher()
    let okay = try #require(await hash("1234", by: hasher))
    var verdicts: [PINVerdict] = []
    await withCheckedContinuation { continuation in
      for _ in 0..<40 {
        hasher.judge("1234", okay: okay, duress: nil) {
          verdicts.append($0)
          if verdicts.count == 40 { continuation.resume() }
        }
      }
    }
    #expect(verdicts.contains(.correct) && verdicts.contains(.wrong))
    #expect(await verdict("1234", okay: okay, duress: nil, by: hasher) == .correct)
  }
}
