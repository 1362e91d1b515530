import Bytes
public import Care
public import Configuration
public import GPIOLines
import Gestures
import Loop
public import Ports
import Texts

/// Buttons in the house.
public enum ButtonDriver: Driver {
  /// The buttons of the configuration.
  public struct Section: ConfigurationPart {
    /// The buttons.
    public var buttons: [Button] = []

    /// The defaults.
    public init() {}

    /// Its keys.
    public static let field = ConfigurationField<Self>.items(
      button, \.buttons, fault: \.fault
    ) { name, _ in Button(name: name) }

    private static let button = ConfigurationSection<Button>(
      name: "buttons",
      fields: [
        .text("name", \.name, fault: ConfigurationChecks.name),
        .section(GPIOLineSetting.section("gpio"), \.gpio),
        .section(input, \.input),
        .section(sender, \.bluetooth),
        .integer("holdSeconds", \.holdSeconds, in: 2...5),
        .optionalText("resident", \.resident, fault: ConfigurationChecks.name),
        .optionalText("caregiver", \.caregiver, fault: ConfigurationChecks.name),
        .word("press", \.press), .word("double", \.double), .word("triple", \.triple),
      ])

    private static let input = ConfigurationSection<Button.Input>(
      name: "input",
      fields: [
        .optionalText("device", \.device, fault: ConfigurationChecks.device),
        .texts("keys", \.keys, fault: ConfigurationChecks.key),
      ])

    private static let sender = ConfigurationSection<Button.Sender>(
      name: "bluetooth",
      fields: [
        .optionalText("address", \.address, fault: ConfigurationChecks.bluetoothAddress),
        .optionalText("key", \.key, isSecret: true, fault: ConfigurationChecks.key128),
      ])

    /// The section of the documented file.
    public static let documentation =
      """
      # Buttons. Holding any of them for holdSeconds is an SOS, always. An entry:
      #
      #   - name: sos
      #     # A contact on a GPIO line: the chip's label, name or path, empty for any chip that has a line of this name;
      #     # the line's number or name, as gpioinfo shows them. bias: as-is, disabled, pull-up or pull-down.
      #     gpio: {chip: pinctrl-bcm2711, line: GPIO17, activeLow: true, bias: pull-up}
      #     # Or keys of an input device: its path or its name; keys as evtest shows them, all of them with [].
      #     # input: {device: /dev/homeward/button-pcsensor, keys: [KEY_ENTER]}
      #     # Or a button that sends BTHome advertisements: its address, with /random behind one that it drew, and its key
      #     # where it encrypts. Its own long press is the hold.
      #     # bluetooth: {address: "A4:C1:38:8D:18:B2", key: }
      #     # Seconds of a hold, 2 to 5.
      #     holdSeconds: 3
      #     # Whose button it is: the id of a resident, empty for the only one; or of a guardian who lives in the house.
      #     resident:
      #     caregiver:
      #     # What presses bring about: sos, fake-call, assist, acknowledge, take-home, photograph or none. assist silences what
      #     # sounds, answers what asks, or says the time and what comes next.
      #     press: assist
      #     double: fake-call
      #     triple: photograph
      buttons: []
      """
  }

  /// A button: a contact on a GPIO line, keys of an input device, or one that sends.
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
    public var gpio = GPIOLineSetting(isActiveLow: true, bias: .pullUp)
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

    /// What is watched at the button; nil for one that sends.
    fileprivate var device: ButtonSource.Options.Device? {
      if let line = gpio.gpioLine { return .gpio(line) }
      return input.device.map { .input(InputDevice(device: $0, keys: input.keys)) }
    }

    /// The button for whoever listens; nil for one that sends nothing.
    fileprivate var wireless: WirelessButton? {
      bluetooth.address.flatMap { BluetoothAddress(written: $0) }.map {
        WirelessButton(
          id: SourceID(name), address: $0, key: bluetooth.key.flatMap { AES128Key($0) })
      }
    }
  }

  /// A source for each button that is watched.
  public static func add(
    _ section: Section, to devices: inout Devices, in surroundings: Surroundings
  ) {
    for button in section.buttons {
      let id = SourceID(button.name)
      devices.buttons.append(button.binding)
      if let device = button.device {
        let times = GestureTimes(holdMilliseconds: Int64(button.holdSeconds) * 1000)
        devices.sources.append(
          ButtonSource(options: ButtonSource.Options(id: id, device: device, times: times)))
      }
      if let wireless = button.wireless { devices.wirelessButtons.append(wireless) }
      // The rest is heard by plugins.
      if button.device != nil || button.bluetooth.address != nil { devices.ownButtons.insert(id) }
    }
  }
}
