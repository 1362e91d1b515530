import Bytes
import Testing

@Suite("Fingerprints")
struct FingerprintTests {
  @Test(
    "They are those of FNV-1a with 128 bits",
    arguments: [
      ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
      ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
    ])
  func knownTexts(text: String, expected: String) {
    #expect(Fingerprint([text]).hexadecimal == expected)
  }

  @Test("Texts cut at another place are others")
  func boundaries() {
    let cuts = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"]]
    #expect(Set(cuts.map { Fingerprint($0) }).count == cuts.count)
  }
}
