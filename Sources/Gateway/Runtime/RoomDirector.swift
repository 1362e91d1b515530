import Care
import Loop
import Moments
import Ports

/// Sees to it that what is to sound sounds: turns sentences into files, and never lets a missing one mute an alarm.
///
/// A sound of the highest priority begins at once with what is there; sentences that are not ready are rendered meanwhile
/// and the sound goes on with them. Any other sound waits for its sentences, up to half a minute.
@LoopActor
final class RoomDirector {
  /// What the director works with.
  struct Links {
    /// Nil for none: then every sound fails, and an alarm is left to the buzzer.
    var speaker: (any Speaker)?
    var renderer: (any SentenceRenderer)?
    /// Stands in for a loudspeaker that fails in an alarm.
    var buzzer: (@LoopActor (_ isOn: Bool) -> Void)?
    /// The time of day as a sentence; nil when nobody knows the zone.
    var clockSentence: @LoopActor (_ timeZone: String, _ language: String) -> Sentence?
    /// The absolute path of what somebody said and sent; nil for what is not kept any more.
    var recordingFile: @LoopActor (RecordingID) -> String? = { _ in nil }
    /// Takes what became of sounds that never reached the speaker.
    var observer: @LoopActor (Observation) -> Void
  }

  private struct Waiting {
    var request: SoundRequest
    var since: Tick
    /// What sounds already, without the sentences that are not ready.
    var sounding: [SoundPart]
  }

  /// How long a sound that is no alarm waits for its sentences, in milliseconds.
  static let patienceMilliseconds: Int64 = 30_000

  private let links: Links
  /// Requests whose sentences are being rendered, by id; a number tells a request from a later one of the same id.
  private var waiting: [SoundID: (number: Int, entry: Waiting)] = [:]
  private var lastNumber = 0
  /// Alarms that are meant to sound, and of these the ones that the loudspeaker failed.
  private var emergencies: Set<SoundID> = []
  private var buzzing: Set<SoundID> = []

  init(_ links: Links) { self.links = links }

  func play(_ wanted: SoundRequest) {
    if wanted.priority == .emergency { emergencies.insert(wanted.id) }
    guard links.speaker != nil else { return tell(.failed, of: wanted.id) }
    var request = wanted
    request.parts = wanted.parts.compactMap(worded)
    waiting[request.id] = nil
    let missing = sentences(in: request).filter { links.renderer?.file(for: $0) == nil }
    guard !missing.isEmpty else { return sound(resolved(request)) }
    let atOnce = request.priority == .emergency ? resolved(request) : nil
    if let atOnce, !atOnce.parts.isEmpty { sound(atOnce) }
    lastNumber += 1
    waiting[request.id] = (
      lastNumber,
      Waiting(request: request, since: EventLoop.now, sounding: atOnce?.parts ?? [])
    )
    render(missing, for: request.id, number: lastNumber)
  }

  func stop(_ id: SoundID) {
    waiting[id] = nil
    emergencies.remove(id)
    quieten(id)
    links.speaker?.stopSound(id)
  }

  /// Hears what became of a sound: the buzzer stands in for an alarm that failed, until it sounds or is stopped.
  func note(_ report: SoundReport) {
    switch report.outcome {
    case .wordless: break
    case .failed:
      guard emergencies.contains(report.sound) else { return }
      buzzing.insert(report.sound)
      links.buzzer?(true)
    case .started: quieten(report.sound)
    case .finished, .stopped:
      emergencies.remove(report.sound)
      quieten(report.sound)
    }
  }

  private func quieten(_ id: SoundID) {
    guard buzzing.remove(id) != nil, buzzing.isEmpty else { return }
    links.buzzer?(false)
  }

  private func sound(_ request: SoundRequest) { links.speaker?.play(request) }

  /// Tells after this step what became of a sound that never reached the speaker, or reached it without its words.
  private func tell(_ outcome: SoundReport.Outcome, of id: SoundID) {
    EventLoop.current.post { [links] in
      links.observer(.sound(SoundReport(sound: id, outcome: outcome)))
    }
  }

  // MARK: Sentences

  private func render(_ missing: [Sentence], for id: SoundID, number: Int) {
    guard let renderer = links.renderer else { return settle(id, number) }
    var left = missing.count
    for sentence in missing {
      renderer.render(sentence) { [weak self] _ in
        left -= 1
        if left == 0 { self?.settle(id, number) }
      }
    }
  }

  /// All sentences have come or will not come.
  private func settle(_ id: SoundID, _ number: Int) {
    guard let (current, entry) = waiting[id], current == number else { return }
    waiting[id] = nil
    var request = resolved(entry.request)
    let elapsed = EventLoop.now.milliseconds(since: entry.since)
    guard !request.parts.isEmpty else { return tell(.failed, of: id) }
    if !entry.sounding.isEmpty {
      // Nothing more was rendered: what sounds already is all there is.
      guard request.parts != entry.sounding else { return }
      let steps = Int(elapsed / max(1, request.levelStepSeconds * 1000))
      request.levelsDecibels = Array(
        request.levelsDecibels.dropFirst(min(steps, request.levelsDecibels.count - 1)))
    } else if request.priority != .emergency, elapsed > Self.patienceMilliseconds {
      return tell(.failed, of: id)
    }
    if request.priority != .emergency, request.parts.count < entry.request.parts.count {
      tell(.wordless, of: id)
    }
    sound(request)
  }

  private func sentences(in request: SoundRequest) -> [Sentence] {
    request.parts.compactMap { if case .speech(let sentence) = $0 { sentence } else { nil } }
  }

  /// A part as sentence or file; nil for what is not there.
  private func worded(_ part: SoundPart) -> SoundPart? {
    switch part {
    case .clock(let timeZone, let language):
      links.clockSentence(timeZone, language).map { .speech($0) } ?? .pattern("chime")
    case .recording(let id): links.recordingFile(id).map { .file($0) }
    case .pattern, .speech, .file, .pause: part
    }
  }

  /// The request with files in the place of sentences; those that are not there are left out.
  private func resolved(_ request: SoundRequest) -> SoundRequest {
    var resolved = request
    resolved.parts = request.parts.compactMap { part in
      guard case .speech(let sentence) = part else { return part }
      return links.renderer?.file(for: sentence).map { .file($0) }
    }
    return resolved
  }
}
