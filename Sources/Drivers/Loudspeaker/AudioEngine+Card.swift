import CALSA
import Care
import Glibc
import Loop
import Moments

/// The card: opening it, writing to it, losing it and finding it again.
extension AudioEngine {
  private static let mostRecoveries = 50

  func openCard(at now: Tick) {
    do throws(PCMDevice.Failure) {
      let opened = try PCMDevice(options.device)
      device = opened
      mixer = EmergencyMixer(options)
      period = PeriodBuffer(opened)
      watchesIdleCard = true
      recoveries = 0
      lastProgress = now
      for entry in queue.entries where entry.playback?.sampleRate != opened.sampleRate {
        queue[entry.request.id]?.playback = nil
      }
      for entry in queue.entries { queue[entry.request.id]?.hasReportedFailure = false }
      tell(SpeakerHealth.working)
    } catch {
      retry.failed(at: now)
      tell(SpeakerHealth.failed(error.code, device: options.device))
    }
  }

  /// The card is gone. What is wanted again and again goes on when it is back; a single sound for as long as it is fresh.
  func lose(_ code: Int32, at now: Tick) {
    device = nil
    mixer = nil
    fading = nil
    tailFrames = nil
    isActive = false
    beginning = nil
    period.discard()
    if let ended = ending { tell(SoundReport(sound: ended, outcome: .failed)) }
    ending = nil
    current = nil
    tell(SpeakerHealth.failed(code, device: options.device))
    retry.failed(at: now)
    for entry in queue.entries {
      queue[entry.request.id]?.playback?.restartRepetition()
      queue[entry.request.id]?.hasStarted = false
    }
    queue.block(at: now).forEach(tell)
    failNewSounds()
  }

  /// Says of every sound once that nobody hears it, so that buzzer and lamp take over.
  func failNewSounds() {
    for entry in queue.entries where !entry.hasReportedFailure {
      let id = entry.request.id
      if entry.repeats {
        queue[id]?.hasReportedFailure = true
        tell(SoundReport(sound: id, outcome: .failed))
      } else if entry.blockedSince == nil {
        queue[id] = nil
        tell(SoundReport(sound: id, outcome: .failed))
      }
    }
  }

  func write(to device: PCMDevice, at now: Tick) {
    let taken = device.write(period)
    switch taken {
    case 1...: accept(Int(taken), at: now)
    case 0, -EAGAIN: waitForRoom(device, at: now)
    case -EINTR: break
    case -EPIPE, -ESTRPIPE: recover(device, from: taken, at: now)
    default: lose(-taken, at: now)
    }
  }

  private func accept(_ frames: Int, at now: Tick) {
    period.advance(by: frames)
    if !isActive { (activeSince, framesTaken) = (now, 0) }
    isActive = true
    framesTaken += frames
    yieldToOthersIfUnreal(at: now)
    recoveries = 0
    // Not before: a card that opens and then hangs is looked for less and less often.
    retry.succeeded()
    lastProgress = now
    if let id = beginning {
      beginning = nil
      options.onFirstFrame?(id, EventLoop.now)
      tell(SoundReport(sound: id, outcome: .started))
    }
    if period.isWritten, let id = ending {
      ending = nil
      tell(SoundReport(sound: id, outcome: .finished))
    }
  }

  /// A device that takes ten seconds of sound in one is no card; at a real-time priority it would keep the whole machine
  /// busy with an endless alarm.
  private func yieldToOthersIfUnreal(at now: Tick) {
    guard let device, framesTaken > 10 * device.sampleRate else { return }
    if now.milliseconds(since: activeSince) < 1_000 { _ = homeward_set_realtime(false) }
    (activeSince, framesTaken) = (now, 0)
  }

  private func waitForRoom(_ device: PCMDevice, at now: Tick) {
    if now.milliseconds(since: lastProgress) > options.hangMilliseconds {
      return lose(EIO, at: now)
    }
    let answer = thread.wait(device.handle, wantsRoom: true, milliseconds: 500)
    guard answer & HOMEWARD_PCM_BROKEN != 0 else { return }
    let error = homeward_pcm_check(device.handle)
    switch error {
    case 0, -EPIPE, -ESTRPIPE: recover(device, from: error, at: now)
    default: lose(-error, at: now)
    }
  }

  /// Brings the card back to work; an error without a reason is only counted, so that it cannot go on for ever.
  private func recover(_ device: PCMDevice, from error: Int32, at now: Tick) {
    recoveries += 1
    guard recoveries <= Self.mostRecoveries else { return lose(EIO, at: now) }
    guard error != 0 else { return }
    let outcome = homeward_pcm_recover(device.handle, error)
    if outcome < 0 { lose(-outcome, at: now) }
  }

  /// Sleeps until a message comes, the card breaks or so many milliseconds pass; -1 for none.
  func rest(_ device: PCMDevice, milliseconds: Int32) {
    let answer = thread.wait(
      watchesIdleCard ? device.handle : nil, wantsRoom: false, milliseconds: milliseconds)
    guard answer & HOMEWARD_PCM_BROKEN != 0 else { return }
    let now = EventLoop.now
    let error = homeward_pcm_check(device.handle)
    switch error {
    case 0: watchesIdleCard = false
    case -EPIPE, -ESTRPIPE: recover(device, from: error, at: now)
    default: lose(-error, at: now)
    }
  }

  /// Raises the volume for an emergency, puts it back for everything else.
  func setVolume(isEmergency: Bool) {
    guard let mixer, isEmergency != mixer.isRaised else { return }
    guard isEmergency else { return mixer.restore() }
    if let refusal = mixer.raise() {
      tell(SpeakerHealth.mixerRefuses(refusal.code, element: refusal.element))
    } else {
      tell(SpeakerHealth.working)
    }
  }
}
