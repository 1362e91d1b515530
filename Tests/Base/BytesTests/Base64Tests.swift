import Bytes
import Foundation
import Testing

@Suite struct Base64Tests {
  /// Source: RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func theStandardsExamplesGoThereAndBack(text: String, encoded: String) {
    #expect(Base64.encode(text.utf8) == Array(encoded.utf8))
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test func everyByteIsWrittenAsFoundationWritesIt() {
    for length in 0..<80 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 167 + length) }
      let expected = Data(bytes).base64EncodedString()
      #expect(Base64.encode(bytes) == Array(expected.utf8))
      #expect(Base64.decode(expected) == bytes)
    }
  }

  @Test(arguments: [
    "A", "AB", "ABC", "AB=C", "A===", "====", "AB C", "AB\nC", "AB-_", "ÄÄ",
    "Zg=", "Zg==Zg==", "Zm9v\n", "=Zg=", "Zm=v", " Zm9v", "Zm9v    ",
  ])
  func whatIsNoBase64IsNotRead(text: String) { #expect(Base64.decode(text) == nil) }
}
