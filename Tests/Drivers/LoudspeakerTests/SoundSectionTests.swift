import Configuration
import Loudspeaker
import Testing

@Suite struct SoundSectionTests {
  private static let schema = ConfigurationSchema(drivers: [LoudspeakerDriver.Section.self])

  @Test func everyKeyIsTakenOver() throws {
    let file = try Self.schema.read(
      text: """
        sound:
          enabled: false
          device: plughw:CARD=Headphones
          mixerCard: hw:CARD=Headphones
          mixerElements: [PCM]
          emergencyLevelPercent: 75
          selfTest: false
        """, path: "h.yaml")
    let read = try Self.schema.resolve(file: file, environment: [:], flags: [:])[
      LoudspeakerDriver.Section.self]
    #expect(!read.isEnabled && !read.playsSelfTest)
    #expect(read.device == "plughw:CARD=Headphones")
    #expect(read.mixerCard == "hw:CARD=Headphones" && read.mixerElements == ["PCM"])
    #expect(read.emergencyLevelPercent == 75)
  }

  @Test func whatIsWrongIsSaid() {
    let error = #expect(throws: ConfigurationError.self) {
      try Self.schema.read(
        text: """
          sound:
            enabled: maybe
            device: ""
            mixerElements: [Master, "a\tb"]
            emergencyLevelPercent: 5
            selftest: false
          """, path: "h.yaml")
    }
    #expect(
      error?.description == """
        h.yaml:2:12: "enabled" must be true or false; it is "maybe".
        h.yaml:3:11: "device" must be a name of 1 to 200 characters, such as "aplay -L" and "amixer" list; it is "".
        h.yaml:4:27: "mixerElements" must be a name of 1 to 200 characters, such as "aplay -L" and "amixer" list; \
        it is "a\tb".
        h.yaml:5:26: "emergencyLevelPercent" must be a whole number from 10 to 100; it is 5.
        h.yaml:6:3: there is no key "selftest" in "sound". Did you mean "selfTest"?
        """)
  }
}
