import CCrypt
public import Care
public import Loop
public import Ports

/// Hashes PINs with the system's `crypt(3)` (yescrypt) on a thread of its own, one after the other.
///
/// - Source: crypt(5), `$y$`.
@LoopActor
public final class PINKeeper: CredentialKeeper {
  private typealias Job = @Sendable () -> Void

  /// PINs that wait at most; more are answered as wrong, since no person types as fast.
  private static let waitingAtMost = 16

  private var waiting: [Job] = []
  private var isBusy = false

  /// A keeper that starts threads only while there is something to do.
  public init() {}

  /// A salted hash of a PIN; nil when the system cannot make one.
  public func hash(_ pin: String, completion: @escaping @LoopActor (String?) -> Void) {
    submit { [weak self] in
      let hash = Self.hash(of: pin)
      EventLoop.current.post {
        completion(hash)
        self?.next()
      }
    } onRefusal: {
      completion(nil)
    }
  }

  /// What an entered PIN is worth. Both hashes are computed always, so that time tells nothing about the verdict.
  public func judge(
    _ pin: String, okay: String?, duress: String?,
    completion: @escaping @LoopActor (PINVerdict) -> Void
  ) {
    guard okay != nil || duress != nil else { return completion(.notSet) }
    submit { [weak self] in
      let isOkay = homeward_crypt_matches(pin, okay ?? duress ?? "") == 1 && okay != nil
      let isDuress = homeward_crypt_matches(pin, duress ?? okay ?? "") == 1 && duress != nil
      let verdict: PINVerdict = isOkay ? .correct : isDuress ? .duress : .wrong
      EventLoop.current.post {
        completion(verdict)
        self?.next()
      }
    } onRefusal: {
      completion(.wrong)
    }
  }

  private nonisolated static func hash(of pin: String) -> String? {
    var text = [CChar](repeating: 0, count: 512)
    guard homeward_crypt_hash(pin, &text, text.count) == 1 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func submit(_ job: @escaping Job, onRefusal: @escaping @LoopActor () -> Void) {
    guard waiting.count < Self.waitingAtMost else { return onRefusal() }
    waiting.append(job)
    if !isBusy { next() }
  }

  private func next() {
    guard !waiting.isEmpty else {
      isBusy = false
      return
    }
    isBusy = true
    SystemThread.run(name: "homeward-pin", waiting.removeFirst())
  }
}
