public import Care
import Texts

extension GatewayConfiguration {
  /// A line of a GPIO chip.
  public struct Line: Sendable, Hashable {
    /// The resistor inside the chip.
    public enum Bias: String, Sendable, Hashable, CaseIterable {
      /// As the firmware left it.
      case asIs = "as-is"
      /// None.
      case disabled
      /// To the supply.
      case pullUp = "pull-up"
      /// To ground.
      case pullDown = "pull-down"
    }

    /// The chip's path, name, number or label; nil for any chip that has a line of this name.
    public var chip: String?
    /// The line's number or name; nil when no line is used.
    public var line: String?
    /// Whether low means pressed or lit.
    public var isActiveLow: Bool
    /// The resistor inside the chip.
    public var bias: Bias

    /// No line yet, wired as given.
    public init(isActiveLow: Bool = false, bias: Bias = .asIs) {
      self.isActiveLow = isActiveLow
      self.bias = bias
    }
  }

  /// A button: a contact on a GPIO line, or keys of an input device.
  public struct Button: Sendable, Hashable {
    /// Keys of an input device.
    public struct Input: Sendable, Hashable {
      /// Path of the device, or the name that it gives itself; nil when none is used.
      public var device: String?
      /// Names of the keys that count; none for all of them.
      public var keys: [String] = []
    }

    /// A button that sends BTHome advertisements.
    public struct Sender: Sendable, Hashable {
      /// Its address, with `/random` behind one that it drew; nil when none is used.
      public var address: String?
      /// The key of one that encrypts, 32 hexadecimal digits.
      public var key: String?
    }

    /// The button's name; its health is that of `button/` and this name.
    public var name: String
    /// A contact on a GPIO line; closed to ground and pulled up unless said otherwise.
    public var gpio = Line(isActiveLow: true, bias: .pullUp)
    /// Keys of an input device.
    public var input = Input()
    /// A button over Bluetooth.
    public var bluetooth = Sender()
    /// Seconds of a hold, 2 through 5.
    public var holdSeconds = 3
    /// The resident whom the button is for; nil for the only one.
    public var resident: String?
    /// The caregiver whose button it is; nil for a resident's own.
    public var caregiver: String?
    /// What a press brings about.
    public var press = ButtonCommand.assist
    /// What two presses bring about.
    public var double = ButtonCommand.fakeCall
    /// What three presses bring about.
    public var triple = ButtonCommand.photograph

    /// A button without a device yet.
    public init(name: String) { self.name = name }

    /// Whose button it is and what its gestures bring about, for the core.
    public var binding: ButtonBinding {
      ButtonBinding(
        button: SourceID(name), resident: resident.map { ResidentID($0) },
        caregiver: caregiver.map { GuardianID($0) }, press: press, double: double, triple: triple)
    }

    /// What is wrong with the button as a whole.
    var fault: Message? {
      if bluetooth.address == nil, bluetooth.key != nil {
        return Message(
          "the button \"{name}\" has a key of a Bluetooth button, and no address of one.",
          ["name": name])
      }
      switch [gpio.line, input.device, bluetooth.address].compactMap({ $0 }).count {
      case 0:
        return Message(
          "the button \"{name}\" needs a device: gpio with a line, input with a device, or bluetooth with an address.",
          ["name": name])
      case 1: return nil
      default:
        return Message(
          "the button \"{name}\" has more than one of gpio, input and bluetooth; make a button of each.",
          ["name": name])
      }
    }
  }

  /// The lamp that shows how far an alarm has come, and the buzzer.
  public struct Lamp: Sendable, Hashable {
    /// A GPIO line that lights the lamp.
    public var gpio = Line()
    /// Name of a light of the kernel, in `/sys/class/leds`; nil for none.
    public var led: String?
    /// A GPIO line that sounds a buzzer in an emergency when no sound card does.
    public var buzzer = Line()

    /// What is wrong with the lamp as a whole.
    var fault: Message? {
      guard gpio.line != nil, led != nil else { return nil }
      return Message("the lamp has both gpio and led; leave one of them empty.")
    }
  }
}
