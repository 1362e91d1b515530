import Bytes
import Care
import ControlSocket
import Door
import Foundation
import JSON
import Moments
import Store
import TestSupport
import Testing

/// Notes, messages and pictures through the real daemon, its socket, its database and a real broker.
@Suite(.serialized) struct NotesEndToEndTests {
  private static let text = "王芳 שלום مرحبا\u{202E} 🏠👵🏽 e\u{301} '; DROP TABLE note;--\n\t\\ \"\u{1F}"

  private static func note(
    _ id: NoteID, text: String = text, pictures: [PictureID] = []
  ) -> Note {
    Note(
      id: id, resident: "mary", kind: .diary, title: "题 🍵", text: text, tags: ["甜", "tea"],
      time: .seconds(1_790_000_000), pictures: pictures, author: "Анна",
      changedAt: .seconds(1_790_000_000))
  }

  /// The smallest JPEG, made longer by a comment that does not stay.
  private static func jpeg(comment: Int) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xFE, UInt8((comment + 2) >> 8), UInt8((comment + 2) & 0xFF)]
      + [UInt8](repeating: 0x41, count: comment) + [
        0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x55,
        0xFF, 0xD9,
      ]
  }

  @Test(
    "Text of any script is the same in the database, after a power cut, and at a broker only with the grant",
    arguments: [
      ["network", "contacts", "position.precise"],
      ["network", "contacts", "messages", "notes"],
    ])
  func anyScript(grants: [String]) throws {
    let broker = try Broker()
    try broker.start()
    let logs = try TemporaryDirectory()
    let news = try Receiver(
      port: broker.port, gateway: RunningGateway.name, log: logs.path(of: "received"))
    try #require(broker.hasSubscriber())
    let house = try TalkingGateway(broker: broker.port, grants: grants)
    try house.perform(.note(.put(Self.note("n1"), revision: nil)))
    try house.perform(
      .note(.send(id: "m1", resident: "mary", .toCaregivers, sender: "萍", text: Self.text)))
    let hasCome = Eventually.holds(withinSeconds: 30) {
      news.arrivals().contains { $0.type == "message.sent" }
    }
    #expect(hasCome, "\(house.gateway.log)")
    let bodies = try news.arrivals().map { try JSONValue(parsing: String($0.body)) }
    let change = try #require(bodies.first { $0["data"]?["action"] == "note.put" })
    let message = try #require(bodies.first { $0["type"] == "message.sent" })
    if grants.contains("notes") {
      let mirrored = try Note(json: #require(change["data"]?["content"]))
      #expect(Array(mirrored.text.utf8) == Array(Self.text.utf8))
      #expect(message["data"]?["text"] == .string(Self.text))
    } else {
      // What changed and who did it; the words stay in the house.
      #expect(change["data"]?["content"]?["author"] == "Анна")
      for word in ["王芳", "题 🍵", "tea"] {
        #expect(!bodies.contains { $0.serialized.contains(word) }, "\(word)")
      }
    }
    house.gateway.kill()
    try house.start()
    let kept = try Note(json: house.call(.noteGet, ["id": "n1"]))
    #expect(Array(kept.text.utf8) == Array(Self.text.utf8) && kept.tags == ["甜", "tea"])
    let found = try house.call(
      .notesQuery, ["resident": "mary", "kind": "diary", "text": "مرحبا", "tag": "TEA"])
    #expect(found.arrayContent?.count == 1)
    #expect(
      try house.call(.messagesQuery, ["resident": "mary"]).arrayContent?.first?["text"]
        == .string(Self.text))
  }

  @Test("Two who change one note at once are both told, and nothing is lost")
  func conflict() throws {
    let house = try TalkingGateway()
    try house.perform(.note(.put(Self.note("n1", text: "one"), revision: 0)))
    try house.perform(.note(.put(Self.note("n1", text: "Anna's"), revision: 1)))
    #expect(throws: ControlError.self) {
      try house.perform(.note(.put(Self.note("n1", text: "Bert's"), revision: 1)))
    }
    let events = try house.call(.eventsQuery, ["types": ["change.conflict"]])
    let facts = try #require(events.arrayContent?.first?["data"])
    #expect(facts["stored"]?["text"] == "Anna's" && facts["refused"]?["text"] == "Bert's")
    #expect(try house.call(.noteGet, ["id": "n1"])["text"] == "Anna's")
    // Without a revision the last one wins, and what was there is told.
    try house.perform(.note(.put(Self.note("n1", text: "Bert's"), revision: nil)))
    let last = try house.call(.eventsQuery, ["types": ["record.changed"], "limit": 1])
    #expect(last.arrayContent?.first?["data"]?["previous"]?["text"] == "Anna's")
    try house.perform(.note(.remove("n1", revision: 3)))
    #expect(throws: ControlError.self) { try house.call(.noteGet, ["id": "n1"]) }
  }

  @Test(
    "A picture comes in pieces, survives a power cut, and waits after its last note for whoever takes that back"
  )
  func pictures() throws {
    let house = try TalkingGateway()
    let picture = try house.addPicture(Self.jpeg(comment: 5000), pieces: 7)
    #expect(picture.width == 3 && picture.bytes < 100)
    #expect(try house.addPicture(Self.jpeg(comment: 10)).id == picture.id)
    try house.perform(.note(.put(Self.note("n1", pictures: [picture.id]), revision: nil)))
    try house.perform(.note(.put(Self.note("n2", pictures: [picture.id]), revision: nil)))
    // An upload that the power cut interrupts, and a file that nobody knows.
    try house.call(
      .pictureAdd,
      ["resident": "mary", "upload": "cut", "offset": 0, "data": "/9j/", "isLast": false])
    let stray = house.gateway.stateDirectory + "/pictures/" + String(repeating: "0", count: 64)
    try Data([1]).write(to: URL(fileURLWithPath: stray + ".png"))
    #expect(house.files.count == 3)
    house.gateway.kill()
    try house.start()
    let isSwept = Eventually.holds(withinSeconds: 20) { house.files == ["\(picture.id).jpg"] }
    #expect(isSwept, "\(house.files)")
    let answer = try house.call(.pictureGet, ["id": .string(picture.id.rawValue)])
    #expect(answer["isLast"] == true)
    let bytes = try #require(answer["data"]?.stringContent.flatMap { Base64.decode($0) })
    #expect(bytes.count == Int(picture.bytes) && bytes.starts(with: [0xFF, 0xD8]))
    try house.perform(.note(.remove("n1", revision: nil)))
    #expect(house.files.count == 1)
    try house.perform(.note(.remove("n2", revision: nil)))
    try house.perform(.note(.put(Self.note("n2", pictures: [picture.id]), revision: 0)))
    #expect(house.files == ["\(picture.id).jpg"])
    #expect(try house.call(.noteGet, ["id": "n2"])["pictures"] == [.string(picture.id.rawValue)])
  }

  @Test("Erasing a resident takes notes, messages and the files of pictures")
  func erasing() throws {
    let house = try TalkingGateway()
    let picture = try house.addPicture(Self.jpeg(comment: 10))
    try house.perform(.note(.put(Self.note("n1", pictures: [picture.id]), revision: nil)))
    try house.perform(
      .note(.send(id: "m1", resident: "mary", .toResident, sender: "Anna", text: Self.text)))
    try house.perform(.eraseResident("mary"))
    let isGone = Eventually.holds(withinSeconds: 20) { house.files.isEmpty }
    #expect(isGone)
    house.gateway.stop()
    let files = try FileManager.default.contentsOfDirectory(atPath: house.gateway.stateDirectory)
    for file in files where file.hasPrefix("care.db") {
      let path = "\(house.gateway.stateDirectory)/\(file)"
      let content = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(content.range(of: Data("王芳".utf8)) == nil, "\(file)")
    }
  }

  @Test("What cannot be a picture, a note or a message is refused, and the gateway goes on")
  func nonsense() throws {
    let house = try TalkingGateway()
    let wrong: [(Route, JSONValue)] = [
      (.pictureAdd, ["resident": "mary", "upload": "u", "offset": 0, "data": "?", "isLast": true]),
      (
        .pictureAdd,
        ["resident": "mary", "upload": "../u", "offset": 0, "data": "", "isLast": true]
      ),
      (.pictureAdd, ["resident": "no", "upload": "u", "offset": 0, "data": "", "isLast": true]),
      (
        .pictureAdd,
        ["resident": "mary", "upload": "u", "offset": -1, "data": "AA==", "isLast": true]
      ),
      (.pictureGet, ["id": "../../etc/passwd"]), (.noteGet, ["id": "n9"]),
      (.notesQuery, ["resident": "no"]), (.notesQuery, ["resident": "mary", "kind": "poem"]),
      (.occurrencesQuery, ["resident": "no"]), (.homeGet, ["resident": "no"]),
      (
        .command,
        ["command": ["request": ["action": "picture.keep", "picture": ["id": "aa"]]]]
      ),
    ]
    for (method, params) in wrong {
      #expect(throws: ControlError.self, "\(method) \(params)") {
        try house.call(method, params)
      }
    }
    for text in ["", "a\0b", String(repeating: "x", count: 2001)] {
      #expect(throws: ControlError.self) {
        try house.perform(
          .note(.send(id: "m1", resident: "mary", .toResident, sender: "Anna", text: text)))
      }
    }
    #expect(try house.call(.homeGet, ["resident": "mary"])["unread"] == [])
  }
}

// MARK: Pictures

extension TalkingGateway {
  fileprivate func addPicture(_ bytes: [UInt8], pieces: Int = 1) throws -> Picture {
    let upload = UUID().uuidString.lowercased()
    let size = (bytes.count + pieces - 1) / pieces
    var answer = JSONValue.null
    for start in stride(from: 0, to: bytes.count, by: size) {
      let end = min(start + size, bytes.count)
      answer = try call(
        .pictureAdd,
        [
          "resident": "mary", "upload": .string(upload), "offset": .integer(Int64(start)),
          "data": .string(String(decoding: Base64.encode(bytes[start..<end]), as: UTF8.self)),
          "isLast": .bool(end == bytes.count),
        ])
    }
    return try Picture(json: answer)
  }

  fileprivate var files: [String] {
    let folder = gateway.stateDirectory + "/pictures"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
