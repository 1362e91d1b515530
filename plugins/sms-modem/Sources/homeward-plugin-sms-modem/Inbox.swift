import Moments
import ShortMessage

/// What is read from a modem's storage of messages, and which of its places are in hand.
struct Inbox {
  private var reassembly = Reassembly()
  /// Places in storage whose messages are being handed on.
  private var inHand: Set<Int> = []
  private var isReading = false
  private var mustReadAgain = false

  /// Begins to read; false while it is being read, and then it is read once more.
  mutating func beginReading() -> Bool {
    guard !isReading else {
      mustReadAgain = true
      return false
    }
    isReading = true
    return true
  }

  /// Nothing is being read any more.
  mutating func endReading() { isReading = false }

  /// Whether somebody wanted to read while it was being read; says so once.
  mutating func wantsReading() -> Bool {
    guard mustReadAgain else { return false }
    mustReadAgain = false
    return true
  }

  /// Forgets what is in hand, because the port was closed.
  mutating func portClosed() {
    isReading = false
    inHand = []
  }

  /// Takes the place in hand that a line such as `+CMGL: 3,0,,27` names; nil where it is in hand already, or none of ours.
  ///
  /// States 2 and 3 are drafts of the card's owner.
  mutating func place(listed line: String) -> Int? {
    let parameters = ATParameters.split(String(line.dropFirst(6)))
    guard parameters.count > 1, let place = Int(parameters[0]), ["0", "1"].contains(parameters[1]),
      inHand.insert(place).inserted
    else { return nil }
    return place
  }

  /// Takes a part; answers the message once it is whole.
  mutating func take(_ part: DeliverFrame, place: Int?, at now: Tick) -> ReceivedText? {
    reassembly.take(part, place: place, at: now)
  }

  /// Messages of which a part never came.
  mutating func giveUp(at now: Tick) -> [ReceivedText] { reassembly.giveUp(at: now) }

  /// The message in a place is gone.
  mutating func deleted(_ place: Int) { inHand.remove(place) }

  /// What is in these places was not taken: it stays where it is and is found by the next reading.
  mutating func leave(_ places: [Int]) { inHand.subtract(places) }
}
