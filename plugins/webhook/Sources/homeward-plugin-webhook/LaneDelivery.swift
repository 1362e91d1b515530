import CurlTransfer
import JSON
import Loop
import Moments
import PluginKit
import PluginProtocol

/// Delivers the batches of one lane, one request after the other.
@LoopActor
final class LaneDelivery {
  /// How long a batch may take altogether, in milliseconds; the host waits for a minute.
  private static let batchMilliseconds: Int64 = 50_000

  /// A batch on its way.
  private struct Open {
    let batch: ReceivedBatch
    let deadline: Tick
    let reply: @LoopActor (BatchOutcomes) -> Void
    /// Parts that are still to be posted, the next one last.
    var waiting: [Range<Int>]
    var outcomes: [EventOutcome]
    /// Subjects of which an event waits, with what it waits for; only when each event has its own request.
    var heldSubjects: [String: EventOutcome] = [:]
  }

  private let settings: WebhookSettings
  private let posts: PostLoop
  private let onHealth: @LoopActor (PluginHealth) -> Void
  private let onAnswer: @LoopActor (Answer) -> Void
  private var judge: AnswerJudge
  private var open: Open?

  /// A delivery; `onAnswer` gets each answer of a receiver that took something.
  init(
    settings: WebhookSettings, posts: PostLoop,
    onHealth: @escaping @LoopActor (PluginHealth) -> Void,
    onAnswer: @escaping @LoopActor (Answer) -> Void
  ) {
    self.settings = settings
    self.posts = posts
    self.onHealth = onHealth
    self.onAnswer = onAnswer
    judge = AnswerJudge(host: settings.host)
  }

  /// Takes a batch; `reply` is called once, with an outcome for each event.
  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    guard batch.count > 0 else { return reply(.all(.accepted, count: 0)) }
    let all = 0..<batch.count
    open = Open(
      batch: batch, deadline: EventLoop.now.advanced(byMilliseconds: Self.batchMilliseconds),
      reply: reply, waiting: settings.isBatched ? [all] : all.reversed().map { $0..<$0 + 1 },
      outcomes: Array(repeating: .accepted, count: batch.count))
    step()
  }

  private func step() {
    while let part = open?.waiting.popLast() {
      if let held = heldOutcome(of: part) {
        settle(part, held)
      } else {
        return post(part)
      }
    }
    guard let finished = open else { return }
    open = nil
    finished.reply(BatchOutcomes(finished.outcomes))
  }

  private func settle(_ part: Range<Int>, _ outcome: EventOutcome) {
    for position in part { open?.outcomes[position] = outcome }
  }

  // MARK: Posting

  private func post(_ part: Range<Int>) {
    guard let open else { return }
    let left = Int(open.deadline.milliseconds(since: EventLoop.now))
    guard left >= 1000 else {
      settle(part, .retry(afterSeconds: 1, reason: gettext("the batch took too long")))
      return step()
    }
    var request = request(for: part, of: open.batch)
    request.connection.timeoutMilliseconds = min(settings.timeoutMilliseconds, left)
    posts.start(request) { [weak self] result in self?.posted(part, result) }
  }

  private func request(for part: Range<Int>, of batch: ReceivedBatch) -> Post {
    let body =
      settings.isBatched ? joined(part, of: batch) : Array(batch.body(part.lowerBound) ?? [])
    let kind = settings.isBatched ? "cloudevents-batch+json" : "cloudevents+json"
    let id = settings.isBatched ? WebhookSignature.batchID(body) : eventID(body)
    let headers = [
      "Content-Type: application/\(kind); charset=UTF-8", "User-Agent: Homeward-webhook/2.0.0",
      "Homeward-Durable: \(batch.isDurable)", "webhook-id: \(id)", "Idempotency-Key: \(id)",
    ]
    let signature = settings.signature?.headers(id: id, at: WallClock.now, body: body) ?? []
    return Post(
      url: settings.url, headers: headers + signature + settings.tokenHeaders, body: body,
      connection: settings.connection)
  }

  private func joined(_ part: Range<Int>, of batch: ReceivedBatch) -> [UInt8] {
    var body = [UInt8(ascii: "[")]
    for position in part {
      if position > part.lowerBound { body.append(UInt8(ascii: ",")) }
      body.append(contentsOf: batch.body(position) ?? [])
    }
    body.append(UInt8(ascii: "]"))
    return body
  }

  /// The event's id where it can stand in a header, or one of its bytes.
  private func eventID(_ body: [UInt8]) -> String {
    guard let id = (try? JSONValue(parsing: body))?["id"]?.stringContent,
      (1...100).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return WebhookSignature.batchID(body) }
    return id
  }

  private func posted(_ part: Range<Int>, _ result: Result<Answer, TransferFault>) {
    let verdict = judge.judge(result, now: WallClock.now)
    if let health = verdict.health { onHealth(health) }
    if case .refused = verdict.outcome, part.count > 1 {
      // The first half is posted first: it goes on top.
      let middle = part.lowerBound + part.count / 2
      open?.waiting.append(middle..<part.upperBound)
      open?.waiting.append(part.lowerBound..<middle)
    } else {
      settle(part, verdict.outcome)
      hold(part, verdict.outcome, hasAnswer: (try? result.get()) != nil)
    }
    if case .success(let answer) = result, verdict.outcome == .accepted { onAnswer(answer) }
    step()
  }

  // MARK: The order within a subject

  /// Keeps later events behind one that has to wait: those of its subject, or all when nobody answers.
  private func hold(_ part: Range<Int>, _ outcome: EventOutcome, hasAnswer: Bool) {
    guard case .retry = outcome, let open else { return }
    if !hasAnswer {
      for rest in open.waiting { settle(rest, outcome) }
      self.open?.waiting = []
    } else if !settings.isBatched {
      self.open?.heldSubjects[subject(part, of: open.batch)] = outcome
    }
  }

  private func heldOutcome(of part: Range<Int>) -> EventOutcome? {
    guard let open, !open.heldSubjects.isEmpty else { return nil }
    return open.heldSubjects[subject(part, of: open.batch)]
  }

  private func subject(_ part: Range<Int>, of batch: ReceivedBatch) -> String {
    guard let body = batch.body(part.lowerBound), let event = try? JSONValue(parsing: body) else {
      return ""
    }
    return event["subject"]?.stringContent ?? ""
  }
}
