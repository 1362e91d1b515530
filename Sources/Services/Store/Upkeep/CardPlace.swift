import Glibc
import Ports

/// One of the places that hold the emergency card.
struct CardPlace: Sendable {
  static let fileName = "emergency-card.json"

  /// Directories in the order of preference: the first that can be written has the card.
  let directories: [String]

  /// The newest card that is whole, of all places.
  static func newest(in places: [CardPlace]) -> EmergencyCard? {
    places.flatMap(\.cards).max { $0.number < $1.number }
  }

  /// The cards in the place; more than one when another directory could be written earlier.
  private var cards: [EmergencyCard] {
    directories.compactMap { try? Self.read("\($0)/\(Self.fileName)") }
  }

  /// Whether the place holds this card and no other.
  func holds(_ card: EmergencyCard) -> Bool {
    guard let found = cards.first, cards.count == 1 else { return false }
    return found.number == card.number && found.state == card.state
  }

  private static func read(_ path: String) throws -> EmergencyCard {
    let descriptor = Files.openForReading(path, O_NOFOLLOW)
    guard descriptor >= 0 else { throw Files.failure(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= EmergencyCard.maximumBytes {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw Files.failure(path) }
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return try EmergencyCard(file: bytes)
  }

  /// Writes the card, whole or not at all, and removes older ones from the other directories.
  ///
  /// - Throws: what the last directory answered when none could be written.
  func write(_ file: [UInt8]) throws(StoreError) {
    var failure: StoreError?
    for (index, directory) in directories.enumerated() {
      do throws(StoreError) {
        try Self.write(file, in: directory)
        for other in directories[(index + 1)...] { Files.remove("\(other)/\(Self.fileName)") }
        return
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private static func write(_ file: [UInt8], in directory: String) throws(StoreError) {
    // Its parent is not ours to make.
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw Files.failure(directory) }
    let target = "\(directory)/\(fileName)"
    let partial = target + ".partial"
    Files.remove(partial)
    let sink = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard sink >= 0 else { throw Files.failure(partial) }
    do throws(StoreError) {
      defer { close(sink) }
      try Files.write(file[...], to: sink, path: partial)
      guard fsync(sink) == 0 else { throw Files.failure(partial) }
    } catch {
      Files.remove(partial)
      throw error
    }
    try Files.move(partial, to: target)
  }
}
