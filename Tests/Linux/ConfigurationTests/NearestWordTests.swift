import Configuration
import Testing
import Texts

@Suite struct NearestWordTests {
  @Test(arguments: [
    // One edit: another letter, one more, one less, two neighbours swapped.
    ("part", "port"), ("poort", "port"), ("prt", "port"), ("prot", "port"), ("opRT", "port"),
    // A third of the letters may be wrong, and one at least.
    ("tmieZnoe", "timeZone"), ("timezone", "timeZone"), ("tomrZine", nil), ("x", nil), ("po", nil),
    ("prto", nil), ("potr", "port"), ("trop", nil), ("", nil),
    // The nearer one, and of two the first.
    ("hots", "host"), ("hort", "host"),
  ])
  func theWordThatWasMeantIsFound(written: String, word: String?) {
    #expect(NearestWord.find(written, among: ["host", "port", "timeZone"]) == word)
  }

  @Test func aHintNamesTheWordOrAllThatAreKnown() {
    #expect(NearestWord.hint("prot", among: ["port"]).text(in: .en) == " Did you mean \"port\"?")
    #expect(
      NearestWord.hint("xyz", among: ["port", "host"]).text(in: .en) == " Known are: port, host.")
    #expect(NearestWord.hint("xyz", among: []).text(in: .en) == "")
    let long = String(repeating: "x", count: 101)
    #expect(NearestWord.find(long, among: [long, long + "y"]) == nil)
    #expect(NearestWord.find(String(long.dropLast()), among: [String(long.dropLast(2))]) != nil)
  }
}

@Suite struct TimeZoneDirectoryTests {
  @Test(arguments: [
    ("Oslo", "Europe/Oslo"), ("oslo", "Europe/Oslo"), ("New York", "America/New_York"),
    ("new_york", "America/New_York"), ("Shangai", "Asia/Shanghai"), ("Europe/Olso", "Europe/Oslo"),
    ("europe/oslo", "Europe/Oslo"), ("Eurpoe/Olso", "Europe/Oslo"),
    ("Asia/Sanghai", "Asia/Shanghai"),
    ("America/NewYork", "America/New_York"), ("Mars/Olympus_Mons", nil), ("Europe/Qwertyuiop", nil),
    ("", nil), ("/", nil), ("../../etc/passwd", nil),
  ])
  func theZoneThatWasMeantIsFound(written: String, zone: String?) {
    #expect(TimeZoneDirectory.nearest(to: written) == zone)
    if let zone {
      #expect(TimeZoneDirectory.contains(zone) && !TimeZoneDirectory.contains(written))
    }
  }
}
