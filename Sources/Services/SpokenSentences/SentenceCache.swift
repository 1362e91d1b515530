public import Care
import JSON
public import Loop
import Moments
public import Ports
import Texts

/// Sentences as WAV files in a folder of the gateway's own, rendered by whichever plugin offers the service `speech`.
///
/// What must be spoken in an emergency is kept here beforehand, across power cuts and changes of the voice: the plugin may
/// then be dead. Nothing here waits for a plugin or for the disk on the loop; only ``start(_:)`` lists the folder.
@LoopActor
public final class SentenceCache: SentenceRenderer {
  /// What the cache holds besides the kept sentences.
  public struct Limits: Hashable, Sendable {
    /// The most files.
    public var files: Int
    /// The most bytes.
    public var bytes: Int

    /// Limits from their parts.
    public init(files: Int = 300, bytes: Int = 96 << 20) {
      self.files = files
      self.bytes = bytes
    }
  }

  /// The most sentences that wait to be rendered at somebody's request.
  public static let maximumWaiting = 32
  /// The most sentences that are kept.
  public static let maximumKept = 1000
  /// How long a plugin may take for a sentence, in milliseconds.
  static let serviceMilliseconds: Int64 = 25_000
  /// How long plugin and disk together may take, in milliseconds.
  static let patienceMilliseconds: Int64 = 40_000
  /// The longest wait before what lacks is tried again, in milliseconds.
  static let longestWaitMilliseconds: Int64 = 300_000

  /// Takes the file, or nil.
  private typealias Waiter = @LoopActor (String?) -> Void

  /// The sentence that is being rendered now.
  private struct Work {
    var sentence: Sentence
    var number: Int
    /// Whether the plugin has answered, and the disk is at it.
    var isAtDisk = false
  }

  private let folder: SentenceFolder
  private weak var services: (any ServiceCaller)?
  private var index: SentenceIndex
  /// Tests shorten it.
  var backoff = Backoff(
    firstMilliseconds: 1000, longestMilliseconds: SentenceCache.longestWaitMilliseconds)
  private var waiting: [(sentence: Sentence, waiters: [Waiter])] = []
  private var work: Work?
  private var nextNumber = 0
  private var keptCount = 0
  private var background: [Sentence] = []
  private var isDiskStuck = false
  private var isStarted = false
  private var lastFailure: ServiceFailure?
  private var observer: (@LoopActor (Observation) -> Void)?
  private var reported: HealthReport?
  private var retryTimer: LoopTimer?
  private var patienceTimer: LoopTimer?

  /// A cache in a folder; nothing is read before ``start(_:)``.
  ///
  /// - Parameters:
  ///   - folder: where the sentences go, an absolute path; made when it is missing.
  ///   - pluginState: the folder below which every plugin has its own; files from elsewhere are not taken.
  ///   - voice: names how sentences sound, such as the speech plugin's settings; when it changes, all are rendered anew.
  ///   - services: calls the plugin; not kept alive.
  public init(
    folder: String, pluginState: String, voice: String, services: any ServiceCaller,
    limits: Limits = Limits()
  ) {
    self.folder = SentenceFolder(path: folder, pluginState: pluginState)
    self.services = services
    index = SentenceIndex(
      voice: voice, limits: SentenceIndex.Limits(files: limits.files, bytes: limits.bytes))
    retryTimer = LoopTimer { [weak self] in self?.proceed() }
    patienceTimer = LoopTimer { [weak self] in self?.lostPatience() }
  }

  /// Looks what is there; health of the component `speech` goes to `observer`, on the loop, until ``stop()``.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    guard !isStarted else { return }
    isStarted = true
    self.observer = observer
    let found = folder.scan()
    for (name, bytes) in found { index.add(name, bytes: bytes) }
    let (folder, names) = (folder, found.map(\.name))
    _ = DiskThread.run {
      folder.damaged(among: names)
    } completion: { [weak self] damaged in
      self?.drop(damaged)
    }
    lookForWork()
    report()
  }

  /// Renders nothing any more; whoever waits gets nil.
  public func stop() {
    isStarted = false
    retryTimer?.cancel()
    patienceTimer?.cancel()
    observer = nil
    work = nil
    for (_, waiters) in exchangeWaiting() {
      for waiter in waiters { waiter(nil) }
    }
  }

  // MARK: SentenceRenderer

  /// The file of a sentence that was rendered before; nil when there is none.
  public func file(for sentence: Sentence) -> String? {
    index.use(sentence).map(folder.path(of:))
  }

  /// Renders a sentence unless it is there; `completion` gets the file, or nil when nobody can speak now.
  public func render(
    _ sentence: Sentence, completion: @escaping @LoopActor (String?) -> Void
  ) {
    if let file = file(for: sentence) { return completion(file) }
    guard isStarted, !isDiskStuck else { return completion(nil) }
    if let place = waiting.firstIndex(where: { $0.sentence == sentence }) {
      waiting[place].waiters.append(completion)
    } else if waiting.count < Self.maximumWaiting {
      waiting.append((sentence, [completion]))
    } else {
      return completion(nil)
    }
    proceed()
  }

  /// Renders these sentences in the background, keeps them, and tries again when the plugin comes back.
  ///
  /// Adds to what was kept before, at most ``maximumKept`` in all; the kept ones are never removed to make room.
  public func keep(_ sentences: [Sentence]) {
    for sentence in sentences where keptCount < Self.maximumKept || index.isKept(sentence) {
      if !index.isKept(sentence) { keptCount += 1 }
      index.keep(sentence)
    }
    lookForWork()
    report()
  }

  /// Tries at once what is kept and lacks: whoever can speak may be there now.
  public func tryAgain() {
    backoff.reset()
    retryTimer?.cancel()
    proceed()
  }

  /// When what lacks is tried again; nil while nothing failed.
  var nextAttempt: Tick? { retryTimer?.deadline }

  // MARK: One sentence after the other

  private func lookForWork() {
    guard isStarted else { return }
    // Those that failed stay behind the others.
    let lacking = index.lacking
    let (old, new) = (Set(background), Set(lacking))
    background = background.filter(new.contains) + lacking.filter { !old.contains($0) }
    proceed()
  }

  /// Begins the next sentence: somebody's request first, then what is kept and lacks.
  private func proceed() {
    guard isStarted, work == nil, !isDiskStuck else { return }
    if let wanted = waiting.first {
      begin(wanted.sentence)
    } else if retryTimer?.deadline == nil, let lacking = background.first {
      begin(lacking)
    }
  }

  private func begin(_ sentence: Sentence) {
    nextNumber += 1
    let number = nextNumber
    work = Work(sentence: sentence, number: number)
    patienceTimer?.set(afterMilliseconds: Self.patienceMilliseconds)
    guard let services else {
      let missing = Message("nobody can call the speech plugin")
      return failed(number, ServiceFailure(isMissing: true, message: missing))
    }
    let params: JSONValue = [
      "text": .string(sentence.text), "language": .string(sentence.language),
    ]
    services.callService(
      "speech", params: params, timeoutMilliseconds: Self.serviceMilliseconds
    ) { [weak self] result in self?.answered(number, result) }
  }

  private func answered(_ number: Int, _ result: Result<JSONValue, ServiceFailure>) {
    guard let work, work.number == number, !work.isAtDisk else { return }
    switch result {
    case .failure(let failure): failed(number, failure)
    case .success(let answer):
      guard let path = answer["path"]?.stringContent else {
        let message = Message("the speech plugin answered without a path")
        return failed(number, ServiceFailure(isMissing: false, message: message))
      }
      store(path, number, work.sentence)
    }
  }

  private func store(_ path: String, _ number: Int, _ sentence: Sentence) {
    work?.isAtDisk = true
    let (folder, name) = (folder, index.name(of: sentence))
    let isStarted = DiskThread.run { () -> Result<Int, SentenceFolder.Fault> in
      do throws(SentenceFolder.Fault) { return .success(try folder.take(path, as: name)) } catch {
        return .failure(error)
      }
    } completion: { [weak self] result in
      self?.stored(number, name, result)
    }
    if !isStarted {
      let message = Message("the kernel refuses a thread; it is tried again")
      failed(number, ServiceFailure(isMissing: false, message: message))
    }
  }

  private func stored(
    _ number: Int, _ name: SentenceIndex.Name, _ result: Result<Int, SentenceFolder.Fault>
  ) {
    isDiskStuck = false
    switch result {
    case .success(let bytes):
      index.add(name, bytes: bytes)
      if work?.number == number { succeeded(number) } else { lookForWork() }
    case .failure(let fault):
      let message = Message("a sentence could not be stored: {reason}", ["reason": fault.reason])
      let failure = ServiceFailure(isMissing: false, message: message)
      if work?.number == number { failed(number, failure) } else { lookForWork() }
    }
  }

  private func succeeded(_ number: Int) {
    guard let done = finish(number) else { return }
    lastFailure = nil
    backoff.reset()
    retryTimer?.cancel()
    discard(index.trim())
    answer(done.sentence, file(for: done.sentence))
    lookForWork()
    report()
  }

  private func failed(_ number: Int, _ failure: ServiceFailure) {
    guard let done = finish(number) else { return }
    lastFailure = failure
    // The next one in its place: one sentence that cannot be spoken must not keep the others from being.
    if background.first == done.sentence { background.append(background.removeFirst()) }
    answer(done.sentence, nil)
    if !index.lacking.isEmpty, retryTimer?.deadline == nil {
      // Who is not there at all is told of by ``tryAgain()``; a house without a voice is not to wake for it.
      retryTimer?.set(
        afterMilliseconds: failure.isMissing ? Self.longestWaitMilliseconds : backoff.next())
    }
    report()
    proceed()
  }

  private func finish(_ number: Int) -> Work? {
    guard let done = work, done.number == number else { return nil }
    work = nil
    patienceTimer?.cancel()
    return done
  }

  private func answer(_ sentence: Sentence, _ file: String?) {
    guard let place = waiting.firstIndex(where: { $0.sentence == sentence }) else { return }
    for waiter in waiting.remove(at: place).waiters { waiter(file) }
  }

  private func exchangeWaiting() -> [(sentence: Sentence, waiters: [Waiter])] {
    defer { waiting = [] }
    return waiting
  }

  // MARK: When it goes wrong

  private func lostPatience() {
    guard let work else { return }
    // A disk that hangs holds its thread; another thread would only hang beside it.
    isDiskStuck = work.isAtDisk
    let message =
      work.isAtDisk
      ? Message("the disk does not answer")
      : Message("the speech plugin does not answer in time")
    failed(work.number, ServiceFailure(isMissing: false, message: message))
    guard isDiskStuck else { return }
    for (_, waiters) in exchangeWaiting() {
      for waiter in waiters { waiter(nil) }
    }
  }

  private func drop(_ damaged: [SentenceIndex.Name]) {
    guard !damaged.isEmpty else { return }
    for name in damaged { index.remove(name) }
    discard(damaged)
    lookForWork()
    report()
  }

  private func discard(_ names: [SentenceIndex.Name]) {
    guard !names.isEmpty else { return }
    let folder = folder
    _ = DiskThread.run {
      folder.remove(names)
    } completion: { _ in
    }
  }

  // MARK: Health

  private func report() {
    guard let observer else { return }
    let health = SpeechHealth(
      lacking: index.lacking.count,
      unspeakable: index.lacking.count { !index.hasAny($0) }, failure: lastFailure
    ).report
    guard health != reported else { return }
    reported = health
    observer(.health(health))
  }
}
