public import Configuration
import Loop
public import Ports

/// The thermometers of the gateway's board.
public enum ThermometerDriver: Driver {
  /// What the owner says of them.
  public struct Section: ConfigurationPart {
    /// From how many degrees Celsius on the board is too hot, 40 through 110.
    public var hotCelsius = 85

    /// The defaults.
    public init() {}

    /// Its keys.
    public static let field = ConfigurationField<Self>.group(
      "thermometers", [.integer("hotCelsius", \.hotCelsius, in: 40...110)])

    /// The section of the documented file.
    public static let documentation =
      """
      thermometers:
        # From how many degrees Celsius on the board is too hot, 40 to 110.
        hotCelsius: 85
      """
  }

  /// What looks at them.
  public static func add(
    _ section: Section, to devices: inout Devices, in surroundings: Surroundings
  ) { devices.sources.append(ThermometerSource(hotCelsius: section.hotCelsius)) }
}
