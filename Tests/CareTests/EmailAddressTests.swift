import Care
import Testing

@Suite("E-mail addresses")
struct EmailAddressTests {
  @Test(
    "What families have is taken as it was written",
    arguments: [
      "anna@example.org", "Anna.Lee+home@mail.example.co.uk", "a@b.cc", "o'brien@example.org",
      "用户@例子.广告", "jörg@müller.example", "x_1-2~!#$%&*/=?^`{|}@example.org", "1@2.3",
      String(repeating: "a", count: 64) + "@example.org",
    ])
  func taken(_ text: String) throws {
    let address = try #require(EmailAddress(text))
    #expect(address.text == text && address.description == text)
  }

  @Test(
    "What is none is refused",
    arguments: [
      "", "@", "anna", "anna@", "@example.org", "anna@example", "anna@@example.org",
      "anna@example.org@example.org", "anna@.org", "anna@example.", "anna@example..org",
      ".anna@example.org", "anna.@example.org", "an..na@example.org", "an na@example.org",
      "anna@exa mple.org", "anna@-example.org", "anna@example-.org", "anna@[127.0.0.1]",
      "\"anna\"@example.org", "Anna <anna@example.org>", "anna@example.org\r\nBcc: all@example.org",
      "anna@example.org ", "anna@exam_ple.org", "anna\u{202E}@example.org",
      "anna@exa\u{200B}mple.org",
      "an\u{0}na@example.org", "🙂@example.org",
      String(repeating: "a", count: 65) + "@example.org",
      "anna@" + String(repeating: "a", count: 64) + ".org",
      "anna@" + String(repeating: "example.", count: 32) + "org",
    ])
  func refused(_ text: String) { #expect(EmailAddress(text) == nil) }

  @Test("Capital letters make no other mailbox")
  func folded() throws {
    let (one, other) = (EmailAddress("Anna@Example.org"), EmailAddress("anna@example.ORG"))
    #expect(one?.folded == "anna@example.org" && one?.folded == other?.folded)
    #expect(one != other, "as it was written it is another")
  }
}
