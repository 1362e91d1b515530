public import Configuration

/// A line of a GPIO chip as the configuration names it, where one may be named.
public struct GPIOLineSetting: Sendable, Hashable {
  /// The chip's path, name, number or label; nil for any chip that has a line of this name.
  public var chip: String?
  /// The line's number or name; nil when no line is used.
  public var line: String?
  /// Whether low means pressed or lit.
  public var isActiveLow: Bool
  /// The resistor inside the chip.
  public var bias: GPIOLine.Bias

  /// No line yet, wired as given.
  public init(isActiveLow: Bool = false, bias: GPIOLine.Bias = .asIs) {
    self.isActiveLow = isActiveLow
    self.bias = bias
  }

  /// The line; nil when none is used.
  public var gpioLine: GPIOLine? {
    line.map { GPIOLine(chip: chip ?? "", line: $0, isActiveLow: isActiveLow, bias: bias) }
  }

  /// The group of keys that names a line.
  public static func section(_ name: String) -> ConfigurationSection<Self> {
    ConfigurationSection(
      name: name,
      fields: [
        .optionalText("chip", \.chip, fault: ConfigurationChecks.device),
        .optionalText("line", \.line, fault: ConfigurationChecks.device),
        .truth("activeLow", \.isActiveLow), .word("bias", \.bias),
      ])
  }
}
