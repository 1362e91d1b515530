public import Configuration
public import GPIOLines
import Loop
public import Ports
import Texts

/// The lamp that shows how far an alarm has come, and the buzzer.
public enum LampDriver: Driver {
  /// The lamp and the buzzer of the configuration.
  public struct Section: ConfigurationPart {
    /// A GPIO line that lights the lamp.
    public var gpio = GPIOLineSetting()
    /// Name of a light of the kernel, in `/sys/class/leds`; nil for none.
    public var led: String?
    /// A GPIO line that sounds a buzzer in an emergency when no sound card does.
    public var buzzer = GPIOLineSetting()

    /// What is wrong with the lamp as a whole.
    var fault: Message? {
      guard gpio.line != nil, led != nil else { return nil }
      return Message("the lamp has both gpio and led; leave one of them empty.")
    }

    /// The defaults.
    public init() {}

    /// Its keys.
    public static let field = ConfigurationField<Self>.group(
      "lamp",
      [
        .section(GPIOLineSetting.section("gpio"), \.gpio),
        .optionalText("led", \.led, fault: ConfigurationChecks.light),
        .section(GPIOLineSetting.section("buzzer"), \.buzzer),
      ], fault: \.fault)

    /// The section of the documented file.
    public static let documentation =
      """
      # A lamp that shows how far an alarm has come: a GPIO line, or a light of /sys/class/leds. An empty line is none.
      lamp:
        gpio:
          chip:
          line:
          activeLow: false
          bias: as-is
        led:
        # Sounds in an emergency when no sound card does.
        buzzer:
          chip:
          line:
          activeLow: false
          bias: as-is
      """
  }

  /// The lamp, when there is a light or a buzzer.
  public static func add(
    _ section: Section, to devices: inout Devices, in surroundings: Surroundings
  ) {
    let light =
      section.gpio.gpioLine.map { StatusLamp.Options.Light.gpio($0) }
      ?? section.led.map { StatusLamp.Options.Light.led($0) }
    let buzzer = section.buzzer.gpioLine
    guard light != nil || buzzer != nil else { return }
    let lamp = StatusLamp(options: StatusLamp.Options(light: light, buzzer: buzzer))
    devices.lamp = lamp
    devices.buzzer = { lamp.setBuzzer(isOn: $0) }
  }
}
