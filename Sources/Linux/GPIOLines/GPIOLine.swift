public import Texts

/// Where a line of a GPIO chip is and how it is wired.
public struct GPIOLine: Hashable, Sendable {
  /// The resistor inside the chip.
  public enum Bias: String, Hashable, Sendable, CaseIterable {
    /// As the firmware left it.
    case asIs = "as-is"
    /// None.
    case disabled
    /// To the supply: an open contact reads high.
    case pullUp = "pull-up"
    /// To ground: an open contact reads low.
    case pullDown = "pull-down"
  }

  /// The chip's path, name (`gpiochip0`), number or label (`pinctrl-bcm2711`); empty for any chip that has a line of
  /// this name.
  public var chip: String
  /// The line's number on the chip, or its name (`GPIO17`).
  public var line: String
  /// Whether low means pressed or lit.
  public var isActiveLow: Bool
  /// The resistor inside the chip.
  public var bias: Bias

  /// A line from its parts.
  public init(chip: String, line: String, isActiveLow: Bool = false, bias: Bias = .asIs) {
    self.chip = chip
    self.line = line
    self.isActiveLow = isActiveLow
    self.bias = bias
  }

  /// The line in words, such as `line GPIO17 of chip pinctrl-bcm2711`.
  public var description: String { message.description }

  /// The line in words, in whatever language.
  public var message: Message {
    chip.isEmpty
      ? Message("GPIO line {line}", ["line": line])
      : Message("line {line} of GPIO chip {chip}", ["line": line, "chip": chip])
  }
}

/// Why a line cannot be had, or does not work any more.
public struct GPIOError: Error, Hashable, Sendable {
  /// Kinds of trouble; the raw value is the code of the health report.
  public enum Code: String, Hashable, Sendable {
    /// There is no such chip.
    case noChip = "no-chip"
    /// The chip has no such line.
    case noLine = "no-line"
    /// Somebody else has the line.
    case busy
    /// The chip may not be opened.
    case forbidden = "no-permission"
    /// Anything else.
    case broken
  }

  /// The kind.
  public var code: Code
  /// One plain sentence that says what to do next.
  public var message: Message

  init(_ code: Code, _ message: Message) {
    self.code = code
    self.message = message
  }
}
