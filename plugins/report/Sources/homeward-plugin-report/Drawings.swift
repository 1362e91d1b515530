import Bytes
import CareReports
import JSON
import Texts

/// Why a report is not drawn.
struct DrawingFault: Error, Hashable {
  var message: Message

  init(_ message: Message) { self.message = message }
}

/// Reports that are brought in pieces, and drawn ones that are fetched in pieces.
///
/// Neither what is brought nor what is drawn is kept for longer than somebody needs it: what is fetched whole goes, what
/// nobody goes on with gives way to what comes.
struct Drawings {
  /// So many are brought or fetched at a time.
  static let atMost = 4
  /// Bytes of a piece; in Base64, with what stands around it, that is less than a line may have.
  static let pieceBytes = 720_000

  private enum State {
    case brought([UInt8])
    case drawing
    case drawn([UInt8])
  }

  private var states: [(name: String, state: State)] = []

  /// Takes a piece of a parcel.
  ///
  /// - Parameters:
  ///   - name: what whoever brings it calls it, a name that nobody guesses.
  ///   - offset: how much of it was brought before.
  /// - Returns: the parcel, once all of it is there.
  /// - Throws: why it is not taken; what was brought of it goes.
  mutating func take(
    _ piece: [UInt8], at offset: Int, isLast: Bool, of name: String
  ) throws(DrawingFault) -> [UInt8]? {
    guard (16...64).contains(name.utf8.count) else {
      throw DrawingFault(Message("The name of a drawing has 16 to 64 characters."))
    }
    var brought: [UInt8] = []
    if let place = states.firstIndex(where: { $0.name == name }) {
      guard case .brought(let before) = states[place].state else {
        throw DrawingFault(Message("This report is being drawn already."))
      }
      states.remove(at: place)
      brought = before
    }
    guard brought.count == offset else {
      throw DrawingFault(
        Message(
          "A piece of the report is missing, from byte {offset} on.", ["offset": brought.count]))
    }
    guard brought.count + piece.count <= ReportParcel.bytesAtMost else {
      throw DrawingFault(
        Message(
          "The report is larger than {limit} MB. Choose a shorter time.",
          ["limit": ReportParcel.bytesAtMost >> 20]))
    }
    brought += piece
    if states.count >= Self.atMost {
      guard
        let oldest = states.firstIndex(where: {
          if case .drawing = $0.state { false } else { true }
        })
      else { throw DrawingFault(Message("Other reports are being drawn. Try again in a minute.")) }
      states.remove(at: oldest)
    }
    states.append((name, isLast ? .drawing : .brought(brought)))
    return isLast ? brought : nil
  }

  /// Notes that one is drawn, or could not be.
  mutating func note(_ pdf: [UInt8]?, as name: String) {
    guard let place = states.firstIndex(where: { $0.name == name }) else { return }
    if let pdf { states[place].state = .drawn(pdf) } else { states.remove(at: place) }
  }

  /// A piece of what was drawn; with the last one it goes.
  mutating func piece(
    of name: String, from offset: Int
  ) throws(DrawingFault) -> (bytes: ArraySlice<UInt8>, isLast: Bool) {
    guard let place = states.firstIndex(where: { $0.name == name }),
      case .drawn(let pdf) = states[place].state, (0...pdf.count).contains(offset)
    else { throw DrawingFault(Message("There is no such drawing any more. Ask for it again.")) }
    let bytes = pdf[offset..<min(pdf.count, offset + Self.pieceBytes)]
    let isLast = bytes.endIndex == pdf.count
    if isLast { states.remove(at: place) }
    return (bytes, isLast)
  }

  /// Draws a parcel.
  static func drawn(
    from parcel: [UInt8]
  ) throws(DrawingFault) -> (pdf: [UInt8], pages: Int) {
    guard parcel.count <= ReportParcel.bytesAtMost, let json = try? JSONValue(parsing: parcel)
    else {
      throw DrawingFault(Message("This is no report: {reason}", ["reason": "JSON"]))
    }
    let read: ReportParcel
    do throws(DecodeError) {
      read = try ReportParcel(json: json)
    } catch {
      throw DrawingFault(Message("This is no report: {reason}", ["reason": "\(error)"]))
    }
    guard Fonts.haveChinese else {
      throw DrawingFault(
        Message(
          "The letters for reports are not installed. Whoever keeps this gateway runs: sudo apt install fonts-wqy-microhei"
        ))
    }
    do throws(PaperFault) {
      return try Paper.draw(read)
    } catch {
      throw DrawingFault(
        Message("The report could not be drawn: {reason}", ["reason": error.description]))
    }
  }
}
