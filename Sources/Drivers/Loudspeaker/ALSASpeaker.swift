public import Care
public import Loop
public import Ports

/// Sounds in the room through alsa-lib; one thread of its own has the card.
///
/// The card is opened and prepared at start, so that an alarm's first frames are handed over at once. While nothing sounds
/// the thread sleeps. A card that is missing, busy or pulled out is looked for again, and what is still wanted goes on.
@LoopActor
public final class ALSASpeaker: Speaker {
  private let options: ALSASpeakerOptions
  private var observer: (@LoopActor (Observation) -> Void)?
  private var thread: AudioThread?

  /// A speaker that is not started yet.
  public nonisolated init(_ options: ALSASpeakerOptions = ALSASpeakerOptions()) {
    self.options = options
  }

  /// Starts the audio thread, which opens the card.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    stop()
    self.observer = observer
    guard options.isEnabled else { return deliver(.health(SpeakerHealth.disabled)) }
    let started = AudioThread(options)
    started.report = { [weak self, weak started] observation in
      EventLoop.current.post {
        guard let self, let started, self.thread === started else { return }
        self.deliver(observation)
      }
    }
    thread = started
    guard started.start() else {
      thread = nil
      return deliver(.health(SpeakerHealth.noThread))
    }
  }

  /// Falls silent within a period and lets the card go.
  public func stop() {
    thread?.send(.shutdown)
    thread = nil
    observer = nil
  }

  /// Sounds something, or lines it up behind what goes before it.
  public func play(_ request: SoundRequest) {
    guard let thread else {
      return deliver(.sound(SoundReport(sound: request.id, outcome: .failed)))
    }
    thread.send(.play(request, at: EventLoop.now))
  }

  /// Ends a sound, whether it sounds or waits.
  public func stopSound(_ id: SoundID) { thread?.send(.stop(id)) }

  private func deliver(_ observation: Observation) { observer?(observation) }
}
