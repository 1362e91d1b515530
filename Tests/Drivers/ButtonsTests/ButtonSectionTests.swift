import Buttons
import Care
import Configuration
import GPIOLines
import Loop
import Moments
import Ports
import Testing
import Texts

@Suite struct ButtonSectionTests {
  private static let schema = ConfigurationSchema(drivers: [ButtonDriver.Section.self])

  private func section(_ text: String, environment: [String: String] = [:]) throws
    -> ButtonDriver.Section
  {
    let file = try Self.schema.read(text: text, path: "h.yaml")
    return try Self.schema.resolve(file: file, environment: environment, flags: [:])[
      ButtonDriver.Section.self]
  }

  @Test func everyKeyOfAButtonIsTakenOver() throws {
    let buttons = try section(
      """
      buttons:
        - name: bed
          gpio: {chip: /dev/gpiochip4, line: 17, activeLow: false, bias: pull-down}
          holdSeconds: 5
          resident: mary
          press: none
          double: sos
          triple: assist
        - name: kitchen
          input: {device: Big Button, keys: [KEY_ENTER, BTN_LEFT]}
          caregiver: anna
          press: acknowledge
      """
    ).buttons
    let (bed, kitchen) = (try #require(buttons.first), try #require(buttons.last))
    #expect(bed.gpio.chip == "/dev/gpiochip4" && bed.gpio.line == "17")
    #expect(!bed.gpio.isActiveLow && bed.gpio.bias == .pullDown && bed.holdSeconds == 5)
    #expect(
      bed.binding
        == ButtonBinding(
          button: "bed", resident: "mary", press: .none, double: .sos, triple: .assist))
    #expect(kitchen.input.device == "Big Button")
    #expect(kitchen.input.keys == ["KEY_ENTER", "BTN_LEFT"])
    #expect(kitchen.gpio.line == nil && kitchen.holdSeconds == 3)
    #expect(
      kitchen.binding == ButtonBinding(button: "kitchen", caregiver: "anna", press: .acknowledge))
  }

  @Test func theCommentedButtonIsRightWhenTheCommentSignsGo() throws {
    let lines = ButtonDriver.Section.documentation.split(
      separator: "\n", omittingEmptySubsequences: false)
    let entry = lines.drop { !$0.hasPrefix("#   - name: sos") }.prefix { $0.hasPrefix("#   ") }
    let text = ["buttons:"] + entry.map { $0.replacing("#   ", with: "  ", maxReplacements: 1) }
    let button = try section(text.joined(separator: "\n")).buttons.first
    #expect(button?.gpio.line == "GPIO17")
    var usual = ButtonDriver.Button(name: "sos")
    usual.gpio.chip = "pinctrl-bcm2711"
    usual.gpio.line = "GPIO17"
    #expect(button == usual, "every other key stands there with its default")
  }

  @Test(
    "What is watched here becomes a source, what sends is for whoever listens, and each has its binding"
  )
  @LoopActor
  func devices() throws {
    let section = try section(
      """
      buttons:
        - {name: bed, gpio: {line: 17}}
        - {name: kitchen, input: {device: Big Button}, press: none}
        - {name: key, bluetooth: {address: "A4:C1:38:8D:18:B2", key: "231d39c1d7cc1ab1aee224cd096db932"}}
      """)
    var devices = Devices()
    ButtonDriver.add(section, to: &devices, in: Surroundings(clock: NoClock()))
    #expect(devices.sources.map(\.id) == ["bed", "kitchen"])
    #expect(devices.wirelessButtons.map(\.id) == ["key"])
    #expect(devices.wirelessButtons.first?.key != nil)
    #expect(devices.ownButtons == ["bed", "kitchen", "key"])
    #expect(devices.buttons.map(\.press) == [.assist, .none, .assist])
  }

  @Test(arguments: [
    ("buttons: [{name: a}]", "needs a device"),
    ("buttons: [{name: a, gpio: {chip: x}}]", "needs a device"),
    ("buttons: [{name: a, gpio: {line: 1}, input: {device: /dev/x}}]", "make a button of each"),
    ("buttons: [{gpio: {line: 1}}]", "needs a \"name\""),
    ("buttons: [{name: a, gpio: {line: 1}}, {name: a, gpio: {line: 2}}]", "already"),
    ("buttons: [{name: a, gpio: {line: 1, bias: up}}]", "must be as-is or disabled or pull-up"),
    ("buttons: [{name: a, gpio: {line: 1, activeLow: low}}]", "must be true or false"),
    ("buttons: [{name: a, gpio: {line: 1}, holdSeconds: 1}]", "from 2 to 5; it is 1"),
    ("buttons: [{name: a, gpio: {line: 1}, holdSeconds: 6}]", "from 2 to 5; it is 6"),
    ("buttons: [{name: a, gpio: {line: 1}, hold: none}]", "there is no key \"hold\""),
    ("buttons: [{name: a, gpio: {line: 1}, press: SOS}]", "must be sos or fake-call"),
    ("buttons: [{name: a, gpio: {line: 1}, double: fakecall}]", "Did you mean \"fake-call\"?"),
    ("buttons: [{name: a, gpio: {line: \"\"}}]", "must be 1 to 255 printable"),
    ("buttons: [{name: a, input: {device: /dev/x, keys: [enter]}}]", "such as KEY_ENTER"),
    ("buttons: [{name: a, input: {device: \"a\\tb\"}}]", "printable characters"),
  ]) func aFaultHasASentence(text: String, sentence: String) {
    do {
      _ = try Self.schema.read(text: text, path: "h.yaml")
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.problems.contains { $0.message.description.contains(sentence) }, "\(error)")
    }
  }
}

/// Buttons need no time of day.
@LoopActor
private final class NoClock: GatewayClock {
  func now() -> Moment {
    Moment(tick: .seconds(0), utc: Timestamp(milliseconds: 0), quality: .untrusted)
  }
  func start(_ observer: @escaping @LoopActor (ClockReport) -> Void) {}
  func stop() {}
  func consider(receiverTime: Timestamp, mode: FixMode) {}
}
