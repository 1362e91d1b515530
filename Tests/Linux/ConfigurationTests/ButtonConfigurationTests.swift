import Care
import Configuration
import Testing
import Texts

@Suite struct ButtonConfigurationTests {
  private func configuration(
    _ text: String, environment: [String: String] = [:]
  ) throws -> GatewayConfiguration {
    try GatewayConfiguration.resolve(
      file: ConfigurationFile.read(text: text, path: "h.yaml"), environment: environment,
      flags: [:])
  }

  @Test func everyKeyOfAButtonIsTakenOver() throws {
    let buttons = try configuration(
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

  @Test func lampAndBuzzerAreTakenOver() throws {
    let lamp = try configuration(
      "lamp: {gpio: {chip: rig, line: LAMP, activeLow: true}, buzzer: {line: GPIO22}}"
    ).lamp
    #expect(lamp.gpio.chip == "rig" && lamp.gpio.line == "LAMP" && lamp.gpio.isActiveLow)
    #expect(lamp.buzzer.chip == nil && lamp.buzzer.line == "GPIO22" && !lamp.buzzer.isActiveLow)
    let led = try configuration("", environment: ["HOMEWARD_LAMP_LED": "ACT"]).lamp
    #expect(led.led == "ACT" && led.gpio.line == nil)
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
    ("lamp: {gpio: {line: 3}, led: ACT}", "leave one of them empty"),
    ("lamp: {led: ../../x}", "must be a name that ls /sys/class/leds shows"),
    ("lamp: {colour: red}", "there is no key \"colour\""),
  ]) func aFaultHasASentence(text: String, sentence: String) {
    do {
      _ = try ConfigurationFile.read(text: text, path: "h.yaml")
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.problems.contains { $0.message.description.contains(sentence) }, "\(error)")
    }
  }
}
