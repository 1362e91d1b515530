import Bytes
import Glibc
import Loop
import Moments
import Synchronization

/// The thread that speaks: one sentence at a time, others wait, a bounded number of them.
final class SpeechWorker: Sendable {
  /// The most sentences that wait.
  static let maximumWaiting = 16

  /// Takes the path of the file.
  typealias Completion = @LoopActor @Sendable (Result<String, SpeechFault>) -> Void

  private struct Job {
    var text: SpokenText
    var deadline: Tick
    var completion: Completion
  }

  private let settings: SpeechSettings
  private let folder: String
  private let waiting = Mutex<[Job]>([])
  private let bell = Bell()

  /// A worker that stores files in `folder`; ``start()`` brings it to life.
  init(settings: SpeechSettings, folder: String) {
    self.settings = settings
    self.folder = folder
  }

  /// Starts the thread, which lives as long as the process; false when the kernel refuses one.
  func start() -> Bool { SystemThread.start(name: "homeward-voice") { self.runForEver() } }

  /// Speaks a text into a file; `completion` is called once, on the loop, also when the deadline has passed meanwhile.
  ///
  /// - Returns: false when too many wait; then `completion` is not called.
  func speak(_ text: SpokenText, until deadline: Tick, completion: @escaping Completion) -> Bool {
    let job = Job(text: text, deadline: deadline, completion: completion)
    let isTaken = waiting.withLock { waiting in
      guard waiting.count < Self.maximumWaiting else { return false }
      waiting.append(job)
      return true
    }
    if isTaken { bell.ring() }
    return isTaken
  }

  private func runForEver() {
    var cache: WaveCache?
    while true {
      bell.wait()
      guard let job = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
      let result: Result<String, SpeechFault>
      do throws(SpeechFault) {
        result = .success(try speak(job, &cache))
      } catch {
        result = .failure(error)
      }
      EventLoop.current.post { job.completion(result) }
    }
  }

  private func speak(_ job: Job, _ cache: inout WaveCache?) throws(SpeechFault) -> String {
    guard EventLoop.now <= job.deadline else { throw .tooSlow }
    var open: WaveCache
    if let cache {
      open = cache
    } else {
      open = try WaveCache(folder: folder, limits: settings.cacheLimits)
    }
    defer { cache = open }
    let name = Fingerprint([settings.soundKey, job.text.key]).hexadecimal
    if let path = open.file(name) { return path }
    let speech = try Synthesizer.render(job.text, settings, until: job.deadline)
    return try open.store(speech.waveFile, as: name)
  }
}

/// Wakes a thread once for each ring.
private final class Bell: Sendable {
  private let semaphore: UncheckedSemaphore

  private struct UncheckedSemaphore: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<sem_t>
  }

  init() {
    let pointer = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(pointer, 0, 0)
    semaphore = UncheckedSemaphore(pointer: pointer)
  }

  deinit {
    sem_destroy(semaphore.pointer)
    semaphore.pointer.deallocate()
  }

  func ring() { sem_post(semaphore.pointer) }

  func wait() {
    while sem_wait(semaphore.pointer) != 0, errno == EINTR {}
  }
}
