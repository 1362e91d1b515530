import CALSA
import Care
import Glibc
import Loop
import Moments
import Sounds

/// What the audio thread does: one period after the other, looking into the mailbox before each.
final class AudioEngine {
  static let selfTest = SoundRequest(
    id: "homeward.self-test", priority: .chime, parts: [.pattern("self-test")])
  private static let fileWaitMilliseconds: Int64 = 2_000

  let thread: AudioThread
  var options: ALSASpeakerOptions { thread.options }
  var queue = SoundQueue()
  var device: PCMDevice?
  var mixer: EmergencyMixer?
  var retry = CardRetry()
  var health: HealthReport?
  var period = PeriodBuffer()
  /// What sounds, or sounded until the next period.
  var current: SoundID?
  /// What was cut short and fades within the next period.
  var fading: SoundPlayback?
  /// Sounds of which the first or the last frames are in the period that is being written.
  var beginning: SoundID?
  var ending: SoundID?
  /// Frames were handed in since the card last rested.
  var isActive = false
  /// When the card last began to work, and how many frames it has taken since.
  var activeSince = Tick(nanoseconds: 0)
  var framesTaken = 0
  /// Silence still to be handed in, so that nothing is cut off when the card goes to rest.
  var tailFrames: Int?
  /// An idle card is watched for errors, unless it gives false alarms.
  var watchesIdleCard = true
  var lastProgress = Tick(nanoseconds: 0)
  var recoveries = 0

  init(_ thread: AudioThread) { self.thread = thread }

  /// Runs until the message to shut down.
  func run() {
    tell(SpeakerHealth.starting)
    openCard(at: EventLoop.now)
    if device != nil, options.playsSelfTest { _ = queue.put(Self.selfTest) }
    while handleMessages() {
      let now = EventLoop.now
      if device == nil, retry.isDue(at: now) { openCard(at: now) }
      if let device { step(device, at: now) } else { waitForCard(at: now) }
    }
    mixer?.restore()
    if let device { _ = homeward_pcm_rest(device.handle) }
  }

  // MARK: Mailbox

  private func handleMessages() -> Bool {
    for message in thread.takeMessages() {
      switch message {
      case .play(let request, let asked): play(request, at: asked)
      case .stop(let id):
        if queue[id] != nil {
          drop(id)
          tell(SoundReport(sound: id, outcome: .stopped))
        }
      case .loaded(let path, let file): take(file, for: path)
      case .shutdown: return false
      }
    }
    return true
  }

  private func play(_ request: SoundRequest, at asked: Tick) {
    fadeOutIfSounding(request.id)
    queue.put(request).forEach(tell)
    guard device == nil else { return }
    openCard(at: asked)
    if device == nil { failNewSounds() }
  }

  private func take(_ file: SoundPlayback.File, for path: String) {
    for entry in queue.entries where entry.playback?.filePaths.contains(path) == true {
      queue[entry.request.id]?.playback?.take(file, for: path)
      queue[entry.request.id]?.waitsSince = nil
    }
  }

  /// Takes a sound out; when it sounds, its last period fades.
  private func drop(_ id: SoundID) {
    fadeOutIfSounding(id)
    queue[id] = nil
  }

  private func fadeOutIfSounding(_ id: SoundID) {
    guard id == current else { return }
    if let playback = queue[id]?.playback, isActive, !playback.isBetweenRepetitions {
      fading = playback
    }
    current = nil
  }

  // MARK: One period

  private func step(_ device: PCMDevice, at now: Tick) {
    guard period.isWritten else { return write(to: device, at: now) }
    choose(device, at: now)
    if var playback = fading {
      fading = nil
      period.block.withUnsafeMutableBufferPointer { playback.renderFadingOut(into: $0) }
      return fillPeriod(device)
    }
    guard let current else { return windDown(device, at: now) }
    setVolume(isEmergency: queue[current]?.request.priority == .emergency)
    renderCurrent(current, device, at: now)
  }

  private func choose(_ device: PCMDevice, at now: Tick) {
    if let current, let entry = queue[current], entry.request.repetitions == nil,
      entry.playback?.isBetweenRepetitions == true
    {
      _ = queue.yieldTurn(current)
    }
    let choice = queue.choose(at: now)
    choice.reports.forEach(tell)
    guard choice.id != current else { return }
    if let old = current, queue[old] != nil {
      fadeOutIfSounding(old)
      queue[old]?.playback?.restartRepetition()
    }
    current = choice.id
    if let id = choice.id { begin(id, device) }
  }

  private func begin(_ id: SoundID, _ device: PCMDevice) {
    guard let entry = queue[id], entry.playback == nil else { return }
    let playback = SoundPlayback(entry.request, sampleRate: device.sampleRate)
    queue[id]?.playback = playback
    guard !playback.filePaths.isEmpty else { return }
    SoundFileLoader.load(playback.filePaths) { [thread] path, file in
      thread.send(.loaded(path: path, file))
    }
  }

  private func renderCurrent(_ id: SoundID, _ device: PCMDevice, at now: Tick) {
    guard var entry = queue[id], var playback = entry.playback else {
      current = nil
      return
    }
    let progress = period.block.withUnsafeMutableBufferPointer { playback.render(into: $0) }
    entry.playback = playback
    switch progress {
    case .filled:
      if !entry.hasStarted { beginning = id }
      entry.hasStarted = true
      queue[id] = entry
      fillPeriod(device)
    case .ended:
      if !entry.hasStarted { beginning = id }
      queue[id] = nil
      current = nil
      ending = id
      fillPeriod(device)
    case .unsoundable:
      queue[id] = nil
      current = nil
      tell(SoundReport(sound: id, outcome: .failed))
    case .waitsForFile(let path):
      waitForFile(path, id, &entry, device, at: now)
    }
  }

  private func waitForFile(
    _ path: String, _ id: SoundID, _ entry: inout SoundQueue.Entry, _ device: PCMDevice,
    at now: Tick
  ) {
    let since = entry.waitsSince ?? now
    entry.waitsSince = since
    let left = Self.fileWaitMilliseconds - now.milliseconds(since: since)
    if left <= 0 {
      // The disk is slow or dead: the rest sounds without it. When the file comes after all, the next repetition has it.
      entry.playback?.take(.unreadable, for: path)
      entry.waitsSince = nil
    }
    queue[id] = entry
    if left > 0 { rest(device, milliseconds: Int32(left)) }
  }

  private func fillPeriod(_ device: PCMDevice) {
    tailFrames = nil
    lastProgress = EventLoop.now
    period.fill(channels: device.channels, sample: WAVWriter.sample)
  }

  /// Nothing sounds any more: the card plays out what it has, and rests.
  private func windDown(_ device: PCMDevice, at now: Tick) {
    guard isActive else {
      setVolume(isEmergency: false)
      return rest(device, milliseconds: -1)
    }
    let left = tailFrames ?? device.bufferFrames + device.periodFrames
    if left > 0 {
      for index in period.block.indices { period.block[index] = 0 }
      fillPeriod(device)
      tailFrames = left - device.periodFrames
      return
    }
    tailFrames = nil
    isActive = false
    let error = homeward_pcm_rest(device.handle)
    if error < 0 { lose(-error, at: now) }
  }

  private func waitForCard(at now: Tick) {
    queue.block(at: now).forEach(tell)
    let pause = retry.pause(at: now, whileSoundsWait: !queue.isEmpty)
    _ = thread.wait(nil, wantsRoom: false, milliseconds: Int32(clamping: pause))
  }

  // MARK: Telling

  func tell(_ report: SoundReport) {
    guard report.sound != Self.selfTest.id else { return }
    thread.report(.sound(report))
  }

  func tell(_ report: HealthReport) {
    guard report != health else { return }
    health = report
    thread.report(.health(report))
  }
}
