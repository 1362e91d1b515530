import Testing
import Texts

@Suite("Message")
struct MessageTests {
  @Test("A text is said in the language asked for")
  func languages() {
    #expect(gettext("It is midnight.", in: .en) == "It is midnight.")
    #expect(gettext("It is midnight.", in: .zh) == "现在是午夜十二点。")
    let message = Message("{name} has left {zone}.", ["name": "Ada", "zone": "家"])
    #expect(message.description == "Ada has left 家.")
    #expect(message.text(in: .zh) == "Ada离开了家。")
  }

  @Test("A text that no catalogue knows is said in English, with its values")
  func unknown() {
    #expect(
      gettext("no catalogue has {what}", ["what": 7], in: .zh) == "no catalogue has 7")
  }

  @Test("Values are put in once: a name with braces stays a name")
  func values() {
    let hostile: KeyValuePairs<String, any CustomStringConvertible> = [
      "name": "{zone}", "zone": "{name}{zone}",
    ]
    #expect(
      gettext("{name} has left {zone}.", hostile, in: .en) == "{zone} has left {name}{zone}.")
    #expect(gettext("{name} has left {zone}.", hostile, in: .zh) == "{zone}离开了{name}{zone}。")
  }

  @Test(
    "Braces that are no place stay",
    arguments: [
      ("{", "{"), ("}", "}"), ("{}", "{}"), ("{x", "{x"), ("{{x}}", "{1}"), ("{y}", "{y}"),
      ("{ {x}", "{ 1"), ("{x}{x}", "11"), ("", ""), ("a{x}b{y}c", "a1b{y}c"),
    ])
  func braces(pattern: String, text: String) {
    #expect(Message(pattern, ["x": 1]).text(in: .en) == text)
  }

  @Test("One and several are told apart in English and alike in Chinese")
  func plurals() {
    func tries(_ n: Int, in language: Language) -> String {
      ngettext("{n} try is left.", "{n} tries are left.", n, in: language)
    }
    #expect(tries(1, in: .en) == "1 try is left.")
    #expect(tries(0, in: .en) == "0 tries are left.")
    #expect(tries(2, in: .en) == "2 tries are left.")
  }

  @Test("A message inside a message is said in the same language")
  func nested() {
    let outer = Message("no catalogue: {inner}", ["inner": Message("It is midnight.")])
    #expect(outer.text(in: .zh) == "no catalogue: 现在是午夜十二点。")
    #expect("\(outer)" == "no catalogue: It is midnight.")
  }

  @Test("A person's own words are never looked up and have no places")
  func verbatim() {
    #expect(Message(verbatim: "It is midnight.").text(in: .zh) == "It is midnight.")
    #expect(Message(verbatim: "{name}").text(in: .zh) == "{name}")
  }

  @Test("A text is divided at a place that is to be filled later")
  func parts() {
    let message = Message("{name} has left {zone}.", ["zone": "{name}"])
    #expect(message.parts(around: "name", in: .en) == ("", " has left {name}."))
    #expect(message.parts(around: "name", in: .zh) == ("", "离开了{name}。"))
    #expect(message.parts(around: "zone", in: .en) == ("{name} has left ", "."))
    #expect(message.parts(around: "who", in: .en) == ("{name} has left {name}.", ""))
  }
}
