public import GPIOLines

extension StatusLamp {
  /// What the lamp is made of.
  public struct Options: Hashable, Sendable {
    /// What shines.
    public enum Light: Hashable, Sendable {
      /// A GPIO line.
      case gpio(GPIOLine)
      /// A light of the kernel, by its name in ``Options/ledFolder``.
      case led(String)
    }

    /// What shines; nil for nothing.
    public var light: Light?
    /// A line that sounds a buzzer; nil for none.
    public var buzzer: GPIOLine?
    /// Where the kernel shows its lights.
    public var ledFolder: String

    /// Options from their parts.
    public init(
      light: Light? = nil, buzzer: GPIOLine? = nil, ledFolder: String = "/sys/class/leds"
    ) {
      self.light = light
      self.buzzer = buzzer
      self.ledFolder = ledFolder
    }
  }
}
