public import Care
public import Moments

/// One gesture and the time of the edge, or of the deadline, that completed it.
public struct RecognizedGesture: Hashable, Sendable {
  /// What the hand did.
  public var gesture: ButtonGesture
  /// When; never later than the time the recogniser was told.
  public var tick: Tick

  /// A gesture from its parts.
  public init(_ gesture: ButtonGesture, at tick: Tick) {
    self.gesture = gesture
    self.tick = tick
  }
}

/// Turns the edges of one contact into what the hand meant.
///
/// A contact closes at its first edge, because help is asked for by pressing; it opens once it has stayed open for the
/// debounce time, because a worn contact opens for moments under the finger. So a hold is found in any bounce, at the
/// moment the hold time is over and not at the release. A hold swallows the presses before it. Edges may come twice, late
/// or out of order; none of them traps.
public struct GestureRecognizer: Hashable, Sendable {
  /// How far the contact has come.
  private enum Contact: Hashable, Sendable {
    case open
    /// Down since the start of the program, or since it got stuck before its device vanished: asks for nothing.
    case disregarded(since: Tick)
    case closed(since: Tick)
    case held(since: Tick)
    case stuck
  }

  private let times: GestureTimes
  private var contact = Contact.open
  /// When the contact last opened, while it has not stayed open for the debounce time.
  private var opened: Tick?
  private var presses = 0
  private var lastRelease = Tick(nanoseconds: 0)
  private var latest = Tick(nanoseconds: .min)

  /// A recogniser of a contact that is open.
  public init(times: GestureTimes = GestureTimes()) { self.times = times }

  /// Whether the button is stuck.
  public var isStuck: Bool { contact == .stuck }

  /// When ``time(at:)`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    if let opened { return opened.advanced(byMilliseconds: times.debounceMilliseconds) }
    switch contact {
    case .open: return presses > 0 ? endOfPresses : nil
    case .closed(let since): return since.advanced(byMilliseconds: times.holdMilliseconds)
    case .held(let since), .disregarded(let since):
      return since.advanced(byMilliseconds: times.stuckMilliseconds)
    case .stuck: return nil
    }
  }

  // MARK: Inputs

  /// The contact closed (`isDown`) or opened; told again it changes nothing.
  public mutating func edge(isDown: Bool, at tick: Tick) -> [RecognizedGesture] {
    let tick = max(tick, latest)
    var found = time(at: tick)
    if isDown {
      if let down = close(at: tick) { found.append(down) }
    } else if contact != .open, opened == nil {
      opened = tick
    }
    return found
  }

  /// Time has passed; finds everything that was due until `now`, in order.
  public mutating func time(at now: Tick) -> [RecognizedGesture] {
    latest = max(latest, now)
    var found: [RecognizedGesture] = []
    while let due = nextWake, due <= latest {
      if let gesture = pass(due) { found.append(gesture) }
    }
    return found
  }

  /// The device is there. A button that is down counts from now on if `countsAsPress`; otherwise it has to be seen open
  /// first, so that a wrongly wired one is not an alarm at each start.
  public mutating func attach(
    isDown: Bool, countsAsPress: Bool, at tick: Tick
  ) -> [RecognizedGesture] {
    let tick = max(tick, latest)
    // Nothing is known of an open contact yet: an edge that waits in the kernel since before keeps its own time.
    guard isDown else { return isStuck ? [loosen(at: tick)] : [] }
    guard contact == .open else { return [] }
    latest = tick
    if countsAsPress { return edge(isDown: true, at: tick) }
    contact = .disregarded(since: tick)
    return []
  }

  /// The device is gone: what was held is no hold, and presses that were complete count at once.
  public mutating func detach(at tick: Tick) -> [RecognizedGesture] {
    // How long it was down before it vanished nobody can say when this is noticed late.
    var found = opened != nil || contact == .open ? time(at: tick) : []
    if let opened, let gesture = release(at: opened) { found.append(gesture) }
    if !isStuck { contact = .open }
    if let gesture = endPresses() { found.append(gesture) }
    return found
  }

  // MARK: Steps

  private mutating func close(at tick: Tick) -> RecognizedGesture? {
    opened = nil
    guard contact == .open else { return nil }
    contact = .closed(since: tick)
    return RecognizedGesture(.down, at: tick)
  }

  private mutating func pass(_ due: Tick) -> RecognizedGesture? {
    if let opened { return release(at: opened) }
    switch contact {
    case .open: return endPresses()
    case .closed(let since):
      contact = .held(since: since)
      presses = 0
      return RecognizedGesture(.hold, at: due)
    case .held, .disregarded:
      contact = .stuck
      return RecognizedGesture(.stuck, at: due)
    case .stuck: return nil
    }
  }

  private mutating func release(at tick: Tick) -> RecognizedGesture? {
    opened = nil
    switch contact {
    case .open: return nil
    case .stuck: return loosen(at: tick)
    case .held, .disregarded:
      contact = .open
      return nil
    case .closed:
      contact = .open
      lastRelease = tick
      presses += 1
      // More than three belong to the same hurry: a shaking hand is not three wishes.
      return presses == 3 ? RecognizedGesture(.triple, at: tick) : nil
    }
  }

  private mutating func loosen(at tick: Tick) -> RecognizedGesture {
    contact = .open
    return RecognizedGesture(.loose, at: tick)
  }

  private var endOfPresses: Tick {
    lastRelease.advanced(byMilliseconds: times.multiPressMilliseconds)
  }

  private mutating func endPresses() -> RecognizedGesture? {
    defer { presses = 0 }
    switch presses {
    case 1: return RecognizedGesture(.press, at: lastRelease)
    case 2: return RecognizedGesture(.double, at: lastRelease)
    default: return nil
    }
  }
}
