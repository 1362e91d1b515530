import Glibc
import Loop
import Moments
import PluginKit

/// Plays a script on the open card, a period at a time and no faster than it is heard.
struct LineSpeaker {
  /// How far ahead of what is heard frames may be handed in; a card without a clock would take an hour at once.
  static let leadMilliseconds: Int64 = 200
  /// How long a card may take nothing.
  static let stallMilliseconds: Int32 = 3000
  /// How many times in a row a card is brought back.
  static let mostRecoveries = 10

  private let card: LineDevice
  private let clips: [WaveClip]
  private let event: Int32
  private var script = LinePlayer.Script(items: [], isEndless: false)
  private var item = 0
  private var offset = 0
  private var pending: ArraySlice<Int16> = []
  private var begun = EventLoop.now
  private var framesWritten: Int64 = 0
  private var recoveries = 0
  private var isSpeaking = false
  private var isDone = false

  init(card: LineDevice, clips: [WaveClip], event: Int32) {
    self.card = card
    self.clips = clips
    self.event = event
  }

  /// Drops what is being said and begins with something else.
  mutating func begin(_ script: LinePlayer.Script) {
    self.script = script
    (item, offset, pending, isDone) = (0, 0, [], false)
    card.rest()
    isSpeaking = !script.items.isEmpty
    restartClock()
  }

  /// Whether a script that ends has been heard, once.
  mutating func takeIsDone() -> Bool {
    defer { isDone = false }
    return isDone
  }

  /// Hands in what there is room for, or waits; gives the fault of a card that is broken.
  mutating func step() -> LinePlayer.Fault? {
    guard isSpeaking else {
      listen(milliseconds: -1)
      return nil
    }
    let ahead = lead
    if ahead > Self.leadMilliseconds {
      listen(milliseconds: Int32(clamping: ahead - Self.leadMilliseconds))
      return nil
    }
    if pending.isEmpty { fill() }
    guard !pending.isEmpty else {
      finish(ahead)
      return nil
    }
    return write()
  }

  /// Frames handed in that cannot have been heard yet, in milliseconds.
  private var lead: Int64 {
    framesWritten * 1000 / Int64(card.rate) - EventLoop.now.milliseconds(since: begun)
  }

  private mutating func finish(_ ahead: Int64) {
    if ahead > 0 { return listen(milliseconds: Int32(clamping: ahead)) }
    isSpeaking = false
    isDone = true
    card.rest()
  }

  private func listen(milliseconds: Int32) {
    var descriptor = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, milliseconds) > 0 { drain() }
  }

  private func drain() {
    var count: UInt64 = 0
    _ = read(event, &count, MemoryLayout<UInt64>.size)
  }

  private mutating func write() -> LinePlayer.Fault? {
    let taken = card.write(pending)
    if taken > 0 {
      framesWritten += Int64(taken)
      pending = pending.dropFirst(Int(taken) * card.channels)
      recoveries = 0
      return nil
    }
    if taken == 0 || taken == -EAGAIN {
      guard !card.wait(forRoom: true, event: event, milliseconds: Self.stallMilliseconds) else {
        return nil
      }
      // The event wakes as well; only a card that took nothing for so long is broken.
      let isWoken = isEventReadable
      if isWoken { drain() }
      return isWoken ? nil : .init(reason: gettext("the sound device to the modem takes no sound"))
    }
    recoveries += 1
    guard recoveries <= Self.mostRecoveries, card.recover(taken) else {
      return .init(
        reason: gettext(
          "the sound device to the modem failed ({reason})",
          ["reason": String(cString: strerror(-taken))]))
    }
    restartClock()
    return nil
  }

  private var isEventReadable: Bool {
    var descriptor = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  private mutating func restartClock() { (begun, framesWritten) = (EventLoop.now, 0) }

  // MARK: The script

  private mutating func fill() {
    var frames: [Int16] = []
    frames.reserveCapacity(card.periodFrames * card.channels)
    while frames.count < card.periodFrames * card.channels, let sample = next() {
      for _ in 0..<card.channels { frames.append(sample) }
    }
    pending = frames[...]
  }

  private mutating func next() -> Int16? {
    // A script that holds nothing but empty clips must not turn for ever.
    for _ in 0...script.items.count {
      guard item < script.items.count else {
        guard script.isEndless else { return nil }
        (item, offset) = (0, 0)
        continue
      }
      if let sample = sample() { return sample }
      (item, offset) = (item + 1, 0)
    }
    return nil
  }

  private mutating func sample() -> Int16? {
    defer { offset += 1 }
    switch script.items[item] {
    case .pause(let milliseconds): return offset < card.rate * milliseconds / 1000 ? 0 : nil
    case .clip(let number):
      guard clips.indices.contains(number) else { return nil }
      let samples = clips[number].samples
      return offset < samples.count ? samples[offset] : nil
    }
  }
}
