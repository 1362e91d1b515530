import Configuration
import GPIOLines
import Lamps
import Testing
import Texts

@Suite struct LampSectionTests {
  private static let schema = ConfigurationSchema(drivers: [LampDriver.Section.self])

  private func section(_ text: String, environment: [String: String] = [:]) throws
    -> LampDriver.Section
  {
    let file = try Self.schema.read(text: text, path: "h.yaml")
    return try Self.schema.resolve(file: file, environment: environment, flags: [:])[
      LampDriver.Section.self]
  }

  @Test func lampAndBuzzerAreTakenOver() throws {
    let lamp = try section(
      "lamp: {gpio: {chip: rig, line: LAMP, activeLow: true}, buzzer: {line: GPIO22}}"
    )
    #expect(lamp.gpio.chip == "rig" && lamp.gpio.line == "LAMP" && lamp.gpio.isActiveLow)
    #expect(lamp.buzzer.chip == nil && lamp.buzzer.line == "GPIO22" && !lamp.buzzer.isActiveLow)
    let led = try section("", environment: ["HOMEWARD_LAMP_LED": "ACT"])
    #expect(led.led == "ACT" && led.gpio.line == nil)
  }

  @Test(arguments: [
    ("lamp: {gpio: {line: 3}, led: ACT}", "leave one of them empty"),
    ("lamp: {led: ../../x}", "must be a name that ls /sys/class/leds shows"),
    ("lamp: {colour: red}", "there is no key \"colour\""),
  ]) func aFaultHasASentence(text: String, sentence: String) {
    do {
      _ = try Self.schema.read(text: text, path: "h.yaml")
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.problems.contains { $0.message.description.contains(sentence) }, "\(error)")
    }
  }
}
