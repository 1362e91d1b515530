import Loop
import Moments
import PluginProtocol

/// The host's open requests to one plugin.
@LoopActor
final class RequestTable {
  /// What became of a request.
  enum Answer {
    case result(RPCMessage)
    case failure(RPCError)
    case timedOut
    case cancelled
  }

  private struct Entry {
    var deadline: Tick
    var completion: @LoopActor (Answer) -> Void
  }

  private var nextNumber: Int64 = 1
  private var open: [Int64: Entry] = [:]
  private lazy var timer = LoopTimer { [weak self] in self?.expire() }

  /// Opens a request and answers its id.
  func add(
    timeoutMilliseconds: Int64, completion: @escaping @LoopActor (Answer) -> Void
  ) -> RPCID {
    let number = nextNumber
    nextNumber += 1
    let deadline = EventLoop.now.advanced(byMilliseconds: timeoutMilliseconds)
    open[number] = Entry(deadline: deadline, completion: completion)
    rearm()
    return .number(number)
  }

  /// Hands an answer on; false when nothing was asked with this id.
  func settle(_ id: RPCID, with answer: Answer) -> Bool {
    guard case .number(let number) = id, let entry = open.removeValue(forKey: number) else {
      return false
    }
    rearm()
    entry.completion(answer)
    return true
  }

  /// Gives up every request.
  func cancelAll() {
    timer.cancel()
    let entries = open.sorted { $0.key < $1.key }
    open = [:]
    for (_, entry) in entries { entry.completion(.cancelled) }
  }

  private func rearm() {
    if let next = open.values.map(\.deadline).min() { timer.set(at: next) } else { timer.cancel() }
  }

  private func expire() {
    let now = EventLoop.now
    let due = open.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
    for (number, entry) in due {
      // What one is told may give up all others.
      guard open.removeValue(forKey: number) != nil else { continue }
      entry.completion(.timedOut)
    }
    rearm()
  }
}
