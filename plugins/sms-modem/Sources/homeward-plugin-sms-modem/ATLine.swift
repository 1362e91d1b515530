import Loop

/// The line to a modem on a serial port, and the commands that wait for it.
///
/// One command is on its way at a time; what is urgent goes before what waits, so that a message never waits for the
/// reading of others.
@LoopActor
final class ATLine {
  /// What is told of the line.
  struct Handlers {
    /// The modem said something unasked; a frame that came with it stands in the second.
    var onUnasked: @LoopActor (_ words: String, _ frame: String?) -> Void
    /// The port was lost; it has to be closed.
    var onLost: @LoopActor (SerialPort.Fault) -> Void
    /// A command was not answered: whether whatever waits ends unanswered with it.
    var isFatal: @LoopActor (_ command: String) -> Bool
    /// All that waited ended unanswered, because of one command that was not answered.
    var onSilence: @LoopActor () -> Void
  }

  private struct Job {
    var command: ATCommand
    var isUrgent: Bool
    var completion: @LoopActor (ATResult) -> Void
  }

  /// Counts the lives of the port, so that what belongs to an earlier one is dropped.
  private(set) var generation = 0
  /// Who is told; set before the port is opened.
  var handlers: Handlers?
  private var port: SerialPort?
  private var session = ATSession()
  private var jobs: [Job] = []
  private var current: Job?
  private var timer: LoopTimer?

  /// A line whose port is closed.
  init() { timer = LoopTimer { [weak self] in self?.sessionDue() } }

  /// Whether there is a port.
  var isOpen: Bool { port != nil }

  /// Opens the port, which is closed.
  func open(_ path: String) throws(SerialPort.Fault) {
    let generation = generation
    port = try SerialPort(
      path: path,
      onBytes: { [weak self] in self?.received($0, in: generation) },
      onLost: { [weak self] in self?.lost($0, in: generation) })
  }

  private func lost(_ fault: SerialPort.Fault, in generation: Int) {
    guard generation == self.generation else { return }
    handlers?.onLost(fault)
  }

  /// Closes the port: whatever waits ends unanswered.
  func close() {
    port?.close()
    port = nil
    generation += 1
    session.reset()
    let dropped = (current.map { [$0] } ?? []) + jobs
    (current, jobs) = (nil, [])
    for job in dropped { job.completion(.timedOut) }
  }

  /// Waits for nothing any more.
  func stop() { timer?.cancel() }

  /// Sends a command as soon as the line is free.
  func run(
    _ command: ATCommand, isUrgent: Bool = false,
    completion: @escaping @LoopActor (ATResult) -> Void
  ) {
    guard port != nil else { return completion(.timedOut) }
    let job = Job(command: command, isUrgent: isUrgent, completion: completion)
    if isUrgent, let index = jobs.firstIndex(where: { !$0.isUrgent }) {
      jobs.insert(job, at: index)
    } else {
      jobs.append(job)
    }
    pump()
  }

  private func pump() {
    if current == nil, session.isFree, !jobs.isEmpty {
      let job = jobs.removeFirst()
      current = job
      perform(session.send(job.command, at: EventLoop.now))
    }
    armSession()
  }

  private func armSession() {
    if let deadline = session.nextDeadline {
      timer?.set(at: deadline)
    } else {
      timer?.cancel()
    }
  }

  private func received(_ bytes: [UInt8], in generation: Int) {
    guard generation == self.generation else { return }
    perform(session.receive(bytes, at: EventLoop.now), in: generation)
  }

  private func sessionDue() { perform(session.tick(at: EventLoop.now)) }

  private func perform(_ actions: [ATSession.Action], in generation: Int? = nil) {
    let generation = generation ?? self.generation
    for action in actions where generation == self.generation {
      switch action {
      case .write(let bytes): port?.write(bytes)
      case .unasked(let words, let frame): handlers?.onUnasked(words, frame)
      case .finished(let result):
        let job = current
        current = nil
        if result == .timedOut, handlers?.isFatal(job?.command.name ?? "a command") == true {
          fallSilent(job, result)
        } else {
          job?.completion(result)
        }
      }
    }
    pump()
  }

  private func fallSilent(_ job: Job?, _ result: ATResult) {
    let dropped = (job.map { [$0] } ?? []) + jobs
    jobs = []
    for job in dropped { job.completion(result) }
    handlers?.onSilence()
  }
}
