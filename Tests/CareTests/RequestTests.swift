import Bytes
import Care
import JSON
import Moments
import Recurrence
import Testing

/// What people and programs ask, read as it was meant or not at all.
@Suite("Requests") struct RequestTests {
  @Test("Each request comes back from its JSON, and acts on what it names")
  func comesBack() throws {
    for request in try RequestSamples.all() {
      let json = try JSONValue(parsing: request.json.serialized)
      #expect(try Command.Request(json: json) == request, "\(request)")
      #expect(json["action"] == .string(request.action))
      // What a request brings is named in it, everything else is its target.
      let named = json["target"] ?? json.objectContent?.lazy.compactMap { $0.value["id"] }.first
      let address = json["meter"]?["address"]
      #expect((named ?? address ?? "") == .string(request.target), "\(request.json.serialized)")
    }
  }

  @Test("There is a sample of whatever is read here")
  func all() throws {
    let elsewhere: Set = ["account", "glucose", "guidance", "profile", "report"]
    let actions = CommandRule.all.map(\.action).filter {
      !elsewhere.contains(String($0.prefix { $0 != "." }))
    }
    #expect(Set(try RequestSamples.all().map(\.action)) == Set(actions))
  }

  @Test(
    "What is left out is the usual",
    arguments: [
      (
        ["action": "sos.raise", "target": "mary"],
        .alarm(.raise(resident: "mary", kind: .sos, trigger: .backend, text: ""))
      ),
      (
        ["action": "sos.cancel", "target": "mary"],
        .alarm(.cancel(resident: "mary", pin: nil, message: nil))
      ),
      (["action": "alarm.acknowledge"], .alarm(.acknowledge(alarm: nil, by: nil))),
      (
        ["action": "fake-call.start", "target": "mary"],
        .room(.startFakeCall(resident: "mary", afterSeconds: 0))
      ),
      (["action": "speech.say", "text": "hi"], .room(.say(text: "hi", language: "en"))),
      (["action": "help.speak"], .room(.speakHelp(language: "en"))),
      (
        ["action": "routine.answer", "target": "pill", "answer": "skip"],
        .routine(.answer("pill", slot: nil, .skip(reason: "")))
      ),
      (
        ["action": "routine.replace", "target": "mary", "source": "work"],
        .routine(.replace(resident: "mary", source: "work", items: []))
      ),
      (
        ["action": "message.send", "target": "m", "resident": "mary", "sender": "Anna"],
        .note(.send(id: "m", resident: "mary", .toResident, sender: "Anna", text: ""))
      ),
      (
        ["action": "device.search", "target": "mary"],
        .bluetooth(.search(for: "mary", seconds: 15))
      ),
      (
        ["action": "setting.put", "target": "mary", "name": "tierSeconds"],
        .putSetting(resident: "mary", name: "tierSeconds", value: .null)
      ),
    ] as [(JSONValue, Command.Request)])
  func usual(json: JSONValue, request: Command.Request) throws {
    #expect(try Command.Request(json: json) == request)
  }

  private static let address = "C0:11:22:33:44:55"

  @Test(
    "What does not fit is refused by its name",
    arguments: [
      ([:], .missingField, "action"), (["action": 7], .wrongType, "action"),
      (["action": "dance"], .unknownWord, "action"), (["action": "zone"], .unknownWord, "action"),
      (["action": "sos.raise"], .missingField, "target"),
      (["action": "sos.raise", "target": "m", "kind": "boredom"], .unknownWord, "kind"),
      (["action": "sos.raise", "target": "m", "trigger": "cat"], .unknownWord, "trigger"),
      (["action": "sos.cancel", "target": "m", "pin": 1234], .wrongType, "pin"),
      (["action": "alarm.resolve", "target": "a"], .missingField, "reason"),
      (["action": "pin.set", "target": "m", "pin": "1"], .missingField, "kind"),
      (["action": "pin.set", "target": "m", "kind": "wrong"], .unknownWord, "kind"),
      (["action": "emergency.contact", "target": "m", "mode": "fax"], .unknownWord, "mode"),
      (["action": "emergency.confirm", "target": "m"], .missingField, "code"),
      (
        ["action": "fake-call.start", "target": "m", "afterSeconds": 0.5], .wrongType,
        "afterSeconds"
      ),
      (["action": "speech.say"], .missingField, "text"),
      (["action": "routine.answer", "target": "p"], .missingField, "answer"),
      (["action": "routine.answer", "target": "p", "answer": "maybe"], .unknownWord, "answer"),
      (
        ["action": "routine.answer", "target": "p", "answer": "snooze", "minutes": "5"],
        .wrongType, "minutes"
      ),
      (["action": "routine.switch", "target": "p"], .missingField, "isOn"),
      (["action": "routine.zone", "target": "m", "answer": "stay"], .unknownWord, "answer"),
      (["action": "routine.restock", "target": "p"], .missingField, "units"),
      (
        ["action": "routine.replace", "target": "m", "source": "w", "items": 7], .wrongType,
        "items"
      ),
      (["action": "note.put", "revision": 1], .missingField, "note"),
      (
        [
          "action": "message.send", "target": "m", "resident": "m", "sender": "a",
          "direction": "up",
        ],
        .unknownWord, "direction"
      ),
      (["action": "device.search", "target": "m", "seconds": 0], .outOfRange, "seconds"),
      (["action": "device.search", "target": "m", "seconds": 61], .outOfRange, "seconds"),
      (["action": "meter.remove", "target": "nonsense"], .outOfRange, "target"),
      (["action": "meter.answer", "target": .string(address)], .missingField, "resident"),
      (
        [
          "action": "meter.answer", "target": .string(address), "resident": "m",
          "passkey": 1_000_000,
        ], .outOfRange, "passkey"
      ),
      (
        ["action": "meter.answer", "target": .string(address), "resident": "m", "passkey": -1],
        .outOfRange, "passkey"
      ),
      (
        ["action": "tag.put", "tag": TagTests.full, "identities": ["tile:1"]], .unknownWord,
        "identity"
      ),
      (["action": "absence.put"], .missingField, "absence"),
      (["action": "tracking.set", "target": "m", "isOn": "no"], .wrongType, "isOn"),
      (
        ["action": "consent.put", "target": "m", "kind": "soul", "isGranted": true, "by": "a"],
        .unknownWord, "kind"
      ),
      (
        ["action": "consent.put", "target": "m", "kind": "camera", "isGranted": true],
        .missingField, "by"
      ),
    ] as [(JSONValue, DecodeError.Code, String)])
  func refused(json: JSONValue, code: DecodeError.Code, field: String) {
    #expect(throws: DecodeError(code, at: 0, field: field)) { try Command.Request(json: json) }
  }

  // MARK: What is told of a request

  @Test(
    "Whom an alarm's request means, and who it is said for",
    arguments: [
      (.raise(resident: "mary", kind: .sos, trigger: .button, text: ""), false, "mary", nil),
      (.cancel(resident: "mary", pin: "1", message: nil), true, "mary", nil),
      (.acknowledge(alarm: nil, by: "anna"), true, nil, "anna"),
      (.acknowledge(alarm: "", by: nil), true, nil, nil),
      (.acknowledge(alarm: "A7K2", by: nil), false, nil, nil),
      (.resolve(alarm: nil, by: "bob", reason: "x"), true, nil, "bob"),
      (.resolve(alarm: "A7K2", by: nil, reason: "x"), false, nil, nil),
      (.silence, true, nil, nil), (.test(resident: "mary"), false, "mary", nil),
      (.setPIN(resident: "mary", kind: .okay, pin: "1"), false, "mary", nil),
      (.contactEmergency(resident: "mary", mode: .text), false, "mary", nil),
    ] as [(AlarmRequest, Bool, ResidentID?, String?)])
  func alarms(request: AlarmRequest, meansAny: Bool, resident: ResidentID?, spokenFor: String?) {
    #expect(request.meansAnyAlarm == meansAny)
    #expect(request.resident == resident)
    #expect(request.spokenFor == spokenFor)
  }

  @Test("A PIN is taken out of what goes on, and nothing else is")
  func pins() {
    for request in RequestSamples.alarms {
      let bare = request.withoutPIN
      #expect(bare.pin == nil && bare.action == request.action && bare.target == request.target)
      if request.pin == nil {
        #expect(bare == request)
      } else {
        let written = Command.Request.alarm(bare).json.serialized
        for pin in ["1234", "9876"] { #expect(!written.contains(pin), "\(written)") }
      }
    }
    #expect(RequestSamples.alarms.compactMap(\.pin) == ["1234", "9876"])
    #expect(
      AlarmRequest.cancel(resident: "mary", pin: "1", message: "x").withoutPIN
        == .cancel(resident: "mary", pin: nil, message: "x"))
  }

  @Test(
    "Help, position, room and answers go on while the disk takes nothing; what is kept does not")
  func urgency() throws {
    let now = try RequestSamples.all().filter(\.isOfThisMinute)
    #expect(
      Set(now.map(\.action)) == [
        "sos.raise", "sos.cancel", "alarm.acknowledge", "alarm.resolve", "alarm.silence",
        "photo.take", "alarm.test", "emergency.contact", "locate", "fake-call.start",
        "fake-call.answer", "fake-call.end", "sound.play", "speech.say", "help.speak",
        "routine.answer",
      ])
  }

  @Test("The time zones that a request speaks of are known before it is done")
  func timeZones() {
    let items = [
      RequestSamples.item("a", in: "Europe/Oslo"), RequestSamples.item("b", in: "Asia/Tokyo"),
      RequestSamples.item("c", in: "Europe/Oslo"),
      RoutineItem(id: "d", resident: "mary", title: "Walk", schedule: .never),
    ]
    let replace = RoutineRequest.replace(resident: "mary", source: "work", items: items)
    #expect(Command.Request.routine(replace).timeZones == ["Asia/Tokyo", "Europe/Oslo"])
    #expect(Command.Request.routine(.put(items[1], revision: nil)).timeZones == ["Asia/Tokyo"])
    #expect(Command.Request.routine(.put(items[3], revision: nil)).timeZones == [])
    let resident = Resident(id: "mary", name: "Mary", timeZone: "UTC")
    #expect(Command.Request.putResident(resident).timeZones == ["UTC"])
    #expect(Command.Request.locate(resident: "mary").timeZones == [])
  }

  // MARK: What features read themselves

  @Test(
    "A feature's request is handed on as it came, and acts on its target or on what it brings",
    arguments: [
      (["action": "glucose.put", "reading": ["id": "g-1"]], "g-1"),
      (["action": "glucose.remove", "target": "g-1", "reading": ["id": "g-2"]], "g-1"),
      (["action": "account.log-in", "email": "a@b.cc"], ""),
      (["action": "report.order", "order": ["id": 7]], ""),
      (["action": "profile.anything", "target": "mary"], "mary"),
    ] as [(JSONValue, String)])
  func features(json: JSONValue, target: String) throws {
    let request = try Command.Request(json: json)
    guard case .feature(let own) = request else {
      Issue.record("\(request) is no feature's")
      return
    }
    #expect(request.target == target && own.target == target)
    #expect(request.json == json && .string(request.action) == json["action"])
    #expect(request.timeZones == [] && !request.isOfThisMinute)
  }

  @Test("A feature's request tells the time zone that it speaks of, and its target once it is read")
  func featureContent() throws {
    let json: JSONValue = ["action": "account.join", "target": "anna", "timeZone": "Asia/Tokyo"]
    let request = try Command.Request(json: json)
    #expect(request.timeZones == ["Asia/Tokyo"])
    guard case .feature(let own) = request else { return }
    let read = own.with(FeatureValue(Resident(id: "mary", name: "Mary", timeZone: "UTC")))
    #expect(read.target == "" && read.action == "account.join" && read.json["id"] == "mary")
  }

  @Test("A feature's value is the same whether it was made or read, and no other kind of value")
  func featureValues() throws {
    let resident = Resident(id: "mary", name: "Mary", timeZone: "UTC")
    let (made, read) = (FeatureValue(resident), FeatureValue(json: resident.json))
    #expect(made == read && Set([made, read]).count == 1)
    #expect(try made.value(as: Resident.self) == resident)
    #expect(try read.value(as: Resident.self) == resident)
    for value in [made, read] {
      #expect(throws: DecodeError(.missingField, at: 0, field: "resident")) {
        try value.value(as: Guardian.self)
      }
    }
  }

  // MARK: Commands

  @Test("What the runtime puts in the place of secrets is recorded with the command")
  func proofs() throws {
    let reading = FeatureValue(json: ["id": "g-1", "level": "5.5"])
    var commands = [Command.PINProof.verdict(.duress), .hash("$6$a")].map { command(proof: $0) }
    for stored: Command.StoredContent in [
      .note(RequestSamples.note), .message(RequestSamples.message), .reading(reading),
    ] {
      commands.append(command(stored: stored))
    }
    var credible = command()
    credible.credentials = Credentials(isRight: false, answers: ["$6$b"], token: "aa")
    credible.freshUntil = .seconds(5)
    credible.sentAt = .seconds(1_790_000_000)
    credible.sentTick = .milliseconds(1234)
    commands.append(credible)
    for command in commands {
      #expect(try Command(json: JSONValue(parsing: command.json.serialized)) == command)
    }
    #expect(commands.map { $0.pinVerdict } == [.duress, nil, nil, nil, nil, nil])
    #expect(commands.map { $0.pinHash } == [nil, "$6$a", nil, nil, nil, nil])
    #expect(commands.compactMap { $0.storedNote } == [RequestSamples.note])
    #expect(commands.compactMap { $0.storedMessage } == [RequestSamples.message])
    #expect(commands.compactMap { $0.storedFeature } == [reading])
  }

  private func command(
    proof: Command.PINProof? = nil, stored: Command.StoredContent? = nil
  ) -> Command {
    Command(
      id: "c-1", principal: Principal(channel: .gateway, name: "button/wired"),
      request: .alarm(.silence), pinProof: proof, stored: stored)
  }

  @Test("A principal comes by a way that there is")
  func principals() {
    let json = command().json
    for principal: JSONValue in [
      .null, "local:anna", ["name": "anna"], ["channel": "radio", "name": "anna"],
      ["channel": "local"],
    ] {
      #expect(throws: DecodeError.self) {
        try Command(json: json.setting("principal", to: principal))
      }
    }
  }
}
