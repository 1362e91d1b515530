import Bytes
import Care
import ControlSocket
import Door
import Foundation
import JSON
import Loop
import Moments
import TestSupport
import Testing
import Texts

private let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")
private let lunch = Note(
  id: "k3x9qa", resident: "mary", kind: .diary, title: "Lunch", text: "Soup 汤\n\u{1B}[31mred",
  tags: ["soup", "hot"], time: .seconds(1_790_000_000), pictures: ["aa", "bb"], author: "Anna",
  changedAt: .seconds(1_790_000_500), revision: 4)

@Suite("Memos, diary, messages and consent on the command line") struct NoteCommandTests {
  private func daemon() async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([mary.json])
      case .notesQuery: .success([lunch.json])
      case .noteGet: .success(lunch.json)
      case .messagesQuery:
        .success([
          ChatMessage(
            id: "m1", resident: "mary", direction: .toResident, sender: "Anna", text: "六点见",
            sentAt: .seconds(1_790_000_000), spokenAt: .seconds(1_790_000_010),
            readAt: .seconds(1_790_000_020), readBy: "button/wired"
          ).json,
          ChatMessage(
            id: "m2", resident: "mary", direction: .toCaregivers, sender: "Mary", text: "",
            recording: ChatMessage.Attachment(id: "dd", seconds: 12),
            sentAt: .seconds(1_790_000_000)
          ).json,
        ])
      case .consentsList:
        .success([
          Consent(
            resident: "mary", kind: .camera, isGranted: false, by: "Anna",
            at: .seconds(1_790_000_000), principal: "local:anna"
          ).json
        ])
      case .pictureAdd: Self.answer(to: request.params)
      case .recordingAdd:
        .success(request.params["isLast"] == true ? ["id": "dd"] : ["received": 1])
      case .recordingGet:
        .success(["id": "dd", "data": "UklG", "offset": 0, "isLast": true])
      case .pictureGet:
        .success(["id": "bb", "data": "/9j/", "offset": 0, "isLast": true])
      case .command: .success(["id": "x"])
      default: .failure(ControlError(.unavailable, Message(verbatim: "the store does not answer.")))
      }
    }
  }

  private static func answer(to params: JSONValue) -> Result<RouteAnswer, ControlError> {
    guard params["isLast"] == true else { return .success(["received": 1]) }
    return .success([
      "id": "cc", "resident": "mary", "mediaType": "image/jpeg", "bytes": 10, "width": 1,
      "height": 1,
    ])
  }

  private func note(_ daemon: FakeDaemon) async throws -> (note: Note, revision: Int64?) {
    let json = try #require(await daemon.commands.last)
    guard case .note(.put(let note, let revision)) = try Command.Request(json: json) else {
      throw ControlError(.failed, Message(verbatim: "no note was put: \(json.serialized)"))
    }
    return (note, revision)
  }

  @Test("A memo is what stands behind the options, and everything else is as it is told")
  func addMemo() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "memo", "add", "--title", "Keys", "--tag", "a", "--tag", "甜", "--time",
      "2026-09-21 16:13", "--by", "Bert", "The key", "is 在 Bert",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let (note, revision) = try await note(daemon)
    #expect(note.kind == .memo && note.title == "Keys" && note.text == "The key is 在 Bert")
    #expect(note.tags == ["a", "甜"] && note.author == "Bert" && revision == 0)
    #expect(note.time == .seconds(1_789_999_980))
    #expect(outcome.output.contains(note.id.rawValue))
    await daemon.stop()
  }

  @Test("Without words a memo is read from standard input, line ends at its end left out")
  func standardInput() async throws {
    let daemon = try await daemon()
    for arguments in [["memo", "add"], ["memo", "add", "--title", "T", "-"]] {
      let outcome = try daemon.tool.run(arguments, input: "One\n 二 🫖\n\n")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try await note(daemon).note.text == "One\n 二 🫖")
    }
    #expect(try daemon.tool.run(["memo", "add"], input: " \n").code == 2)
    #expect(try daemon.tool.run(["memo", "add", "--title", "T"], input: "no").code == 0)
    #expect(try await note(daemon).note.text.isEmpty)
    await daemon.stop()
  }

  @Test("One command saves an entry with several pictures, each in pieces")
  func pictures() async throws {
    let daemon = try await daemon()
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "lunch.jpg")
    let bytes = [UInt8](repeating: 0x5A, count: (384 << 10) + 1)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let outcome = try daemon.tool.run([
      "diary", "add", "--picture", path, "--picture", path, "--keep-position", "Soup",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let pieces = await daemon.requests.filter { $0.method == .pictureAdd }.map(\.params)
    #expect(pieces.map { $0["offset"] } == [0, 393_216, 0, 393_216])
    #expect(pieces.map { $0["isLast"] } == [false, true, false, true])
    #expect(pieces.allSatisfy { $0["keepPosition"] == true })
    let sent = pieces.prefix(2).compactMap { $0["data"]?.stringContent }.compactMap {
      Base64.decode($0)
    }
    #expect(sent.joined().elementsEqual(bytes))
    #expect(try await note(daemon).note.pictures == ["cc", "cc"])
    #expect(try await note(daemon).note.kind == .diary)
    await daemon.stop()
  }

  @Test("A change keeps what is not named, and is made against the revision that was read")
  func edit() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "diary", "edit", "k3x9qa", "--text", "Stew", "--drop-picture", "1", "--tag", "stew",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let (note, revision) = try await note(daemon)
    #expect(note.text == "Stew" && note.title == "Lunch" && note.time == lunch.time)
    #expect(note.pictures == ["bb"] && note.tags == ["stew"] && revision == 4)
    await daemon.stop()
  }

  @Test(
    "What cannot be meant is refused before anything is sent",
    arguments: [
      (["diary", "edit", "k3x9qa", "--drop-picture", "3"], 2),
      (["diary", "edit", "k3x9qa", "--tag", "a", "--no-tags"], 2),
      (["diary", "add", "--picture", "/nowhere.jpg"], 1), (["diary", "show"], 2),
      (["diary", "show", "k3x9qa", "--picture", "1"], 2),
      (["diary", "show", "k3x9qa", "--picture", "9", "--to", "/tmp/x"], 2),
      (["memo", "show", "k3x9qa"], 4), (["memo", "remove", "k3x9qa"], 4),
      (["diary", "list", "--since", "soon"], 2), (["message", "send"], 2),
      (["consent", "grant", "camra"], 2),
    ] as [([String], Int32)])
  func refused(_ arguments: [String], _ code: Int32) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(arguments)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(!outcome.errors.isEmpty && outcome.output.isEmpty)
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test("An entry is shown whole, without anything that would move the cursor")
  func show() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["diary", "show", "k3x9qa"])
    #expect(outcome.code == 0 && !outcome.output.contains("\u{1B}"))
    #expect(outcome.output.hasPrefix("Lunch\n\nSoup 汤\n"))
    #expect(outcome.output.contains("soup, hot") && outcome.output.contains("revision 4"))
    let json = try daemon.tool.run(["diary", "show", "k3x9qa", "--json"])
    #expect(try Note(json: JSONValue(parsing: json.output)) == lunch)
    let list = try daemon.tool.run(["diary", "list"])
    #expect(list.output.contains("k3x9qa") && list.output.contains("Lunch"))
    await daemon.stop()
  }

  @Test("A picture is saved as a file that only its owner may read")
  func savePicture() async throws {
    let daemon = try await daemon()
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "out.jpg")
    let outcome = try daemon.tool.run([
      "diary", "show", "k3x9qa", "--picture", "2", "--to", path,
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == [0xFF, 0xD8, 0xFF])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(
      await daemon.requests.last { $0.method == .pictureGet }?.params["id"] == "bb")
    await daemon.stop()
  }

  @Test("A message says who writes, and the list says who heard it")
  func messages() async throws {
    let daemon = try await daemon()
    let sent = try daemon.tool.run(["message", "send", "--from", "Anna", "六点", "见"])
    #expect(sent.code == 0, "\(sent.errors)")
    let json = try #require(await daemon.commands.last)
    guard
      case .note(.send(_, "mary", .toResident, "Anna", "六点 见", nil)) = try Command.Request(
        json: json)
    else {
      Issue.record("\(json.serialized)")
      return
    }
    #expect(try daemon.tool.run(["message", "send", "Hello"]).code == 2)
    #expect(try daemon.tool.run(["message", "send", "--to-caregivers", "Hello"]).code == 0)
    #expect(await daemon.commands.last?["sender"] == "Mary")
    let list = try daemon.tool.run(["message", "list"])
    #expect(list.output.contains("六点见") && list.output.contains("button/wired"))
    #expect(try daemon.tool.run(["message", "read", "m1"]).code == 0)
    #expect(await daemon.commands.last?["action"] == "message.read")
    await daemon.stop()
  }

  @Test("A recording is brought in pieces and sent, listed by its seconds, and saved")
  func recordings() async throws {
    let daemon = try await daemon()
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "hello.wav")
    try Data(SilentRecording.file(frames: 250_000)).write(to: URL(fileURLWithPath: path))
    let sent = try daemon.tool.run(["message", "send", "--from", "Anna", "--recording", path])
    #expect(sent.code == 0, "\(sent.errors)")
    let pieces = await daemon.requests.filter { $0.method == .recordingAdd }.map(\.params)
    #expect(pieces.count == 2 && pieces.last?["offset"] == 393_216)
    #expect(pieces.allSatisfy { $0["resident"] == "mary" })
    let json = try #require(await daemon.commands.last)
    #expect(json["recording"] == "dd" && json["text"] == "")
    let list = try daemon.tool.run(["message", "list"])
    #expect(list.output.contains("Recorded message, 12 seconds"))
    let out = folder.path(of: "out.wav")
    let saved = try daemon.tool.run(["message", "save", "m2", "--to", out])
    #expect(saved.code == 0, "\(saved.errors)")
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: out))) == Array("RIF".utf8))
    // What is no recording is said before anything is sent.
    try Data(SilentRecording.file(frames: 0)).write(to: URL(fileURLWithPath: path))
    for (arguments, code) in [
      (["message", "send", "--from", "Anna", "--recording", path], Int32(1)),
      (["message", "send", "--from", "Anna", "--recording", "/nowhere.wav"], 1),
      (["message", "send", "--from", "Anna"], 2), (["message", "save", "m2"], 2),
    ] {
      #expect(try daemon.tool.run(arguments).code == code, "\(arguments)")
    }
    #expect(await daemon.requests.count(where: { $0.method == .recordingAdd }) == 2)
    #expect(try daemon.tool.run(["message", "save", "m1", "--to", out]).code == 1)
    #expect(try daemon.tool.run(["message", "save", "m9", "--to", out]).code == 1)
    await daemon.stop()
  }

  @Test("Consent is listed with what was not asked, and written down with who answered")
  func consent() async throws {
    let daemon = try await daemon()
    let list = try daemon.tool.run(["consent", "list"])
    let lines = list.output.split(separator: "\n")
    #expect(lines.filter { $0.contains("not asked") }.count == 5)
    #expect(lines.contains { $0.contains("camera") && $0.contains("REFUSED") })
    #expect(try daemon.tool.run(["consent", "refuse", "camera", "--by", "Anna"]).code == 0)
    let request = try Command.Request(json: try #require(await daemon.commands.last))
    #expect(
      request
        == .putConsent(resident: "mary", kind: .camera, isGranted: false, by: "Anna"))
    await daemon.stop()
  }
}
