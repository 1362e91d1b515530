import Care
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// `Tests/Strangers/noticeboard`: whoever wrote it had the pages of `plugins/` before them and nothing else, in a language
/// that nothing else here is written in.
@Suite("A plugin of a stranger") struct StrangerTests {
  private static let folder = "Tests/Strangers/noticeboard"

  @Test("It passes every line of the conformance suite")
  func conformance() throws {
    let directory = try TemporaryDirectory()
    let check = try ChildProcess(
      BuiltProducts.path(of: "homeward"), ["plugin", "check", Checkout.path(Self.folder)],
      log: directory.path(of: "log"))
    #expect(check.wait() == 0, "\(check.log)")
    let lines = check.log.split(separator: "\n").filter { $0.hasPrefix("ok ") }
    #expect(lines.count >= 11, "\(check.log)")
  }

  @Test("Its board says which alarm is open and how far it is, also after it was killed")
  func board() throws {
    let house = try TalkingGateway(others: [
      RunningGateway.TestPlugin(
        name: "noticeboard", folder: Self.folder,
        grants: ["read:alarms", "read:position", "places"], settings: "{title: Kitchen}")
    ])
    let path = "\(house.gateway.stateDirectory)/plugins/noticeboard/board.txt"
    func says(_ words: String) -> Bool {
      Eventually.holds(withinSeconds: 30) {
        (try? String(contentsOfFile: path, encoding: .utf8))?.contains(words) ?? false
      }
    }
    #expect(says("Kitchen\nNo open alarm is known.\nMary: "), "\(house.gateway.log)")
    try house.perform(
      .putGuardian(
        Guardian(
          id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", isCaregiver: true)))
    try house.perform(.putSetting(resident: "mary", name: "prealarmSeconds", value: 0))
    try house.perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")))
    #expect(says("(sos) about Mary"))
    #expect(says(": nobody has taken charge yet."), "\(house.gateway.log)")

    let list = try house.call(.pluginsList, [:])
    let mine = list.arrayContent?.first { $0["name"] == "noticeboard" }
    let pid = try #require(mine?["pid"]?.integerContent)
    #expect(kill(pid_t(pid), SIGKILL) == 0)
    try house.perform(.alarm(.acknowledge(alarm: nil, by: "anna")))
    #expect(says(": taken charge of."), "\(house.gateway.log)")
    try house.perform(.alarm(.resolve(alarm: nil, by: "anna", reason: "Tea is ready.")))
    #expect(says("Kitchen\nNo open alarm is known.\nMary: "), "\(house.gateway.log)")
  }
}
