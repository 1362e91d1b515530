import CCrypt
import CSodium
public import Loop
public import Ports

/// Hashes PINs, passwords and answers with argon2id on a thread of its own, one after the other.
///
/// Memory of 32 MiB and three passes for each: about 40 ms on a desktop, some 300 on a Pi. What an earlier version kept
/// with the system's `crypt(3)` is still known again.
///
/// - Source: RFC 9106; OWASP's cheat sheet on the storage of passwords.
@LoopActor
public final class SecretHasher: CredentialKeeper {
  private typealias Job = @Sendable () -> Void

  /// Callers that wait at most; more are told to come again, since no household types as fast.
  private static let waitingAtMost = 16
  /// Memory of one hash, in bytes.
  private nonisolated static let memory = 32 * 1024 * 1024
  private nonisolated static let passes: UInt64 = 3
  /// How every hash of ours begins; one that asks for more memory than that is damaged, and is not computed.
  private nonisolated static let prefix = "$argon2id$v=19$m=32768,t=3,p=1$"

  private var waiting: [Job] = []
  private var isBusy = false

  /// A hasher that starts threads only while there is something to do.
  public init() {
    // Only without any source of randomness in the kernel, and then nothing else works either.
    precondition(sodium_init() >= 0, "libsodium cannot start")
  }

  /// The salted hashes of secrets, in their order; nil when there is no memory, or too many wait.
  public func hash(_ secrets: [String], completion: @escaping @LoopActor ([String]?) -> Void) {
    submit(
      {
        let hashes = secrets.compactMap(Self.hash)
        return hashes.count == secrets.count ? hashes : nil
      }, completion)
  }

  /// Which of some guesses are right; nil when too many wait. A hash that cannot be read is never matched.
  public func check(
    _ guesses: [CredentialGuess], completion: @escaping @LoopActor ([Bool]?) -> Void
  ) {
    submit({ guesses.map(Self.isRight) }, completion)
  }

  /// Random bytes from the kernel.
  public func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// The keyed hash of a text: HMAC-SHA-512-256.
  public func mark(_ text: String, key: [UInt8]) -> [UInt8] {
    precondition(key.count == Int(crypto_auth_KEYBYTES), "a key has 32 bytes")
    var mark = [UInt8](repeating: 0, count: Int(crypto_auth_BYTES))
    crypto_auth(&mark, text, UInt64(text.utf8.count), key)
    return mark
  }

  private nonisolated static func hash(of secret: String) -> String? {
    var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let made = crypto_pwhash_str_alg(
      &text, secret, UInt64(secret.utf8.count), passes, memory, crypto_pwhash_ALG_ARGON2ID13)
    guard made == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private nonisolated static func isRight(_ guess: CredentialGuess) -> Bool {
    guard guess.hash.hasPrefix("$argon2id$") else {
      return homeward_crypt_matches(guess.secret, guess.hash) == 1
    }
    return guess.hash.hasPrefix(prefix)
      && crypto_pwhash_str_verify(
        guess.hash, guess.secret, UInt64(guess.secret.utf8.count)) == 0
  }

  private func submit<Answer: Sendable>(
    _ job: @escaping @Sendable () -> Answer?,
    _ completion: @escaping @LoopActor (Answer?) -> Void
  ) {
    guard waiting.count < Self.waitingAtMost else { return completion(nil) }
    waiting.append { [weak self] in
      let answer = job()
      EventLoop.current.post {
        completion(answer)
        self?.next()
      }
    }
    if !isBusy { next() }
  }

  private func next() {
    guard !waiting.isEmpty else {
      isBusy = false
      return
    }
    isBusy = true
    SystemThread.run(name: "homeward-secrets", waiting.removeFirst())
  }
}
