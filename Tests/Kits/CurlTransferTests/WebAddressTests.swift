import CurlTransfer
import Testing

@Suite struct WebAddressTests {
  @Test func addressesAreTakenApart() throws {
    let address = try #require(WebAddress("HTTPS://Care.Example.org:8443/in?a=1"))
    #expect(address.scheme == "https" && address.host.lowercased() == "care.example.org")
    #expect(!address.hasLogin && !address.isLoopback && !address.isNumeric)
    #expect(try #require(WebAddress("http://[::1]:80/")).isLoopback)
    #expect(try #require(WebAddress("smtp://10.0.0.1")).isNumeric)
    #expect(try #require(WebAddress("https://ann@example.org/")).hasLogin)
  }

  @Test func whatIsNoAddressIsNone() {
    let texts = [
      "", "localhost", "https://", "https://a b/", "https://a:99999/", "https://a/\r\nb",
      "https://a\0b", "https://[::1/", String(repeating: "h", count: 100_000),
      "https://" + String(repeating: "h", count: 300) + "/",
    ]
    for text in texts { #expect(WebAddress(text) == nil, "\(text.prefix(40))") }
  }

  @Test func datesOfWebServersAreRead() {
    #expect(WebAddress.seconds(ofDate: "Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    #expect(WebAddress.seconds(ofDate: "Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777)
    #expect(WebAddress.seconds(ofDate: "Sun Nov  6 08:49:37 1994") == 784_111_777)
    for text in ["", "soon", "12:00", "\0Sun, 06 Nov 1994 08:49:37 GMT"] {
      #expect(WebAddress.seconds(ofDate: text) == nil, "\(text)")
    }
  }
}
