import Bytes
import Testing

@Suite("Hexadecimal digits and keys")
struct HexadecimalTests {
  @Test("Every byte has its two digits, and they are read in either case")
  func everyByte() {
    let all = (0...255).map { UInt8($0) }
    let text = Hexadecimal.text(all)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
    #expect(Hexadecimal.bytes(text) == all)
    #expect(Hexadecimal.bytes(text.uppercased()) == all)
    #expect(Hexadecimal.bytes("") == [] && Hexadecimal.text([]).isEmpty)
  }

  @Test("What stands beside the digits in ASCII, or only looks like one, is none")
  func others() {
    for other in ["/", ":", "@", "G", "`", "g", " ", "\n", "１", "é", "\u{0}", "x", "+", "-"] {
      #expect(Hexadecimal.bytes("0\(other)") == nil, "\(other)")
      #expect(Hexadecimal.bytes("\(other)0") == nil, "\(other)")
    }
    #expect(Hexadecimal.bytes("abc") == nil && Hexadecimal.bytes("0xff") == nil)
  }

  @Test("A key has 32 digits, and nothing that is printed of it shows one")
  func keys() throws {
    let text = "000102030405060708090A0b0c0d0e0f"
    let key = try #require(AES128Key(text))
    #expect(key.bytes == Array(0...15) && key.hexadecimal == text.lowercased())
    #expect(key.reversed.bytes == Array((0...15).reversed()) && key.reversed.reversed == key)
    #expect(AES128Key(text.dropLast()) == nil && AES128Key(text + "00") == nil)
    #expect(AES128Key(text.dropLast() + "g") == nil)
    #expect(AES128Key(bytes: [UInt8](repeating: 0, count: 17)) == nil)
    for shown in ["\(key)", "\([key])", "\(["irk": key])", String(reflecting: key)] {
      #expect(!shown.contains("0405") && !shown.contains("4, 5") && shown.contains("hidden"))
    }
  }

  @Test("A fingerprint has 32 digits also where it begins with zeros")
  func leadingZeros() {
    #expect(Fingerprint(["2436000"]).hexadecimal == "0005d3df504ff78ce98c68b7cfb1a0ce")
  }
}
