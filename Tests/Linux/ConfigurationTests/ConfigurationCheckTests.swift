import Configuration
import Testing
import Texts

@Suite struct ConfigurationCheckTests {
  private typealias Check = (
    name: String, check: @Sendable (String) -> Message?, right: [String], wrong: [String]
  )

  private static let letters = String(repeating: "a", count: 64)
  private static let checks: [Check] = [
    (
      "name", ConfigurationChecks.name, ["a", "Hub-7.b_c", letters],
      ["", letters + "a", "a b", "a/b", "ä", "a\0"]
    ),
    (
      "plugin", ConfigurationChecks.pluginName,
      ["mqtt", "sms-modem", "4g", String(letters.prefix(32))],
      ["", "Mqtt", "a_b", "a.b", "../a", String(letters.prefix(33))]
    ),
    (
      "path", ConfigurationChecks.absolutePath, ["/", "/a b/ä", "/" + letters],
      ["", "a", "./a", "~/a", " /a", "/a\0b", String(repeating: "/", count: 4096)]
    ),
    (
      "pages", ConfigurationChecks.webAddress,
      [
        "https://home.example.org", "https://home.example.org:8474/", "https://[fd00::1]:8474",
        "https://192.168.1.4", "http://localhost:8474", "http://127.0.0.1/", "http://[::1]:1",
      ],
      [
        "", "home.example.org", "http://home.example.org", "http://localhost.example.org",
        "https://", "https://a/b", "https://a?b", "https://ann@a", "https://a:", "https://a:123456",
        "https://a:65536", "http://[::1]:99999",
        "https://a b", "HTTPS://a", "ftp://a", "https://a\n", "https://" + letters + letters,
      ]
    ),
    (
      "sound", ConfigurationChecks.soundName,
      ["default", "plughw:CARD=Device,DEV=0", "Speaker Ä", String(repeating: "s", count: 200)],
      ["", "a\n", "a\u{7F}", String(repeating: "s", count: 201)]
    ),
    (
      "address", ConfigurationChecks.numericAddress,
      ["127.0.0.1", "::1", "fd00::1", "::ffff:10.0.0.1"],
      [
        "", "localhost", "127.1", "256.0.0.1", "[::1]", "127.0.0.1:80", "127.0.0.1 ", "::1%eth0",
        "127.0.0.1\0.example.org",
      ]
    ),
    (
      "time zone", ConfigurationChecks.timeZone,
      ["Europe/Oslo", "UTC", "America/Argentina/Ushuaia", "Etc/GMT+5"],
      [
        "", "Oslo", "europe/oslo", "Europe", "Europe/", "/Europe/Oslo", "Europe//Oslo",
        "Europe/../Europe/Oslo", "../zoneinfo/UTC", "tzdata.zi", "zone.tab", "Europe/Oslo ",
        "/usr/share/zoneinfo/UTC", String(repeating: "a", count: 101),
      ]
    ),
    (
      "device", ConfigurationChecks.device,
      ["/dev/input/by-id/usb button", "gpiochip0", String(repeating: "d", count: 255)],
      ["", "a\tb", "a\0", "a\u{7F}", String(repeating: "d", count: 256)]
    ),
    (
      "Bluetooth", ConfigurationChecks.bluetoothAddress,
      ["A4:C1:38:8D:18:B2", "a4:c1:38:8d:18:b2", "C0:11:22:33:44:55/random"],
      [
        "", "A4:C1:38:8D:18", "A4-C1-38-8D-18-B2", "A4C1388D18B2", "G4:C1:38:8D:18:B2",
        "A4:C1:38:8D:18:B2:00", "A4:C1:38:8D:18:B2/", "A4:C1:38:8D:18:B2/static",
      ]
    ),
    (
      "key of the kernel", ConfigurationChecks.key, ["KEY_ENTER", "BTN_0", "KEY_F1"],
      ["", "ENTER", "key_enter", "KEY_A B", "KEY-A", "KEY_" + letters]
    ),
    (
      "light", ConfigurationChecks.light, ["input3::capslock", "green led"],
      ["", ".", "..", "../x", "a/b", "a\n", String(repeating: "l", count: 256)]
    ),
  ]

  @Test func whatIsRightPassesAndWhatIsWrongIsNamed() {
    for (name, check, right, wrong) in Self.checks {
      for text in right { #expect(check(text) == nil, "\(name): \(text)") }
      for text in wrong {
        let sentence = check(text)?.text(in: .en) ?? ""
        #expect(sentence.hasPrefix("must "), "\(name): \(text.debugDescription)")
        #expect(sentence.contains("\"\(text.prefix(80))\""), "\(name): \(sentence)")
      }
    }
  }

  @Test func aSecretKeyIsNeverRepeated() {
    let digits = "0123456789abcdefABCDEF0123456789"
    #expect(ConfigurationChecks.key128(digits) == nil)
    for text in [
      "", String(digits.dropLast()), digits + "0", "g" + digits.dropFirst(), "0x" + digits,
    ] {
      let sentence = ConfigurationChecks.key128(text)?.text(in: .en)
      #expect(sentence == "must be a key of 32 hexadecimal digits.", "\(text)")
    }
  }
}
