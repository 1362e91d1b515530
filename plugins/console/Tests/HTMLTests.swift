import Testing

@testable import homeward_plugin_console

@Suite struct HTMLTests {
  @Test(
    "What comes from outside never becomes markup",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\" onload=\"x", "&quot; onload=&quot;x"), ("' onload='x", "&#39; onload=&#39;x"),
      ("a & b", "a &amp; b"), ("&lt;", "&amp;lt;"), ("奶奶", "奶奶"), ("a\0b", "ab"),
      ("奶奶 <é🙂> &", "奶奶 &lt;é🙂&gt; &amp;"), ("", ""),
    ])
  func escaped(text: String, markup: String) {
    let page: HTML = "<p title=\"\(text)\">\(text)</p>"
    #expect(page.source == "<p title=\"\(markup)\">\(markup)</p>")
    #expect(HTML(text).source == markup)
  }

  @Test("Parts of a page are put in as they are")
  func parts() {
    let part: HTML = "<b>\("<")</b>"
    let page: HTML = "<p>\(part)\([part, part])\(3)\(HTML.flag("checked", true))</p>"
    #expect(page.source == "<p><b>&lt;</b><b>&lt;</b><b>&lt;</b>3 checked</p>")
    #expect(HTML.attribute("title", nil) == .nothing)
    #expect(HTML.attribute("title", "\"").source == " title=\"&quot;\"")
  }

  @Test("JSON inside of a page neither ends its element nor begins another")
  func scripts() {
    let text = "{\"a\":\"</script><!--\u{2028}&\"}".scriptSafe
    #expect(!text.contains("<") && !text.contains(">") && !text.contains("\u{2028}"))
    #expect(text == "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u2028\\u0026\"}")
  }
}
