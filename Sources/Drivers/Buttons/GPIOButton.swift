import GPIOLines

/// A contact on a GPIO line.
final class GPIOButton: ButtonDevice {
  private let input: GPIOInput

  init(_ line: GPIOLine) throws(ButtonTrouble) {
    do { input = try GPIOInput(line) } catch { throw ButtonTrouble(error) }
  }

  var descriptor: Int32 { input.descriptor }

  func readEdges() throws(ButtonTrouble) -> [ButtonEdge] {
    do {
      return try input.readEdges().map {
        ButtonEdge(isDown: $0.isActive, stampNanoseconds: $0.stampNanoseconds)
      }
    } catch { throw ButtonTrouble(error) }
  }

  func isDown() throws(ButtonTrouble) -> Bool {
    do { return try input.isActive() } catch { throw ButtonTrouble(error) }
  }
}

/// Opens a contact on a GPIO line.
struct GPIOButtonOpener: ButtonOpener {
  let line: GPIOLine

  func open() throws(ButtonTrouble) -> any ButtonDevice { try GPIOButton(line) }

  var places: [String] { ["/dev/gpiochip"] + (line.chip.hasPrefix("/") ? [line.chip] : []) }
}

extension ButtonTrouble {
  fileprivate init(_ error: GPIOError) {
    self.init(code: error.code.rawValue, message: error.message)
  }
}
